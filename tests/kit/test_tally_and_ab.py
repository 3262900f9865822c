"""The table of results and the local A/B test: the deal set is the unit."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from scipy import stats

from core.statistics import Hypotheses, Model, Verdict
from kit.comparing import Comparison, in_order
from kit.contest import ContestSettings, arrange
from kit.players import player
from kit.playing import MatchPlayed, Sat, SetPlayed
from kit.tally import interval, rows_of, student
from tests.kit.conftest import Type

WORST = "def choose(obs):\n    return 0\n"


def a_sat(player: int, place: Fraction, lead: float = 0.0) -> Sat:
    return Sat(player, place, lead, cpu_ms=2.0, asked=4, slowest_ms=1, code=None)


def a_set(number: int, *won: bool) -> SetPlayed:
    """A pair of legs between two players, told by who of the legs the second one (the new one) has won."""
    matches = []
    for leg, is_won in enumerate(won):
        seating = (0, 1) if leg == 0 else (1, 0)
        places = tuple(1 if (who == 1) is is_won else 2 for who in seating)
        sat = tuple(a_sat(who, Fraction(int((who == 1) is is_won))) for who in (0, 1))
        matches.append(MatchPlayed(seating, places, sat))
    return SetPlayed(number, tuple(matches), ())


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 9, 30, 200, 5000])
def test_student_is_student(freedom: int) -> None:
    assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=2e-3)


def test_an_interval_needs_two_deal_sets() -> None:
    assert interval([3.0]).half is None
    assert interval([3.0]).text(1) == "3.0"
    found = interval([1.0, 2.0, 3.0, 4.0, 5.0])
    low, high = stats.t.interval(0.95, 4, loc=3.0, scale=stats.sem([1, 2, 3, 4, 5]))
    assert found.half is not None
    assert (found.mean - found.half, found.mean + found.half) == pytest.approx((low, high), rel=1e-3)
    assert interval([-1.0, -1.0]).text(2, sign=True) == "−1.00 (too few)"
    assert interval([-1.0] * 5).text(2, sign=True) == "−1.00 ± 0.00"


def test_the_two_legs_of_a_deal_set_are_one_observation() -> None:
    """Every set is won once and lost once: an interval over matches would be wide, over deal sets it is nothing."""
    rows = rows_of([a_set(number, True, False) for number in range(10)], 2)
    assert [row.matches for row in rows] == [20, 20]
    assert rows[1].place.mean == 0.5
    assert rows[1].place.half == 0
    assert rows[1].fared == (0, 10, 0)
    better = rows_of([a_set(number, True, number % 2 == 0) for number in range(10)], 2)
    assert better[1].fared == (5, 5, 0)
    assert better[0].fared == (0, 5, 5)
    assert better[0].ms == 0.5


def test_deal_sets_count_in_their_order() -> None:
    sets = [a_set(number, True, True) for number in range(5)]
    for order in itertools.islice(itertools.permutations(sets), 0, 120, 7):
        assert [played.number for played in in_order(order)] == [0, 1, 2, 3, 4]


def test_a_comparison_decides_by_the_service_s_statistics() -> None:
    contest = arrange(
        [player("house:random"), player("house:greedy")],
        ContestSettings(deals=99, seed="s", preset="hawaii", duplicate=True),
    )
    found = Comparison.of(contest, Hypotheses(0, 20, model=Model.LOGISTIC))
    for number in range(400):
        if found.is_decided:
            break
        found.add(a_set(number, True, number % 3 > 0))
    said = found.to_json()
    assert said["verdict"] == Verdict.H1.value
    assert said["counts"] is not None
    assert sum(said["counts"]) == said["deal_sets"] == found.won + found.even + found.lost
    assert said["llr"] >= said["bounds"][1]
    assert said["estimate"]["elo_low"] > 0


def test_at_larger_tables_both_sit_alone() -> None:
    wish = ContestSettings(deals=9, seed="s", preset="hawaii", seats=3, duplicate=True, both_alone=True)
    contest = arrange([player("house:random"), player("house:greedy")], wish)
    found = Comparison.of(contest, Hypotheses(0, 20, model=Model.LOGISTIC))
    legs = []
    for _, seating in contest.legs(0):  # the new one is always before every old one
        order = sorted(range(3), key=lambda seat: -seating[seat])
        places = [0, 0, 0]
        for seat in order:
            places[seat] = 1 if seating[seat] == 1 else 1 + sum(who == 1 for who in seating)
        legs.append(MatchPlayed(seating, tuple(places), ()))
    found.add(SetPlayed(0, tuple(legs), ()))
    assert (found.won, found.even, found.lost) == (1, 0, 0)
    assert found.to_json()["counts"] is None


@pytest.mark.slow
def test_ab_finds_the_better_one(type_in: Type, my_bot: Callable[..., Path]) -> None:
    my_bot(WORST, "old")
    words = ("old", "house:greedy", "--sprt", "0,100", "--deals", "200", "--seed", "s", "--jobs", "1")
    found = type_in("ab", *words, "--json")
    assert (found.code, found.json["verdict"]) == (0, "H1")
    assert found.json["deal_sets"] < 200
    assert found.json["estimate"]["elo"] > 0
    turned = type_in("ab", "house:greedy", "old", *words[2:])
    assert turned.code == 1
    assert "old is not 100 Elo better than house:greedy" in turned.out


@pytest.mark.slow
def test_ab_may_end_undecided(type_in: Type) -> None:
    found = type_in("ab", "house:random", "house:greedy", "--deals", "2", "--seed", "s", "--seats", "3")
    assert found.code == 1
    assert "Not decided" in found.out
    assert "after 2 deal sets" in found.out
