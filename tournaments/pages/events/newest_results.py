"""What an event's first page shows of its matches: those played now, then the newest results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q

from tournaments.lifecycle.visibility import each_first
from tournaments.matches.schedule import TableRow, seats_named, table_rows
from tournaments.models import Match, Stage
from tournaments.pages.standings.round_names import RoundName, round_names

M = Match.State
PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A match, or all legs of a table of two that is over. rows: its two sides with their sums, who won first.

    leg: of a match whose other legs are not over, else 0. name: of its round in a bracket, None elsewhere.
    """

    match: Match
    rows: tuple[TableRow, ...] = ()
    leg: int = 0
    name: RoundName | None = None


def lines_of(stage: Stage, *, in_hall: bool = False) -> list[ResultLine]:
    """Return what is being played now, then what finished last. Four queries at most."""
    return result_lines(stage, match_lines(stage, in_hall=in_hall), in_hall=in_hall)


def match_lines(stage: Stage, *, in_hall: bool = False) -> list[Match]:
    """Return what is being played now, then what finished last: found by indexes, however many. Two queries.

    in_hall: people sit at the tables, and play from when they are called. Of deal sets in rounds all legs.
    """
    limit = _limit(in_hall=in_hall) * (stage.seats_pref if _has_legs(stage) else 1)
    rows, in_play = Match.objects.filter(stage=stage), (M.CLAIMED, M.PLAYING, *((M.CALLED,) if in_hall else ()))
    now = rows.filter(state__in=in_play).order_by("pk").values("pk")[:limit]
    over = rows.filter(state=M.CONFIRMED).order_by("-finished_at", "-pk").values("pk")[:limit]
    # Each in a query of its own: two limited parts joined by OR would be looked for in every match there is.
    shown = Match.objects.filter(pk__in=now).values("pk").union(Match.objects.filter(pk__in=over).values("pk"))
    if _has_legs(stage):
        sets = Match.objects.filter(pk__in=shown, deal_set__isnull=False).values("deal_set")
        legs = Match.objects.filter(deal_set__in=sets).values("pk")
        lines = Match.objects.filter(pk__in=Match.objects.filter(pk__in=shown).values("pk").union(legs))
    else:
        lines = Match.objects.filter(pk__in=shown)
    # The plan of a round can be long: of a bracket it is read once for all matches of the round.
    lines = lines.select_related("stage", "round").defer("round__quality", "round__plan")
    lines = lines.order_by(each_first(Q(state__in=in_play)), "-finished_at", "table_no" if in_hall else "-pk", "-pk")
    lines = lines.prefetch_related(seats_named())
    return list(lines if _has_legs(stage) else lines[:limit])


def shown(lines: Sequence[ResultLine]) -> dict[str, Any]:
    """Return the lines, and whether they stand round by round, so that each round has one heading among them.

    is_by_place: one has more than two sides, so that all have the form of those, and their columns agree.
    """
    found = [line.match for line in lines]
    by_place = any(len({(seat.entry_id, seat.player_id) for seat in each.seats.all()}) > PAIR for each in found)
    is_by_round = are_by_round(found)
    # A draw can have matches of several rounds of a bracket: the one that is nearest to its end first.
    in_order = sorted(lines, key=_lateness, reverse=True) if is_by_round else lines
    return {"matches": in_order, "is_by_round": is_by_round, "is_by_place": by_place}


def _lateness(line: ResultLine) -> tuple[int, int]:
    return line.match.round.number if line.match.round else 0, line.name.place if line.name else 0


def named_lines(matches: Sequence[Match]) -> list[ResultLine]:
    """Return the matches of one event as lines, those of a bracket with its names; round by round the last one first.

    Two queries for each of its stages.
    """
    stages = {match.stage_id: match.stage for match in matches}
    names: dict[int, RoundName] = {}
    for pk, stage in stages.items():
        names |= round_names(stage, [match for match in matches if match.stage_id == pk])
    lines = [ResultLine(match, name=names.get(match.pk)) for match in matches]
    return sorted(lines, key=_lateness, reverse=True) if len(stages) == 1 and are_by_round(matches) else lines


def are_by_round(matches: Sequence[Match]) -> bool:
    """Return whether the matches stand round by round, the last round first."""
    numbers = [match.round.number if match.round else 0 for match in matches]
    return all(numbers) and numbers == sorted(numbers, reverse=True)


def result_lines(stage: Stage, matches: Sequence[Match], *, in_hall: bool = False) -> list[ResultLine]:
    """Return the lines of these matches: the legs of a table that is over are one, with the sums that decide."""
    names = round_names(stage, matches)
    if not _has_legs(stage):
        return [ResultLine(match, name=names.get(match.pk)) for match in matches]
    tables: dict[int, list[Match]] = {}
    for match in matches:
        tables.setdefault(match.deal_set_id or -match.pk, []).append(match)
    lines = [line for legs in tables.values() for line in _of_table(stage, legs, names.get(legs[0].pk))]
    return lines[: _limit(in_hall=in_hall)]


def _of_table(stage: Stage, legs: Sequence[Match], name: RoundName | None) -> Iterable[ResultLine]:
    in_order = tuple(sorted(legs, key=lambda match: match.leg))
    rows = table_rows(stage, in_order)
    if len(rows) == PAIR and len(legs) > 1 and all(leg.state == M.CONFIRMED for leg in legs):
        return [ResultLine(in_order[0], tuple(sorted(rows, key=lambda row: not row.won)), 0, name)]
    open_or_over = (M.CLAIMED, M.PLAYING, M.CONFIRMED)
    return [ResultLine(leg, (), leg.leg, name) for leg in legs if leg.state in open_or_over]


def _limit(*, in_hall: bool) -> int:
    return 10 if in_hall else 8


def _has_legs(stage: Stage) -> bool:
    return stage.legs != Stage.Legs.SINGLE and not stage.format.is_open_ended
