"""Changing partners: the partners and opponents of past matches, the quality of a schedule for a field, and the rule
that partners are a number of years apart in age.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from django.utils.translation import gettext as _

from core.formats import ages
from core.formats.model import Constraint, ConstraintKind, Plan, Reason
from core.formats.rotation.figures import partners_in
from core.formats.rotation.stage import outlook
from engine.game import Ruleset as Rules
from engine.words import gettext_noop
from tournaments.models import BirthYear, Match, Seat, Stage

OF_AGES: Final = "age"
"""The wish of constraints about ages."""
AGES_KEPT: Final = gettext_noop("All partners are at least %(years)d years apart in age, as far as ages are known.")
AGES_BROKEN: Final = gettext_noop(
    "Partners are at least %(years)d years apart in age where possible; of %(pairs)d pairs %(close)d are not."
)


def with_whom(stage: Stage, entries: Iterable[int]) -> dict[tuple[int, str], str]:
    """Return, per entry (its key) and match (id), partners and opponents, in words. One query."""
    wanted = set(entries)
    seats = Seat.objects.filter(match__stage=stage, match__state=Match.State.CONFIRMED, entry__isnull=False)
    tables: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    columns = ("match__uuid", "side", "entry_id", "entry__player__name")
    for match, side, entry, name in seats.order_by("match", "index").values_list(*columns):
        tables[str(match)].append((side, entry or 0, name))
    return {
        (entry, match): _seating_text(seated, side, entry)
        for match, seated in tables.items()
        for side, entry, _name in seated
        if entry in wanted
    }


def _seating_text(seated: list[tuple[int, int, str]], own: int, entry: int) -> str:
    """Write "with Kiri against Ran & Sumi"."""
    sides: dict[int, list[str]] = defaultdict(list)
    for side, each, name in seated:
        if each != entry:
            sides[side].append(name)
    partners = " & ".join(sides.pop(own, []))
    shown = {"partners": partners, "opponents": " – ".join(" & ".join(names) for names in sides.values())}
    return _("with %(partners)s against %(opponents)s") % shown


def expected(stage: Stage, people: int) -> list[str]:
    """Describe what a field can expect of a stage in which partners change, before it is drawn; else nothing."""
    if not stage.format.changes_partners or stage.state != Stage.State.PLANNED:
        return []
    sides = Rules.from_json(json.loads(stage.ruleset.canonical)).sides(stage.seats_pref)
    each = -(-people // stage.groups_n)
    return [_(reason.text) % dict(reason.args) for reason in outlook(each, sides, stage.rounds_planned)]


def age_constraints(stage: Stage, entries: Iterable[str]) -> tuple[Constraint, ...]:
    """Return one wish for every two of these entries who are too close in age to be partners. At most one query.

    None where partners do not change: there teams are made before anything is drawn.
    """
    gap = stage.tournament.age_gap
    if not gap or not stage.format.changes_partners:
        return ()
    rows = BirthYear.objects.filter(entry__uuid__in=list(entries)).values_list("entry__uuid", "year")
    # Sorted: planners try wishes in order, and the same people must give the same draw.
    years = sorted((str(uuid), year) for uuid, year in rows)
    return tuple(
        Constraint(ConstraintKind.SEPARATE, (one, other), wish=OF_AGES)
        for (one, born), (other, also) in combinations(years, 2)
        if ages.too_close(born, also, gap)
    )


def close_partners(plan: Plan, constraints: Sequence[Constraint]) -> list[tuple[str, str]]:
    """Return the pairs of entries who are partners in a round and too close in age."""
    close = {tuple(sorted(each.entries)) for each in constraints if each.wish == OF_AGES}
    return sorted(two for two in partners_in(plan.pods) if two in close)


def with_ages(stage: Stage, plans: Sequence[Plan], constraints: Sequence[Constraint]) -> tuple[Plan, ...]:
    """Add to the plans what the rule about ages came to: a number, because everybody reads it."""
    gap = stage.tournament.age_gap
    if not gap or not stage.format.changes_partners:
        return tuple(plans)
    return tuple(replace(plan, reasons=(*plan.reasons, _of_ages(plan, gap, constraints))) for plan in plans)


def _of_ages(plan: Plan, gap: int, constraints: Sequence[Constraint]) -> Reason:
    close, pairs = len(close_partners(plan, constraints)), sum(partners_in(plan.pods).values())
    if not close:
        return Reason("apart.ages", AGES_KEPT, (("years", gap),))
    return Reason("apart.ages", AGES_BROKEN, (("years", gap), ("pairs", pairs), ("close", close)))
