"""Seats at a table: over the rounds each entry takes each seat as evenly as possible.

Tables of one size and no earlier rounds: always each seat floor(R/t) or ceil(R/t) times, by equitable edge colouring
(de Werra 1971): tables and players form a bipartite graph, a player's rounds are cut into runs of t, and a proper
colouring with t colours gives every run each seat at most once. Otherwise: start from the least used seats, then swap
seats within tables as long as the sum of squares of the counts falls.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Table = list[int]
Round = list[Table]
Counts = list[list[int]]
STEEP = 12  # 7 ** 12 is exact in a double


def seat(rounds: Sequence[Round], players: int, used: Sequence[Sequence[int]]) -> list[Round]:
    """Put the players of the same tables in seat order.

    players: numbered 0..players-1. used: earlier rounds, how often player p sat at seat s (0..6).
    """
    sizes = {len(table) for turn in rounds for table in turn}
    if len(sizes) == 1 and not any(map(any, used)):
        return _coloured(rounds, players, sizes.pop())
    return _improved(rounds, [list(row) for row in used])


def _coloured(rounds: Sequence[Round], players: int, size: int) -> list[Round]:
    """Seat exactly: colour the edges (table, run of a player) with `size` seats."""
    played = [0] * players
    at_table: list[list[int]] = []  # table -> seat -> run, -1 free
    at_run: dict[int, list[int]] = {}  # run -> seat -> table
    for turn in rounds:
        for table in turn:
            at_table.append([-1] * size)
            for player in table:
                # A run is `size` rounds of one player: with each seat at most once in each run, all counts differ by
                # one at most.
                run = player + players * (played[player] // size)
                played[player] += 1
                at_run.setdefault(run, [-1] * size)
                _colour(at_table, at_run, len(at_table) - 1, run)
    seated = iter(at_table)
    return [[[run % players for run in next(seated)] for _ in turn] for turn in rounds]


def _colour(at_table: list[list[int]], at_run: dict[int, list[int]], table: int, run: int) -> None:
    """Give one edge a seat that is free at both ends, swapping two seats along a chain if there is none."""
    free_here = at_table[table].index(-1)
    free_there = at_run[run].index(-1)
    if at_run[run][free_here] >= 0:
        _flip(at_table, at_run, run, free_here, free_there)
    at_table[table][free_here] = run
    at_run[run][free_here] = table


def _flip(at_table: list[list[int]], at_run: dict[int, list[int]], run: int, seat_a: int, seat_b: int) -> None:
    """Exchange two seats along the chain that starts at `run` with seat_a; it never returns to where it is free."""
    chain: list[tuple[int, int]] = []
    here, wanted = run, seat_a
    while at_run[here][wanted] >= 0:
        table = at_run[here][wanted]
        chain.append((table, here))
        other = seat_b if wanted == seat_a else seat_a
        following = at_table[table][other]
        if following < 0:
            break
        chain.append((table, following))
        here = following
    seats = [seat_a if index % 2 == 0 else seat_b for index in range(len(chain))]
    for (table, member), old in zip(chain, seats, strict=True):
        at_table[table][old] = -1
        at_run[member][old] = -1
    for (table, member), old in zip(chain, seats, strict=True):
        new = seat_b if old == seat_a else seat_a
        at_table[table][new] = member
        at_run[member][new] = table


def _improved(rounds: Sequence[Round], used: Counts) -> list[Round]:
    """Take least used seats table by table, then swap within tables while that helps."""
    seated = [[_least_used(table, used) for table in turn] for turn in rounds]
    improving = True
    # Ends: each swap lowers the sum of squares, a whole number.
    while improving:
        improving = False
        for turn in seated:
            for table in turn:
                improving |= _swap_seats(table, used)
    return seated


def _least_used(table: Table, used: Counts) -> Table:
    """Seat one table so that nobody has one seat far more often than another; count it in `used`."""
    from scipy.optimize import linear_sum_assignment  # a tenth of a second, which most processes never need

    rows = [used[player][: len(table)] for player in table]
    # one step further from one's least used seat costs more than all others at the table one step less
    cost = np.array([[len(table) ** min(STEEP, count - min(row)) for count in row] for row in rows])
    order: Table = [-1] * len(table)
    for index, place in zip(*linear_sum_assignment(cost), strict=True):
        order[int(place)] = table[int(index)]
    for place, player in enumerate(order):
        used[player][place] += 1
    return order


def _swap_seats(table: Table, used: Counts) -> bool:
    """Pass once over the pairs of seats of a table; return True if something got better."""
    better = False
    for first in range(len(table)):
        for second in range(first + 1, len(table)):
            one, other = used[table[first]], used[table[second]]
            # moving a unit from a seat counted c to one counted d changes the sum of squares by 2 (d - c + 1)
            if one[second] - one[first] + 1 + other[first] - other[second] + 1 < 0:
                one[first] -= 1
                one[second] += 1
                other[second] -= 1
                other[first] += 1
                table[first], table[second] = table[second], table[first]
                better = True
    return better
