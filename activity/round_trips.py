"""A transaction in one round trip, for workers that are far from their database.

On PostgreSQL the statements of `one_round_trip` go out without waiting for each other's answers, and the server commits
them when it has met the end of them (libpq's pipeline, whose statements are one transaction). A row that they lock is
locked for no longer than the server works on them. On SQLite, a file at hand, they are executed one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

import psycopg
from django.db import connection, models, transaction
from django.db.models.sql import InsertQuery, UpdateQuery

GIVE_UP: Final = "DO 'BEGIN RAISE EXCEPTION ''given up by its own process''; END'"
"""Sent last, where no statement has failed: the end of a pipeline would commit what came before."""
CHECK_NOW: Final = "SET CONSTRAINTS ALL IMMEDIATE"
"""Sent last, where all went well: a key that Django defers is checked by a statement. psycopg does not expect the end
of a pipeline to be refused: it lost the connection over it, and once raised an IndexError of its own queue.
"""


@contextmanager
def one_round_trip() -> Iterator[None]:
    """Open a transaction that does not look at the answers of its statements: each must say itself what it needs.

    To look at one all the same costs a round trip of its own. An error of any statement undoes all of them; it may be
    raised by a later one, or by the end of the block. Inside another transaction it is a part of that.
    """
    with transaction.atomic():
        if connection.vendor != "postgresql":
            yield
            return
        raw = connection.connection
        # Only the outermost block: in a savepoint Django has begun the transaction already.
        is_outermost = not connection.savepoint_ids
        if is_outermost:
            # No BEGIN and no COMMIT: psycopg would wait for the one, and Django finds nothing to do for the other.
            raw.autocommit = True
        with connection.wrap_database_errors, raw.pipeline() as pipeline:
            try:
                yield
                # Not within another transaction, whose later statements would be checked one by one.
                if is_outermost:
                    raw.execute(CHECK_NOW)
            except BaseException:
                # A statement that failed has given up the pipeline already; the error to raise is the one we caught.
                with suppress(psycopg.Error):
                    raw.execute(GIVE_UP)
                with suppress(psycopg.Error):
                    pipeline.sync()
                raise


def insert(rows: Sequence[models.Model]) -> None:
    """Insert rows of one model in one statement, without reading their ids back as `create` does.

    A field may hold an expression, by its column's name ("record_id").
    """
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(*insertion(rows))


def update_of(rows: models.QuerySet[Any], **values: Any) -> tuple[str, tuple[Any, ...]]:
    """Return the statement of `rows.update(**values)` and its values: for a cursor that is asked later what it did."""
    query: Any = rows.query.chain(UpdateQuery)
    query.add_update_values(values)
    words, given = query.get_compiler(rows.db).as_sql()
    return words, tuple(given)


def insertion(rows: Sequence[models.Model]) -> tuple[str, tuple[Any, ...]]:
    """Return the statement of `insert` and its values. rows: at least one."""
    model = type(rows[0])
    # Without the key: the database gives it, and reading it back is the round trip that is saved.
    fields: list[Any] = [field for field in model._meta.local_concrete_fields if not field.primary_key]
    query = InsertQuery(model)
    query.insert_values(fields, list(rows))
    ((words, values),) = query.get_compiler(connection.alias).as_sql()
    return words, tuple(values)
