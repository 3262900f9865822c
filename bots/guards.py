"""Triggers with which the database refuses changes: of the audit, blobs, reports and the content of a version.

Triggers on PostgreSQL and on SQLite. They are put up after every `migrate` (`bots.apps`), not by one migration: SQLite
rebuilds a table to alter it and drops its triggers with the old one. A migration that has to rewrite guarded rows takes
them down first with `take_down`; the end of the same `migrate` puts them up again. TRUNCATE stays possible: it is
for the owner of the tables, and tests begin with empty ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper

FUNCTION: Final = """
CREATE OR REPLACE FUNCTION hanami_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: its rows are kept as they were written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


@dataclass(frozen=True, slots=True)
class Guard:
    """A table whose rows are never deleted and whose `columns` never change; no columns named: none of them changes.

    erasable: a column beside them whose bytes may be taken out and put back, never exchanged (decision 0059).
    """

    table: str
    columns: tuple[str, ...] = ()
    erasable: str = ""

    def trigger(self, event: str) -> str:
        """The name of the trigger against "update" or "delete"."""
        return f"{self.table}_no_{event}"


GUARDS: Final = (
    Guard("bots_auditevent"),
    Guard("bots_blob", ("id", "sha256", "size", "created_at"), erasable="packed"),
    Guard("bots_botversion", ("uuid", "bot_id", "n", "hash", "protocol", "plays", "files", "source_id")),
    Guard("tournaments_ruleset"),
    Guard("tournaments_resultreport", ("match_id", "version", "attempt", "source", "body", "hash", "record_id")),
)
EVENTS: Final = ("update", "delete")


def put_up(connection: BaseDatabaseWrapper, guards: Iterable[Guard] = GUARDS) -> None:
    """Make the triggers that are missing. Tables that are not there (yet) are passed over."""
    # Only what is missing: this runs after every `migrate`, and CREATE TRIGGER locks a table that matches write to.
    there = present(connection)
    missing = [(guard, event) for guard in guards for event in EVENTS if guard.trigger(event) not in there]
    tables = set(connection.introspection.table_names()) if missing else set()
    with connection.cursor() as cursor:
        if missing and connection.vendor == "postgresql":
            cursor.execute(FUNCTION)
        for guard, event in missing:
            # `migrate bots 0001` ends before the tables of later migrations exist.
            if guard.table in tables:
                cursor.execute(_create(connection, guard, event))


def take_down(connection: BaseDatabaseWrapper, guards: Iterable[Guard] = GUARDS) -> None:
    """Remove the triggers, for a migration that rewrites guarded rows."""
    with connection.cursor() as cursor:
        for guard in guards:
            for event in EVENTS:
                table = f" ON {guard.table}" if connection.vendor == "postgresql" else ""
                cursor.execute(f"DROP TRIGGER IF EXISTS {guard.trigger(event)}{table}")


def present(connection: BaseDatabaseWrapper) -> set[str]:
    """The names of all triggers that there are."""
    table = "pg_trigger" if connection.vendor == "postgresql" else "sqlite_master"
    column, only = ("tgname", "NOT tgisinternal") if connection.vendor == "postgresql" else ("name", "type = 'trigger'")
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {column} FROM {table} WHERE {only}")  # noqa: S608  # words of this module
        return {str(name) for (name,) in cursor.fetchall()}


def _create(connection: BaseDatabaseWrapper, guard: Guard, event: str) -> str:
    when = _when(guard, "IS DISTINCT FROM" if connection.vendor == "postgresql" else "IS NOT")
    head = f"CREATE TRIGGER {guard.trigger(event)} BEFORE {event.upper()} ON {guard.table} FOR EACH ROW"
    head += f" WHEN ({when})" if event == "update" and when else ""
    if connection.vendor == "postgresql":
        return f"{head} EXECUTE FUNCTION hanami_refuse()"
    words = f"{event.upper()} of {guard.table} is refused: its rows are kept as they were written"
    return f"{head} BEGIN SELECT RAISE(ABORT, '{words}'); END"


def _when(guard: Guard, differs: str) -> str:
    if guard.erasable:
        # Erasable bytes may go from some to none, or back: a change is refused unless exactly one side is empty.
        same = "IS NOT DISTINCT FROM" if differs == "IS DISTINCT FROM" else "IS"
        others = " AND ".join(f"OLD.{column} {same} NEW.{column}" for column in guard.columns)
        column = guard.erasable
        return f"NOT ({others} AND (length(OLD.{column}) = 0) <> (length(NEW.{column}) = 0))"
    return " OR ".join(f"OLD.{column} {differs} NEW.{column}" for column in guard.columns)
