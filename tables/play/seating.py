"""At how many seats a preset can be played, pure."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.errors import BadSeating
from engine.game import OptionValue, game_of
from engine.games import ruleset

MAX_SEATS: Final = 7
"""Seats of the largest table that can be opened."""


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


def seats_of(preset: str, options: Mapping[str, OptionValue] = MappingProxyType({})) -> list[int]:
    """Return the numbers of people, from 2, that a preset with some rules changed can be played by."""
    return [seats for seats in range(2, MAX_SEATS + 1) if can_seat(preset, seats, options)]
