"""Which places at a table count: those of the game where a stage is ranked by places, else what the fold works out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tournaments.selectors.results import SEAT_COLUMNS, results_from


def a_row(index: int, points: int, place: int, scoring: str) -> dict[str, Any]:
    """A seat of one match as the database gives it. In Poka a Four of a Kind wins whatever the points (R88)."""
    row: dict[str, Any] = dict.fromkeys(SEAT_COLUMNS)
    row |= {"match_id": 1, "match__uuid": "m", "match__leg": 1, "index": index, "side": index, "raw_points": points}
    return row | {"raw_victories": 1, "place": place, "match__stage__scoring": scoring, "entry__uuid": f"e{index}"}


@pytest.mark.parametrize(("scoring", "expected"), [("place", [2, 1]), ("cumulative", [None, None])])
def test_the_games_own_places_count_where_places_rank(scoring: str, expected: list[int | None]) -> None:
    rows = [a_row(0, 7, 2, scoring), a_row(1, 5, 1, scoring)]
    (result,) = results_from(rows, Counter(), who="entry__uuid")
    assert [seat.place for seat in result.seats] == expected
