"""Acts of owners on bots that have no version yet, for the test of what is written down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from accounts.models import User
from bots import services as bots
from bots.models import Bot
from tests.activity.invitation_acts import Deed, Example
from tests.builders import events as a


def _of_bot(deed: Callable[[Bot], object]) -> Example:
    """Something its owner does to a bot."""

    def example() -> tuple[User, Deed]:
        bot = bots.create_bot(owner=a.a_user(), name="Plum")
        return bot.owner, lambda: deed(bot)

    return example


BOT_EXAMPLES: Final[dict[str, Example]] = {
    "bots.rename_bot": _of_bot(lambda bot: bots.rename_bot(bot=bot, by=bot.owner, name="Peony")),
    "bots.delete_bot": _of_bot(lambda bot: bots.delete_bot(bot=bot, by=bot.owner)),
}
