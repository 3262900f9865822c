"""Rows kept aside: what one test built and played is put back for the next one that wants the same.

Playing a league takes a second or two, putting its rows back some hundredths. They go past the triggers: guards, counts
and foreign keys held when the rows were written.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, wraps
from inspect import BoundArguments, signature
from typing import Final, Generic, ParamSpec, TypeVar

import pytest
from django.core.cache import cache as calculated
from django.db import connection, transaction
from django.utils import timezone, translation
from time_machine import escape_hatch

from tests.services.emptying import tables_of
from tests.services.moments import at_moments, moments_in, move_on
from tournaments.standings import ledger_cache

Built = TypeVar("Built")
Asked = ParamSpec("Asked")
NUMBERS_GO_ON = """
SELECT setval(sequencename::regclass, greatest(coalesce(last_value, 1), given))
FROM pg_sequences JOIN unnest(%s::text[], %s::bigint[]) AS kept (name, given) ON name = sequencename
"""


@dataclass(frozen=True, slots=True)
class KeptRows:
    """All rows of a PostgreSQL: per table the output of COPY; per sequence the last number it gave."""

    tables: dict[str, bytes]
    numbers: dict[str, int]


def keep_rows(*, but: Collection[str] = ()) -> KeptRows:
    """Return everything there is now, in the eyes of this transaction. but: tables that are left out."""
    tables = {}
    with transaction.atomic(), connection.connection.cursor() as cursor:
        for name in [each for each in tables_with_rows() if each not in but]:
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
    # What this process calculated from rows under these keys belongs to another test.
    ledger_cache._cache.clear()
    calculated.clear()


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


OF_PROCESSES: Final = frozenset({"bots_worker"})
"""Tables in which a fixture may have written a row before anything is built."""
BEFORE: Final = timedelta(minutes=1)
"""What a builder begins with may itself have been put back, and is a little older."""
MOMENTS: Final = """
SELECT place FROM (
    SELECT row_number() OVER (ORDER BY attnum) - 1 AS place, atttypid
    FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped
) AS attributes WHERE atttypid = 'timestamptz'::regtype
"""


@dataclass(frozen=True, slots=True)
class KeptBuilt(Generic[Built]):
    """What a builder returned, and its rows. began, ended: of its building; places: of the moments between, by
    table.
    """

    built: Built
    rows: KeptRows
    began: datetime
    ended: datetime
    places: dict[str, list[int]]

    def restored(self) -> Built:
        """Put the rows back as if they had been built just now, and return a copy of what was built."""
        age = timezone.now() - self.ended
        tables = {name: at_moments(rows, self.places[name], age) for name, rows in self.rows.tables.items()}
        put_back(KeptRows(tables, self.rows.numbers))
        built = copy.deepcopy(self.built)
        move_on(built, self.began, self.ended, age)
        return built


def built_once(build: Callable[Asked, Built]) -> Callable[Asked, Built]:
    """Let a builder of models build once for each process of the run and each way it is asked.

    The first test has it built, the next ones get its rows put back, wherever nothing else is in the database.
    """
    kept: dict[str, KeptBuilt[Built]] = {}

    @wraps(build)
    def found(*args: Asked.args, **wanted: Asked.kwargs) -> Built:
        if not _is_alone():
            return build(*args, **wanted)
        key = _key_of(signature(build).bind(*args, **wanted))
        if key in kept:
            return kept[key].restored()
        began = timezone.now() - BEFORE
        built = build(*args, **wanted)
        rows, ended = keep_rows(but=OF_PROCESSES), timezone.now()
        places = {name: moments_in(copied, _moments_of(name), began, ended) for name, copied in rows.tables.items()}
        kept[key] = KeptBuilt(copy.deepcopy(built), rows, began, ended, places)
        return built

    return found


def _is_alone() -> bool:
    """Return whether rows may be kept and put back: on PostgreSQL, at the true time, with nothing else there."""
    is_possible = connection.vendor == "postgresql" and not escape_hatch.is_travelling()
    return is_possible and OF_PROCESSES.issuperset(tables_with_rows())


def _key_of(asked: BoundArguments) -> str:
    """Name what was asked for, and the language in which it was."""
    asked.apply_defaults()
    return repr((translation.get_language(), asked.args, sorted(asked.kwargs.items())))


@cache
def _moments_of(table: str) -> frozenset[int]:
    """Return which columns of a table hold moments, as COPY numbers them."""
    with connection.cursor() as cursor:
        cursor.execute(MOMENTS, [table])
        return frozenset(place for (place,) in cursor.fetchall())
