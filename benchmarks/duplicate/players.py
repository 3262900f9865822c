"""Players: a house bot, a variant, or one of them with a habit, written `greedy+shoubu`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from bots.house import HOUSE, PLAYS, VARIANTS, house_files
from bots.protocol.files import BotFiles
from bots.protocol.messages import ENTRY, VERSION
from bots.uploads.version import version_hash

STUBBORN: Final = (Path(__file__).parent / "stubborn.py").read_bytes()
Rule = tuple[str, str, str]

HABITS: Final[MappingProxyType[str, tuple[Rule, ...]]] = MappingProxyType(
    {
        "bid": (("bid", "", "enough"),),
        "no-bid": (("bid", "", "always"),),
        "join": (("join", "play", "always"),),
        "drop": (("join", "drop", "always"),),
        "shoubu": (("call", "shoubu", "always"),),
        "sage": (("call", "sage", "always"),),
        "cancel": (("call", "cancel", "always"),),
        "no-cancel": (("call", "cancel", "never"),),
        "pass": (("pass", "", "always"),),
        "no-pass": (("pass", "", "never"),),
        "stop": (("stop", "", "always"),),
        "no-stop": (("stop", "", "never"),),
        "koi": (("declare", "koikoi", "always"),),
        "no-koi": (("declare", "koikoi", "never"),),
    }
)
"""bid: what it takes to play. no-bid: the least, since there is no pass. sage: never shoubu. The others as named."""


@cache
def files_of(name: str) -> BotFiles:
    """The files of a player, as they were when the benchmark started. Raises KeyError for an unknown bot or habit."""
    house, *habits = name.split("+")
    if not habits:
        return house_files(house)
    rules = [rule for habit in habits for rule in HABITS[habit]]
    # The house bot's entry file gives way to the stubborn one, which imports it under its new name.
    other = [(path if path != ENTRY else "house.py", data) for path, data in house_files(house).files]
    files = [(ENTRY, STUBBORN), ("habit.json", json.dumps(rules).encode()), *other]
    return BotFiles(tuple(files), version_hash(files, VERSION, PLAYS))


def known(name: str) -> str:
    """The name, if there is such a player. Raises ValueError."""
    house, *habits = name.split("+")
    if (house not in HOUSE and house not in VARIANTS) or not set(habits) <= set(HABITS):
        raise ValueError(f"no player {name!r}: there are {', '.join([*HOUSE, *VARIANTS])}, with +{', +'.join(HABITS)}")
    return name
