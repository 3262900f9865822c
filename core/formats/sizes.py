"""Sizes of the tables of a round: the cheapest split by sum of (size - pref)^2, plus the cost of byes."""

from __future__ import annotations

from core.formats.errors import FormatError
from core.formats.model import Seats


def check(seats: Seats) -> None:
    """Raise FormatError "seats.range" unless 2 <= min <= pref <= max <= 7."""
    if not 2 <= seats.min <= seats.pref <= seats.max <= 7:
        message = f"table sizes {seats.min}/{seats.pref}/{seats.max}: choose 2 <= smallest <= preferred <= largest <= 7"
        raise FormatError(message, code="seats.range")


def split(entries: int, seats: Seats) -> tuple[tuple[int, ...], int]:
    """Return (table sizes, largest first; number of byes) for one round.

    Dynamic programming over the number of entries seated. Sizes of an optimum differ by at most one, because the cost
    is convex. Of equal costs: fewer byes, then fewer tables. Nobody sits out while it can be avoided, unless
    `bye_cost` says what a bye is worth. Fewer entries than the smallest table: all sit out.
    """
    check(seats)
    # More than the worst split of all entries can cost: one bye is dearer than any tables.
    dear = (seats.max - seats.min + 1) ** 2 * (entries + 1)
    bye_cost = dear if seats.bye_cost is None else seats.bye_cost
    best: list[tuple[int, int] | None] = [(0, 0)]  # entries seated -> (cost, tables)
    for seated in range(1, entries + 1):
        options = [
            (known[0] + (size - seats.pref) ** 2, known[1] + 1)
            for size in range(seats.min, min(seats.max, seated) + 1)
            if (known := best[seated - size]) is not None
        ]
        best.append(min(options, default=None))
    total = [
        (cost[0] + byes * bye_cost, byes, cost[1])
        for byes in range(entries + 1)
        if (cost := best[entries - byes]) is not None
    ]
    _, byes, tables = min(total)
    # The optimum is known by its number of tables: the cost is convex, so its sizes are as equal as they can be.
    each, larger = divmod(entries - byes, tables) if tables else (0, 0)
    return tuple([each + 1] * larger + [each] * (tables - larger)), byes
