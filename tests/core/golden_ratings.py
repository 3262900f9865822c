"""Reference ratings and statistics (tests/data/golden/ratings.json)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from core.ratings.fold import fold
from core.ratings.intervals import wilson
from core.ratings.model import Event, Params, Rating
from core.ratings.plackett_luce import rate
from core.statistics.elo import elo_estimate
from core.statistics.sprt import Hypotheses, Model, sprt
from tests.core.ratings.intervals import bootstrap_mean, clopper_pearson
from tests.core.ratings.match_wins import Record, match_wins, opponents_percentage

Case = dict[str, Any]
FLOORS = {"0.33": Fraction(33, 100), "1/3": Fraction(1, 3)}


def _params(case: Case) -> Params:
    mu, sigma = case.get("start", (25.0, 25.0 / 3))
    return Params(mu, sigma, case["beta"], case["tau"], case.get("kappa", 0.0001))


@pytest.mark.golden_kind("plackett_luce")
def test_plackett_luce(golden_ratings: Case) -> None:
    case = golden_ratings
    sides = [[Rating(*own) for own in side] for side in case["teams"]]
    after = rate(sides, case["ranks"], _params(case))
    got = [[[own.mu, own.sigma] for own in side] for side in after]
    assert got == [[pytest.approx(own, abs=case["tolerance_abs"]) for own in side] for side in case["expected"]]


@pytest.mark.golden_kind("plackett_luce_sequence")
def test_plackett_luce_sequence(golden_ratings: Case) -> None:
    case = golden_ratings
    events = [
        Event(number, tuple((str(player),) for player, _ in game), tuple(rank for _, rank in game))
        for number, game in enumerate(case["games"])
    ]
    ratings = fold(events, _params(case)).ratings
    assert sorted(ratings) == sorted(case["expected"])
    for player, expected in case["expected"].items():
        assert [ratings[player].mu, ratings[player].sigma] == pytest.approx(expected, abs=case["tolerance_abs"])
        assert ratings[player].shown == pytest.approx(case["ordinal"][player], abs=4 * case["tolerance_abs"])


@pytest.mark.golden_kind("sprt")
def test_sprt(golden_ratings: Case) -> None:
    case = golden_ratings
    test = Hypotheses(case["elo0"], case["elo1"], case["alpha"], case["beta"], Model(case["model"]))
    outcome = sprt(case.get("trinomial") or case["pentanomial"], test)
    assert outcome.llr == pytest.approx(case["llr"], abs=case["tolerance_abs"])
    assert (outcome.lower, outcome.upper) == pytest.approx((case["lower"], case["upper"]), abs=1e-6)
    assert outcome.verdict == case["decision"]
    assert outcome.is_decided == (case["decision"] != "continue")


@pytest.mark.golden_kind("elo_interval")
def test_elo_intervals(golden_ratings: Case) -> None:
    case = golden_ratings
    estimate = elo_estimate(case.get("trinomial") or case["pentanomial"])
    for name, expected in case["expected"].items():
        assert getattr(estimate, name) == pytest.approx(expected, rel=case["tolerance_rel"]), name


@pytest.mark.golden_kind("proportion_interval")
def test_proportion_intervals(golden_ratings: Case) -> None:
    case = golden_ratings
    given = (case["successes"], case["trials"], case["confidence"])
    assert wilson(*given) == pytest.approx(case["wilson"], abs=case["tolerance_abs"])
    assert clopper_pearson(*given) == pytest.approx(case["clopper_pearson"], abs=case["tolerance_abs"])


@pytest.mark.golden_kind("bootstrap_mean")
def test_bootstrap_of_a_mean(golden_ratings: Case) -> None:
    """Within the stated tolerance and one step of the support."""
    case = golden_ratings
    found = bootstrap_mean(case["data"], seed=1, confidence=case["confidence"])
    slack = case["tolerance_for_monte_carlo"] + 1 / len(case["data"])
    assert (found.low, found.high) == pytest.approx(case["exact_percentile_interval"], abs=slack)
    assert found.error == pytest.approx(case["exact_bootstrap_se"], rel=0.03)


@pytest.mark.golden_kind("match_win_percentage")
def test_match_win_percentages(golden_ratings: Case) -> None:
    wins, losses, draws = golden_ratings["record_wld"]
    record = Record(wins, losses, draws)
    assert record.points == golden_ratings["match_points"]
    for floor, value in golden_ratings["value"].items():
        assert float(record.percentage(FLOORS[floor])) == pytest.approx(value, abs=1e-8)


@pytest.mark.golden_kind("opponents_match_win_percentage")
def test_opponents_match_win_percentages(golden_ratings: Case) -> None:
    opponents = [Record(wins, losses, draws) for wins, losses, draws in golden_ratings["opponents_records_wld"]]
    for floor, value in golden_ratings["value"].items():
        assert float(opponents_percentage(opponents, FLOORS[floor])) == pytest.approx(value, abs=1e-8)


@pytest.mark.golden_kind("match_win_event")
def test_match_wins_of_an_event(golden_ratings: Case) -> None:
    case = golden_ratings
    matches = [
        (str(one), str(other), {"a": str(one), "b": str(other), "d": None}[result])
        for one, other, result in case["matches"]
    ]
    for floor, expected in case["expected"].items():
        found = match_wins(matches, map(str, case["byes"]), FLOORS[floor])
        for entry, figures in expected.items():
            assert found[entry].points == figures["match_points"]
            assert float(found[entry].own) == pytest.approx(figures["mw"], abs=1e-8)
            assert float(found[entry].opponents) == pytest.approx(figures["omw"], abs=1e-8)
