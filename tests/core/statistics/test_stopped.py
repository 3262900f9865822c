"""The estimate after a test has stopped by its own results, against walks that are played out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import erf, exp, sqrt
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.statistics import Hypotheses, Model, Running, Unit, estimate
from core.statistics.duration import prospect
from core.statistics.sprt import score_of
from core.statistics.stopped import Walk, elo_of

TEST = Hypotheses(0, 60, model=Model.LOGISTIC)
LAW = (0.1, 0.15, 0.5, 0.15, 0.1)


def normal(deviations: float) -> float:
    return (1 + erf(deviations / sqrt(2))) / 2


@pytest.mark.parametrize("drift", [-1.2, -0.3, 0.0, 0.4, 2.0])
def test_a_walk_ends_somewhere(drift: float) -> None:
    for time in (0.05, 1.0, 9.0, 80.0):
        walk = Walk(-2.0, 3.0, time)
        ends = walk.upper_first(drift) + walk.lower_first(drift) + walk.alive_above(drift, walk.lower)
        assert ends == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("drift", [-0.7, 0.3, 1.5])
def test_without_hurry_it_is_wald_s_and_without_a_floor_the_reflection_s(drift: float) -> None:
    """The chance to meet the upper end first, ever; and to meet it in time where the lower one is out of reach."""
    low, high = exp(2 * drift * 2.0), exp(-2 * drift * 3.0)
    assert Walk(-2.0, 3.0, 500.0).upper_first(drift) == pytest.approx((low - 1) / (low - high), abs=1e-9)
    time = 4.0
    straight = normal((drift * time - 3.0) / sqrt(time))
    mirrored = exp(2 * drift * 3.0) * normal((-drift * time - 3.0) / sqrt(time))
    assert Walk(-90.0, 3.0, time).upper_first(drift) == pytest.approx(straight + mirrored, abs=1e-9)


def test_more_strength_ends_higher_more_often() -> None:
    walk = Walk(-2.9, 2.9, 12.0)
    chances = [walk.upper_first(drift / 10) for drift in range(-30, 31)]
    assert chances == sorted(chances)


def stopped(elo: float, tests: int) -> Iterator[Running]:
    """Tests of a candidate of that strength, each until it has decided."""
    rng, mean = Random(f"stopped {elo}"), score_of(elo)
    law, shift = list(LAW), (mean - 0.5) * 4
    law = [law[0] - shift / 6, law[1] - shift / 6, law[2], law[3] + shift / 6, law[4] + shift / 6]
    got = sum(place / 4 * share for place, share in enumerate(law))
    law = [share + (mean - got) * bent for share, bent in zip(law, (-1, 0, 0, 0, 1), strict=True)]
    for _each in range(tests):
        running = Running(TEST, Unit.PAIR)
        while not running.outcome.is_decided:
            running.add(Fraction(rng.choices(range(5), law)[0], 4))
        yield running


@pytest.mark.slow
@pytest.mark.parametrize("elo", [0.0, 30.0, 60.0])
def test_the_estimate_is_not_bent_by_stopping(elo: float) -> None:
    """Half of the estimates lie above the truth, where the plain mean leans outwards; 95 % of intervals hold it."""
    truth = score_of(elo)
    above = held = 0
    for running in stopped(elo, 200):
        found = estimate(running)
        assert found is not None
        assert found.low < found.score < found.high
        above += found.score > truth
        held += found.low <= truth <= found.high
    assert 75 <= above <= 125
    assert held >= 180


@pytest.mark.slow
def test_the_plain_mean_leans_outwards_after_a_pass_and_the_estimate_less() -> None:
    passed = [running for running in stopped(30.0, 120) if running.outcome.llr > 0]
    plain = sum(running.moments.mean for running in passed) / len(passed)
    honest = [found.score for running in passed if (found := estimate(running)) is not None]
    assert sum(honest) / len(honest) < plain


def test_nothing_is_said_of_nothing() -> None:
    running = Running(TEST, Unit.PAIR)
    assert estimate(running) is None
    running.add(Fraction(1))
    assert estimate(running) is None
    running.add(Fraction(0))
    found = estimate(running)
    assert found is not None
    assert found.elo == pytest.approx(0, abs=5)
    assert found.elo_low < -100 < 100 < found.elo_high


def test_turned_round_the_estimate_is_the_rest() -> None:
    one, other = (Running(Hypotheses(-25, 25, model=Model.LOGISTIC), Unit.PAIR) for _each in range(2))
    rng = Random(3)
    for _each in range(40):
        score = Fraction(rng.randint(0, 4), 4)
        one.add(score)
        other.add(1 - score)
    here, there = estimate(one), estimate(other)
    assert here is not None
    assert there is not None
    assert (here.score, here.low) == pytest.approx((1 - there.score, 1 - there.high), abs=1e-6)
    assert elo_of(here.score) == pytest.approx(-there.elo, abs=1e-3)


BOUNDS = ((0, 50), (0, 20), (-25, 25), (-10, 40))


@pytest.mark.thorough
@given(
    half=st.lists(st.integers(0, 4), min_size=1, max_size=40),
    bounds=st.sampled_from(BOUNDS),
    model=st.sampled_from([Model.LOGISTIC, Model.NORMALIZED]),
)
def test_results_that_are_the_same_turned_round_are_worth_nothing(
    half: list[int], bounds: tuple[int, int], model: Model
) -> None:
    """Two versions that play alike: as many deal sets for the one as for the other, or all of them even."""
    running = Running(Hypotheses(*bounds, model=model), Unit.PAIR)
    for place in half:
        # A test that decides between the two is no longer symmetric: what it saw last weighs more.
        assume(not running.outcome.is_decided)
        running.add(Fraction(place, 4))
        assume(not running.outcome.is_decided)
        running.add(Fraction(4 - place, 4))
    found = estimate(running)
    assert found is not None
    reach = (found.elo_high - found.elo_low) / 2
    # A test that stops when it is behind makes one look worse than one is, and that is made good: by little until it is
    # about to decide, and by nothing if both bounds are equally far.
    share = 0.2 if running.outcome.is_decided else 0.15 if running.outcome.llr < running.outcome.lower / 2 else 0.01
    assert abs(found.elo) <= max(0.01, (0.0 if sum(bounds) == 0 else share) * reach)
    assert found.elo_low < 0 < found.elo_high


@pytest.mark.parametrize("bounds", BOUNDS)
def test_even_pairs_are_worth_nothing(bounds: tuple[int, int]) -> None:
    running = Running(Hypotheses(*bounds, model=Model.LOGISTIC), Unit.PAIR)
    for _each in range(12):
        running.add(Fraction(1, 2))
    found = estimate(running)
    assert found is not None
    assert abs(found.elo) < 1


@pytest.mark.slow
def test_how_long_a_test_takes() -> None:
    """Equals take as long as those who are as much better as asked for; between them it takes longest."""
    low, middle, high = (prospect(TEST, score_of(elo)) for elo in (0, 30.2, 60))
    assert low.chance == pytest.approx(0.05, abs=0.001)
    assert high.chance == pytest.approx(0.95, abs=0.001)
    assert low.deal_sets == pytest.approx(high.deal_sets, rel=0.01)
    assert middle.deal_sets > 1.4 * low.deal_sets
    counted = [running.moments.count for running in stopped(0.0, 150)]
    variance = sum(share * (place / 4 - 0.5) ** 2 for place, share in enumerate(LAW))
    assert sum(counted) / 150 == pytest.approx(prospect(TEST, 0.5, variance=variance).deal_sets, rel=0.2)
