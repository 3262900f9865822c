"""Leaderboard figure: the mean place share with its 95 % interval, clustered by deal set.

The deal set is the unit (tournaments.md section 11): its legs replay the same cards, so they are not independent.
The variance is the cluster-robust (sandwich) one with the factor G/(G-1), the quantile Student's t with G-1 degrees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import sqrt

from scipy.special import stdtrit  # scipy.stats would cost every process a quarter of a second at its start


class Why(StrEnum):
    """Reason for a missing interval, or OK."""

    OK = "ok"
    NO_GAMES = "no_games"
    FEW_CLUSTERS = "few_clusters"  # fewer than two deal sets: not enough
    NO_SPREAD = "no_spread"  # all deal sets alike: the spread cannot be estimated yet


@dataclass(frozen=True, slots=True)
class ShareEstimate:
    """games: matches; clusters: deal sets; mean: 0..1; low, high: 95 % interval within 0..1, None if not enough."""

    games: int
    clusters: int
    mean: float | None
    low: float | None
    high: float | None
    why: Why


@dataclass(frozen=True, slots=True)
class Observation:
    """One entry's place share in one match. cluster: its deal set (its match, if it has none)."""

    cluster: str
    share: Fraction


def mean_place_share(observations: Iterable[Observation], *, confidence: float = 0.95) -> ShareEstimate:
    """Estimate the mean of place shares, clustered by deal set; 1/2 is average at any table size."""
    clusters: dict[str, list[Fraction]] = defaultdict(list)
    for item in observations:
        clusters[item.cluster].append(item.share)
    games, count = sum(map(len, clusters.values())), len(clusters)
    if not games:
        return ShareEstimate(0, 0, None, None, None, Why.NO_GAMES)
    mean = sum((share for own in clusters.values() for share in own), Fraction(0)) / games
    if count < 2:
        return ShareEstimate(games, count, float(mean), None, None, Why.FEW_CLUSTERS)
    # Exact up to the root: whether all deal sets are alike must not hang on rounding.
    spread = sum(((sum(own, Fraction(0)) - len(own) * mean) ** 2 for own in clusters.values()), Fraction(0))
    if not spread:
        return ShareEstimate(games, count, float(mean), None, None, Why.NO_SPREAD)
    error = sqrt(spread * Fraction(count, count - 1)) / games
    reach = float(stdtrit(count - 1, (1 + confidence) / 2)) * error
    low, high = max(0.0, float(mean) - reach), min(1.0, float(mean) + reach)
    return ShareEstimate(games, count, float(mean), low, high, Why.OK)
