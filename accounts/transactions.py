"""How long a transaction may think between two statements before PostgreSQL ends it.

Every session over a network is ended after `settings.IDLE_IN_TRANSACTION_MS` without a statement, so that a process
that is stopped in a transaction does not hold its locks for ever. A draw, a fold of a hundred thousand results or a
restore may take longer than that over its next statement.
"""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import connection

LONG_PAUSE_MS: Final = 15 * 60_000
"""A rating of a million matches thinks for some minutes."""
ALLOW_LONG_PAUSES: Final = (
    "CASE WHEN (SELECT setting FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout') = %s "
    "THEN set_config('idle_in_transaction_session_timeout', %s, true) END"
)
"""What a statement of PostgreSQL's may select besides. Anyone who operates the database and chose a value has
it kept.
"""


def long_pause_values() -> list[str]:
    """The values of `ALLOW_LONG_PAUSES`."""
    return [str(settings.IDLE_IN_TRANSACTION_MS), str(LONG_PAUSE_MS)]


def allow_long_pauses() -> None:
    """Let this transaction think long between two statements, until its end. Nothing on SQLite."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {ALLOW_LONG_PAUSES}", long_pause_values())  # our own words
