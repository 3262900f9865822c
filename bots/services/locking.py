"""Rows that an act holds until it is committed, in one order everywhere: people, bots, versions, each by their ids.

Who takes them in another order may wait for somebody who waits for them, and the database then ends one of the two.
"""

from __future__ import annotations

from collections.abc import Iterable

from accounts.models import User
from bots.models import Bot, BotVersion


def lock_person(person: int) -> User:
    """The account as it is now. Rows that name it can still be written by others."""
    # FOR NO KEY UPDATE: other transactions may still insert rows that point at this account, as every act does.
    return User.objects.select_for_update(no_key=True).get(pk=person)


def lock_bot(bot: int, *, by: User) -> Bot:
    """The bot as it is now, its row behind that of anyone who acts, whom the audit names."""
    lock_person(by.pk)
    return Bot.objects.select_for_update().get(pk=bot)


def lock_versions(bots: Iterable[Bot]) -> None:
    """Lock all versions of these bots: recording a result locks those of its match in the same order."""
    rows = BotVersion.objects.select_for_update(no_key=True).filter(bot__in=[bot.pk for bot in bots]).order_by("pk")
    list(rows.values_list("pk", flat=True))
