"""Log likelihood ratios against published ones, bounds, and how often a test errs, worked out without simulation."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.statistics import Hypotheses, Model, Running, Unit, Verdict, bounds, decide, llr, normal_sprt, sprt
from core.statistics.sprt import score_of

QUICK = settings(max_examples=60, deadline=None)
PAIRS = st.lists(st.integers(0, 300), min_size=5, max_size=5)
MATCHES = st.lists(st.integers(0, 300), min_size=3, max_size=3)

PUBLISHED = [
    # Counts of pairs and the ratio printed beside them in pull requests of official-stockfish/Stockfish: {..} is
    # logistic Elo (2020), <..> normalized Elo (since 2021).
    ("#3209", Model.LOGISTIC, (-0.25, 1.25), (253, 4282, 17604, 4431, 286), 2.94),
    ("#3209 long", Model.LOGISTIC, (0.25, 1.25), (58, 3302, 33130, 3518, 84), 2.97),
    ("#3098", Model.LOGISTIC, (-0.25, 1.25), (491, 7345, 29693, 7670, 465), 2.96),
    ("#2971", Model.LOGISTIC, (-0.50, 1.50), (17, 253, 1042, 337, 39), 2.96),
    ("#2951", Model.LOGISTIC, (-0.50, 1.50), (59, 754, 2467, 865, 75), 2.95),
    ("#3514", Model.NORMALIZED, (-0.50, 2.50), (264, 5737, 31270, 5964, 269), 2.97),
    ("#3514 long", Model.NORMALIZED, (0.50, 3.50), (29, 2205, 35000, 2392, 34), 2.94),
    ("#5712", Model.NORMALIZED, (0.00, 2.00), (831, 31795, 68460, 32448, 834), 2.93),
    ("#5712 long", Model.NORMALIZED, (0.50, 2.50), (307, 54901, 140959, 56230, 281), 2.95),
]


@pytest.mark.parametrize(("model", "elo", "counts", "printed"), [row[1:] for row in PUBLISHED],
                         ids=[row[0] for row in PUBLISHED])  # fmt: skip
def test_published_ratios(model: Model, elo: tuple[float, float], counts: tuple[int, ...], printed: float) -> None:
    """To the last digit printed."""
    assert llr(counts, *elo, model=model) == pytest.approx(printed, abs=0.006)


def test_bounds_are_wald_s() -> None:
    assert bounds() == pytest.approx((-log(19), log(19)))
    assert bounds(0.01, 0.1) == pytest.approx((log(0.1 / 0.99), log(0.9 / 0.01)))


@QUICK
@given(st.one_of(PAIRS, MATCHES), st.sampled_from([Model.LOGISTIC, Model.NORMALIZED]), st.integers(1, 60))
def test_seen_from_the_other_side_it_is_the_opposite(counts: list[int], model: Model, elo: int) -> None:
    here = llr(counts, 0, elo, model=model)
    there = llr(counts[::-1], -elo, 0, model=model)
    assert there == pytest.approx(-here, abs=1e-5 * max(1, abs(here)))


@QUICK
@given(PAIRS, st.integers(0, 3), st.integers(5, 60))
def test_a_better_pair_is_more_evidence(counts: list[int], place: int, elo: int) -> None:
    worse, better = list(counts), list(counts)
    worse[place] += 1
    better[place + 1] += 1
    assert llr(better, 0, elo) > llr(worse, 0, elo)


@QUICK
@given(PAIRS.filter(any), st.integers(2, 5))
def test_as_much_again_is_evidence_as_much_again(counts: list[int], times: int) -> None:
    """But for the trace that a category without results leaves."""
    more = [count * times for count in counts]
    assert llr(more, 0, 20) == pytest.approx(times * llr(counts, 0, 20), rel=0.02, abs=0.02)


def test_decisions() -> None:
    assert decide([1, 10, 30, 25, 14], 0, 50) is Verdict.H1
    assert decide([14, 25, 30, 10, 1], 0, 50) is Verdict.H0
    assert decide([2, 9, 30, 14, 5], 0, 20) is Verdict.CONTINUE
    assert decide([0] * 5, 0, 20) is Verdict.CONTINUE
    assert decide([3, 12, 30, 17, 8], 0, 20, alpha=0.3, beta=0.3) is Verdict.H1


def errors_of_coin_tosses(chance: float, test: Hypotheses, most: int) -> tuple[float, float, float]:
    """Return how likely H0 and H1 are within `most` matches without draws: every path is counted, none is drawn."""
    alive, ends = {0: 1.0}, {Verdict.H0: 0.0, Verdict.H1: 0.0}
    for played in range(1, most + 1):
        following: dict[int, float] = {}
        for wins, weight in alive.items():
            following[wins] = following.get(wins, 0.0) + weight * (1 - chance)
            following[wins + 1] = following.get(wins + 1, 0.0) + weight * chance
        alive = {}
        for wins, weight in following.items():
            verdict = sprt([played - wins, 0, wins], test).verdict
            if verdict is Verdict.CONTINUE:
                alive[wins] = weight
            else:
                ends[verdict] += weight
    return ends[Verdict.H0], ends[Verdict.H1], sum(alive.values())


@pytest.mark.thorough
def test_the_errors_allowed_are_kept_exactly() -> None:
    test = Hypotheses(0, 120, 0.05, 0.05, Model.LOGISTIC)
    _h0, wrong, undecided = errors_of_coin_tosses(score_of(0), test, 260)
    assert undecided < 0.002
    assert 0.03 < wrong < 0.05
    wrong, _h1, undecided = errors_of_coin_tosses(score_of(120), test, 260)
    assert undecided < 0.002
    assert 0.03 < wrong < 0.05
    uneven = Hypotheses(0, 120, 0.02, 0.2, Model.LOGISTIC)
    assert 0.01 < errors_of_coin_tosses(score_of(0), uneven, 200)[1] < 0.02
    assert 0.1 < errors_of_coin_tosses(score_of(120), uneven, 200)[0] < 0.2


PAIR_LAW = (0.09, 0.06, 0.5, 0.11, 0.24)
"""Duplicate deals: most pairs are even, as the deck decides both legs."""


def shifted(law: tuple[float, ...], mean: float) -> list[float]:
    """The law between `law` and its mirror image that has this mean."""
    own = sum(place / 4 * share for place, share in enumerate(law))
    weight = (mean - (1 - own)) / (2 * own - 1)
    return [weight * share + (1 - weight) * other for share, other in zip(law, law[::-1], strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize(("elo", "wrong"), [(0, Verdict.H1), (50, Verdict.H0)])
def test_pairs_err_as_seldom_as_promised(elo: int, wrong: Verdict) -> None:
    """250 tests: with 5 % each, 25 wrong ones or more come once in a thousand such runs."""
    rng, law = Random(f"pairs {elo}"), shifted(PAIR_LAW, score_of(elo))
    test = Hypotheses(0, 50, model=Model.LOGISTIC)
    ends = [_ended(Running(test, Unit.PAIR), lambda: rng.choices(range(5), law)[0] / 4) for _each in range(250)]
    assert 2 <= ends.count(wrong) < 25
    assert Verdict.CONTINUE not in ends


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("elo", "wrong"), [(0, Verdict.H1), (50, Verdict.H0)])
def test_shares_err_as_seldom_as_promised(elo: int, wrong: Verdict) -> None:
    """Shares of four at a table, which fall on few values, so that the first ones are often alike."""
    rng = Random(f"shares {elo}")
    test = Hypotheses(0, 50, model=Model.LOGISTIC)

    def share() -> float:
        drawn = rng.gauss(score_of(elo), 0.17)
        return min(24, max(0, round(drawn * 24))) / 24

    ends = [_ended(Running(test, Unit.SHARE), share) for _each in range(250)]
    assert ends.count(wrong) < 25
    assert Verdict.CONTINUE not in ends


def _ended(running: Running, draw: Callable[[], float]) -> Verdict:
    for _each in range(5_000):
        outcome = running.add(Fraction(draw()).limit_denominator(1000))
        if outcome.is_decided:
            return outcome.verdict
    return Verdict.CONTINUE


def test_few_shares_alike_prove_nothing() -> None:
    assert abs(normal_sprt([0.5] * 3, Hypotheses(0, 20, model=Model.LOGISTIC)).llr) < 0.1
    assert abs(normal_sprt([1.0] * 3, Hypotheses(0, 20, model=Model.LOGISTIC)).llr) < 2.9
