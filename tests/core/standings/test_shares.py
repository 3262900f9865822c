"""Mean place share with its clustered interval, and the crosstable."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from core.standings.crosstable import crosstable
from core.standings.model import Scoring, Spec
from core.standings.shares import Observation, Why, mean_place_share
from tests.core.standings.builders import a_match


def observations(clusters: dict[str, list[float]]) -> list[Observation]:
    return [Observation(name, Fraction(share)) for name, own in clusters.items() for share in own]


def test_singletons_give_students_interval() -> None:
    """Mean 0.6, standard deviation sqrt(0.3): t(0.975, 4) = 2.776445."""
    found = mean_place_share(observations({"1": [1], "2": [1], "3": [1], "4": [0], "5": [0]}))
    assert (found.games, found.clusters, found.mean, found.why) == (5, 5, 0.6, Why.OK)
    assert found.low == 0.0  # 0.6 - 0.68, cut at nothing
    assert found.high == 1.0
    wide = mean_place_share(observations({str(n): [n % 2] for n in range(100)}))
    assert wide.low == pytest.approx(0.5 - 1.984217 * 0.0502519, abs=1e-6)


def test_the_deal_set_is_the_unit() -> None:
    """Legs that all go the same way are worth no more than one; legs that cancel out are worth more."""
    together = mean_place_share(observations({str(n): [n % 2] * 4 for n in range(20)}))
    single = mean_place_share(observations({str(n): [n % 2] for n in range(20)}))
    assert together.low == pytest.approx(single.low)
    assert together.high == pytest.approx(single.high)
    assert together.games == 80
    assert together.clusters == 20


@pytest.mark.parametrize(
    ("clusters", "why", "mean"),
    [
        ({}, Why.NO_GAMES, None),
        ({"1": [1.0, 0.5]}, Why.FEW_CLUSTERS, 0.75),
        ({"1": [1.0], "2": [1.0]}, Why.NO_SPREAD, 1.0),
    ],
)
def test_too_little_gives_no_interval(clusters: dict[str, list[float]], why: Why, mean: float | None) -> None:
    found = mean_place_share(observations(clusters))
    assert (found.why, found.mean, found.low, found.high) == (why, mean, None, None)


def test_the_interval_covers_the_truth_about_19_times_in_20() -> None:
    rng, covered = Random(7), 0
    for _ in range(300):
        clusters = {}
        for name in range(25):
            luck = rng.random()  # shared by the legs of a deal set
            clusters[str(name)] = [float(rng.random() < luck) for _ in range(2)]
        found = mean_place_share(observations(clusters))
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.5 <= found.high
    assert 0.92 * 300 <= covered <= 0.98 * 300


def test_crosstable_adds_up_the_victories_of_a_pair() -> None:
    results = [a_match("1", {"A": 50, "B": 60}, {"A": 7, "B": 5}), a_match("2", {"A": 10, "B": 40}, {"A": 1, "B": 11})]
    found = crosstable(results, Spec(scoring=Scoring.ROUND_VICTORY))
    assert list(found.cell("A", "B").victories) == [8, 16]
    assert list(found.cell("B", "A").victories) == [16, 8]


def test_crosstable_counts_who_finished_above() -> None:
    results = [
        a_match("1", {"A": 50, "B": 40, "C": 40}),
        a_match("2", {"A": 10, "B": 40}),
        a_match("3", {"A": 99, "B": 0}, deal_set="d", legs=2),
    ]
    found = crosstable(results)
    assert found.entries == ("A", "B", "C")
    cell = found.cell("A", "B")
    assert (cell.above, cell.level, cell.below, cell.met) == (1, 0, 1, 2)
    assert cell.share == 1
    assert list(cell.points) == [60, 80]
    assert cell.matches == ("1", "2")
    assert found.cell("B", "C").share == Fraction(1, 2)
    assert found.cell("C", "C").met == 0
