"""Expected length of a test and its chance to pass, before it is started (Wald's approximations)."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from core.statistics.sprt import Hypotheses, score_of

PAIRS_VARIANCE = 0.1
"""Variance of a pair of legs whose matches hardly depend on each other and are seldom level."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """Prospect of a test. chance: that H1 is accepted. deal_sets: how many that takes on average."""

    chance: float
    deal_sets: float


def prospect(test: Hypotheses, score: float, *, variance: float = PAIRS_VARIANCE) -> Prospect:
    """Return the prospect of a candidate that really scores `score` a deal set, by hypotheses in logistic Elo.

    variance: of a deal set's score.
    """
    zero, one = score_of(test.elo0), score_of(test.elo1)
    drift = (score - (zero + one) / 2) / (one - zero)
    lower, upper = test.bounds
    # The limit for no drift: the formulas below divide by it.
    if abs(drift) < 1e-9:
        chance, time = -lower / (upper - lower), -lower * upper
    else:
        below, above = exp(-2 * drift * lower), exp(-2 * drift * upper)
        chance = (below - 1) / (below - above)
        time = (chance * upper + (1 - chance) * lower) / drift
    return Prospect(chance, time * variance / (one - zero) ** 2)
