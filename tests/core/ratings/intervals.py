"""Intervals that tests hold others against: Clopper-Pearson, bootstrap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from core.ratings.errors import RatingError
from core.ratings.intervals import Interval

Floats = NDArray[np.float64]
RESAMPLES = 20_000
CHUNK = 4_000_000


@dataclass(frozen=True, slots=True)
class Resampled:
    """A bootstrap's answer: percentile interval and standard error of the mean."""

    low: float
    high: float
    error: float


def clopper_pearson(successes: int, trials: int, confidence: float = 0.95) -> Interval:
    """Return the exact interval of a share, which is never too narrow."""
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else float(betaincinv(successes, trials - successes + 1, tail))
    high = 1.0 if successes == trials else float(betaincinv(successes + 1, trials - successes, 1 - tail))
    return low, high


def bootstrap_mean(
    clusters: Sequence[float], *, seed: int, confidence: float = 0.95, resamples: int = RESAMPLES
) -> Resampled:
    """Bootstrap the mean of cluster means by percentiles (a deal set is a cluster). The same for the same seed.

    The quantile is the smallest resampled mean with at least that share at or below it.
    Raises RatingError "interval.range" without data.
    """
    if not len(clusters) or not 0 < confidence < 1 or resamples < 1:
        raise RatingError("a bootstrap needs data, a confidence between 0 and 1, and resamples", code="interval.range")
    values = np.asarray(clusters, dtype=np.float64)
    rng = np.random.Generator(np.random.PCG64(seed))
    found: list[Floats] = []
    # In chunks: all resamples of a long list at once would need gigabytes.
    rows = max(1, CHUNK // len(values))
    for start in range(0, resamples, rows):
        picks = rng.integers(0, len(values), size=(min(rows, resamples - start), len(values)))
        found.append(values[picks].mean(axis=1))
    means = np.sort(np.concatenate(found))
    tail = (1 - confidence) / 2
    # Less a hair: 0.025 * 20,000 may come out just above 500 and be rounded up to the next value.
    low, high = (means[max(0, ceil(share * resamples - 1e-9) - 1)] for share in (tail, 1 - tail))
    return Resampled(float(low), float(high), float(means.std()))
