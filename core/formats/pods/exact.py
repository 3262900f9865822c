"""Search for the best round of a field so small that every round can be tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import factorial, prod
from typing import Final

MAX_ROUNDS: Final = 20_000
"""Twelve players in threes have 15,400 rounds: tried in a fifth of a second where it was measured, most of them cut off
early."""

Cost = tuple[int, int]
"""(conflicts, spread), compared in this order."""


def rounds_there_are(sizes: Sequence[int]) -> int:
    """Return in how many ways players can be shared out among pods of these sizes.

    >>> rounds_there_are((4, 4)), rounds_there_are((3, 3, 3, 3))
    (35, 15400)
    """
    count = factorial(sum(sizes)) // prod(map(factorial, sizes))
    return count // prod(map(factorial, Counter(sizes).values()))


def best_round(pair: Callable[[int, int], Cost], sizes: Sequence[int]) -> list[list[int]]:
    """The round of the least cost, which adds up over pairs and is never negative. pair: what the meeting of two costs.

    Raises ValueError for too many rounds.
    """
    if rounds_there_are(sizes) > MAX_ROUNDS:
        raise ValueError(sizes)
    search = _Search(pair)
    search.share_out(list(range(sum(sizes))), sorted(sizes), (0, 0))
    return search.best


@dataclass(slots=True)
class _Search:
    pair: Callable[[int, int], Cost]
    best: list[list[int]] = field(default_factory=list)
    least: Cost | None = None
    _tables: list[list[int]] = field(default_factory=list)

    def share_out(self, players: list[int], sizes: list[int], paid: Cost) -> None:
        """Seat the first of the players left with everybody else in turn, and then the rest."""
        if self.least is not None and paid >= self.least:
            return  # what is still to come costs nothing or more
        if not players:
            self.best, self.least = [list(table) for table in self._tables], paid
            return
        # The first of those left always opens the next table: each round is met once, not once in every order of its
        # tables.
        first, others = players[0], players[1:]
        for size in sorted(set(sizes)):
            left = list(sizes)
            left.remove(size)
            for company in combinations(others, size - 1):
                table = [first, *company]
                conflicts, spread = self._cost_of(table)
                self._tables.append(table)
                rest = [each for each in others if each not in company]
                self.share_out(rest, left, (paid[0] + conflicts, paid[1] + spread))
                self._tables.pop()

    def _cost_of(self, table: Sequence[int]) -> Cost:
        costs = [self.pair(one, other) for one, other in combinations(table, 2)]
        return sum(first for first, _second in costs), sum(second for _first, second in costs)
