"""Rows kept aside: what one test built and played is put back for the next one that wants the same.

Playing a league takes a second or two, putting its rows back some hundredths. They go past the triggers: guards, counts
and foreign keys held when the rows were written.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import pytest
from django.db import connection, transaction

from tests.services.emptying import tables_of

Built = TypeVar("Built")
NUMBERS_GO_ON = """
SELECT setval(sequencename::regclass, greatest(coalesce(last_value, 1), given))
FROM pg_sequences JOIN unnest(%s::text[], %s::bigint[]) AS kept (name, given) ON name = sequencename
"""


@dataclass(frozen=True, slots=True)
class KeptRows:
    """All rows of a PostgreSQL: per table the output of COPY; per sequence the last number it gave."""

    tables: dict[str, bytes]
    numbers: dict[str, int]


def keep_rows() -> KeptRows:
    """Return everything there is now, in the eyes of this transaction."""
    tables = {}
    with transaction.atomic(), connection.connection.cursor() as cursor:
        for name in tables_with_rows():
            # In an order of their own: where rows were deleted before, new ones fill the gaps.
            with cursor.copy(f"COPY (SELECT * FROM {name} ORDER BY 1) TO STDOUT (FORMAT binary)") as rows:
                tables[name] = b"".join(rows)
    return KeptRows(tables, last_numbers())


def last_numbers() -> dict[str, int]:
    """Return per sequence of a PostgreSQL the last number it gave."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT sequencename, last_value FROM pg_sequences WHERE last_value IS NOT NULL")
        return dict(cursor.fetchall())


def go_on_after(numbers: dict[str, int]) -> None:
    """Let no sequence give a number again that it had given then."""
    with connection.cursor() as cursor:
        cursor.execute(NUMBERS_GO_ON, (list(numbers), list(numbers.values())))


@pytest.fixture
def numbers_go_on(db: None) -> Iterator[None]:
    """Restore the sequences after a test that sets numbers back, as `flush` and `restore` do."""
    before = last_numbers()
    yield
    go_on_after(before)


def put_back(kept: KeptRows) -> None:
    """Write them again, under the numbers they had; what is written later gets later numbers."""
    with transaction.atomic(), connection.connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for name, rows in kept.tables.items():
            with cursor.copy(f"COPY {name} FROM STDIN (FORMAT binary)") as into:
                into.write(rows)
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")
    go_on_after(kept.numbers)


def tables_with_rows() -> list[str]:
    """Return the tables that are not empty, but those that migrations fill."""
    names = tables_of(connection)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(f'EXISTS (SELECT FROM {name})' for name in names)}")
        there = cursor.fetchone()
    return [name for name, has_rows in zip(names, there, strict=True) if has_rows]


@dataclass
class BuiltOnce(Generic[Built]):
    """An object that the first test of this process builds and all others find, and every row there was with it."""

    harmless: frozenset[str] = frozenset()
    _kept: list[tuple[Built, KeptRows]] = field(default_factory=list)

    def get(self, build: Callable[[], Built]) -> Built:
        """Return the object, with its rows in the database. `build` makes both where nothing is kept yet."""
        if self._kept and connection.vendor == "postgresql":
            built, rows = self._kept[0]
            put_back(rows)
            return copy.deepcopy(built)
        is_alone = connection.vendor == "postgresql" and self.harmless.issuperset(tables_with_rows())
        built = build()
        if is_alone:
            self._kept.append((copy.deepcopy(built), keep_rows()))
        return built
