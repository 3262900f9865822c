"""Results of records in the words of `core.standings`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from core.formats.stage_format import TeamSeating
from core.standings.model import (
    Forfeit,
    MatchResult,
    PlaceBy,
    Scoring,
    SeatResult,
    Spec,
    UnplayedRule,
    bye_policy,
)
from core.standings.ranking import BY_BOARDS, in_order, keys_for
from core.standings.settle import settle
from tournaments.models import Match, Seat, Stage, StageEntry, Tournament

# The tie-break that looks at ratings.
BY_RATING: Final = "perf"
# The end of a match that a no-show decided.
WALKOVER: Final = "walkover"
SCORINGS: Final[dict[str, Scoring]] = {scoring.value: scoring for scoring in Scoring}


def body_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """Build the body of a report: what the record says about the result, short."""
    result = record["result"]
    return {
        "end": result["end"],
        "score": list(result["score"]),
        "victories": list(result["victories"]),
        "rank": list(result["rank"]),
        "forfeits": [dict(forfeit) for forfeit in record["forfeits"]],
        "deals": len(record["deals"]),
        # Dealers are written "p0", "p1" ..; a record without deals has none.
        "first_dealer": int(str(record["deals"][0]["dealer"]).removeprefix("p")) if record["deals"] else None,
    }


def result_of(match: Match, seats: Iterable[Seat], body: Mapping[str, Any], *, legs: int, by_game: bool) -> MatchResult:
    """Return a confirmed match as the fold reads it, raw: the fold applies forfeits itself.

    seats: with their entries. legs: how many of the deal set are not void. by_game: `has_places_of_the_game`.
    """
    own_places = _places_of_the_game(body) if by_game else None
    faults = {fault["seat"]: Forfeit(fault["code"], fault["deal"], fault["move"]) for fault in body["forfeits"]}
    return MatchResult(
        match=str(match.uuid),
        round=match.round.number if match.round else 1,
        table=match.table_no or 1,
        seats=tuple(_seat_result(seat, body, faults, own_places) for seat in seats),
        deal_set=str(match.deal_set.uuid) if match.deal_set else "",
        leg=match.leg,
        legs=max(1, legs),
        deals=body["deals"],
        is_played=body["end"] != WALKOVER,
        extra=match.extra,
    )


def has_places_of_the_game(stage: Stage) -> bool:
    """Return whether the game says who has won a table: where places rank; boards of teams say it themselves."""
    return stage.scoring == Stage.Scoring.PLACE and not stage.tournament.boards


def _places_of_the_game(body: Mapping[str, Any]) -> list[int] | None:
    """Return places by side, where the points do not tell them.

    Won by deals, or by a hand that wins no matter what the points are (R88).

    None where they do, and where somebody forfeited: the fold then works the places out.
    """
    score, rank = body["score"], body.get("rank") or []
    by_points = [1 + sum(other > own for other in score) for own in score]
    decided = len(rank) == len(score) and list(rank) != by_points
    # In a forfeit the points of those who stayed decide, which only the fold knows how to count.
    return list(rank) if decided and not body["forfeits"] and body["end"] != WALKOVER else None


def _seat_result(
    seat: Seat, body: Mapping[str, Any], faults: Mapping[int, Forfeit], own_places: Sequence[int] | None
) -> SeatResult:
    assert seat.entry is not None
    return SeatResult(
        entry=str(seat.entry.uuid),
        seat=seat.index,
        side=seat.side,
        points=body["score"][seat.side],
        victories=body["victories"][seat.side],
        place=own_places[seat.side] if own_places else None,
        forfeit=faults.get(seat.index),
        first_dealer=seat.index == body.get("first_dealer"),
        deciders=tuple(rank[seat.side] for rank in deciders_of(body)),
    )


def deciders_of(body: Mapping[str, Any]) -> list[list[int]]:
    """Return what decided a level knock-out match, in turn: places by side in people's extra deals, then a decision."""
    decided = body.get("decided")
    return [*(deal["rank"] for deal in body.get("extra", ())), *([decided["rank"]] if decided else ())]


