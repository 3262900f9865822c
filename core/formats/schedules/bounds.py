"""Lower bounds on repeated meetings, which no schedule can beat (tournaments.md section 4, certificate).

The figure is the sum over pairs of C(meetings, 2). Two bounds, both valid for any schedule of the given tables:
*pigeonhole*: two rounds with few large tables must seat some pair together twice;
*averaging*: that many meetings spread over that many pairs, as evenly as integers allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

Sizes = tuple[int, ...]


def averaging(entries: int, rounds: Sequence[Sizes]) -> int:
    """Return b*C(a+1,2) + (P-b)*C(a,2) with a, b = divmod(all meetings, P), P = C(entries, 2)."""
    pairs = comb(entries, 2)
    if not pairs:
        return 0
    each, rest = divmod(meetings(rounds), pairs)
    return rest * comb(each + 1, 2) + (pairs - rest) * comb(each, 2)


def meetings(rounds: Sequence[Sizes]) -> int:
    """Count the pairs that share a table, over all rounds."""
    return sum(comb(size, 2) for sizes in rounds for size in sizes)


def pigeonhole(entries: int, rounds: Sequence[Sizes]) -> int:
    """Sum over pairs of rounds of the fewest pairs that must share a table in both.

    A round in which somebody sits out counts as free: those seats could have gone to anybody.
    """
    full = [tuple(sorted(sizes, reverse=True)) for sizes in rounds if sum(sizes) == entries]
    return sum(overlap(one, other) for one, other in combinations(full, 2))


@lru_cache(maxsize=4096)
def overlap(rows: Sizes, columns: Sizes) -> int:
    """Fewest pairs together at a table of both rounds: min of sum C(x, 2) over integer matrices with these margins.

    rows, columns: table sizes of two rounds of the same entries, largest first.
    """
    # If no cell needs two, no pair has to meet twice: the usual case, without solving anything.
    if _fits_ones(rows, columns):
        return 0
    return _cheapest(rows, columns)


def _fits_ones(rows: Sizes, columns: Sizes) -> bool:
    """Return whether the margins fit a matrix of zeros and ones (Gale-Ryser)."""
    return all(sum(rows[:taken]) <= sum(min(column, taken) for column in columns) for taken in range(1, len(rows) + 1))


def _cheapest(rows: Sizes, columns: Sizes) -> int:
    """Solve the convex transport problem, one unit at a time along the cheapest augmenting path (Bellman-Ford)."""
    flow = [[0] * len(columns) for _ in rows]
    left, room = list(rows), list(columns)
    for _ in range(sum(rows)):
        path = _cheapest_path(flow, left, room)
        left[path[0]] -= 1
        room[path[-1]] -= 1
        for step in range(len(path) - 1):
            if step % 2 == 0:
                flow[path[step]][path[step + 1]] += 1
            else:
                flow[path[step + 1]][path[step]] -= 1
    return sum(comb(cell, 2) for line in flow for cell in line)


def _cheapest_path(flow: list[list[int]], left: list[int], room: list[int]) -> list[int]:
    """Find row, column, row, .., column: a unit more in a cell costs its content, one less saves content - 1."""
    far = 10**9
    row_cost = [0 if units else far for units in left]
    column_cost = [far] * len(room)
    row_from, column_from = [-1] * len(left), [-1] * len(room)
    changed = True
    while changed:
        changed = False
        for row, line in enumerate(flow):
            for column, cell in enumerate(line):
                if row_cost[row] + cell < column_cost[column]:
                    column_cost[column], column_from[column], changed = row_cost[row] + cell, row, True
                if cell and column_cost[column] - (cell - 1) < row_cost[row]:
                    row_cost[row], row_from[row], changed = column_cost[column] - (cell - 1), column, True
    end = min((column for column, units in enumerate(room) if units), key=lambda column: column_cost[column])
    path = [end, column_from[end]]
    while row_from[path[-1]] >= 0:
        column = row_from[path[-1]]
        path += [column, column_from[column]]
    return path[::-1]
