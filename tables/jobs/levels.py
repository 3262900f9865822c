"""The bots behind the levels of the house: each looks at a fixed number of worlds for a decision."""

from __future__ import annotations

from bots.house import PLAYS, house_files
from bots.models import BotVersion
from bots.services.house import house_account, install_house_bot
from tables.house import LEVELS, OWNER, Level


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
