"""A bracket as it stands, for pages: every match of it, played, drawn or still to come. Reads only."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch

from core.formats.elimination.model import Bracket, BracketMatch, BracketSeat
from core.formats.model import Plan
from core.formats.pools import Course
from core.interchange.progress import ends_of
from core.standings.model import MatchResult
from tournaments.matches.records.results import has_places_of_the_game, result_of, spec_for
from tournaments.matches.schedule import seats_named
from tournaments.models import Entry, Match, Player, ResultReport, Round, Stage, StageEntry
from tournaments.pairing import plans
from tournaments.pairing.inputs import COMPLETE
from tournaments.standings.brackets import as_it_stands

Legs = tuple[Match, ...]


def taken(match: BracketMatch) -> tuple[BracketSeat, ...]:
    """Return the seats that somebody sits on or may come to; of two seats both, because the page shows a bye there."""
    return tuple(seat for seat in match.seats if seat.source is not None or len(match.seats) == 2)


@dataclass(frozen=True, slots=True)
class BracketNow:
    """One bracket. group: its label, "" where a stage has one only; legs: by the id of a match of the bracket its
    rows, as far as it was drawn; extras: of one that ended level the rows of its extra deals; names: by entry;
    players: likewise, with their bots.
    """

    group: str
    bracket: Bracket
    legs: Mapping[str, Legs]
    players: Mapping[str, Player]
    names: Mapping[str, str]
    extras: Mapping[str, Legs]


def brackets_of(stage: Stage) -> list[BracketNow]:
    """Return the brackets of an elimination stage, one for each group; none before it is drawn.

    At most eight queries.
    """
    rounds = list(Round.objects.filter(stage=stage).order_by("number").values_list("number", "state", "plan"))
    if not rounds:
        return []
    history = tuple(Plan.from_json(plan) for _number, _state, plan in rounds)
    complete = {number for number, state, _plan in rounds if state in COMPLETE}
    matches = _matches(stage)
    finished = tuple(ends_of(history, _results(stage, matches), spec_for(stage), lots_rounds=stage.lots_rounds))
    pools = plans.pools_of(stage)
    entrants, constraints = plans.entrants_of(stage, {}), plans.constraints_of(stage)
    course = Course(entrants, history, finished, pools, constraints, plans.open_tables_of(stage))
    seed, players = plans.seed_of(stage), _players(matches, history)
    if not pools:
        return [_now(stage, course, complete, seed, matches, players, "")]
    labels = dict(StageEntry.objects.filter(stage=stage).values_list("entry__uuid", "group__label"))
    return [
        _now(stage, course.of_pool(n), complete, plans.pool_seed(seed, n), matches, players, _label(labels, pools[n]))
        for n in range(len(pools))
    ]


# Any member tells the group: a bracket is drawn among one group alone.
def _label(labels: Mapping[Any, str], members: Sequence[str]) -> str:
    return next((label for uuid, label in labels.items() if str(uuid) == members[0]), "")


def _matches(stage: Stage) -> list[Match]:
    """Return every match of the stage that was not called off, with seats, names and the report that counts."""
    counting = ResultReport.objects.filter(state=ResultReport.State.CONFIRMED).defer("record")
    rows = Match.objects.filter(stage=stage).exclude(state=Match.State.VOID).select_related("round", "deal_set")
    rows = rows.defer("round__plan", "round__quality").order_by("round__number", "table_no", "extra", "leg")
    return list(rows.prefetch_related(seats_named(), Prefetch("reports", queryset=counting, to_attr="counting")))


def _results(stage: Stage, matches: Iterable[Match]) -> list[MatchResult]:
    listed, by_game = list(matches), has_places_of_the_game(stage)
    legs = Counter(match.deal_set_id for match in listed)
    return [
        result_of(
            match,
            match.seats.all(),
            report.body,
            legs=legs[match.deal_set_id] if match.deal_set_id else 1,
            by_game=by_game,
        )
        for match in listed
        if match.state == Match.State.CONFIRMED
        for report in getattr(match, "counting", ())
    ]


def _players(matches: Iterable[Match], history: Sequence[Plan]) -> dict[str, Player]:
    """Return the player by entry; one query more where somebody has had no table yet."""
    found = {
        str(seat.entry.uuid): seat.entry.player
        for match in matches
        for seat in match.seats.all()
        if seat.entry is not None
    }
    missing = {entry for plan in history for entry in plan.byes} - found.keys()
    rows = Entry.objects.filter(uuid__in=missing).select_related("player__bot") if missing else ()
    return found | {str(entry.uuid): entry.player for entry in rows}


def _now(
    stage: Stage,
    course: Course,
    complete: set[int],
    seed: str,
    matches: Sequence[Match],
    players: Mapping[str, Player],
    group: str,
) -> BracketNow:
    """Build one bracket with its rows."""
    bracket = as_it_stands(stage, course, complete, seed)
    legs = _legs(course.history, (match for match in matches if not match.extra))
    extras = _legs(course.history, (match for match in matches if match.extra))
    names = {entry: player.name for entry, player in players.items()}
    return BracketNow(group, bracket, legs, players, names, extras)


def _legs(history: Sequence[Plan], matches: Iterable[Match]) -> dict[str, Legs]:
    at: dict[tuple[int, int], list[Match]] = defaultdict(list)
    for match in matches:
        if match.round is not None:
            at[match.round.number, match.table_no or 0].append(match)
    return {pod.label: tuple(at[plan.round, pod.table]) for plan in history for pod in plan.pods}
