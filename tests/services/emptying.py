"""Emptying all tables after a test is a DELETE on SQLite (on PostgreSQL a TRUNCATE): the guards of kept rows and the
counting go first.

The signal at the end of Django's `flush` puts them up again.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.sqlite3.base import DatabaseWrapper


def let_go_of_kept_rows() -> None:
    """From now on `flush` takes the guards down on SQLite."""
    operations: Any = DatabaseWrapper.ops_class
    empty = operations.execute_sql_flush

    def execute_sql_flush(self: Any, sql_list: Any) -> None:
        from bots import guards  # no model may be imported before Django is set up
        from tournaments import tallies

        guards.take_down(self.connection)
        tallies.take_down(self.connection)
        empty(self, sql_list)

    operations.execute_sql_flush = execute_sql_flush
