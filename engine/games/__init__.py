"""The registry: one line per game, and the presets of all of them by id."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.errors import BadOption
from engine.game import GAMES, Game, OptionInfo, OptionValue, Preset, Ruleset, game_of
from engine.games.sakura import SAKURA

_ALL: Final[tuple[Game, ...]] = (SAKURA,)

GAMES.update({game.id: game for game in _ALL})

PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(
    {preset.id: preset for game in _ALL for preset in game.presets},
)


def preset(name: object) -> Preset:
    """The preset with this id. Raises BadOption naming the known ones."""
    if not isinstance(name, str) or name not in PRESETS:
        message = f"There is no preset {name!r:.40}. Known: {', '.join(PRESETS)}."
        raise BadOption(message, extra={"option": "preset", "allowed": list(PRESETS)})
    return PRESETS[name]


def ruleset(name: str, **overrides: OptionValue) -> Ruleset:
    """The ruleset of a preset with some options changed. Raises BadOption.

    >>> ruleset("hawaii", teams="2x2").sides(4)
    (0, 1, 0, 1)
    """
    found = preset(name)
    return Ruleset.from_json({"game": found.game, "options": {**found.overrides, **overrides}})


def option_table(game: str) -> tuple[OptionInfo, ...]:
    """Every option of a game: id, what is allowed, default, meaning, source. Raises BadOption."""
    return game_of(game).options


__all__ = ["GAMES", "PRESETS", "option_table", "preset", "ruleset"]
