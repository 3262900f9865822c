"""The search for a round of pods: start from the order by score, swap until nobody meets again, then close the scores.

Players are positions in the order, 0 = best. A pod's *conflict* is the sum of what its pairs cost (a forbidden pair
`HARD`, a second meeting 1, a wish its weight), its *spread* t * sum(x^2) - sum(x)^2 over the score levels x of its t
players. Conflicts come first: a swap never trades one for closer scores. Steps are counted, not timed, so the result is
the same for the same seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from random import Random

from tournaments.formats.annealing import Task, anneal

HARD = 1_000_000
WIDE_SEARCH = 1_000  # fields up to this size are searched from scratch if swaps leave conflicts
STEPS_A_PLAYER, STEPS_MOST = 600, 600_000
SEARCH_A_PLAYER, SEARCH_MOST = 1_500, 150_000
HOT, COLD = 1.0, 0.1  # times the seats of a table
REACH = 3  # pods up and down in which a swap is proposed
PASSES = 8

Tables = list[list[int]]


@dataclass(frozen=True, slots=True)
class Grid:
    """What to search in. cost: player -> other -> what their meeting costs, symmetric. level: score level by player."""

    cost: Sequence[Mapping[int, int]]
    level: Sequence[int]


class Pods:
    """The pods so far, changed in place. where: pod of each player."""

    def __init__(self, grid: Grid, tables: Tables) -> None:
        self.grid = grid
        self.tables = [list(table) for table in tables]
        self.where = {player: at for at, table in enumerate(self.tables) for player in table}

    def conflict(self, player: int) -> int:
        """What this player's meetings cost."""
        cost = self.grid.cost[player]
        return sum(cost.get(mate, 0) for mate in self.tables[self.where[player]])

    def conflicts(self) -> int:
        """All of them."""
        return sum(map(self.conflict, self.where)) // 2

    def spread(self) -> int:
        """Of all pods."""
        return sum(map(self._spread, self.tables))

    def _spread(self, table: Sequence[int]) -> int:
        levels = [self.grid.level[player] for player in table]
        return len(levels) * sum(level * level for level in levels) - sum(levels) ** 2

    def change(self, one: int, other: int) -> tuple[int, int]:
        """(conflicts, spread) that a swap of two players of different pods would add."""
        here, there = self.tables[self.where[one]], self.tables[self.where[other]]
        mine, theirs = self.grid.cost[one], self.grid.cost[other]
        added = 0
        if mine or theirs:
            for mate in here:
                if mate != one:
                    added += theirs.get(mate, 0) - mine.get(mate, 0)
            for mate in there:
                if mate != other:
                    added += mine.get(mate, 0) - theirs.get(mate, 0)
        level = self.grid.level
        if level[one] == level[other]:
            return added, 0
        return added, self._wider(here, one, other) + self._wider(there, other, one)

    def _wider(self, table: Sequence[int], leaves: int, comes: int) -> int:
        """By how much the spread grows."""
        level = self.grid.level
        total = sum(level[player] for player in table)
        old, new = level[leaves], level[comes]
        return len(table) * (new * new - old * old) - (total - old + new) ** 2 + total * total

    def swap(self, one: int, other: int) -> None:
        """Do it."""
        here, there = self.where[one], self.where[other]
        self.tables[here][self.tables[here].index(one)] = other
        self.tables[there][self.tables[there].index(other)] = one
        self.where[one], self.where[other] = there, here


def search(grid: Grid, sizes: Sequence[int], rng: Random) -> Tables:
    """The best pods found. grid: of the players to be seated, 0 .. sum(sizes) - 1."""
    pods = Pods(grid, cut(sizes))
    free = pods.spread()
    repair(pods)
    if pods.conflicts() and len(grid.level) <= WIDE_SEARCH:
        pods = _from_scratch(pods, rng)
        repair(pods)
    if pods.spread() > free:
        _close(pods, free, rng)
    return pods.tables


def cut(sizes: Sequence[int]) -> Tables:
    """The order by score in slices of these sizes: what nothing but the score would give."""
    starts = [sum(sizes[:at]) for at in range(len(sizes))]
    return [list(range(start, start + size)) for start, size in zip(starts, sizes, strict=True)]


def repair(pods: Pods) -> None:
    """Swap players in conflict with others, nearest first in a growing window, as long as conflicts fall."""
    for _ in range(PASSES):
        before = pods.conflicts()
        if not before:
            return
        for player in sorted(pods.where):
            if pods.conflict(player):
                _relieve(pods, player)
        if pods.conflicts() == before:
            return


def _relieve(pods: Pods, player: int) -> None:
    """The swap that helps most in the smallest window with one that helps."""
    window = 2 * len(pods.tables[0])
    done = 0
    while done < len(pods.where):
        options = [
            (*pods.change(player, other), other)
            for other in _ring(player, done, window, len(pods.where))
            if pods.where[other] != pods.where[player]
        ]
        best = min(options, default=(0, 0, -1))
        if best[0] < 0:
            pods.swap(player, best[2])
            return
        done, window = window, 2 * window


def _ring(centre: int, inner: int, outer: int, players: int) -> Iterator[int]:
    """Positions further than `inner` and at most `outer` from the centre."""
    yield from range(max(0, centre - outer), max(0, centre - inner))
    yield from range(centre + inner + 1, min(players, centre + outer + 1))


def _from_scratch(pods: Pods, rng: Random) -> Pods:
    """A round with the fewest second meetings that a search finds, whatever the scores; if it is better."""
    players = len(pods.where)
    wish = [[pods.grid.cost[one].get(other, 0) for other in range(players)] for one in range(players)]
    nothing = [[0] * players for _ in range(players)]
    steps = min(SEARCH_MOST, SEARCH_A_PLAYER * players)
    found, cost = anneal(Task(players, nothing, wish, 0), [pods.tables], rng, steps=steps)
    return Pods(pods.grid, found[0]) if cost < pods.conflicts() else pods


def _close(pods: Pods, free: int, rng: Random) -> None:
    """Anneal the spread down without a new conflict; ends with the best pods met on the way."""
    players, random = len(pods.where), rng.random
    steps = min(STEPS_MOST, STEPS_A_PLAYER * players)
    reach = REACH * max(map(len, pods.tables))
    spread, best, kept = pods.spread(), pods.spread(), [list(table) for table in pods.tables]
    cooling = (COLD / HOT) ** (1 / steps)
    heat = HOT * max(map(len, pods.tables))
    for _ in range(steps):
        heat *= cooling
        one = int(random() * players)
        other = one + int((2 * random() - 1) * (reach if random() < 0.9 else players))
        if not 0 <= other < players or pods.where[one] == pods.where[other]:
            continue
        conflict, wider = pods.change(one, other)
        if conflict < 0 or (conflict == 0 and (wider <= 0 or random() < exp(-wider / heat))):
            pods.swap(one, other)
            spread += wider
            if spread < best or conflict < 0:
                best, kept = spread, [list(table) for table in pods.tables]
                if best <= free:
                    break
    pods.tables = kept
    pods.where = {player: at for at, table in enumerate(kept) for player in table}
