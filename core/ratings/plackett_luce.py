"""One event's effect on ratings: Plackett-Luce by the openskill library (Weng and Lin 2011, algorithm 4)."""

from __future__ import annotations

from collections.abc import Sequence

from openskill.models import PlackettLuce
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

from core.ratings.model import Params, Rating

Sides = Sequence[Sequence[Rating]]


class Rater:
    """A pool's model. Keeps the library's rating objects and fills them again: making one costs a random UUID.

    Not for several threads at once.
    """

    def __init__(self, params: Params) -> None:
        self._model = PlackettLuce(
            mu=params.mu, sigma=params.sigma, beta=params.beta, kappa=params.kappa, tau=params.tau, limit_sigma=False
        )
        self._cache: dict[tuple[int, ...], list[list[PlackettLuceRating]]] = {}

    def rate(self, sides: Sides, ranks: Sequence[int]) -> list[list[Rating]]:
        """Return ratings after the event, in the order passed in. ranks: 1 = best, equal ones are ties."""
        shape = tuple(map(len, sides))
        if shape not in self._cache:
            self._cache[shape] = [[self._model.rating() for _ in side] for side in sides]
        before = self._cache[shape]
        for blanks, side in zip(before, sides, strict=True):
            for blank, own in zip(blanks, side, strict=True):
                blank.mu, blank.sigma = own
        after = self._model.rate(before, ranks=[float(rank) for rank in ranks])
        return [[Rating(own.mu, own.sigma) for own in side] for side in after]


def rate(sides: Sides, ranks: Sequence[int], params: Params) -> list[list[Rating]]:
    """Rate one event alone."""
    return Rater(params).rate(sides, ranks)
