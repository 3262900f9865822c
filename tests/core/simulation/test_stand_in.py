"""A large Dutch field is rehearsed with a quicker planner, and the rehearsal says so."""

from __future__ import annotations

from core.formats.model import Seats
from core.formats.swiss.dutch import MAX_REHEARSED
from core.simulation import Course, Part, rehearse


def a_dutch(entries: int) -> Course:
    """A Dutch event of two rounds."""
    return Course(entries, (Part("all", "dutch", Seats(2, 2, 2), rounds=2),))


def test_a_large_field_has_a_stand_in_and_a_small_one_has_not() -> None:
    large = rehearse(a_dutch(MAX_REHEARSED + 2), runs=2).parts[0]
    assert large.stand_in
    assert (large.matches, large.rounds, large.repeats) == (MAX_REHEARSED + 2, (2, 2.0, 2), 0)
    assert not rehearse(a_dutch(8), runs=1).parts[0].stand_in
