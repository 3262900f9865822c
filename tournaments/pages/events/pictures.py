"""Small tables made of cards: how many sit at one, and who shares a side."""

from __future__ import annotations

from typing import Final

from tournaments.events.shapes import read_rules, sides_of
from tournaments.lifecycle.event_plan import EventPlan

APART: Final = 5
"""Months between the first cards of two tables in a list: it has no factor in common with twelve."""
Table = tuple[tuple[str, ...], ...]


def table_of(plan: EventPlan, at: int) -> Table:
    """Return a card for each seat, a tuple for each side. at: the place in a list, so that two tables differ."""
    seating = sides_of(read_rules(plan), plan.seats)
    cards = [f"{(at * APART + seat) % 12 + 1:02}.1" for seat in range(plan.seats)]
    return tuple(
        tuple(card for card, own in zip(cards, seating, strict=True) if own == side) for side in sorted(set(seating))
    )