def spec_for(stage: Stage) -> Spec:
    """Return the scoring rules of a stage. Lots are drawn from the commitment, which is public and fixed.

    Rounds without play count in `bh` and `sb` as FIDE has it where pairs are drawn by results; elsewhere, and of teams
    that sit apart, they are left out.
    """
    event, is_first, strengths = stage.tournament, stage.edition == 1, _strengths_in(stage)
    is_fide = stage.format.counts_unplayed_as_fide and not event.boards
    return Spec(
        scoring=SCORINGS[stage.scoring],
        tie_breaks=tuple(stage.tie_breaks) if is_first else (),
        bye=bye_policy(stage.bye_policy, stage.edition),
        # A stage that was signed and undone has a new commitment; its lots stay those of the first one.
        lots_seed=stage.lots_seed or stage.commitment,
        unplayed=UnplayedRule.FIDE if is_fide else UnplayedRule.SKIP,
        keys=_keys_compared(stage),
        best=event.team_best,
        place_by=PlaceBy.VICTORIES if event.boards and event.board_by == "victories" else PlaceBy.AUTO,
        strengths=strengths,
        walkover=None if is_first else _walkover(event),
        edition=stage.edition,
    )


def _walkover(event: Tournament) -> Fraction | None:
    """Return `Spec.walkover` of an event."""
    if event.walkover == Tournament.Walkover.MEAN:
        return None
    return Fraction(1) if event.walkover == Tournament.Walkover.FULL else Fraction(event.walkover_share, 100)


def _keys_compared(stage: Stage) -> tuple[str, ...]:
    """Return the ids of `Spec.keys`: the whole ranking; in the first edition only what boards of teams put first."""
    keys = keys_of(stage)
    if stage.edition == 1:
        return keys if is_by_boards(stage) else ()
    return in_order(keys, stage.tie_breaks, stage.edition)


def _strengths_in(stage: Stage) -> tuple[tuple[str, Fraction], ...]:
    """Return the rating of each entry when it joined; none, and no query, where the stage does not look at it."""
    if BY_RATING not in stage.tie_breaks:
        return ()
    rows = StageEntry.objects.filter(stage=stage).exclude(strength="").order_by("pk")
    return tuple((str(uuid), Fraction(text)) for uuid, text in rows.values_list("entry__uuid", "strength"))


def fill_seats(match: Match, seats: Iterable[Seat], body: Mapping[str, Any], spec: Spec) -> list[Seat]:
    """Write a result into the seats (not saved): raw figures, what counts after forfeits, places, faults."""
    rows = list(seats)
    # One match on its own: what legs share does not change what one seat shows.
    result = result_of(match, rows, body, legs=1, by_game=has_places_of_the_game(match.stage))
    settled = settle([result], spec)
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


def is_by_boards(stage: Stage) -> bool:
    """Return whether teams sit apart and are ranked by their boards or meetings, not by the sum of their boards."""
    return stage.tournament.team_score in BY_BOARDS


def keys_of(stage: Stage, *, of_members: bool = False) -> tuple[str, ...]:
    """Return the ids the stage ranks by first, then those proposed after it. of_members: for people of its teams."""
    score = "" if of_members else stage.tournament.team_score
    return keys_for(Scoring(stage.scoring), score, teams_meet=stage.format.teams is TeamSeating.MEETINGS)


def ranking_of(stage: Stage, *, of_members: bool = False) -> tuple[str, ...]:
    """Return ids of tie-breaks in order of comparison.

    In a bracket, and where lives count, the place comes before them.

    Points are those above the table's mean as soon as tables differ (`standings.model.Basis`).
    """
    return in_order(keys_of(stage, of_members=of_members), stage.tie_breaks, stage.edition)
