"""Acts of owners on bots that have no version yet, for the test of what is written down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from accounts.models import User
from bots import services as bots
from bots.models import Bot, BotVersion
from tests.activity.invitation_acts import Deed, Example
from tests.builders import events as a


def _of_bot(deed: Callable[[Bot], object]) -> Example:
    """Something its owner does to a bot."""

    def example() -> tuple[User, Deed]:
        bot = bots.create_bot(owner=a.a_user(), name="Plum")
        return bot.owner, lambda: deed(bot)

    return example


def _of_version(deed: Callable[[BotVersion, User], object], *, is_public: bool) -> Example:
    """Something its owner does to a version, with or without a public source."""

    def example() -> tuple[User, Deed]:
        version = a.a_bot().versions.get()
        by = version.bot.owner
        if is_public:
            bots.publish_source(version=version, by=by, licence="MIT")
        return by, lambda: deed(version, by)

    return example


def _program() -> tuple[User, Deed]:
    owner = a.a_user()
    return owner, lambda: bots.create_program_bot(owner=owner, name="Plum")


BOT_EXAMPLES: Final[dict[str, Example]] = {
    "bots.create_program_bot": _program,
    "bots.rename_bot": _of_bot(lambda bot: bots.rename_bot(bot=bot, by=bot.owner, name="Peony")),
    "bots.publish_source": _of_version(
        lambda version, by: bots.publish_source(version=version, by=by, licence="MIT"), is_public=False
    ),
    "bots.withdraw_source": _of_version(
        lambda version, by: bots.withdraw_source(version=version, by=by), is_public=True
    ),
    "bots.fork_version": _of_version(
        lambda version, by: bots.fork_version(version=version, by=by, name="Peony"), is_public=True
    ),
    "bots.delete_bot": _of_bot(lambda bot: bots.delete_bot(bot=bot, by=bot.owner)),
}
