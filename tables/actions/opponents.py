"""Bots that people may play against: the levels of the house, and public bots whose owners allow it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from bots.models import BotVersion
from bots.runner.spec import CLOCKS
from tables.errors import TableError
from tournaments.models import BotPolicy
from tournaments.ratings.ladders.ladder import is_fit


def bot_version(slug: str, preset: str) -> BotVersion:
    """Return the active version of a bot. Raises TableError "table.no_bot", "table.bot_unfit", "table.bot_declined"."""
    version = BotVersion.objects.filter(active_in__slug=slug).select_related("bot").first()
    if version is None:
        raise TableError(_("There is no such bot, or it has no version that plays."), code="table.no_bot")
    is_ready = version.state == BotVersion.State.READY and version.benched_at is None
    if not is_ready or version.bot.suspended_at is not None or not is_fit(version, preset, CLOCKS[version.clock]):
        message = _("%(bot)s does not play by these rules, or cannot play now. Choose other rules or another bot.")
        raise TableError(message % {"bot": version.bot.name}, code="table.bot_unfit", extra={"field": "preset"})
    if BotPolicy.objects.filter(bot=version.bot_id, challenges=BotPolicy.Challenges.NOBODY).exists():
        message = _("The owner of %(bot)s does not allow challenges. Choose another bot.")
        raise TableError(message % {"bot": version.bot.name}, code="table.bot_declined")
    return version
