"""At how many seats a preset can be played, pure."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.errors import BadSeating
from engine.game import OptionValue, game_of
from engine.games import ruleset


def can_seat(preset: str, seats: int, options: Mapping[str, OptionValue] = MappingProxyType({})) -> bool:
    """Return whether a preset, with some rules changed, can be played by that number of people."""
    rules = ruleset(preset, **options)
    low, high = game_of(rules.game).seat_range
    if not low <= seats <= high:
        return False
    try:
        rules.sides(seats)
    except BadSeating:
        return False
    return True
