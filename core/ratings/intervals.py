"""The interval of a share: Wilson."""

from __future__ import annotations

from math import sqrt

from scipy.special import ndtri  # scipy.stats would cost every process a quarter of a second at its start

from core.ratings.errors import RatingError

Interval = tuple[float, float]


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


def _check(successes: float, trials: int, confidence: float) -> None:
    if trials < 1 or not 0 <= successes <= trials or not 0 < confidence < 1:
        message = f"{successes} of {trials} at {confidence}: give at least one trial and a confidence between 0 and 1"
        raise RatingError(message, code="interval.range")
