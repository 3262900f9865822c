"""The statistics of comparing two versions: see README.md. Pure, and the standard library alone."""

from __future__ import annotations

from collections.abc import Sequence

from core.statistics.elo import EloEstimate, elo_estimate
from core.statistics.errors import StatisticsError
from core.statistics.running import Running
from core.statistics.sprt import Hypotheses, Model, Outcome, Verdict, normal_sprt, sprt
from core.statistics.stopped import Estimate, estimate
from core.statistics.units import Leg, Unit, score_of_legs, unit_of

__all__ = [
    "EloEstimate",
    "Estimate",
    "Hypotheses",
    "Leg",
    "Model",
    "Outcome",
    "Running",
    "StatisticsError",
    "Unit",
    "Verdict",
    "bounds",
    "decide",
    "elo_estimate",
    "estimate",
    "llr",
    "normal_sprt",
    "score_of_legs",
    "sprt",
    "unit_of",
]


def llr(counts: Sequence[int], elo0: float, elo1: float, *, model: Model = Model.LOGISTIC) -> float:
    """Return the log likelihood ratio of elo1 against elo0.

    counts: [losses, draws, wins] of matches, or [LL, LD, WL+DD, WD, WW] of pairs of legs. Raises StatisticsError
    "sprt.range" unless elo0 < elo1, "sprt.counts".
    """
    return sprt(counts, Hypotheses(elo0, elo1, model=model)).llr


def bounds(alpha: float = 0.05, beta: float = 0.05) -> tuple[float, float]:
    """Return Wald's bounds of the log likelihood ratio: (accept H0 at or below, accept H1 at or above).

    >>> "%.3f %.3f" % bounds()
    '-2.944 2.944'
    """
    return Hypotheses(0, 1, alpha, beta).bounds


def decide(
    counts: Sequence[int],
    elo0: float,
    elo1: float,
    *,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: Model = Model.LOGISTIC,
) -> Verdict:
    """Return what the counts say now: Verdict.H0, H1 or CONTINUE. A test ends at its first decision (`Running`)."""
    return sprt(counts, Hypotheses(elo0, elo1, alpha, beta, model)).verdict
