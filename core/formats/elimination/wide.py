"""Brackets at tables of three to seven: the best `advance` of a table go on, the others drop or are out.

Every round divides those who are left over tables of the stage's sizes, by snake of their expected strength, and keeps
apart who came from the same table as far as it can. Who finds no table goes on without playing, the strongest first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.formats.elimination.model import BracketMatch, BracketSeat, Feed, Source
from core.formats.model import Reason, Seats
from core.formats.sizes import split
from engine.words import gettext_noop

OPENING = gettext_noop(
    "Table %(table)d of %(tables)d: the seeds are spread in turn over the tables, and the smaller tables go"
    " to the top seeds."
)
ONWARD = gettext_noop(
    "The best of %(tables)s meet, spread by expected strength; players from the same table are kept apart"
    " where possible."
)
DROPPED = gettext_noop("From %(tables)s: a player who is not among the best here either is out.")
FINAL = gettext_noop("The final table: the unbeaten and the best of the losers' bracket.")
RESET = gettext_noop(
    "Played only if no unbeaten player won the first final; only a player who has lost at most once can win it."
)
# One meeting weighs more than a move by 99 tables, so the order gives way first.
MET = 10_000

Matches = list[BracketMatch]


@dataclass(frozen=True, slots=True)
class Arrival:
    """An entry on the way to a table. rank: number in the draw if all goes as expected; met: ranks met so far."""

    source: Source
    rank: int
    met: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Cut:
    """Number of those who go on. advance: of a table; last: of a table that takes everybody (0: as of any).

    least: how many must be left, so that a table can be filled; more than `advance` go on where it needs them.
    """

    advance: int
    last: int
    least: int

    def best(self, sizes: Sequence[int], byes: int) -> int:
        """Return how many places go on from each of these tables; at every table somebody does not."""
        if len(sizes) == 1 and not byes and self.last:
            return min(self.last, sizes[0] - 1)
        # Rounded up: enough must be left to fill the next table.
        needed = -((byes - self.least) // len(sizes))
        # At least one of each table does not go on, or the bracket would never end.
        return min(max(self.advance, needed), min(sizes) - 1)


@dataclass(frozen=True, slots=True)
class Turn:
    """A round just built: its matches, who goes on and who drops, by rank."""

    matches: Matches
    on: list[Arrival]
    down: list[Arrival]


def single(order: Sequence[str], seats: Seats, advance: int) -> Matches:
    """Single elimination of entries in the order of the draw: rounds until one table is left."""
    matches, _ = _upper([Arrival(entry, rank) for rank, entry in enumerate(order, start=1)], seats, advance)
    return [match for turn in matches for match in turn.matches]


def double(order: Sequence[str], seats: Seats, advance: int) -> Matches:
    """Double elimination: those not among the best of an upper table get a second chance below.

    The final seats the best of the last upper table and as many of the lower bracket as its table holds.
    """
    field = [Arrival(entry, rank) for rank, entry in enumerate(order, start=1)]
    unbeaten = max(1, min(advance, seats.max - seats.min + 1))
    upper, above = _upper(field, seats, advance, last=unbeaten)
    room = seats.max - len(above)
    matches: Matches = []
    below: list[Arrival] = []
    label = 0
    for number, turn in enumerate(upper):
        matches += turn.matches
        below = _ranked([*below, *turn.down])
        target = max(room, len(upper[number + 1].down)) if number + 1 < len(upper) else room
        while len(below) > target and split(len(below), seats)[0]:
            label += 1
            lower = _turn(f"L{label}", below, seats, Cut(advance, room, max(1, seats.min - len(above))), DROPPED)
            matches += lower.matches
            below = lower.on
    return [*matches, *_finals(above, below, seats)]


def _finals(above: Sequence[Arrival], below: Sequence[Arrival], seats: Seats) -> Matches:
    """Return F1, and F2 for the case that somebody beaten wins it."""
    final = tuple(BracketSeat(item.source) for item in (*above, *below))
    if len(above) + 1 >= seats.min:
        again = (*(BracketSeat(item.source) for item in above), BracketSeat(Feed("F1:1", 1)))
    else:
        again = final
    return [
        BracketMatch("F1", 1, final, why=Reason("bracket.final_table", FINAL)),
        BracketMatch("F2", 1, again, after="F1:1", unbeaten=len(above), why=Reason("bracket.reset_table", RESET)),
    ]


def _upper(field: list[Arrival], seats: Seats, advance: int, last: int = 1) -> tuple[list[Turn], list[Arrival]]:
    """Return (rounds W1.., who is left at the end). last: how many go on from the last table."""
    turns: list[Turn] = []
    here = field
    is_last = False
    cut = Cut(advance, last, seats.min)
    byes = _first_byes(len(field), seats, cut)
    while not is_last:
        is_last = split(len(here), seats) == ((len(here),), 0)
        turn = _turn(f"W{len(turns) + 1}", here, seats, cut, ONWARD, 0 if turns else byes)
        turns.append(turn)
        here = turn.on
    return turns, here


def _first_byes(entries: int, seats: Seats, cut: Cut) -> int:
    """Fewest byes of the first round with which nobody needs one later; none on purpose if that cannot be had."""
    # From none upwards: the first that fits has the fewest.
    for byes in range(entries - seats.min + 1):
        sizes, rest = split(entries - byes, seats)
        if not rest and (byes or _is_even(entries, seats, cut)):
            left = len(sizes) * cut.best(sizes, byes) + byes
            if not byes or _is_even(left, seats, cut):
                return byes
    return 0


def _is_even(entries: int, seats: Seats, cut: Cut) -> bool:
    """Return whether all rounds from here on can be filled without a bye."""
    sizes, byes = split(entries, seats)
    while len(sizes) > 1 and not byes:
        sizes, byes = split(len(sizes) * cut.best(sizes, 0), seats)
    return len(sizes) == 1 and not byes


def _turn(name: str, field: Sequence[Arrival], seats: Seats, cut: Cut, text: str, byes: int = 0) -> Turn:
    """Build one round: the strongest go on without playing, `byes` of them or as many as have to."""
    sizes, more = split(len(field) - byes, seats)
    byes += more
    best = cut.best(sizes, byes)
    tables = _deal_out(list(field[byes:]), sorted(sizes))
    on, down = list(field[:byes]), list[Arrival]()
    matches = []
    for number, table in enumerate(tables, start=1):
        chairs = tuple(BracketSeat(item.source) for item in table)
        if name == "W1":
            chairs += (BracketSeat(None),) * (seats.max - len(chairs))
        match = BracketMatch(name, number, chairs, best, why=_why(name, number, table, len(tables), text))
        matches.append(match)
        ranks = frozenset(item.rank for item in table)
        for place, item in enumerate(sorted(table, key=lambda item: item.rank), start=1):
            moved = replace(item, source=Feed(match.id, place), met=item.met | ranks - {item.rank})
            (on if place <= best else down).append(moved)
    return Turn(matches, _ranked(on), _ranked(down))


def _ranked(field: Sequence[Arrival]) -> list[Arrival]:
    return sorted(field, key=lambda item: item.rank)


def _deal_out(field: Sequence[Arrival], sizes: Sequence[int]) -> list[list[Arrival]]:
    """Deal out tier by tier, there and back over the tables; who has met somebody there goes to another table."""
    from scipy.optimize import linear_sum_assignment  # a tenth of a second, which most processes never need

    tables: list[list[Arrival]] = [[] for _ in sizes]
    queue, tier = list(field), 0
    while queue:
        free = [index for index, size in enumerate(sizes) if len(tables[index]) < size]
        turn, queue = queue[: len(free)], queue[len(free) :]
        targets = free if tier % 2 == 0 else free[::-1]
        cost = np.array([[_cost(item, tables[index], targets[row], index) for index in free]
                         for row, item in enumerate(turn)])  # fmt: skip
        for row, column in zip(*linear_sum_assignment(cost), strict=True):
            tables[free[int(column)]].append(turn[int(row)])
        tier += 1
    return tables


def _cost(item: Arrival, table: Sequence[Arrival], target: int, index: int) -> int:
    return MET * sum(other.rank in item.met for other in table) + (target - index) ** 2


def _why(name: str, number: int, table: Sequence[Arrival], tables: int, text: str) -> Reason:
    fed = sorted({item.source.match for item in table if isinstance(item.source, Feed)}, key=_in_order)
    if name == "W1":
        return Reason("bracket.table", OPENING, (("table", number), ("tables", tables)))
    code = "bracket.onward" if text is ONWARD else "bracket.dropped_tables"
    return Reason(code, text, (("tables", ", ".join(fed)),))


def _in_order(name: str) -> tuple[str, int, int]:
    label, number = name.split(":")
    return (label[0], int(label[1:]), int(number))
