"""The time of an event worked out at once: the same rounds and tables as a rehearsal, and nearly the same hours."""

from __future__ import annotations

import pytest

from core.formats.model import Seats
from core.formats.progression import Progression
from core.simulation import Course, Pace, Part, forecast, rehearse

DUEL, FOUR = Seats(2, 2, 2), Seats(3, 4, 5)
BRACKETS = [
    *[(f"pairs {n}", Part("1", "single_elim", DUEL, third_place=n > 3), n) for n in (2, 3, 5, 8, 13, 19)],
    *[(f"pairs {n}", Part("1", "double_elim", DUEL), n) for n in (2, 3, 5, 8, 13, 19)],
    *[(f"fours {n}", Part("1", "single_elim", FOUR, advance=2), n) for n in (6, 9, 13, 22)],
    *[(f"fours {n}", Part("1", "double_elim", FOUR, advance=2), n) for n in (6, 9, 13, 22)],
    ("round robin", Part("1", "round_robin", DUEL), 7),
    ("two cycles", Part("1", "round_robin", DUEL, rounds=2), 4),
    ("tables", Part("1", "tables", FOUR, rounds=3), 22),
]


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("part", "entries"), [(part, n) for _, part, n in BRACKETS])
def test_rounds_and_tables_are_those_that_are_played(part: Part, entries: int) -> None:
    played = rehearse(Course(entries, (part,)), runs=1).parts[0]
    found = forecast(Course(entries, (part,))).stages[0]
    # A second final is counted, and is played only if it is needed.
    spare = 1 if part.kind == "double_elim" else 0
    assert found.rounds - spare <= played.rounds[1] <= found.rounds
    assert found.matches - spare <= played.matches <= found.matches
    assert found.tables == played.tables


@pytest.mark.thorough
@pytest.mark.parametrize("tables", [None, 3])
def test_hours_are_about_those_of_a_rehearsal(tables: int | None) -> None:
    pools = Part("1", "round_robin", DUEL, groups=4)
    course = Course(
        16, (pools, Part("2", "single_elim", DUEL)), (Progression("1", "2", 1, 2, most=6),), pace=Pace(tables=tables)
    )
    played, found = rehearse(course, runs=80), forecast(course)
    assert found.hours == pytest.approx(played.hours[1:], rel=0.04)
    assert [stage.entries for stage in found.stages] == [16, 6]
    assert found.stages[1].starts == pytest.approx(found.stages[0].hours)
    assert found.matches == (3, 6)


def test_finals_of_one_level_are_played_side_by_side() -> None:
    pools = Part("1", "round_robin", DUEL, groups=2)
    finals = (Part("2", "single_elim", DUEL), Part("3", "single_elim", DUEL))
    ways = (Progression("1", "3", 1, 2), Progression("1", "2", 3, 4))
    found = forecast(Course(8, (pools, *finals), ways))
    assert [stage.starts > 0 for stage in found.stages] == [False, True, True]
    assert found.stages[1].starts == found.stages[2].starts
    assert found.hours[0] == pytest.approx(found.stages[0].hours + found.stages[2].hours)


def test_boards_of_a_meeting_take_a_table_each() -> None:
    part = Part("1", "swiss", DUEL, rounds=3, boards=4)
    assert forecast(Course(6, (part,))).stages[0].tables == 12
