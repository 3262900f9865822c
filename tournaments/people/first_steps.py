"""The way of somebody's first bot: from its upload to the first match that can be watched."""

from __future__ import annotations

from django.db.models import Q

from accounts.models import User
from bots.models import Bot, BotVersion
from tournaments.matches.schedule import seats_named
from tournaments.models import Entry, Match, Seat


def first_bot_of(owner: User) -> Bot | None:
    """Return the oldest bot of a person. One query."""
    return Bot.objects.filter(owner=owner).select_related("policy").order_by("pk").first()


def newest_version(bot: Bot) -> BotVersion | None:
    """Return the newest version of a bot, with its check. One query."""
    return bot.versions.select_related("check_run").order_by("-n").first()


def entries_n(bot: Bot) -> int:
    """Return in how many events a bot is. One query."""
    return Entry.objects.filter(player__bot=bot).exclude(state=Entry.State.WITHDRAWN).count()


def first_match(bot: Bot) -> Match | None:
    """Return the first match that a bot has finished, with who sat at it. Two queries."""
    seats = Seat.objects.filter(~Q(outcome=Seat.Outcome.OPEN), bot_version__bot=bot)
    first = seats.filter(match__state=Match.State.CONFIRMED).order_by("pk").values("match")[:1]
    rows = Match.objects.filter(pk__in=first).select_related("stage__tournament")
    return rows.prefetch_related(seats_named()).first()
