"""Rounds of a bracket by the names that its own page gives them, for lists of its matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from core.formats.elimination.model import Bracket
from core.formats.errors import FormatError
from core.formats.model import Entrant, Plan, StageSoFar
from core.formats.pools import own_history
from tournaments.models import Match, Round, Stage
from tournaments.pages.standings.bracket_words import round_title
from tournaments.pairing import plans


@dataclass(frozen=True, slots=True)
class RoundName:
    """Round of a match of a bracket. title: "Final"; place: in the order of play; is_final: who wins it wins all;
    is_third: of the beaten semifinalists.
    """

    title: str
    place: int
    is_final: bool
    is_third: bool = False


def round_names(stage: Stage, matches: Sequence[Match]) -> Mapping[int, RoundName]:
    """Return the rounds of these matches by their keys; of a stage without a bracket none, and no query.

    Two queries at most: only the plans of their rounds are read, and of the first, which says who is in the bracket.
    """
    if not stage.format.is_bracket or not matches:
        return {}
    shown = {match.round_id for match in matches}
    rows = Round.objects.filter(Q(number=1) | Q(pk__in=shown), stage=stage).order_by("number")
    found = {pk: Plan.from_json(plan) for pk, plan in rows.values_list("pk", "plan")}
    if not found:
        return {}
    brackets = _as_drawn(stage, next(iter(found.values())))
    pods = {(pk, pod.table): pod for pk, plan in found.items() for pod in plan.pods}
    names = {}
    for match in matches:
        pod = pods.get((match.round_id or 0, match.table_no or 0))
        own = next((each for each in brackets if pod and not set(pod.seats).isdisjoint(each.entries)), None)
        label = pod.label.partition(":")[0] if pod else ""
        if own is not None and label in own.rounds:
            names[match.pk] = _named(own, label)
    return names


def _as_drawn(stage: Stage, first: Plan) -> list[Bracket]:
    """Return the brackets of a stage as they were when their first round was drawn; none where they are none now."""
    kind: Any = stage.format
    everybody = (*first.byes, *(entry for pod in first.pods for entry in pod.seats))
    brackets = []
    for members in plans.pools_of(stage) or (everybody,):
        history = tuple(own_history((first,), members))
        entrants = tuple(Entrant(entry, number) for number, entry in enumerate(members, start=1))
        tables = frozenset((plan.round, pod.table) for plan in history for pod in plan.pods)
        so_far = StageSoFar(entrants, plans.shape_of(stage), history, (), (), tables)
        try:
            brackets.append(kind.bracket(so_far, Random(0))[0])
        except FormatError:
            return []
    return brackets


def _named(bracket: Bracket, label: str) -> RoundName:
    # Of a match that was drawn it is certain that it is needed.
    title = _("Deciding final") if label == "F2" else round_title(bracket, label)
    last = "F1" if "F1" in bracket.rounds else [each for each in bracket.rounds if each[0] == "W"][-1]
    return RoundName(title, bracket.rounds.index(label), label in (last, "F2"), label == "C1")
