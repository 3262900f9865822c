"""At how many seats a preset can be played, pure."""

from __future__ import annotations

from engine.errors import BadSeating
from engine.game import game_of
from engine.games import ruleset


def can_seat(preset: str, seats: int) -> bool:
    """Return whether a preset can be played by that number of people."""
    rules = ruleset(preset)
    low, high = game_of(rules.game).seat_range
    if not low <= seats <= high:
        return False
    try:
        rules.sides(seats)
    except BadSeating:
        return False
    return True
