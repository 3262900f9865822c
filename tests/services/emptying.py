"""Emptying all tables after a test that committed: what Django's `flush` does, at less cost.

On PostgreSQL `flush` truncates every table: some hundred files are made again and all permissions are written again,
for a test that left ten rows. Here the rows are deleted, past the triggers. On SQLite emptying is a DELETE anyway, and
the guards of kept rows and the counting go first; the signal at the end of `flush` puts them up again.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from django.db import OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.test import TransactionTestCase
from psycopg.errors import DeadlockDetected

FILLED_BY_MIGRATIONS: Final = ("django_content_type", "auth_permission")
"""Tables that `flush` fills again at its end; no test may leave other rows there (seen by their number)."""
TRIES: Final = 5
MAX_BYTES: Final = 8 * 2**20
"""Tables that hold more than this, dead rows mostly, are truncated after all."""
KEPT: Final[set[str]] = set()
"""Tables of an SQLite that no test empties: rows of processes that go on from test to test."""
EMPTY: Final = """
DO $$
DECLARE named text;
BEGIN
    LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE;  -- as TRUNCATE does: anyone who still writes is waited for
    SET LOCAL session_replication_role = replica;  -- past the guards, the counting and the foreign keys
    FOREACH named IN ARRAY '{{{tables}}}'::text[] LOOP
        IF pg_relation_size(named::regclass) > 0 THEN
            EXECUTE 'DELETE FROM ' || named;
        END IF;
    END LOOP;
END $$
"""


def empty_cheaply() -> None:
    """Let a test that committed cost what it wrote, from now on."""
    _let_go_of_kept_rows()
    case: Any = TransactionTestCase
    whole = case._fixture_teardown

    def _fixture_teardown(self: Any) -> None:
        ordinary = self.available_apps is None and not self.serialized_rollback
        if not (ordinary and all(emptied(connections[name]) for name in self._databases_names(include_mirrors=False))):
            whole(self)

    case._fixture_teardown = _fixture_teardown


def note_what_is_filled(connection: BaseDatabaseWrapper) -> None:
    """Note before the first test what the migrations wrote, if tables may be emptied past their triggers here."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT usesuper FROM pg_user WHERE usename = current_user")
            if cursor.fetchone() == (True,):
                _as_migrated[connection.alias] = _filled(cursor, tables_of(connection))[0]


def tables_of(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the tables of all models, but those that migrations fill; as SQL names them."""
    return _tables(connection.alias)


_as_migrated: Final[dict[str, list[int]]] = {}


@cache
def _tables(alias: str) -> list[str]:
    names = connections[alias].introspection.django_table_names(only_existing=True, include_views=False)
    return sorted(name for name in names if name not in FILLED_BY_MIGRATIONS)


def emptied(connection: BaseDatabaseWrapper) -> bool:
    """Delete all rows of a PostgreSQL. False: nothing was done, `flush` has to."""
    if connection.vendor != "postgresql" or connection.alias not in _as_migrated:
        return False
    tables = tables_of(connection)
    with connection.cursor() as cursor:
        filled, size = _filled(cursor, tables)
        if filled != _as_migrated[connection.alias] or size > MAX_BYTES:
            return False
        _empty(cursor, EMPTY.format(tables=", ".join(tables)))
    return True


def _empty(cursor: Any, command: str) -> None:
    """Empty the tables. A server that is in the middle of a request may lock them in another order: it goes first."""
    for tries_left in reversed(range(TRIES)):
        try:
            cursor.execute(command)
            break
        except OperationalError as error:
            if not (tries_left and isinstance(error.__cause__, DeadlockDetected)):
                raise


def _filled(cursor: Any, tables: list[str]) -> tuple[list[int], int]:
    """Return how many rows each table has that migrations fill; the bytes of all others."""
    counts = ", ".join(f"(SELECT count(*) FROM {name})" for name in FILLED_BY_MIGRATIONS)
    named = ", ".join(f"('{name}'::regclass)" for name in tables)
    cursor.execute(f"SELECT sum(pg_relation_size(named)), {counts} FROM (VALUES {named}) AS every (named)")
    size, *filled = cursor.fetchone()
    return filled, int(size)


def _let_go_of_kept_rows() -> None:
    """Let `flush` take the guards down on SQLite, from now on."""
    operations: Any = DatabaseWrapper.ops_class
    empty = operations.execute_sql_flush

    def execute_sql_flush(self: Any, sql_list: Any) -> None:
        from bots import guards  # no model may be imported before Django is set up
        from tournaments import tallies

        guards.take_down(self.connection)
        tallies.take_down(self.connection)
        empty(self, [sql for sql in sql_list if not any(f'"{table}"' in sql for table in KEPT)])

    operations.execute_sql_flush = execute_sql_flush
