"""From legs to what a test counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics import Hypotheses, Leg, Model, Running, StatisticsError, Unit, score_of_legs, unit_of
from core.statistics.units import category_of, place_share

H = Fraction(1, 2)


def test_a_pair_of_legs_has_five_results() -> None:
    """The candidate sits in front in leg 1, behind in leg 2."""
    outcomes = {(1, 2): 2, (1, 1): 1, (2, 1): 0}
    for first, second in product(outcomes, repeat=2):
        legs = [Leg(first, 0, True), Leg(second[::-1], 1, True)]
        assert category_of(Unit.PAIR, score_of_legs(legs)) == outcomes[first] + outcomes[second]


@given(st.integers(2, 7), st.randoms(use_true_random=False))
def test_whoever_sits_alone_equals_get_half(seats: int, rng: Random) -> None:
    """The same places in every leg, as equals who play alike would have them: the seats even out."""
    places = tuple(rng.randint(1, seats) for _seat in range(seats))
    legs = [Leg(places, lone, alone) for alone in (True, False) for lone in range(seats)]
    assert score_of_legs(legs) == H
    assert sum((place_share(places, seat) for seat in range(seats)), Fraction(0)) == Fraction(seats, 2)


@given(st.integers(3, 7), st.randoms(use_true_random=False))
def test_seen_from_the_other_version_it_is_the_rest(seats: int, rng: Random) -> None:
    legs = [
        Leg(tuple(rng.randint(1, seats) for _seat in range(seats)), lone, alone)
        for alone in (True, False)
        for lone in range(seats)
    ]
    turned = [Leg(leg.places, leg.lone, not leg.is_candidate) for leg in legs]
    assert score_of_legs(turned) == 1 - score_of_legs(legs)


def test_what_is_counted() -> None:
    assert unit_of(2, 1) is Unit.MATCH
    assert unit_of(2, 2) is Unit.PAIR
    assert unit_of(4, 8) is Unit.SHARE
    assert [category_of(Unit.MATCH, score) for score in (Fraction(0), H, Fraction(1))] == [0, 1, 2]
    for wrong in (Fraction(1, 3), Fraction(5, 4)):
        with pytest.raises(StatisticsError, match="no result of a"):
            category_of(Unit.PAIR, wrong)
    with pytest.raises(StatisticsError) as raised:
        score_of_legs([])
    assert raised.value.code == "sprt.legs"


def test_what_comes_after_the_decision_changes_nothing() -> None:
    running = Running(Hypotheses(0, 100, model=Model.LOGISTIC), Unit.PAIR)
    while not running.outcome.is_decided:
        running.add(Fraction(1))
    decided, counts, moments = running.outcome, list(running.counts), running.moments.count
    for _each in range(50):
        assert running.add(Fraction(0)) == decided
    assert (running.counts, running.moments.count) == (counts, moments)
