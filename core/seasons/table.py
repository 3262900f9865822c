"""The order of a division, and who changes divisions when a season ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rank:
    """Where somebody stands. shared: somebody else has the same rank."""

    rank: int
    shared: bool


def ranks(orders: Mapping[str, tuple[int, tuple[int, ...]]]) -> dict[str, Rank]:
    """Return everybody's rank in one division. orders: `Total.order` by person."""
    ordered = sorted(orders.items(), key=lambda item: item[1], reverse=True)
    places: dict[tuple[int, tuple[int, ...]], list[str]] = {}
    for person, order in ordered:
        places.setdefault(order, []).append(person)
    found, place = {}, 1
    for level in places.values():
        found.update(dict.fromkeys(level, Rank(place, len(level) > 1)))
        place += len(level)
    return found


def moves(rows: Sequence[tuple[str, int]], *, up: int, down: int) -> dict[str, int]:
    """Return who goes up (-1) and down (1) from a division. rows: (person, rank), the best first.

    Those who are level on the line all go up; nobody who is level with somebody who stays goes down. Nobody does both:
    going up comes first.
    """
    found = {person: -1 for person, rank in rows if rank <= up}
    size = len(rows)
    line = size - down
    for person, rank in rows:
        if rank > line and person not in found:
            found[person] = 1
    return found
