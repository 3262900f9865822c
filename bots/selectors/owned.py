"""Bots and versions as pages show them. Logs go to their owner and to nobody else; sources: `published.py`."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Q, QuerySet

from accounts.alphabet import ByName
from accounts.models import User
from bots.models import Bot, BotVersion, Check

Viewer = User | AnonymousUser | None


def bots_of(owner: User) -> QuerySet[Bot]:
    """The bots of a person by name, each with its active version and `versions_n`."""
    bots = Bot.objects.filter(owner=owner).select_related("active_version")
    return bots.annotate(versions_n=Count("versions")).order_by(ByName("name"), "pk")


def versions_of(bot: Bot, viewer: Viewer) -> QuerySet[BotVersion]:
    """The versions of a bot that the viewer may know of, newest first, each with its check."""
    rows = BotVersion.objects.filter(bot=bot).select_related("check_run", "bot", "publication").order_by("-n")
    return rows if may_see_hidden(bot, viewer) else rows.filter(hidden_at=None)


def may_see_hidden(bot: Bot, viewer: Viewer) -> bool:
    """Return whether this person is shown the bot's hidden versions: its owner and operators."""
    return isinstance(viewer, User) and (viewer.is_staff or viewer.pk == bot.owner_id)


def version_of(slug: str, n: int, viewer: Viewer) -> BotVersion | None:
    """Return one version by its address; None where there is none or it is hidden from the viewer."""
    found = BotVersion.objects.filter(bot__slug=slug, n=n)
    mine = Q(bot__owner=viewer) if isinstance(viewer, User) else Q()
    if not (isinstance(viewer, User) and viewer.is_staff):
        found = found.filter(Q(hidden_at=None) | mine) if mine else found.filter(hidden_at=None)
    return found.select_related("bot__owner", "bot__active_version", "check_run__log", "source", "publication").first()


def may_see_inside(bot: Bot, viewer: Viewer) -> bool:
    """Return whether this person may read all that is inside a bot: its owner alone, no operator either."""
    return isinstance(viewer, User) and viewer.pk == bot.owner_id


def check_of(version: BotVersion, viewer: Viewer) -> tuple[Check | None, bytes | None]:
    """The check and its log; the log is None for everybody but the owner."""
    check = Check.objects.filter(version=version).select_related("log").first()
    # Operators read no log either: it shows how a bot thinks (decision 0022).
    if check is None or check.log is None or not may_see_inside(version.bot, viewer):
        return check, None
    return check, check.log.data()


def newest_of(owner: User, slug: str) -> BotVersion | None:
    """Return the newest version of a person's own bot, with its source; None where there is none. One query."""
    rows = BotVersion.objects.filter(bot__owner=owner, bot__slug=slug).select_related("bot", "source")
    return rows.order_by("-n").first()
