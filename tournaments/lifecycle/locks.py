"""Locks of an event: one writer of standings and acts at a time."""

from __future__ import annotations

from typing import Final

from django.db import connection

from accounts.transactions import ALLOW_LONG_PAUSES, long_pause_values
from tournaments.models import Tournament

# The first of the two numbers of an advisory lock, so that no other use of such locks can meet an event's.
LOCK_SPACE: Final = 0x4A31


def lock_standings(tournament: Tournament) -> None:
    """Wait until nobody else folds this event, and hold it.

    Released with the transaction, which may think long from now on.
    """
    # SQLite needs none: it has one writer, and its transactions that write wait for each other.
    if connection.vendor == "postgresql":
        # Of the transaction, not of the session: a process that dies, or a pooled connection, leaves no lock behind.
        with connection.cursor() as cursor:
            words = f"SELECT pg_advisory_xact_lock(%s, %s), {ALLOW_LONG_PAUSES}"
            cursor.execute(words, [LOCK_SPACE, tournament.pk, *long_pause_values()])


class StandingsBusy(Exception):
    """Refusal of `claim_standings`: another process folds the event, or acts in it, just now."""


def claim_standings(tournament: Tournament) -> None:
    """Take `lock_standings` without waiting. Raises StandingsBusy. SQLite has one writer, which is waited for."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            words = f"SELECT pg_try_advisory_xact_lock(%s, %s), {ALLOW_LONG_PAUSES}"
            cursor.execute(words, [LOCK_SPACE, tournament.pk, *long_pause_values()])
            if not cursor.fetchone()[0]:
                raise StandingsBusy(tournament.slug)
