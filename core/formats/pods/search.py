"""The search for a round of pods: first as few conflicts as can be, then scores as close together as can be.

Players are positions in the order, 0 = best. A pod's *conflict* is the sum of what its pairs cost (a forbidden pair
`HARD`, an earlier meeting 1, a wish its weight), its *spread* the sum over its pairs of (x - y)^2 of their score levels
x, y. Conflicts come first: they are never traded for closer scores.

A step takes one player out of every pod and puts them all back in the best way there is: a linear assignment, which
finds every chain of exchanges at once. Conflicts are cheap at first and dear at the end, and random amounts that fade
are added to the costs, so that the search leaves what is best only near by. Fields of few rounds are tried whole
(`pod_exact`), small saturated ones for a round without a conflict (`pod_cover`). Steps are counted, not timed, so the
result is the same for the same seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from core.formats.pods.cover import Cover, closest_cover
from core.formats.pods.exact import MAX_ROUNDS, best_round, rounds_there_are

HARD = 1_000_000
DEAR = 1e9  # a conflict against the spread where it is never traded; sums stay exact in a double
BUDGET, LARGE_BUDGET = 480_000, 120_000  # microseconds where it was measured, shared out among the runs of a window
STEP_COST, CELL_COST = 28.0, 0.1  # of a step: 28 us, and 0.1 us for each pair of its pods
STEPS_A_PLAYER = 150  # of small fields: more found nothing closer
WINDOW = 96  # pods searched at once: the assignment grows with the third power
REACH = 24  # pods of one step
LARGE = 40  # from that many pods on the time is better spent on the last runs alone
RUNS = ((0.15, 0.1, 30.0), (0.9, 0.1, 30.0), (0.06, 1.0, 100.0), (0.3, 1.0, 100.0))
"""(random amounts, what a conflict costs at first, at last) of each run, in a player's mean share of the spread."""
FEWER = (1.0, 0.7, 1.5)  # the random amounts of runs for which only conflicts count, where some are left
SHAKEN = (0.3, 0.1)  # the random amounts of the last runs, each of which starts from the best of those before

Tables = list[list[int]]
Cost = tuple[int, int]
"""(conflicts, spread), compared in this order."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Costs to search in. cost: player -> other -> cost of their meeting, symmetric. level: score level by player.

    Where an organiser ordered what counts: minor: a cost that counts less than the scores, each of which then counts
    `step`; scores_first: scores are conflicts themselves, beside `cost`.
    """

    cost: Sequence[Mapping[int, int]]
    level: Sequence[int]
    minor: Sequence[Mapping[int, int]] = ()
    step: int = 1
    scores_first: bool = False

    def pair(self, one: int, other: int) -> Cost:
        """Return what the meeting of two costs."""
        first, apart = self.cost[one].get(other, 0), (self.level[one] - self.level[other]) ** 2
        second = self.minor[one].get(other, 0) if self.minor else 0
        return (first + apart, second) if self.scores_first else (first, self.step * apart + second)

    def of(self, tables: Sequence[Sequence[int]]) -> Cost:
        """Return what these pods come to."""
        pairs = [(one, other) for table in tables for at, one in enumerate(table) for other in table[at + 1 :]]
        costs = [self.pair(one, other) for one, other in pairs]
        return sum(first for first, _second in costs), sum(second for _first, second in costs)

    def part(self, players: Sequence[int]) -> Grid:
        """The same of some of the players, numbered in this order."""
        at = {player: place for place, player in enumerate(players)}

        def kept(costs: Sequence[Mapping[int, int]]) -> list[dict[int, int]]:
            return [{at[other]: paid for other, paid in costs[one].items() if other in at} for one in players]

        level = [self.level[player] for player in players]
        return replace(self, cost=kept(self.cost), level=level, minor=kept(self.minor) if self.minor else ())


@dataclass(frozen=True, slots=True)
class Found:
    """Pods, best players first. is_proved: they are without a conflict, or every round has one."""

    tables: Tables
    is_proved: bool


