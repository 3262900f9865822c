"""The registry: one line per game, and the presets of all of them by id."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.action import learn
from engine.errors import BadOption
from engine.game import GAMES, Game, OptionInfo, OptionValue, Preset, Ruleset, game_of
from engine.games.koikoi import KOIKOI
from engine.games.nuki import NUKI
from engine.games.oibana import OIBANA
from engine.games.poka import POKA
from engine.games.sakura import SAKURA

_PRESETS: Final[dict[str, Preset]] = {}
_ALIASES: Final[dict[str, str]] = {}
PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(_PRESETS)
"""Every preset by its own id; `preset()` knows the aliases too."""


def register(game: Game) -> None:
    """Add a game: its presets, and the actions it brings along. Raises ValueError if one of them is taken."""
    # Before anything is written: a registration that fails leaves nothing behind.
    taken = {game.id} & set(GAMES) or {preset.id for preset in game.presets} & {*_PRESETS, *_ALIASES}
    if taken:
        raise ValueError(f"{', '.join(sorted(taken))}: registered already")
    learn(game.kinds)
    GAMES[game.id] = game
    for preset in game.presets:
        _PRESETS[preset.id] = preset
        _ALIASES.update(dict.fromkeys(preset.aliases, preset.id))


def withdraw(game: Game) -> None:
    """Remove a game again, as a test does with its own."""
    del GAMES[game.id]
    for preset in game.presets:
        del _PRESETS[preset.id]
        for alias in preset.aliases:
            del _ALIASES[alias]


register(SAKURA)
register(OIBANA)
register(NUKI)
register(POKA)
register(KOIKOI)


def preset(name: object) -> Preset:
    """The preset with this id or alias. Raises BadOption naming the known ones."""
    if isinstance(name, str):
        name = _ALIASES.get(name, name)
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


__all__ = ["GAMES", "PRESETS", "option_table", "preset", "register", "ruleset", "withdraw"]
