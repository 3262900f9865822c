"""A rehearsal of rotating partners: planned once, sides share their points, partners again beside the bound."""

from __future__ import annotations

from core.formats.model import Seats
from core.simulation import Course, Part, rehearse

PAIRS = (0, 1, 0, 1)


def test_partners_again_are_told_with_the_fewest_possible() -> None:
    part = Part("all", "rotation", Seats(4, 4, 4), rounds=8, sides=PAIRS)
    (told,) = rehearse(Course(8, (part,)), runs=10, seed="x").parts
    assert told.partners == (4, 4)
    assert list(told.rounds) == [8, 8, 8]
    assert (told.tables, told.byes) == (2, 0)
    assert sum(level.value for level in told.levels) > 0


def test_groups_add_up_and_byes_are_counted() -> None:
    part = Part("all", "rotation", Seats(4, 4, 4), rounds=5, groups=2, sides=PAIRS)
    (told,) = rehearse(Course(10, (part,)), runs=4, seed="x").parts
    assert told.partners == (0, 0)
    assert told.byes == 10


def test_deals_won_belong_to_the_whole_side() -> None:
    part = Part("all", "rotation", Seats(4, 4, 4), rounds=3, deals=6, sides=PAIRS)
    told = rehearse(Course(8, (part,)), runs=3, seed="y")
    assert told.parts[0].partners == (0, 0)
    assert 0 <= told.strongest_wins[0] <= 1
