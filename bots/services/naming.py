"""A bot gets another name, or goes: the way out of a typing mistake."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit
from bots.domain_events import BotDeleted, BotRenamed
from bots.errors import BotError
from bots.models import Bot, BotVersion
from bots.services.creating import (
    free_slug,
    name_taken,
    require_name,
    require_not_of_the_house,
    require_owner,
    with_mark,
)
from bots.services.locking import lock_bot
from bots.services.suspending import require_not_suspended
from bots.signals import bot_renamed


def rename_bot(*, bot: Bot, by: User, name: str) -> Bot:
    """Give a bot another name. The same one changes nothing.

    Its address follows as long as it has no version: until then nothing links to it. Later it stays, so that links go
    on working. Raises BotError "bot.not_owner", "bot.name_invalid", "bot.name_taken" (per owner), "bot.suspended".
    """
    name = require_name(with_mark(name) if bot.remote else name)
    try:
        with transaction.atomic():
            bot = lock_bot(bot.pk, by=by)
            require_owner(bot, by)
            require_not_suspended(bot)
            before = bot.name
            if name == before:
                return bot
            if not bot.house:
                require_not_of_the_house(name)
            bot.name = name
            if not BotVersion.objects.filter(bot=bot).exists():
                bot.slug = free_slug(name)
            bot.save(update_fields=["name", "slug"])
            bot_renamed.send(Bot, bot=bot)
            audit(BotRenamed, f"bot:{bot.uuid}", actor=by, before={"name": before}, after={"name": name})
    except IntegrityError as taken:
        raise name_taken(name) from taken
    return bot


def delete_bot(*, bot: Bot, by: User) -> None:
    """Delete a bot that never had a version. Versions are kept for ever, as results name them.

    Raises BotError "bot.not_owner", "bot.has_versions".
    """
    with transaction.atomic():
        bot = lock_bot(bot.pk, by=by)
        require_owner(bot, by)
        if BotVersion.objects.filter(bot=bot).exists():
            message = _("%(bot)s has versions, which are kept. Retire or hide them instead.")
            raise BotError(message % {"bot": bot.name}, code="bot.has_versions")
        audit(BotDeleted, f"bot:{bot.uuid}", actor=by, before={"name": bot.name})
        bot.delete()
