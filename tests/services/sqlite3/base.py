"""Emptying all tables after a test is a DELETE on SQLite (on PostgreSQL a TRUNCATE): the guards of kept rows go first.

The signal at the end of Django's `flush` puts them up again.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.sqlite3 import base, operations

from bots.guards import take_down


class DatabaseOperations(operations.DatabaseOperations):
    def execute_sql_flush(self, sql_list: Any) -> None:
        """Empty the tables."""
        take_down(self.connection)
        super().execute_sql_flush(sql_list)


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = DatabaseOperations
