"""Rehearsals: figures that must hold for any chance, and those that chance alone decides."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from core.formats.errors import FormatError
from core.formats.model import Seats
from core.formats.progression import Carry, Progression
from core.simulation import Course, Pace, Part, Scores, Strengths, rehearse
from core.simulation.flowing import flowing_ends
from core.standings.model import Scoring, Spec

PAIR = Seats(2, 2, 2)
POOLS = Part("pools", "round_robin", PAIR, groups=3)
FINAL = Part("final", "double_elim", PAIR)
WAY = Progression("pools", "final", 1, 2)


def test_pools_and_a_final_take_what_they_must() -> None:
    told = rehearse(Course(18, (POOLS, FINAL), (WAY,)), runs=6)
    pools, final = told.parts
    assert (pools.entries, pools.rounds, pools.matches, pools.tables) == (18, (5, 5, 5), 45, 9)
    assert (final.entries, final.tables) == (6, 3)  # W3 beside both matches of L2
    assert 10 <= final.matches <= 11
    assert pools.arbiters == 2
    assert pools.repeats == 0
    assert told.hours[0] <= told.hours[1] <= told.hours[2]
    assert sum(part.hours for part in told.parts) == pytest.approx(told.hours[1], rel=0.3)
    assert [level.rank for level in pools.levels] == [1, 2, 3, 6]
    values = [level.value for level in pools.levels]
    assert values == sorted(values, reverse=True)
    assert final.levels == ()
    assert [(turn.tables, turn.arbiters, turn.share) for turn in pools.by_round] == [(9, 2, 1)] * 5
    assert [turn.tables for turn in final.by_round][:3] == [2, 2, 3]
    assert sum(turn.minutes for turn in pools.by_round) == pytest.approx(pools.hours * 60)


@pytest.mark.thorough
def test_the_same_seed_tells_the_same_story() -> None:
    course = Course(12, (Part("tables", "pods", Seats(3, 4, 4), rounds=3),))
    assert rehearse(course, runs=3, seed="a") == rehearse(course, runs=3, seed="a")
    assert rehearse(course, runs=3, seed="a") != rehearse(course, runs=3, seed="b")


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    "part",
    [
        Part("all", "tables", Seats(3, 4, 4), rounds=3),
        Part("all", "swiss", PAIR, rounds=4, spec=Spec(scoring=Scoring.PLACE)),
        Part("all", "dutch", PAIR, rounds=3, spec=Spec(scoring=Scoring.PLACE)),
        Part("all", "pods", Seats(3, 4, 5), rounds=3),
        Part("all", "single_elim", PAIR, third_place=True),
        Part("all", "double_elim", Seats(3, 4, 4), advance=2),
        Part("all", "lives", Seats(3, 4, 4), rounds=2, advance=2),
    ],
    ids=lambda part: part.kind,
)
def test_every_kind_can_be_rehearsed(part: Part) -> None:
    told = rehearse(Course(13, (part,)), runs=3)
    assert told.parts[0].rounds[0] >= 1
    assert told.parts[0].matches > 0
    assert told.strongest_last == 1


@pytest.mark.thorough
def test_skill_decides_where_chance_does_not() -> None:
    knockout = (Part("all", "single_elim", PAIR),)
    sure = Course(8, knockout, strengths=Strengths(1.0, 0.3), scores=Scores(noise=0.001, skill=1000))
    assert rehearse(sure, runs=20).strongest_wins[0] == 1.0
    luck = rehearse(Course(8, knockout, strengths=Strengths(0.0)), runs=60)
    assert luck.strongest_wins[1] < 1 / 8 < luck.strongest_wins[2]
    assert luck.top_wins >= luck.strongest_wins[0]


def test_points_of_the_past_are_the_chance_part() -> None:
    level = Scores(mean=100, skill=0, past=(0.0,))
    told = rehearse(Course(6, (POOLS,), scores=level), runs=2)
    assert {figure.value for figure in told.parts[0].levels} == {100.0}
    assert all(figure.shared == 1.0 for figure in told.parts[0].levels)


def test_few_tables_take_longer() -> None:
    exact = Pace(match=60, spread=0, change=0)
    plenty = rehearse(Course(8, (Part("all", "round_robin", PAIR),), pace=exact), runs=1)
    assert plenty.hours == (7.0, 7.0, 7.0)
    few = Pace(match=60, spread=0, change=0, tables=3)
    assert rehearse(Course(8, (Part("all", "round_robin", PAIR),), pace=few), runs=1).hours == (14.0, 14.0, 14.0)


@pytest.mark.parametrize(("carry", "value"), [(Carry.NONE, 500), (Carry.HALF, 650), (Carry.FULL, 800)])
def test_totals_are_carried_into_the_next_stage(carry: Carry, value: float) -> None:
    """Two pools of three (two matches of 100 points and a bye for the mean), then six who meet once (five matches)."""
    pools, all_play = Part("pools", "round_robin", PAIR, groups=2), Part("ends", "round_robin", PAIR)
    way = Progression("pools", "ends", 1, 3, carry=carry)
    course = Course(6, (pools, all_play), (way,), scores=Scores(mean=100, skill=0, past=(0.0,)))
    assert rehearse(course, runs=1).parts[1].levels[0].value == value


def test_courses_that_make_no_sense() -> None:
    for course, code in (
        (Course(8, (POOLS, FINAL)), "rehearsal.start"),
        (Course(8, (POOLS, POOLS)), "rehearsal.start"),
        (Course(8, (POOLS,), (WAY,)), "progression.stage"),
    ):
        with pytest.raises(FormatError) as raised:
            rehearse(course, runs=1)
        assert raised.value.code == code
    with pytest.raises(FormatError) as raised:
        rehearse(Course(8, (POOLS,)), runs=0)
    assert raised.value.code == "rehearsal.runs"


def test_it_tells_what_was_played_when_it_is_stopped() -> None:
    asked: list[int] = []

    def heartbeat(done: int) -> bool:
        asked.append(done)
        return done < 3

    told = rehearse(Course(12, (POOLS,)), runs=9, seed="a", heartbeat=heartbeat)
    assert (told.runs, asked) == (3, [1, 2, 3])
    assert told == rehearse(Course(12, (POOLS,)), runs=3, seed="a")


def test_a_sample_is_the_table_of_one_run() -> None:
    told = rehearse(Course(18, (POOLS, FINAL), (WAY,)), runs=2)
    pools, final = told.parts
    assert [(row.group, row.rank <= 6) for row in pools.sample] == [(n, True) for n in (1, 2, 3) for _ in range(6)]
    assert sorted(row.seed for row in pools.sample) == list(range(1, 19))
    assert all(row.value is not None for row in pools.sample)
    assert [row.rank for row in final.sample][:2] == [1, 2]
    assert {row.value for row in final.sample} == {None}


def test_deals_won_add_up() -> None:
    part = Part("all", "round_robin", PAIR, spec=Spec(scoring=Scoring.ROUND_VICTORY), deals=4)
    told = rehearse(Course(6, (part,)), runs=2)
    assert sum(row.value or 0 for row in told.parts[0].sample) == 15 * 4


@pytest.mark.thorough
def test_a_double_elimination_of_11_at_4_tables_ends_earlier_if_it_flows() -> None:
    """Against rounds as a whole, at the same pace and with the same change after each match.

    Eight matches of the chain from the first round to the final follow one another however many tables there are, so
    no order of calls saves more than 15 %.
    """
    whole = Part("bracket", "double_elim", Seats(2, 2, 2))
    pace = Pace(tables=4)
    rounds = rehearse(Course(11, (whole,), pace=pace), runs=60)
    flows = rehearse(Course(11, (replace(whole, flows=True),), pace=pace), runs=60)
    assert flows.parts[0].hours <= 0.87 * rounds.parts[0].hours
    # The median and the slow evenings, too.
    assert all(one <= 0.9 * other for one, other in zip(flows.hours[1:], rounds.hours[1:], strict=True))
    # The same people won the same matches: only when they are played is another thing.
    assert flows.parts[0].matches == rounds.parts[0].matches
    assert flows.strongest_wins == rounds.strongest_wins


def test_of_matches_that_wait_the_one_is_played_first_on_which_most_others_hang() -> None:
    chain = {"a": frozenset[str](), "b": frozenset({"a"}), "c": frozenset({"b"})}
    waits = {"alone": frozenset[str](), **chain}
    pace = Pace(match=30, spread=0, change=10, tables=1)
    ends = flowing_ends([waits], pace, Random(1))
    assert [name for (_group, name), _end in sorted(ends.items(), key=lambda item: item[1])] == ["a", "b", "alone", "c"]


def test_the_rounds_of_a_bracket_that_flows_add_up_to_its_hours() -> None:
    part = Part("bracket", "single_elim", Seats(2, 2, 2), third_place=True, groups=2, flows=True)
    found = rehearse(Course(16, (part,), pace=Pace(tables=3)), runs=5).parts[0]
    assert sum(each.minutes * each.share for each in found.by_round) == pytest.approx(60 * found.hours)
    assert found.hours >= 16 / 3 * 0.5 * 45 / 60
