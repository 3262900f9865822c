"""Seating where partners change: sides as the table seats them, everybody on each seat as evenly as can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product

Sides = Sequence[Sequence[str]]


def seated(table: Sides, sides: Sequence[int], used: dict[str, list[int]]) -> tuple[str, ...]:
    """Seat the people of a table, those of a side on its seats. Counts them in `used` (by entry, by seat).

    Of all ways to sit the one with the least sum of seats used before; of equal ones the first.
    """
    best = min(_orders(table, sides), key=lambda order: sum(used[entry][seat] for seat, entry in enumerate(order)))
    for seat, entry in enumerate(best):
        used[entry][seat] += 1
    return best


def _orders(table: Sides, sides: Sequence[int]) -> Iterator[tuple[str, ...]]:
    numbers = sorted(set(sides))
    for order in permutations(table):
        for members in product(*(permutations(side) for side in order)):
            queues = {number: iter(own) for number, own in zip(numbers, members, strict=True)}
            yield tuple(next(queues[side]) for side in sides)


def seats_used(pods: Iterable[tuple[str, ...]], entries: Iterable[str], most: int) -> dict[str, list[int]]:
    """Return how often each has had each seat."""
    used = {entry: [0] * most for entry in entries}
    for seats in pods:
        for seat, entry in enumerate(seats):
            if entry in used:
                used[entry][seat] += 1
    return used
