"""One event's effect on ratings: Plackett-Luce by the openskill library (Weng and Lin 2011, algorithm 4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from openskill.models import PlackettLuce

from tournaments.ratings.model import Params, Rating

Sides = Sequence[Sequence[Rating]]


@lru_cache(maxsize=32)
def _model(params: Params) -> PlackettLuce:
    return PlackettLuce(
        mu=params.mu, sigma=params.sigma, beta=params.beta, kappa=params.kappa, tau=params.tau, limit_sigma=False
    )


def rate(sides: Sides, ranks: Sequence[int], params: Params) -> list[list[Rating]]:
    """Ratings after the event, in the order passed in. ranks: 1 = best, equal ones are ties."""
    model = _model(params)
    before = [[model.rating(mu=own.mu, sigma=own.sigma) for own in side] for side in sides]
    after = model.rate(before, ranks=[float(rank) for rank in ranks])
    return [[Rating(own.mu, own.sigma) for own in side] for side in after]
