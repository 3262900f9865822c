"""The house's opponents by name: what their levels are, and how one of them is called at a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

OWNER: Final = "house"


@dataclass(frozen=True, slots=True)
class Level:
    """An opponent. name: what people read; bot: its name as a bot; worlds, candidates: `bots/house/sampler.py`."""

    id: str
    name: Promise
    bot: str
    worlds: int
    candidates: int


LEVELS: Final[Mapping[str, Level]] = MappingProxyType(
    {
        level.id: level
        for level in (
            # Translators: strengths of the house's opponents, from the weakest to the strongest.
            Level("1", gettext_lazy("Beginner"), "House 1", 1, 2),
            Level("2", gettext_lazy("Easy"), "House 2", 3, 3),
            Level("3", gettext_lazy("Medium"), "House 3", 8, 3),
            Level("4", gettext_lazy("Strong"), "House 4", 24, 4),
            Level("5", gettext_lazy("Very strong"), "House 5", 64, 5),
        )
    }
)
MIDDLE: Final = "3"
LEVEL_OF: Final[Mapping[str, Level]] = MappingProxyType({level.bot: level for level in LEVELS.values()})


def called(bot: str, number: int = 0) -> str:
    """Return what people read where a bot sits, in their language: a level of the house by its strength.

    number: which of several of one level it is, from 1; 0: the only one.
    """
    if bot not in LEVEL_OF:
        return bot
    # Translators: an opponent of the site's own, by its strength: "House (medium)".
    name = _("House (%(level)s)") % {"level": str(LEVEL_OF[bot].name).lower()}
    return f"{name} {number}" if number else name
