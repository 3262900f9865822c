"""The search for even tables: simulated annealing on the sum over pairs of C(meetings, 2).

A move swaps two players of different tables in one round. Deterministic for a seed: steps are counted, not timed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp
from random import Random

Table = list[int]
Round = list[Table]
HOT, COLD = 0.4, 0.18


@dataclass(frozen=True, slots=True)
class Task:
    """Task of the search. players are numbered 0..players-1.

    met: meetings before these rounds, symmetric. weights: extra cost of each meeting of a pair, symmetric.
    bound: stop once the cost is this low.
    """

    players: int
    met: Sequence[Sequence[int]]
    weights: Sequence[Sequence[int]]
    bound: int


class Search:
    """The current rounds with their meetings and cost; changed in place."""

    def __init__(self, task: Task, rounds: Sequence[Round]) -> None:
        self.rounds = [[list(table) for table in turn] for turn in rounds]
        self.met = [list(row) for row in task.met]
        self.weights = task.weights
        for turn in self.rounds:
            for table in turn:
                for one, other in combinations(table, 2):
                    self.met[one][other] += 1
                    self.met[other][one] += 1
        self.cost = sum(
            self.met[one][other] * (self.met[one][other] - 1) // 2 + self.met[one][other] * task.weights[one][other]
            for one, other in combinations(range(task.players), 2)
        )

    def change(self, here: Table, seat: int, there: Table, place: int) -> int:
        """Return what the cost changes by if here[seat] and there[place] swap tables."""
        one, other = here[seat], there[place]
        mine, theirs = self.met[one], self.met[other]
        own_weights, other_weights = self.weights[one], self.weights[other]
        # From C(n + 1, 2) - C(n, 2) = n for a meeting more and 1 - n for one less: each of the mates left behind adds
        # 1.
        change = len(here) + len(there) - 2
        for mate in here:
            change += theirs[mate] - mine[mate] + other_weights[mate] - own_weights[mate]
        change -= theirs[one] + other_weights[one]
        for mate in there:
            change += mine[mate] - theirs[mate] + own_weights[mate] - other_weights[mate]
        return change - mine[other] - own_weights[other]

    def swap(self, here: Table, seat: int, there: Table, place: int, change: int) -> None:
        """Swap the two players; `change` is what `change()` said."""
        one, other = here[seat], there[place]
        met = self.met
        for table, leaves, comes in ((here, one, other), (there, other, one)):
            for mate in table:
                if mate != leaves:
                    met[leaves][mate] -= 1
                    met[mate][leaves] -= 1
                    met[comes][mate] += 1
                    met[mate][comes] += 1
        here[seat], there[place] = other, one
        self.cost += change


def anneal(task: Task, rounds: Sequence[Round], rng: Random, *, steps: int) -> tuple[list[Round], int]:
    """Return (best rounds found, their cost), never worse than the rounds passed in.

    steps: proposals. The temperature falls geometrically from HOT to COLD.
    """
    search = Search(task, rounds)
    best, best_cost = _copy(search.rounds), search.cost
    movable = [turn for turn in search.rounds if len(turn) > 1]
    random = rng.random
    cooling = (COLD / HOT) ** (1 / max(1, steps))
    heat = HOT
    for _ in range(steps if movable else 0):
        if best_cost <= task.bound:
            break
        heat *= cooling
        turn = movable[int(random() * len(movable))]
        first = int(random() * len(turn))
        second = int(random() * (len(turn) - 1))
        # One number less is drawn and stepped over the first table: two different tables without a second try.
        here, there = turn[first], turn[second + (second >= first)]
        seat, place = int(random() * len(here)), int(random() * len(there))
        change = search.change(here, seat, there, place)
        # Metropolis: worse steps are taken the more rarely the worse they are and the colder it is.
        if change <= 0 or random() < exp(-change / heat):
            search.swap(here, seat, there, place, change)
            if search.cost < best_cost:
                best, best_cost = _copy(search.rounds), search.cost
    return best, best_cost


def _copy(rounds: Sequence[Round]) -> list[Round]:
    return [[list(table) for table in turn] for turn in rounds]
