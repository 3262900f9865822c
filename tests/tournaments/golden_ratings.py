"""Reference ratings and statistics (tests/data/golden/ratings.json)."""

from __future__ import annotations

from typing import Any

import pytest

from tournaments.ratings.fold import fold
from tournaments.ratings.model import Event, Params, Rating
from tournaments.ratings.plackett_luce import rate

Case = dict[str, Any]


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
