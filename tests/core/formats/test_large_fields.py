"""Large fields: what `benchmarks.formats` times is also right. No clock here."""

from __future__ import annotations

import pytest

from benchmarks.formats import FOURS, PAIRS, rounds
from core.formats import schedule
from core.formats.model import Entrant, Plan, Seats


def played(kind: str, count: int, turns: int, seats: Seats) -> list[Plan]:
    return [drawn for drawn, _seconds in rounds(kind, count, turns, seats)]


@pytest.mark.slow
def test_sixty_at_sixes_meet_nobody_twice() -> None:
    assert played("pods", 60, 4, Seats(6, 6, 6))[-1].quality.repeats == 0


@pytest.mark.slow
@pytest.mark.parametrize("seats", [Seats(5, 6, 6), Seats(6, 6, 6)])
def test_five_hundred_at_sixes_over_eight_rounds(seats: Seats) -> None:
    """With tables of five for the rest, and with two who sit out."""
    plans = played("pods", 500, 8, seats)
    assert plans[-1].quality.repeats == 0
    assert plans[-1].quality.seat_imbalance <= 2
    assert [len(drawn.byes) for drawn in plans] == [500 % 6 if seats.min == 6 else 0] * 8
    assert plans[-1].quality.bye_imbalance <= 1


@pytest.mark.slow
def test_five_thousand_in_pairs() -> None:
    plans = played("swiss", 5_000, 4, PAIRS)
    assert plans[-1].quality.repeats == 0
    assert plans[-1].quality.first_seat <= 2
    assert all(int(dict(drawn.reasons[0].args)["floats"]) <= 5 for drawn in plans)


def test_forty_at_fours_over_seven_rounds_reach_the_bound() -> None:
    last = schedule("tables", [Entrant(f"e{at:02}", at) for at in range(40)], 7, FOURS, "benchmark")[-1]
    assert (last.certificate.repeats, last.certificate.bound) == (0, 0)
