"""Limit of the time for which a transaction may be idle between two statements before PostgreSQL ends it.

Every session over a network is ended after `settings.IDLE_IN_TRANSACTION_MS` without a statement, so that a process
that is stopped in a transaction does not hold its locks for ever. A draw, a fold of a hundred thousand results or a
restore may compute longer than that before its next statement.
"""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import connection

LONG_PAUSE_MS: Final = 15 * 60_000
"""Milliseconds: a rating of a million matches computes for some minutes."""
ALLOW_LONG_PAUSES: Final = (
    "CASE WHEN (SELECT setting FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout') = %s "
    "THEN set_config('idle_in_transaction_session_timeout', %s, true) END"
)
"""Expression for a SELECT on PostgreSQL. A value that the operator of the database chose is kept."""


def long_pause_values() -> list[str]:
    """Return the values of `ALLOW_LONG_PAUSES`."""
    return [str(settings.IDLE_IN_TRANSACTION_MS), str(LONG_PAUSE_MS)]


def allow_long_pauses() -> None:
    """Let this transaction be idle for long between two statements, until its end. Does nothing on SQLite."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {ALLOW_LONG_PAUSES}", long_pause_values())  # our own words
