"""Purge of registrations: those that nobody confirmed, and all of them some time after the event."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from tournaments.entries.corrections import ERASED
from tournaments.models import BirthYear, Entry, Player, Registration, Tournament
from tournaments.ranking.prizes import fix_answered_categories
from tournaments.registration.register import GOOD_FOR

# Also named on the page of the form, on the page about privacy and in the guide: change them together.
RETENTION: Final = timedelta(days=30)
# Bounds one transaction; the next tidying takes the rest.
BATCH_SIZE: Final = 500
OVER: Final = (Tournament.State.FINISHED, Tournament.State.ARCHIVED, Tournament.State.CANCELLED)


def purge_expired_registrations() -> int:
    """Delete registrations, with addresses and answers, that have expired: part of tidying. Returns how many."""
    now = timezone.now()
    unconfirmed = Q(state=Registration.State.UNCONFIRMED, created_at__lt=now - GOOD_FOR)
    of_events = _is_over("tournament__", "created_at", now - RETENTION)
    old = Registration.objects.filter(unconfirmed | of_events).order_by("pk").values_list("pk", flat=True)
    keys = list(old[:BATCH_SIZE])
    going = Registration.objects.filter(pk__in=keys)
    # Prizes of a category that follows from answers stay with those who won them.
    over = Tournament.objects.filter(_is_over("", "created_at", now - RETENTION))
    for event in over.filter(pk__in=going.values("tournament")):
        fix_answered_categories(event)
    going.delete()
    return len(keys)


def purge_expired_years() -> int:
    """Delete years of birth of events that are over as long as registrations are kept. Returns how many."""
    over = _is_over("entry__tournament__", "entry__created_at", timezone.now() - RETENTION)
    keys = list(BirthYear.objects.filter(over).order_by("pk").values_list("pk", flat=True)[:BATCH_SIZE])
    BirthYear.objects.filter(pk__in=keys).delete()
    return len(keys)


def _is_over(event: str, made: str, before: datetime) -> Q:
    """Return the condition that an event was over before a moment. event, made: the paths of its columns."""
    # An event that was called off before it started has no end: then a row counts from its own beginning.
    ended, began = {f"{event}finished_at__lt": before}, {f"{event}finished_at": None, f"{made}__lt": before}
    return Q(**{f"{event}state__in": OVER}) & (Q(**ended) | Q(**began))


def erase_registered_names(user: User) -> None:
    """Rename the entries that an account registered and delete their years, as a part of deleting it."""
    entries = Entry.objects.filter(registration__user=user)
    BirthYear.objects.filter(entry__in=entries).delete()
    for player in Player.objects.select_for_update().filter(entries__in=entries, user=None, bot=None).order_by("pk"):
        player.club, player.name = "", f"{ERASED}{player.uuid.hex[:8]}"
        player.save(update_fields=["club", "name"])