class Pods:
    """The pods as they are, changed in place, and the best ones met so far. A free seat is player `players`."""

    def __init__(self, grid: Grid, sizes: Sequence[int]) -> None:
        self.players, self.sizes, self.count = sum(sizes), np.array(sizes), len(sizes)
        self._conflict = self._matrix(grid.cost)
        level = np.array(grid.level[: self.players], dtype=float)
        self._spread = self._matrix(grid.minor)
        apart = self._conflict if grid.scores_first else self._spread
        apart[:-1, :-1] += grid.step * (level[:, None] - level[None, :]) ** 2
        # Beyond what scores can come to where they count a step each; else the measured one.
        self.dear = max(DEAR, 2 * float(self._spread.max())) if grid.minor else DEAR
        self._cut = self._seats(cut(sizes))
        self.best: tuple[float, float] = (float("inf"), float("inf"))
        self._best = self._cut
        self.restart()

    def _matrix(self, costs: Sequence[Mapping[int, int]]) -> NDArray[np.float64]:
        found = np.zeros((self.players + 1, self.players + 1))
        for one in range(self.players if costs else 0):
            for other, paid in costs[one].items():
                if other < self.players:
                    found[one, other] = paid
        return found

    def _seats(self, tables: Tables) -> NDArray[np.int64]:
        seats = np.full((self.count, max(map(len, tables))), self.players)
        for row, table in zip(seats, tables, strict=True):
            row[: len(table)] = table
        return seats

    def restart(self, tables: Tables | None = None) -> None:
        """Restart from these pods; from the order by score if there are none."""
        self.seats = self._cut.copy() if tables is None else self._seats(tables)
        self._conflict_at = self._conflict[self.seats].sum(axis=1)
        self._spread_at = self._spread[self.seats].sum(axis=1)
        self._now = (self._total(self._conflict_at), self._total(self._spread_at))
        self._remember_best()

    def _total(self, at: NDArray[np.float64]) -> float:
        """Return the total of all pods. at: what each player adds at each pod, by pod and player."""
        return float(np.take_along_axis(at, self.seats, axis=1).sum()) / 2

    def best_tables(self) -> Tables:
        """The best pods met."""
        return [[int(player) for player in row if player < self.players] for row in self._best]

    def _remember_best(self) -> None:
        if self._now < self.best:
            self.best, self._best = self._now, self.seats.copy()

    def run(
        self, steps: int, lots: np.random.RandomState, heat: float, weights: tuple[float, float], spread: float = 1.0
    ) -> None:
        """Continue the search. heat: of the random amounts at the start, 0 for none; weights: of a conflict first,
        last.
        """
        from scipy.optimize import linear_sum_assignment  # a tenth of a second, which most processes never need

        first, last = weights
        for step in range(steps):
            # Cooling: random amounts fall with the square of what is left, the weight of a conflict rises from `first`
            # to `last`.
            left = 1 - step / steps
            weight = first / (1 - (1 - left) * (1 - first / last))
            pods = self._some_pods(lots)
            taken = (lots.random_sample(len(pods)) * self.sizes[pods]).astype(int)
            players = self.seats[pods, taken]
            conflict = self._apart(self._conflict, self._conflict_at[pods], players)
            wider = self._apart(self._spread, self._spread_at[pods], players)
            cost = weight * conflict + spread * wider
            if heat:
                cost += heat * left * left * lots.random_sample(cost.shape)
            rows, who = linear_sum_assignment(cost)
            # Updated by the difference alone: counting all pods again at each step would cost more than the assignment.
            self._now = (
                self._now[0] + float(conflict[rows, who].sum() - conflict.trace()),
                self._now[1] + float(wider[rows, who].sum() - wider.trace()),
            )
            changed = who != rows
            self._move(pods[changed], taken[changed], players[changed], players[who[changed]])
            self._remember_best()

    def _some_pods(self, lots: np.random.RandomState) -> NDArray[np.int64]:
        """Choose pods that are close by score, all of a small field: an assignment of more costs more than it finds."""
        reach = min(self.count, REACH)
        middle = int(lots.random_sample() * self.count)
        return np.arange(reach) + min(max(0, middle - reach // 2), self.count - reach)

    @staticmethod
    def _apart(pairs: NDArray[np.float64], at: NDArray[np.float64], players: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what each of these players, one of each pod, would add at each pod without its own one; by pod and
        player.
        """
        return np.asarray(at[:, players] - pairs[np.ix_(players, players)])

    def _move(
        self,
        pods: NDArray[np.int64],
        places: NDArray[np.int64],
        gone: NDArray[np.int64],
        come: NDArray[np.int64],
    ) -> None:
        """Seat other players in these pods, one in each. places: of those who are gone."""
        self.seats[pods, places] = come
        self._conflict_at[pods] += self._conflict[come] - self._conflict[gone]
        self._spread_at[pods] += self._spread[come] - self._spread[gone]


def cut(sizes: Sequence[int]) -> Tables:
    """The order by score in slices of these sizes: what nothing but the score would give."""
    starts = [sum(sizes[:at]) for at in range(len(sizes))]
    return [list(range(start, start + size)) for start, size in zip(starts, sizes, strict=True)]


def search(grid: Grid, sizes: Sequence[int], rng: Random) -> Found:
    """The best pods found. grid: of the players to be seated, 0 .. sum(sizes) - 1. Large fields go part by part."""
    tables = cut(sizes)
    if grid.of(tables) == (0, 0):
        return Found(tables, is_proved=True)
    if rounds_there_are(sizes) <= MAX_ROUNDS:
        return Found(in_order(_of_sizes(best_round(grid.pair, sizes), sizes)), is_proved=True)
    is_proved = False
    # Windows overlap by half, so that players near an edge can move across it in the next one.
    for start in range(0, max(1, len(sizes) - WINDOW // 2), WINDOW // 2):
        part = tables[start : start + WINDOW]
        players = sorted(player for table in part for player in table)
        found, is_proved = _window(grid.part(players), [len(table) for table in part], rng)
        tables[start : start + WINDOW] = [[players[at] for at in table] for table in found]
    is_proved = not grid.of(tables)[0] or (is_proved and len(sizes) <= WINDOW)
    return Found(in_order(tables), is_proved)


def in_order(tables: Tables) -> Tables:
    """Order tables by the mean place of their players, best first."""
    return sorted(map(sorted, tables), key=lambda table: (sum(table) / len(table), table))


def fewest(grid: Grid, sizes: Sequence[int], rng: Random) -> int:
    """The fewest conflicts that a search finds, regardless of the scores."""
    return grid.of(search(Grid(grid.cost, [0] * len(grid.level)), sizes, rng).tables)[0]


def _window(grid: Grid, sizes: Sequence[int], rng: Random) -> tuple[Tables, bool]:
    """Return the best pods of one window, and whether it is known if there are any without a conflict."""
    lots = np.random.RandomState(rng.getrandbits(32))  # numpy promises that its numbers never change
    budget = LARGE_BUDGET if len(sizes) >= LARGE else BUDGET
    most = int(budget / (STEP_COST + CELL_COST * min(len(sizes), REACH) ** 2))
    steps = min(most, STEPS_A_PLAYER * sum(sizes))
    runs = () if len(sizes) >= LARGE else RUNS
    share = steps // max(1, len(runs))
    pods = Pods(grid, sizes)
    # A quick descent without heat first: if the cover search proves it best, the long runs are not needed.
    pods.run(share // 4, lots, 0, (pods.dear, pods.dear))
    cover = _cover(pods, grid, sizes)
    if cover.is_complete and not pods.best[0]:
        return pods.best_tables(), True
    for heat, first, last in runs:
        unit = _unit(pods)
        pods.restart()
        pods.run(share, lots, heat * unit, (first * unit, last * unit))
        pods.run(share // 20, lots, 0, (pods.dear, pods.dear))
    for heat in FEWER if pods.best[0] else ():
        pods.restart()
        pods.run(share, lots, heat, (1, 1), spread=1e-9)
    for heat in SHAKEN:
        pods.restart(pods.best_tables())
        pods.run(share // len(SHAKEN), lots, heat * _unit(pods), (pods.dear, pods.dear))
    if not pods.best[0]:
        _cover(pods, grid, sizes)
    return pods.best_tables(), cover.is_complete or not pods.best[0]


def _unit(pods: Pods) -> float:
    """A player's mean share of the spread of the best pods."""
    return max(1.0, 2 * pods.best[1] / pods.players)


def _cover(pods: Pods, grid: Grid, sizes: Sequence[int]) -> Cover:
    """Try all rounds without a conflict, where they are few, for one that is closer than the best."""
    if grid.scores_first:
        return Cover(None, is_complete=False)  # every round of distinct scores has a conflict then
    cover = closest_cover(grid.cost, grid.level, sizes, None if pods.best[0] else int(pods.best[1]) // grid.step)
    if cover.tables is not None:
        pods.restart(_of_sizes(cover.tables, sizes))
    return cover


def _of_sizes(tables: Tables, sizes: Sequence[int]) -> Tables:
    """Return these pods in an order in which they have these sizes."""
    rest = sorted(tables, key=len)
    return [rest.pop([len(table) for table in rest].index(size)) for size in sizes]
