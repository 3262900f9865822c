"""Sequential probability ratio tests of results: trinomial of matches, pentanomial of pairs of legs, or any shares.

The generalised test (Van den Bergh): the likelihoods of both hypotheses are taken at the multinomials that fit the
results best among those with the hypothesis' mean (logistic) or mean over standard deviation (normalized).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, fsum, log, sqrt

from core.statistics.errors import StatisticsError

TINY = 1e-3
"""Stands for a count of 0, so that a result not seen yet is not taken for impossible."""
ELO = log(10) / 400
NORMALIZED = log(10) / 800  # (mean - 1/2) / deviation of a game that is one unit of normalized Elo
ROUNDS = 60
GUESSED, EVEN = 2, 1 / 12
"""The shares taken as seen before the first one, and the variance of shares that spread evenly."""


class Model(StrEnum):
    """Unit of the hypotheses."""

    LOGISTIC = "logistic"  # Elo difference
    NORMALIZED = "normalized"  # Elo over the deviation of a game: alike at every drawishness
    BAYESIAN = "bayesian"  # Elo of the BayesElo model; matches only, and no evidence before a win and a loss


class Verdict(StrEnum):
    """Verdict of the test."""

    H0 = "H0"  # no better than elo0
    H1 = "H1"  # at least as good as elo1
    CONTINUE = "continue"


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The hypotheses and the errors allowed. alpha: of accepting H1 wrongly; beta: of accepting H0 wrongly."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = Model.NORMALIZED

    def __post_init__(self) -> None:
        if not (self.elo0 < self.elo1 and 0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            message = "a test needs elo0 < elo1, and alpha and beta above 0 that are below 1 together"
            raise StatisticsError(message, code="sprt.range")

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of the log likelihood ratio."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class Outcome:
    """llr: log likelihood ratio so far."""

    llr: float
    lower: float
    upper: float

    @property
    def verdict(self) -> Verdict:
        """Return whether the test has decided."""
        if self.llr >= self.upper:
            return Verdict.H1
        return Verdict.H0 if self.llr <= self.lower else Verdict.CONTINUE

    @property
    def is_decided(self) -> bool:
        """Return whether no more matches are needed."""
        return self.verdict is not Verdict.CONTINUE


def sprt(counts: Sequence[int], test: Hypotheses) -> Outcome:
    """counts: [losses, draws, wins], or pairs of legs [LL, LD, WL+DD, WD, WW].

    Raises StatisticsError "sprt.counts", or "sprt.model" for Bayesian Elo of pairs.
    """
    if len(counts) not in (3, 5) or min(counts) < 0:
        raise StatisticsError("give 3 counts of matches or 5 of pairs of legs, none negative", code="sprt.counts")
    if len(counts) == 5 and test.model is Model.BAYESIAN:
        raise StatisticsError("Bayesian Elo knows matches, not pairs of legs; take another model", code="sprt.model")
    if not sum(counts):
        return Outcome(0.0, *test.bounds)
    total, law = _law(counts)
    if test.model is Model.BAYESIAN and not (counts[0] and counts[-1]):
        return Outcome(0.0, *test.bounds)
    if test.model is Model.BAYESIAN:
        fits = [_with_mean(law, _bayesian_score(elo, law)) for elo in (test.elo0, test.elo1)]
    elif test.model is Model.LOGISTIC:
        fits = [_with_mean(law, score_of(elo)) for elo in (test.elo0, test.elo1)]
    else:
        scale = NORMALIZED * sqrt(2 if len(counts) == 5 else 1)
        fits = [_with_ratio(law, elo * scale) for elo in (test.elo0, test.elo1)]
    llr = total * fsum(share * (log(one[1]) - log(zero[1])) for (_, share), zero, one in zip(law, *fits, strict=True))
    return Outcome(llr, *test.bounds)


def normal_sprt(shares: Sequence[float], test: Hypotheses, *, average: float = 0.5) -> Outcome:
    """The test for tables of more than two: mean place share of deal sets, by the normal approximation.

    shares: one per deal set (its legs averaged), 0 to 1; average: what equal strength gets. Hypotheses: the mean share
    that logistic Elo expects, or that many deviations away (normalized). Two deal sets at least, else no evidence.
    """
    moments = Moments()
    for share in shares:
        moments.add(share)
    return normal_test(moments, test, average=average)


@dataclass(slots=True)
class Moments:
    """Count, mean and spread of shares, one at a time (Welford)."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, share: float) -> None:
        """Count one more."""
        self.count += 1
        gap = share - self.mean
        self.mean += gap / self.count
        self.squares += gap * (share - self.mean)

    @property
    def variance(self) -> float:
        """Return the variance of one share, as if two more had been seen that spread evenly: a few alike prove
        nothing.
        """
        return (self.squares + GUESSED * EVEN) / (max(0, self.count - 1) + GUESSED)


