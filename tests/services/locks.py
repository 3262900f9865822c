"""Waits of connections for each other in the database."""

from django.db import connection


def waits_for_us() -> bool:
    """Return whether some connection stands still until this one has ended its transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
        )
        return bool(cursor.fetchone()[0])
