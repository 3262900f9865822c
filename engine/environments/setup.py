"""What every environment is set up from: a preset and options, seats, one deal or whole matches, one step or two."""

from __future__ import annotations

from engine.episode import Episode
from engine.game import OptionValue, Ruleset, game_of
from engine.games import PRESETS, preset, ruleset


def rules_of(name: str, options: dict[str, OptionValue] | None = None, *, whole_match: bool = False) -> Ruleset:
    """The ruleset of a preset with some options changed, for one deal or for whole matches. Raises BadOption."""
    found = ruleset(name, **(options or {}))
    return found if whole_match else found.one_deal()


def default_seats(name: str) -> int:
    """Return the fewest seats of a preset's game. Raises BadOption."""
    return game_of(preset(name).game).seat_range[0]


def episode_of(
    name: str, seats: int | None, options: dict[str, OptionValue] | None, *, whole_match: bool, stepwise: bool
) -> Episode:
    """An episode that has not begun. Raises BadOption and BadSeating."""
    rules = rules_of(name, options, whole_match=whole_match)
    return Episode(rules, default_seats(name) if seats is None else seats, stepwise=stepwise)


def seatings() -> list[tuple[str, int]]:
    """Every preset with every number of seats that its game has.

    >>> [seats for name, seats in seatings() if name == "nuki88"]
    [2, 3, 4]
    """
    ranges = {name: game_of(found.game).seat_range for name, found in PRESETS.items()}
    return [(name, seats) for name, (low, high) in ranges.items() for seats in range(low, high + 1)]


def environment_id(name: str) -> str:
    """Return what an environment of a preset is registered as: `hanafuda/<preset>-v0`."""
    return f"hanafuda/{name}-v0"
