"""Tests and intervals at their edges; the reference numbers are in tests/data/golden."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import TournamentError
from core.ratings.intervals import wilson
from core.statistics.elo import elo_estimate
from core.statistics.sprt import Hypotheses, Model, Verdict, normal_sprt, sprt
from tests.core.ratings.intervals import bootstrap_mean, clopper_pearson
from tests.core.ratings.match_wins import FLOOR, Record, match_wins, opponents_percentage

QUICK = settings(max_examples=50, deadline=None)
COUNTS = st.one_of(st.lists(st.integers(0, 400), min_size=3, max_size=3),
                   st.lists(st.integers(0, 400), min_size=5, max_size=5))  # fmt: skip


@QUICK
@given(COUNTS, st.sampled_from([Model.LOGISTIC, Model.NORMALIZED]), st.integers(1, 30))
def test_a_test_turned_round_says_the_opposite(counts: list[int], model: Model, elo: int) -> None:
    """Losses for wins, -elo1..-elo0 for elo0..elo1."""
    one = sprt(counts, Hypotheses(0, elo, model=model))
    other = sprt(counts[::-1], Hypotheses(-elo, 0, model=model))
    assert other.llr == pytest.approx(-one.llr, abs=1e-5 * max(1, abs(one.llr)))
    assert (one.lower, one.upper) == (log(0.05 / 0.95), log(0.95 / 0.05))


def test_nothing_played_is_no_evidence() -> None:
    assert sprt([0, 0, 0], Hypotheses(0, 5)).verdict is Verdict.CONTINUE
    assert normal_sprt([0.5], Hypotheses(0, 5)).llr == 0.0
    assert sprt([0, 9, 9], Hypotheses(0, 5, model=Model.BAYESIAN)).llr == 0.0


def test_clear_results_are_decided() -> None:
    assert sprt([100, 100, 400], Hypotheses(0, 10)).verdict is Verdict.H1
    assert sprt([400, 100, 100], Hypotheses(0, 10)).verdict is Verdict.H0
    assert sprt([0, 0, 0, 0, 50], Hypotheses(0, 10, model=Model.LOGISTIC)).llr > 0


@pytest.mark.parametrize("model", [Model.LOGISTIC, Model.NORMALIZED])
def test_shares_of_larger_tables(model: Model) -> None:
    """Two results a deal set, drawn around a mean: above it the test accepts H1, at it H0; as matches would at t=2."""
    rng = Random(4)
    better = [min(1.0, max(0.0, rng.gauss(0.56, 0.25))) for _ in range(4000)]
    level = [1 - share if number % 2 else share for number, share in enumerate(better)]
    test = Hypotheses(0, 20, model=model)
    assert normal_sprt(better, test).verdict is Verdict.H1
    assert normal_sprt(level, test).verdict is Verdict.H0
    shares = [0.0] * 300 + [0.5] * 200 + [1.0] * 340
    assert normal_sprt(shares, test).llr == pytest.approx(sprt([300, 200, 340], test).llr, rel=0.02)


def test_what_no_test_can_be_made_of() -> None:
    wrong: list[tuple[Callable[[], object], str]] = [
        (lambda: sprt([1, 2], Hypotheses(0, 5)), "sprt.counts"),
        (lambda: sprt([1, -2, 3], Hypotheses(0, 5)), "sprt.counts"),
        (lambda: sprt([1, 2, 3, 4, 5], Hypotheses(0, 5, model=Model.BAYESIAN)), "sprt.model"),
        (lambda: Hypotheses(5, 5), "sprt.range"),
        (lambda: Hypotheses(0, 5, alpha=0.6, beta=0.5), "sprt.range"),
        (lambda: elo_estimate([0, 0, 0]), "elo.counts"),
        (lambda: wilson(3, 2), "interval.range"),
        (lambda: bootstrap_mean([], seed=1), "interval.range"),
    ]
    for call, code in wrong:
        with pytest.raises(TournamentError) as raised:
            call()
        assert raised.value.code == code


@QUICK
@given(st.integers(1, 500), st.floats(0.5, 0.999), st.data())
def test_intervals_hold_the_share_and_the_exact_one_is_wider(
    trials: int, confidence: float, data: st.DataObject
) -> None:
    successes = data.draw(st.integers(0, trials))
    low, high = wilson(successes, trials, confidence)
    assert 0 <= low <= successes / trials <= high <= 1
    exact = clopper_pearson(successes, trials, confidence)
    assert exact[0] <= successes / trials <= exact[1]
    mirrored = wilson(trials - successes, trials, confidence)
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high), abs=1e-12)


def test_a_bootstrap_is_the_same_for_the_same_seed() -> None:
    data = [1.0, 4.0, 2.0, 8.0]
    assert bootstrap_mean(data, seed=7, resamples=500) == bootstrap_mean(data, seed=7, resamples=500)
    assert bootstrap_mean([3.0], seed=7).low == bootstrap_mean([3.0], seed=7).high == 3.0


@QUICK
@given(COUNTS.filter(any))
def test_elo_turned_round_changes_sign(counts: list[int]) -> None:
    one, other = elo_estimate(counts), elo_estimate(counts[::-1])
    assert one.elo == pytest.approx(-other.elo, abs=1e-6)
    assert one.nelo == pytest.approx(-other.nelo, abs=1e-6 * max(1, abs(one.nelo)))
    assert one.los + other.los == pytest.approx(1)


def test_nobody_met_is_the_floor() -> None:
    assert opponents_percentage([]) == Record(0, 0, 0).percentage() == FLOOR
    alone = match_wins([], ["a", "a"])["a"]
    assert (alone.points, alone.own, alone.opponents) == (6, Fraction(1), FLOOR)
