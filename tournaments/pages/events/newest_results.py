"""What an event's first page shows of its matches: those played now, then the newest results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q

from tournaments.lifecycle.visibility import each_first
from tournaments.matches.schedule import TableRow, seats_named, table_rows
from tournaments.models import Match, Stage

M = Match.State
PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A match, or all legs of a table of two that is over. rows: its two sides with their sums, who won first.

    is_third: whether it is played for the third place. leg: of a match whose other legs are not over, else 0.
    """

    match: Match
    rows: tuple[TableRow, ...] = ()
    is_third: bool = False
    leg: int = 0


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
    # The plan of a round can be long; only where there is a match for third place it tells something here.
    lines = lines.select_related("stage", "round").defer(
        "round__quality", *(() if stage.third_place else ["round__plan"])
    )
    lines = lines.order_by(each_first(Q(state__in=in_play)), "-finished_at", "table_no" if in_hall else "-pk", "-pk")
    lines = lines.prefetch_related(seats_named())
    return list(lines if _has_legs(stage) else lines[:limit])


def shown(stage: Stage, matches: Sequence[Match], *, in_hall: bool) -> dict[str, Any]:
    """Return the lines, and whether they stand round by round, so that each round has one heading among them.

    is_by_place: one has more than two sides, so that all have the form of those, and their columns agree.
    """
    lines = result_lines(stage, matches, in_hall=in_hall)
    found = [line.match for line in lines]
    by_place = any(len({(seat.entry_id, seat.player_id) for seat in each.seats.all()}) > PAIR for each in found)
    return {"matches": lines, "is_by_round": are_by_round(found), "is_by_place": by_place}


def are_by_round(matches: Sequence[Match]) -> bool:
    """Return whether the matches stand round by round, the last round first."""
    numbers = [match.round.number if match.round else 0 for match in matches]
    return all(numbers) and numbers == sorted(numbers, reverse=True)


def result_lines(stage: Stage, matches: Sequence[Match], *, in_hall: bool = False) -> list[ResultLine]:
    """Return the lines of these matches: the legs of a table that is over are one, with the sums that decide."""
    if not _has_legs(stage):
        return [ResultLine(match, is_third=_is_third(match)) for match in matches]
    tables: dict[int, list[Match]] = {}
    for match in matches:
        tables.setdefault(match.deal_set_id or -match.pk, []).append(match)
    lines = [line for legs in tables.values() for line in _of_table(stage, legs)]
    return lines[: _limit(in_hall=in_hall)]


def _of_table(stage: Stage, legs: Sequence[Match]) -> Iterable[ResultLine]:
    in_order = tuple(sorted(legs, key=lambda match: match.leg))
    rows = table_rows(stage, in_order)
    if len(rows) == PAIR and len(legs) > 1 and all(leg.state == M.CONFIRMED for leg in legs):
        return [ResultLine(in_order[0], tuple(sorted(rows, key=lambda row: not row.won)), _is_third(in_order[0]))]
    return [
        ResultLine(leg, (), _is_third(leg), leg.leg) for leg in legs if leg.state in (M.CLAIMED, M.PLAYING, M.CONFIRMED)
    ]


def _limit(*, in_hall: bool) -> int:
    return 10 if in_hall else 8


def _has_legs(stage: Stage) -> bool:
    return stage.legs != Stage.Legs.SINGLE and not stage.format.is_open_ended


def _is_third(match: Match) -> bool:
    if not match.stage.third_place or match.round is None:
        return False
    pods = [pod for pod in match.round.plan.get("pods", ()) if pod["table"] == match.table_no]
    return any(reason["code"] == "bracket.third" for pod in pods for reason in pod["why"])
