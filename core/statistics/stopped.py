"""Estimate of the strength from a test that stopped by its own results, without the bias of stopping.

Who stops when ahead looks better than they are. So results are ordered by how soon they decided (stage-wise ordering:
early for the candidate is most, early against it is least), and the estimate is the strength at which the result at
hand is the median; the interval's ends are those at which it is the 2.5 and 97.5 % point. The log likelihood ratio is
taken for a Brownian motion between two absorbing bounds (Siegmund, Sequential Analysis, 1985, chapters III, X), whose
bounds lie 0.5826 steps further out, as a walk in steps oversteps its bound by about that much.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import erfc, exp, log, log10, pi, sqrt
from typing import Final

from core.statistics.running import Running
from core.statistics.sprt import NORMALIZED, TINY, Model, score_of
from core.statistics.units import Unit

OVERSHOOT: Final = 0.5826
TAIL: Final = 0.025
MAX_DEVIATION: Final = 9.0
"""Deviations beyond which an image of the walk adds nothing."""
CLOSEST: Final = 1e-9
NEAR: Final = 20
"""Parts of the distance between both hypotheses: a mean within one of them from their middle is close to it."""
Share = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimate of the score (0 to 1) and of logistic Elo, each with a 95 % interval.

    An Elo beyond 2,000 is infinite.
    """

    score: float
    low: float
    high: float

    @property
    def elo(self) -> float:
        """Return the difference in Elo."""
        return elo_of(self.score)

    @property
    def elo_low(self) -> float:
        """Return the lower end of the difference."""
        return elo_of(self.low)

    @property
    def elo_high(self) -> float:
        """Return the upper end of the difference."""
        return elo_of(self.high)


def elo_of(score: float) -> float:
    """Return the logistic Elo difference that expects this score."""
    inside = min(1 - 1e-5, max(1e-5, score))
    return -400 * log10(1 / inside - 1)


def estimate(running: Running) -> Estimate | None:
    """Estimate from a test that has decided, or as far as it has come. None before the second deal set."""
    count = running.moments.count
    if count < 2:
        return None
    outcome = running.outcome
    zero, one = _scores(running)
    middle, width = (zero + one) / 2, one - zero
    time = _time_of(running, outcome.llr, middle, width)
    # Where the walk stands follows from the mean and its time: then without bounds the estimate is the mean itself.
    level = time * (running.moments.mean - middle) / width
    beyond = OVERSHOOT * sqrt(time / count)
    walk = Walk(outcome.lower - beyond, outcome.upper + beyond, time)
    at_least = _at_least(walk, level, is_low=outcome.llr <= outcome.lower, is_high=outcome.llr >= outcome.upper)

    def found(share: float) -> float:
        return _score_where(lambda score: at_least((score - middle) / width), share)

    return Estimate(found(0.5), found(TAIL), found(1 - TAIL))


def _time_of(running: Running, llr: float, middle: float, width: float) -> float:
    """Return how long the walk has gone on: the information in the results, in the units of the log likelihood ratio.

    The ratio knows it, as it is the time times the distance of the mean from the middle of both hypotheses. The spread
    of a few results alike does not: it is mostly what `Moments` guesses.
    """
    gap = running.moments.mean - middle
    if llr * gap > 0 and abs(gap) > width / NEAR:
        return llr * width / gap
    # Close to the middle the ratio is close to 0 and says nothing of the time.
    return running.moments.count * width**2 / max(running.moments.variance, TINY**2)


def _scores(running: Running) -> tuple[float, float]:
    """Return the mean scores of the hypotheses."""
    test = running.test
    if test.model is not Model.NORMALIZED:
        return score_of(test.elo0), score_of(test.elo1)
    games = 2 if running.unit is Unit.PAIR else 1
    unit = NORMALIZED * sqrt(games * running.moments.variance)
    return 0.5 + test.elo0 * unit, 0.5 + test.elo1 * unit


def _at_least(walk: Walk, llr: float, *, is_low: bool, is_high: bool) -> Share:
    """Return, by drift, how likely a result is that says as much for the candidate as this one."""
    if is_high:
        return walk.upper_first
    if is_low:
        return lambda drift: 1 - walk.lower_first(drift)
    return lambda drift: walk.upper_first(drift) + walk.alive_above(drift, llr)


def _score_where(at_least: Share, share: float) -> float:
    """Return the score at which that chance is `share`: it rises with the score."""
    low, high = CLOSEST, 1 - CLOSEST
    # Sixty halvings exhaust the 52 bits of a double.
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if at_least(middle) < share else (low, middle)
    return (low + high) / 2


@dataclass(frozen=True, slots=True)
class Walk:
    """A Brownian motion from 0 with variance 1 a unit of time, ended at `lower` < 0 or `upper` > 0, or at `time`."""

    lower: float
    upper: float
    time: float

    def upper_first(self, drift: float) -> float:
        """Return how likely it is to reach `upper` in time, and before `lower`: a sum over its images."""
        total, span = 0.0, self.upper - self.lower
        for number in self._images():
            at = self.upper + 2 * number * span
            sign, away = (1.0, at) if at > 0 else (-1.0, -at)
            total += sign * self._reached(drift, away)
        return min(1.0, max(0.0, total))

    def lower_first(self, drift: float) -> float:
        """Return how likely it is to reach `lower` in time, and before `upper`."""
        return Walk(-self.upper, -self.lower, self.time).upper_first(-drift)

    def alive_above(self, drift: float, level: float) -> float:
        """Return how likely it is to have met neither end in time and to stand above `level`."""
        total, span = 0.0, self.upper - self.lower
        for number in self._images():
            total += self._between(drift, level, 2 * number * span)
            total -= self._between(drift, level, 2 * self.upper + 2 * number * span)
        return min(1.0, max(0.0, total))

    def _images(self) -> range:
        most = int(MAX_DEVIATION * sqrt(self.time) / (2 * (self.upper - self.lower))) + 2
        return range(-most, most + 1)

    def _reached(self, drift: float, away: float) -> float:
        """Return exp(drift (upper - away)) times the chance to have reached `away` with this drift (inverse
        Gaussian).
        """
        root = sqrt(self.time)
        straight = drift * (self.upper - away) + _log_below((drift * self.time - away) / root)
        mirrored = drift * (self.upper + away) + _log_below((-drift * self.time - away) / root)
        return _exp(straight) + _exp(mirrored)

    def _between(self, drift: float, level: float, image: float) -> float:
        """Return exp(drift image) times the chance that one started at `image` stands between `level` and `upper`."""
        root = sqrt(self.time)
        ends = [(end - image - drift * self.time) / root for end in (level, self.upper)]
        # Mirrored to the lower tail: above, the difference of two numbers near 1 would lose all digits.
        if sum(ends) > 0:
            ends = [-ends[1], -ends[0]]
        return _exp(drift * image + _log_below(ends[1])) - _exp(drift * image + _log_below(ends[0]))


def _exp(power: float) -> float:
    # Beyond these powers exp() overflows, or gives 0.
    return exp(min(700.0, power)) if power > -745 else 0.0


def _log_below(deviations: float) -> float:
    """Return the logarithm of the normal distribution; far below by its asymptotic series."""
    if deviations > -30:
        return log(erfc(-deviations / sqrt(2)) / 2)
    square = deviations * deviations
    return -square / 2 - log(-deviations * sqrt(2 * pi)) - 1 / square
