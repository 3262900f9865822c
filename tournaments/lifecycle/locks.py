"""Who may write to an event just now."""

from __future__ import annotations

from typing import Final

from django.db import connection

from accounts.transactions import ALLOW_LONG_PAUSES, long_pause_values
from tournaments.models import Tournament

LOCK_SPACE: Final = 0x4A31
"""The space of advisory locks for standings."""


def lock_standings(tournament: Tournament) -> None:
    """Wait until nobody else folds this event; released with the transaction, which may think long from now on."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            words = f"SELECT pg_advisory_xact_lock(%s, %s), {ALLOW_LONG_PAUSES}"
            cursor.execute(words, [LOCK_SPACE, tournament.pk, *long_pause_values()])


class StandingsBusy(Exception):
    """Somebody else folds the event, or acts in it, just now."""


def claim_standings(tournament: Tournament) -> None:
    """`lock_standings` without waiting: raises StandingsBusy. SQLite has one writer, who is waited for as ever."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            words = f"SELECT pg_try_advisory_xact_lock(%s, %s), {ALLOW_LONG_PAUSES}"
            cursor.execute(words, [LOCK_SPACE, tournament.pk, *long_pause_values()])
            if not cursor.fetchone()[0]:
                raise StandingsBusy(tournament.slug)
