"""Bots and remote programs that a reader may enter in an event now, as its forms offer them."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from accounts.alphabet import ByName
from bots.models import Bot, BotVersion
from tournaments.lifecycle.time_limits import clock_of
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Entry, Tournament
from tournaments.ratings.ladders.ladder import is_fit


def bots_to_enter(page: EventPage, person: Any) -> dict[str, Any]:
    """Return what the form that enters a bot shows, and whether owners may withdraw entries."""
    is_open = page.takes_entries
    return {
        "is_open": is_open,
        "may_withdraw": page.event.state == Tournament.State.REGISTRATION or page.is_open_ladder,
        "bots": _ready_bots(page, person) if is_open and person is not None else [],
        "programs": _ready_programs(page, person) if is_open and person is not None else [],
    }


def _ready_bots(page: EventPage, person: Any) -> list[Bot]:
    """Return the person's bots that may be entered now: an active version that plays the preset, not entered yet.

    For organisers house bots, too, which they invite.
    """
    whose = Q(owner=person) | Q(house=True) if page.roles else Q(owner=person)
    ready = Bot.objects.filter(whose, active_version__state=BotVersion.State.READY)
    # A suspended version would be refused by the service: it is not offered.
    ready = ready.filter(active_version__benched_at=None).select_related("active_version")
    by_name = _not_entered(page, ready).order_by(ByName("name"), "pk")
    clock = clock_of(page.stage)
    return [bot for bot in by_name if bot.active_version and is_fit(bot.active_version, page.stage.preset, clock)]


def _not_entered(page: EventPage, bots: QuerySet[Bot]) -> QuerySet[Bot]:
    """Return the bots that have no entry in the event."""
    open_states = (Entry.State.ENTERED, Entry.State.ACTIVE, Entry.State.WAITLISTED)
    return bots.exclude(player__entries__in=Entry.objects.filter(tournament=page.event, state__in=open_states))


def _ready_programs(page: EventPage, person: Any) -> list[Bot]:
    """Return the person's remote programs, where the event admits them. What they play is asked when one is entered."""
    if not page.stage.takes_programs:
        return []
    ready = Bot.objects.filter(owner=person, versions__state=BotVersion.State.REMOTE, suspended_at=None)
    return list(_not_entered(page, ready).order_by(ByName("name"), "pk"))
