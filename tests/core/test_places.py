"""Places at a table that count: those of the game where a stage is ranked by places, else those of the fold."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tournaments.matches.records.confirmed import SEAT_COLUMNS, results_from
from tournaments.matches.records.results import fill_seats, spec_for
from tournaments.models import Entry, Match, Seat, Stage, Tournament


def a_row(index: int, points: int, place: int, scoring: str) -> dict[str, Any]:
    """A seat of one match as the database gives it. In Poka a Four of a Kind wins no matter what the points (R88)."""
    row: dict[str, Any] = dict.fromkeys(SEAT_COLUMNS)
    row |= {"match_id": 1, "match__uuid": "m", "match__leg": 1, "index": index, "side": index, "raw_points": points}
    return row | {"raw_victories": 1, "place": place, "match__stage__scoring": scoring, "entry__uuid": f"e{index}"}


@pytest.mark.parametrize(("scoring", "expected"), [("place", [2, 1]), ("cumulative", [None, None])])
def test_the_games_own_places_count_where_places_rank(scoring: str, expected: list[int | None]) -> None:
    rows = [a_row(0, 7, 2, scoring), a_row(1, 5, 1, scoring)]
    (result,) = results_from(rows, Counter(), who="entry__uuid")
    assert [seat.place for seat in result.seats] == expected


def a_body(score: list[int], rank: list[int], *, end: str = "complete", absent: tuple[int, ...] = ()) -> dict[str, Any]:
    forfeits = [{"seat": seat, "code": "no_show", "deal": 0, "move": 0} for seat in absent]
    return {"end": end, "score": score, "victories": [4, 1], "rank": rank, "forfeits": forfeits, "deals": 5}


def places_of(body: dict[str, Any], scoring: str, **settings: Any) -> list[int | None]:
    """Return what is written into the seats of a match that ended so. Nothing is stored."""
    stage = Stage(tournament=Tournament(**settings), kind="tables", scoring=scoring, bye_policy="half")
    match = Match(stage=stage)
    seats = [Seat(match=match, index=at, side=at, entry=Entry()) for at in range(2)]
    return [seat.place for seat in fill_seats(match, seats, body, spec_for(stage))]


@pytest.mark.parametrize(
    ("scoring", "body", "expected"),
    [
        ("place", a_body([8, 5], [2, 1]), [2, 1]),  # buttakuri wins the match no matter what the points (R88)
        ("place", a_body([300, 310], [1, 2]), [1, 2]),  # won by deals, on fewer points
        ("cumulative", a_body([8, 5], [2, 1]), [1, 2]),
        ("round_victory", a_body([300, 310], [2, 1]), [1, 2]),
        ("place", a_body([0, 0], [2, 2], end="walkover", absent=(0, 1)), [2, 2]),
        ("place", a_body([9, 5], [2, 1], absent=(1,)), [1, 2]),  # a side that forfeited is last, in spite of its points
    ],
)
def test_who_won_a_match_is_for_the_game_to_say(scoring: str, body: dict[str, Any], expected: list[int]) -> None:
    assert places_of(body, scoring) == expected


def test_what_decides_a_board_is_said_by_the_event() -> None:
    body = a_body([300, 310], [1, 2])
    assert places_of(body, "place", boards=2, board_by="points") == [2, 1]
