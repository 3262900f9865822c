"""Made-up people and their results."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random
from statistics import NormalDist

from core.simulation.model import Pace, Scores, Strengths


def names(count: int) -> list[str]:
    """Return entries by seed: "0001" is seeded first."""
    return [f"{number:04}" for number in range(1, count + 1)]


def strengths(count: int, how: Strengths, rng: Random) -> dict[str, float]:
    """Return strength by entry: quantiles of a normal distribution, seeded with some error."""
    law = NormalDist(0.0, how.spread or 1e-9)
    # Quantiles instead of draws: every run has the same strengths, only seeded differently.
    true = [law.inv_cdf((count - place + 0.5) / count) for place in range(1, count + 1)]
    seen = sorted(true, key=lambda value: value + rng.gauss(0.0, how.blur * how.spread), reverse=True)
    return dict(zip(names(count), seen, strict=True))


def points(strength: float, scores: Scores, rng: Random) -> int:
    """Return the points of one match."""
    chance = rng.choice(scores.past) if scores.past else rng.gauss(0.0, scores.noise)
    return scores.step * round((scores.mean + scores.skill * strength + chance) / scores.step)


def deals_won(won: Sequence[int], deals: int, scores: Scores, rng: Random) -> list[int]:
    """Return how many deals each won: the more points, the likelier each deal."""
    scale = scores.noise or 1.0
    weights = [exp((mine - max(won)) / scale) for mine in won]
    winners = rng.choices(range(len(won)), weights, k=deals)
    return [winners.count(seat) for seat in range(len(won))]


def sitting(tables: int, pace: Pace, rng: Random) -> float:
    """Return the minutes until all matches are over: as many at once as there are tables, the slowest counts."""
    at_once = min(tables, pace.tables or tables)
    total = 0.0
    while tables > 0:
        here = min(at_once, tables)
        longest = max(rng.gauss(pace.match, pace.spread) for _ in range(here))
        # The normal distribution also gives short and negative times: nothing is over in less than half a match.
        total += max(pace.match / 2, longest) + pace.change
        tables -= here
    return total
