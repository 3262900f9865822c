"""From a record to what standings count, in the words of `tournaments.standings`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from tournaments.formats import boards
from tournaments.models import Match, Seat, Stage
from tournaments.standings.model import (
    BYE_POLICIES,
    Forfeit,
    MatchResult,
    PlaceBy,
    Scoring,
    SeatResult,
    Spec,
    UnplayedRule,
)
from tournaments.standings.settle import settle

WALKOVER: Final = "walkover"
"""The end of a match that a no-show decided."""
FIDE_KINDS: Final = (Stage.Kind.SWISS, Stage.Kind.DUTCH)
BY_BOARDS: Final = ("boards", "meetings")
"""Scores of teams in which a board is worth its place share: 1, 1/2 or 0 at two seats."""
SCORINGS: Final[dict[str, Scoring]] = {scoring.value: scoring for scoring in Scoring}


def body_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a report: what the record says about the result, short."""
    result = record["result"]
    return {
        "end": result["end"],
        "score": list(result["score"]),
        "victories": list(result["victories"]),
        "rank": list(result["rank"]),
        "forfeits": [dict(forfeit) for forfeit in record["forfeits"]],
        "deals": len(record["deals"]),
        "first_dealer": int(str(record["deals"][0]["dealer"]).removeprefix("p")) if record["deals"] else None,
    }


def result_of(match: Match, seats: Iterable[Seat], body: Mapping[str, Any], *, legs: int) -> MatchResult:
    """A confirmed match as the fold reads it, raw: the fold applies forfeits itself.

    seats: with their entries. legs: how many of the deal set are not void.
    """
    faults = {fault["seat"]: Forfeit(fault["code"], fault["deal"], fault["move"]) for fault in body["forfeits"]}
    return MatchResult(
        match=str(match.uuid),
        round=match.round.number if match.round else 1,
        table=match.table_no or 1,
        seats=tuple(_seat_result(seat, body, faults) for seat in seats),
        deal_set=str(match.deal_set.uuid) if match.deal_set else "",
        leg=match.leg,
        legs=max(1, legs),
        deals=body["deals"],
        is_played=body["end"] != WALKOVER,
    )


def _seat_result(seat: Seat, body: Mapping[str, Any], faults: Mapping[int, Forfeit]) -> SeatResult:
    assert seat.entry is not None
    return SeatResult(
        entry=str(seat.entry.uuid),
        seat=seat.index,
        side=seat.side,
        points=body["score"][seat.side],
        victories=body["victories"][seat.side],
        forfeit=faults.get(seat.index),
        first_dealer=seat.index == body.get("first_dealer"),
    )


def spec_for(stage: Stage) -> Spec:
    """The scoring rules of a stage. Lots are drawn from the commitment, which is public and fixed.

    Rounds without play count in `bh` and `sb` as FIDE has it where pairs are drawn by results; elsewhere, and of teams
    that sit apart, they are left out.
    """
    event = stage.tournament
    is_fide = stage.kind in FIDE_KINDS and not event.boards
    return Spec(
        scoring=SCORINGS[stage.scoring],
        tie_breaks=tuple(stage.tie_breaks),
        bye=BYE_POLICIES[stage.bye_policy],
        lots_seed=stage.lots_seed or stage.commitment,
        unplayed=UnplayedRule.FIDE if is_fide else UnplayedRule.SKIP,
        keys=_team_keys(stage),
        best=event.team_best,
        place_by=PlaceBy.VICTORIES if event.boards and event.board_by == "victories" else PlaceBy.AUTO,
    )


def _team_keys(stage: Stage) -> tuple[str, ...]:
    """What teams that sit apart rank by, if it is not what their boards add up to: board points, meetings won."""
    if stage.tournament.team_score not in BY_BOARDS:
        return ()
    if stage.kind not in boards.MEETING:
        return ("place",)
    return ("meetings", "place") if stage.tournament.team_score == "meetings" else ("place", "meetings")


def fill_seats(match: Match, seats: Iterable[Seat], body: Mapping[str, Any], spec: Spec) -> list[Seat]:
    """Write a result into the seats (not saved): raw figures, what counts after forfeits, places, faults."""
    rows = list(seats)
    settled = settle([result_of(match, rows, body, legs=1)], spec)
    faults = {fault["seat"]: fault for fault in body["forfeits"]}
    for seat in rows:
        assert seat.entry is not None
        side = settled.side_of(str(seat.entry.uuid))
        fault = faults.get(seat.index)
        seat.raw_points, seat.raw_victories = body["score"][seat.side], body["victories"][seat.side]
        seat.points, seat.victories, seat.place = int(side.points), int(side.victories), side.place
        seat.outcome = Seat.Outcome.FORFEIT if fault else Seat.Outcome.PLAYED
        seat.fault = {key: fault[key] for key in ("code", "deal", "move")} if fault else None
    return rows
