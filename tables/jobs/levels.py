"""The house's opponents: five levels, each a house bot that looks at a fixed number of worlds for a decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bots.house import PLAYS, house_files
from bots.models import BotVersion
from bots.services.house import house_account, install_house_bot

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
            Level("1", _("Beginner"), "House 1", 1, 2),
            Level("2", _("Easy"), "House 2", 3, 3),
            Level("3", _("Medium"), "House 3", 8, 3),
            Level("4", _("Strong"), "House 4", 24, 4),
            Level("5", _("Very strong"), "House 5", 64, 5),
        )
    }
)
MIDDLE: Final = "3"


def version_of_level(level: str) -> BotVersion:
    """Return the version that plays a level; it is installed when somebody first asks for it. Raises KeyError."""
    found = LEVELS[level]
    there = BotVersion.objects.filter(active_in__name=found.bot, active_in__owner__username=OWNER)
    version = there.select_related("bot").first()
    return version or _install(found)


def _install(level: Level) -> BotVersion:
    files = house_files("sampler", worlds=level.worlds, candidates=level.candidates)
    bot = install_house_bot(owner=house_account(), name=level.bot, files=files.files, plays=PLAYS)
    assert bot.active_version is not None
    return bot.active_version
