"""All rounds of a small field in which nobody meets anybody they should not, tried one by one.

Where few of them are left (late rounds of small fields) a random search may miss the last one. Tables without a
conflict are listed; then the player with the fewest of them is given a table, and so on (exact cover), as long as what
is added up so far can still come closer than the best round known. Nodes are counted, so the result is the same on
every machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import lcm

MAX_PLAYERS = 40
MAX_TABLES = 3_000
MAX_NODES = 15_000
SCALE = lcm(2, 3, 4, 5, 6, 7)  # shares of a table's spread are whole numbers


@dataclass(frozen=True, slots=True)
class Cover:
    """Result of a search. tables: the closest round without a conflict, if one is closer than asked for.

    is_complete: every round was looked at, so there is no closer one, and none at all if there was nothing to beat.
    """

    tables: list[list[int]] | None
    is_complete: bool


@dataclass(slots=True)
class _Search:
    """The state of one search. starting: player -> tables (bits, spread, size) of which it is the first in `order`."""

    starting: list[list[tuple[int, int, int]]]
    order: Sequence[int]
    share: Sequence[int]
    left: Counter[int]
    limit: int
    nodes: int = 0
    chosen: list[int] = field(default_factory=list)
    found: list[int] | None = None


def closest_cover(
    meets: Sequence[Collection[int]], level: Sequence[int], sizes: Sequence[int], limit: int | None = None
) -> Cover:
    """The round without a conflict that is closest by score.

    meets: player -> with whom it would have a conflict. level: score level of each. limit: only rounds of a smaller
    spread (`pod_search`) are looked for; None for any. Fields that are too large are not searched (not complete).
    """
    players = len(level)
    tables = _tables(meets, level, set(sizes)) if players <= MAX_PLAYERS else None
    if tables is None:
        return Cover(None, is_complete=False)
    of_player: list[list[tuple[int, int, int]]] = [[] for _ in range(players)]
    for members, spread in tables:
        bits = sum(1 << player for player in members)
        for player in members:
            of_player[player].append((spread, bits, len(members)))
    # Somebody has no table without a conflict, so no such round exists: that is a complete answer.
    if not all(of_player):
        return Cover(None, is_complete=True)
    state = _prepared(of_player, sizes, limit)
    is_complete = _cover(state, (1 << players) - 1, sum(state.share), 0)
    if state.found is None:
        return Cover(None, is_complete)
    return Cover([[at for at in range(players) if bits >> at & 1] for bits in state.found], is_complete)


def _tables(
    meets: Sequence[Collection[int]], level: Sequence[int], sizes: Collection[int]
) -> list[tuple[tuple[int, ...], int]] | None:
    """Return every table without a conflict with its spread; None if they are too many."""
    players = len(level)
    free = [{other for other in range(one + 1, players) if other not in meets[one]} for one in range(players)]
    growing: list[tuple[tuple[int, ...], set[int], int]] = [((one,), free[one], 0) for one in range(players)]
    found = []
    while growing:
        members, options, spread = growing.pop()
        if len(members) in sizes:
            found.append((members, spread))
        if len(found) + len(growing) > MAX_TABLES:
            return None
        if len(members) < max(sizes):
            for other in sorted(options):
                wider = spread + sum((level[one] - level[other]) ** 2 for one in members)
                growing.append(((*members, other), options & free[other], wider))
    return found


def _prepared(of_player: list[list[tuple[int, int, int]]], sizes: Sequence[int], limit: int | None) -> _Search:
    """Order players by how few tables they have, and list every table with its first player, closest first."""
    order = sorted(range(len(of_player)), key=lambda player: (len(of_player[player]), player))
    # A player's least share of any of their tables; added up over a table's players it is at most the table's spread.
    share = [min(spread * SCALE // size for spread, _bits, size in own) for own in of_player]
    starting: list[list[tuple[int, int, int]]] = [[] for _ in of_player]
    before = 0
    for player in order:
        mine = sorted(item for item in of_player[player] if not item[1] & before)
        starting[player] = [(bits, spread, size) for spread, bits, size in mine]
        before |= 1 << player
    highest = sum(spread for own in of_player for spread, _bits, _size in own) + 1
    return _Search(starting, order, share, Counter(sizes), (highest if limit is None else limit) * SCALE)


def _cover(state: _Search, left: int, least: int, spread: int) -> bool:
    """Seat those who are left. least: what their shares add up to. False if the nodes ran out."""
    if not left:
        state.limit, state.found = spread * SCALE, list(state.chosen)
        return True
    state.nodes += 1
    if state.nodes > MAX_NODES:
        return False
    # The most constrained player first (as in Knuth's exact cover): a dead end shows as early as it can.
    first = next(player for player in state.order if left >> player & 1)
    for bits, wider, size in state.starting[first]:
        if bits & ~left or not state.left[size]:
            continue
        rest = least - sum(state.share[at] for at in _places(bits))
        # `rest` bounds from below what the players left will add, so nothing closer than the best is cut off.
        if (spread + wider) * SCALE + rest >= state.limit:
            continue
        state.left[size] -= 1
        state.chosen.append(bits)
        is_complete = _cover(state, left & ~bits, rest, spread + wider)
        state.chosen.pop()
        state.left[size] += 1
        if not is_complete:
            return False
    return True


def _places(bits: int) -> list[int]:
    """Return the players of a table."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
