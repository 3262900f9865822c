"""Ranks of those who cannot be told apart, from all pairwise comparisons at once, by Holm's method.

Two ratings are told apart if the interval of their difference leaves out 0 after the adjustment for all the pairs that
are compared. So with 95 % nobody of the whole board is ranked above somebody who is better, however long it is.
Source: Holm, S. (1979), A simple sequentially rejective multiple test procedure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri  # scipy.stats would cost every process a quarter of a second at its start

from core.ratings.model import Rating

ALPHA: Final = 0.05
MAX_HOLM: Final = 600
"""Longest board that is compared by Holm's method; longer ones by Bonferroni's, which tells fewer apart."""
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Board:
    """All ratings of a board, and how many standard errors apart two must be to be told apart.

    threshold: infinite where no two can be.
    """

    mu: Floats
    sigma: Floats
    threshold: float

    def ranks_of(self, rating: Rating) -> tuple[int, int]:
        """Return (first, last) of the ranks that somebody of the board may have, by those surely better and surely
        worse.
        """
        gaps = (self.mu - rating.mu) / np.hypot(self.sigma, rating.sigma)
        better = int(np.count_nonzero(gaps > self.threshold))
        worse = int(np.count_nonzero(gaps < -self.threshold))
        return better + 1, max(better + 1, len(self.mu) - worse)


def board_of(ratings: Sequence[Rating], *, alpha: float = ALPHA) -> Board:
    """Return the board of everybody who is rated. Costs n^2 log n up to `MAX_HOLM`, beyond it n."""
    mu = np.array([rating.mu for rating in ratings], dtype=np.float64)
    sigma = np.array([rating.sigma for rating in ratings], dtype=np.float64)
    pairs = len(mu) * (len(mu) - 1) // 2
    if not pairs:
        return Board(mu, sigma, inf)
    threshold = _holm(mu, sigma, alpha) if len(mu) <= MAX_HOLM else _critical(alpha, pairs)
    return Board(mu, sigma, threshold)


def _critical(alpha: float, pairs: int) -> float:
    """Return the two-sided number of standard errors that is passed with probability alpha / pairs."""
    return -float(ndtri(alpha / pairs / 2))


def _holm(mu: Floats, sigma: Floats, alpha: float) -> float:
    """Return the smallest distance at which Holm tells a pair apart; pairs at it are not.

    The largest distance is compared with alpha / m, the next with alpha / (m - 1), until one is too small.
    """
    one, other = np.triu_indices(len(mu), k=1)
    gaps = np.sort(np.abs(mu[one] - mu[other]) / np.hypot(sigma[one], sigma[other]))[::-1]
    bounds = -ndtri(alpha / np.arange(len(gaps), 0, -1) / 2)
    too_small = np.flatnonzero(gaps <= bounds)
    return float(max(gaps[too_small[0]], 0.0)) if len(too_small) else 0.0
