"""Triggers by which the database counts matches, entries and players: a change is written as a number more or fewer.

They run in the statement that makes the change (of a worker, an undo, an import, a restore), so that a page's sum
is true in any moment it reads (decision 0060). Nobody waits for a counter's row: each statement adds rows of its
own, and `matches.counters` adds them up. The triggers are put up after every `migrate`, as those of `bots.guards` are
and for the same reason; where one was missing everything is counted again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from bots.guards import present


@dataclass(frozen=True, slots=True)
class Tallied:
    """A counted table: rows of `table` by the columns of `by`; `into`: the table of the sums."""

    table: str
    by: tuple[str, ...]
    into: str

    def trigger(self, event: str) -> str:
        """Return the name of the trigger for "insert", "update" or "delete"."""
        return f"{self.table}_tally_{event}"


TALLIED: Final = (
    Tallied("tournaments_match", ("stage_id", "round_id", "state"), "tournaments_matchtally"),
    Tallied("tournaments_entry", ("tournament_id", "state"), "tournaments_entrytally"),
    Tallied("tournaments_player", ("club_key",), "tournaments_clubtally"),
)
EVENTS: Final = ("insert", "update", "delete")
SEEN: Final = {
    "insert": "REFERENCING NEW TABLE AS new_rows",
    "update": "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows",
    "delete": "REFERENCING OLD TABLE AS old_rows",
}


def put_up(connection: BaseDatabaseWrapper) -> None:
    """Make the triggers that are missing and count again where one was. Tables that are not there are passed over."""
    there = present(connection)
    missing = [each for each in TALLIED if any(each.trigger(event) not in there for event in EVENTS)]
    tables = set(connection.introspection.table_names()) if missing else set()
    for each in missing:
        if {each.table, each.into} <= tables:
            # Triggers and count in one transaction: no change falls between the two.
            with transaction.atomic(using=connection.alias):
                _drop(connection, each)
                for event in EVENTS:
                    _create(connection, each, event)
                recount(connection, each)


def take_down(connection: BaseDatabaseWrapper) -> None:
    """Remove the triggers."""
    for each in TALLIED:
        _drop(connection, each)


def recount(connection: BaseDatabaseWrapper, each: Tallied) -> None:
    """Delete the sums and count all rows. Needs a transaction; nobody else writes such rows until it ends."""
    columns = ", ".join(each.by)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # SQLite has one writer, and this is it
            # This lock lets others read and stops every writer: a change during the count could be in it twice, or not
            # at all.
            cursor.execute(f"LOCK TABLE {each.table} IN SHARE ROW EXCLUSIVE MODE")
        cursor.execute(f"DELETE FROM {each.into}")  # noqa: S608  # words of this module
        cursor.execute(_added(each, "COUNT(*)", each.table, fresh="FALSE", group=columns))


def _drop(connection: BaseDatabaseWrapper, each: Tallied) -> None:
    place = f" ON {each.table}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        for event in EVENTS:
            cursor.execute(f"DROP TRIGGER IF EXISTS {each.trigger(event)}{place}")


def _create(connection: BaseDatabaseWrapper, each: Tallied, event: str) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_function(each, event))
            cursor.execute(
                f"CREATE TRIGGER {each.trigger(event)} AFTER {event.upper()} ON {each.table} {SEEN[event]} "
                f"FOR EACH STATEMENT EXECUTE FUNCTION {each.trigger(event)}()"
            )
        else:
            cursor.execute(_row_trigger(each, event))


def _function(each: Tallied, event: str) -> str:
    """Return the function of PostgreSQL: what a statement changed, in one row for each sum that it changes."""
    columns = ", ".join(each.by)
    if event == "insert":
        body = _added(each, "COUNT(*)", "new_rows", group=columns)
    elif event == "delete":
        body = _added(each, "-COUNT(*)", "old_rows", group=columns)
    else:
        came, went = f"SELECT {columns}, 1 AS d FROM new_rows", f"SELECT {columns}, -1 AS d FROM old_rows"  # noqa: S608  # words of this module
        # An update that changes no counted column cancels out: HAVING leaves no row.
        body = _added(each, "SUM(d)", f"({came} UNION ALL {went}) moved", group=f"{columns} HAVING SUM(d) <> 0")
    return (
        f"CREATE OR REPLACE FUNCTION {each.trigger(event)}() RETURNS trigger LANGUAGE plpgsql AS $$ "
        f"BEGIN {body}; RETURN NULL; END $$"
    )


def _added(each: Tallied, amount: str, source: str, *, group: str, fresh: str = "TRUE") -> str:
    columns = ", ".join(each.by)
    head = f"INSERT INTO {each.into} ({columns}, n, is_fresh) SELECT {columns}, {amount}, {fresh}"
    return f"{head} FROM {source} GROUP BY {group}"


def _row_trigger(each: Tallied, event: str) -> str:
    """Return the trigger of SQLite, which has no transition tables.

    It writes one row more for a row that comes, one less for one that goes.
    """
    # IS NOT, because a match without a round has NULL there, and NULL <> NULL is not true.
    moved = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in each.by)
    head = f"CREATE TRIGGER {each.trigger(event)} AFTER {event.upper()} ON {each.table} FOR EACH ROW"
    head += f" WHEN {moved}" if event == "update" else ""
    steps: Iterable[tuple[str, int]] = {
        "insert": (("NEW", 1),), "update": (("OLD", -1), ("NEW", 1)), "delete": (("OLD", -1),)
    }[event]  # fmt: skip
    return f"{head} BEGIN {' '.join(_one(each, row, n) for row, n in steps)} END"


def _one(each: Tallied, row: str, n: int) -> str:
    values = ", ".join(f"{row}.{column}" for column in each.by)
    return f"INSERT INTO {each.into} ({', '.join(each.by)}, n, is_fresh) VALUES ({values}, {n}, TRUE);"  # noqa: S608  # words of this module