def normal_test(moments: Moments, test: Hypotheses, *, average: float = 0.5) -> Outcome:
    """Test as `normal_sprt` does, from shares that were summed up."""
    if moments.count < 2:
        return Outcome(0.0, *test.bounds)
    mean, variance = moments.mean, moments.variance
    if test.model is Model.NORMALIZED:
        zero, one = (average + elo * NORMALIZED * sqrt(variance) for elo in (test.elo0, test.elo1))
    else:
        zero, one = (average + score_of(elo) - 0.5 for elo in (test.elo0, test.elo1))
    return Outcome(moments.count * (one - zero) * (2 * mean - zero - one) / (2 * variance), *test.bounds)


Law = list[tuple[float, float]]
"""(value from 0 to 1, probability) of each result."""


def _law(counts: Sequence[int]) -> tuple[float, Law]:
    """Return how many results, and their distribution; nothing is impossible."""
    filled = [count or TINY for count in counts]
    total = fsum(filled)
    return total, [(place / (len(counts) - 1), count / total) for place, count in enumerate(filled)]


def score_of(elo: float) -> float:
    """Return the mean score that a difference in logistic Elo expects: 0.5 at 0."""
    return 1 / (1 + exp(-elo * ELO))


def _with_mean(law: Law, mean: float) -> Law:
    """Return the likeliest law with this mean: p / (1 + x (a - mean)), x the root of a monotone sum."""
    # Between these every probability stays positive.
    low, high = -1 / (law[-1][0] - mean), 1 / (mean - law[0][0])
    root = _root([(value - mean, share) for value, share in law], low, high)
    return [(value, share / (1 + root * (value - mean))) for value, share in law]


def _root(terms: Law, low: float, high: float) -> float:
    """Return where the sum of share * gap / (1 + x gap) is 0; it falls from `low` to `high`, 0 lies between them.

    Newton's steps, halved where one leaves the bracket.
    """
    root = 0.0
    for _ in range(200):
        value = fsum(share * gap / (1 + root * gap) for gap, share in terms)
        slope = fsum(share * (gap / (1 + root * gap)) ** 2 for gap, share in terms)
        low, high = (root, high) if value > 0 else (low, root)
        wanted = root + value / slope
        following = wanted if low < wanted < high else (low + high) / 2
        if abs(following - root) <= 1e-14 * max(1.0, abs(root)):
            return following
        root = following
    return root


def _with_ratio(law: Law, ratio: float) -> Law:
    """Return the likeliest law whose mean lies `ratio` deviations above 1/2: a fixed point of linear fits."""
    fit = [(value, 1 / len(law)) for value, _ in law]
    for _ in range(ROUNDS):
        mean = fsum(value * share for value, share in fit)
        deviation = sqrt(max(1e-300, fsum(share * (value - mean) ** 2 for value, share in fit)))
        terms = [
            (value - 0.5 - ratio * deviation * (1 + ((mean - value) / deviation) ** 2) / 2, share)
            for value, share in law
        ]
        low, high = -1 / max(gap for gap, _ in terms), -1 / min(gap for gap, _ in terms)
        root = _root(terms, low, high)
        last = fit
        fit = [(value, share / (1 + root * gap)) for (value, share), (gap, _) in zip(law, terms, strict=True)]
        if max(abs(one - other) for (_, one), (_, other) in zip(fit, last, strict=True)) < 1e-12:
            break
    return fit


def _bayesian_score(elo: float, law: Law) -> float:
    """Return the mean that Elo of the BayesElo model expects; its draw parameter is estimated from the results."""
    losses, _, wins = (share for _, share in law)
    draw_elo = 200 * (log((1 - losses) / losses) + log((1 - wins) / wins)) / log(10)
    return (1 + score_of(elo - draw_elo) - score_of(-elo - draw_elo)) / 2
