"""Elo differences of two, with 95 % intervals: of matches, or of pairs of legs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, fsum, log, log10, sqrt

from core.statistics.errors import StatisticsError
from core.statistics.sprt import TINY

SIGMAS_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class EloEstimate:
    """score: mean, 0 to 1. elo, nelo: logistic and normalized, each with half the width of its interval.

    los: likelihood of superiority.
    """

    score: float
    elo: float
    elo_error: float
    nelo: float
    nelo_error: float
    los: float


def elo_estimate(counts: Sequence[int]) -> EloEstimate:
    """Estimate from counts: [losses, draws, wins], or pairs of legs [LL, LD, WL+DD, WD, WW].

    Raises StatisticsError "elo.counts" without results or with another number of counts.
    """
    if len(counts) not in (3, 5) or min(counts) < 0 or not sum(counts):
        raise StatisticsError("give 3 counts of matches or 5 of pairs of legs, not all of them 0", code="elo.counts")
    filled = [count or TINY for count in counts]
    total = fsum(filled)
    values = [place / (len(filled) - 1) for place in range(len(filled))]
    score = fsum(value * count for value, count in zip(values, filled, strict=True)) / total
    variance = fsum(count * (value - score) ** 2 for value, count in zip(values, filled, strict=True)) / total
    games = 2 if len(counts) == 5 else 1  # a pair is two games: its deviation is that of their mean
    deviation = sqrt(variance * games)
    reach = SIGMAS_95 * sqrt(variance / total)
    low, high = score - reach, score + reach
    return EloEstimate(
        score=score,
        elo=_elo(score),
        elo_error=(_elo(high) - _elo(low)) / 2,
        nelo=_nelo(score, deviation),
        nelo_error=(_nelo(high, deviation) - _nelo(low, deviation)) / 2,
        los=(1 + erf((score - 0.5) / sqrt(2 * variance / total))) / 2,
    )


def _elo(score: float) -> float:
    # The ends of an interval may lie beyond 0 and 1, where the logarithm has no value.
    inside = min(1 - 1e-12, max(1e-12, score))
    return -400 * log10(1 / inside - 1)


def _nelo(score: float, deviation: float) -> float:
    return (score - 0.5) / deviation * 800 / log(10)
