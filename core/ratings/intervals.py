"""Intervals of shares and means: Wilson, Clopper-Pearson, bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtri  # scipy.stats would cost every process a quarter of a second at its start

from core.ratings.errors import RatingError

Interval = tuple[float, float]
Floats = NDArray[np.float64]
RESAMPLES = 20_000
CHUNK = 4_000_000


@dataclass(frozen=True, slots=True)
class Resampled:
    """A bootstrap's answer: percentile interval and standard error of the mean."""

    low: float
    high: float
    error: float


def wilson(successes: float, trials: int, confidence: float = 0.95) -> Interval:
    """Return the score interval of a share, uncorrected (Wilson 1927). Raises RatingError "interval.range"."""
    _check(successes, trials, confidence)
    z = float(ndtri((1 + confidence) / 2))
    share = successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    reach = z / (1 + z * z / trials) * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    # At the ends the formula gives 0 and 1 but for rounding.
    low = 0.0 if successes == 0 else max(0.0, centre - reach)
    return low, 1.0 if successes == trials else min(1.0, centre + reach)


def clopper_pearson(successes: int, trials: int, confidence: float = 0.95) -> Interval:
    """Return the exact interval of a share, which is never too narrow. Raises RatingError "interval.range"."""
    _check(successes, trials, confidence)
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
    return bootstrap(clusters, lambda drawn: drawn.mean(axis=1), seed=seed, confidence=confidence, resamples=resamples)


def bootstrap(
    data: Sequence[float],
    figure: Callable[[Floats], Floats],
    *,
    seed: int,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> Resampled:
    """Bootstrap any figure by percentiles. figure: (resamples, data) -> (resamples,)."""
    if not len(data) or not 0 < confidence < 1 or resamples < 1:
        raise RatingError("a bootstrap needs data, a confidence between 0 and 1, and resamples", code="interval.range")
    values = np.asarray(data, dtype=np.float64)
    rng = np.random.Generator(np.random.PCG64(seed))
    found: list[Floats] = []
    # In chunks: all resamples of a long list at once would need gigabytes.
    rows = max(1, CHUNK // len(values))
    for start in range(0, resamples, rows):
        picks = rng.integers(0, len(values), size=(min(rows, resamples - start), len(values)))
        found.append(figure(values[picks]))
    means = np.sort(np.concatenate(found))
    tail = (1 - confidence) / 2
    # Less a hair: 0.025 * 20,000 may come out just above 500 and be rounded up to the next value.
    low, high = (means[max(0, ceil(share * resamples - 1e-9) - 1)] for share in (tail, 1 - tail))
    return Resampled(float(low), float(high), float(means.std()))


def _check(successes: float, trials: int, confidence: float) -> None:
    if trials < 1 or not 0 <= successes <= trials or not 0 < confidence < 1:
        message = f"{successes} of {trials} at {confidence}: give at least one trial and a confidence between 0 and 1"
        raise RatingError(message, code="interval.range")
