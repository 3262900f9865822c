"""People who sign in or sign up keep the tables that they played as guests in the same browser."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.models import User
from tables.models import LiveSeat
from tournaments.models import Player

SESSION_KEY = "table_guest"


@receiver(user_logged_in)
def keep_tables_of_guest(request: HttpRequest | None, user: User, **_more: Any) -> None:
    """Name the account at the seats of this session's guest, and in the matches that they have become."""
    text = request.session.get(SESSION_KEY) if request is not None else None
    if not text:
        return
    with transaction.atomic():
        guest = LiveSeat.objects.filter(guest=UUID(text), user=None)
        # An account that sits at the same table already keeps its own seat.
        own = LiveSeat.objects.filter(user=user, kind=LiveSeat.Kind.PERSON).values("table")
        seats = list(guest.exclude(table__in=own).select_related("table"))
        LiveSeat.objects.filter(pk__in=[seat.pk for seat in seats]).update(user=user)
        for seat in seats:
            if seat.table.match_id is not None:
                there = Player.objects.filter(entries__seats__match=seat.table.match_id, user=None)
                there.filter(entries__seats__index=seat.index).update(user=user)
