"""Statements whose SQL is written once for each process.

Django writes the SQL of a query each time it is asked, column by column: of the row of a live table that takes ten
times as long as sending it and reading what comes back. What a page asks a hundred times a second is asked like this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from django.db import connection, models

Row = TypeVar("Row", bound=models.Model)


@dataclass(frozen=True, slots=True)
class _Written:
    """The SQL of a query. given: fields of its values; names: of the columns that it reads; converters: by column."""

    model: Any
    sql: str
    given: list[models.Field[Any, Any]]
    names: list[str]
    converters: list[tuple[int, list[Any], Any]]


class Reading(Generic[Row]):
    """A query for whole rows of one model, each condition of which compares a column with one of the values.

    query: returns it for such values; it has a `filter` for each of them, in their order.
    """

    def __init__(self, query: Callable[..., models.QuerySet[Row]]) -> None:
        self._query: Final = query
        # By kind of database: tests have several.
        self._written: Final[dict[str, _Written]] = {}

    def rows(self, *values: Any) -> list[Row]:
        """Return the rows for these values."""
        written = self._written.get(connection.vendor) or self._write(values)
        given = [field.get_db_prep_value(one, connection) for field, one in zip(written.given, values, strict=True)]
        with connection.cursor() as cursor:
            cursor.execute(written.sql, given)
            return [self._row(written, list(found)) for found in cursor.fetchall()]

    def first(self, *values: Any) -> Row | None:
        """Return the first row for these values; None if there is none."""
        return next(iter(self.rows(*values)), None)

    def _row(self, written: _Written, found: list[Any]) -> Row:
        for place, converters, column in written.converters:
            for convert in converters:
                found[place] = convert(found[place], column, connection)
        row: Row = written.model.from_db(connection.alias, written.names, found)
        return row

    def _write(self, values: Sequence[Any]) -> _Written:
        query: Any = self._query(*values).query
        compiler = query.get_compiler(connection.alias)
        sql, given = compiler.as_sql()
        fields = [condition.lhs.output_field for condition in query.where.children]
        prepared = [field.get_db_prep_value(one, connection) for field, one in zip(fields, values, strict=True)]
        if prepared != list(given):
            raise TypeError(f"a condition of its own for each value, in their order: {sql}")
        columns = [column for column, _sql, _alias in compiler.select]
        converters = [(place, *found) for place, found in compiler.get_converters(columns).items()]
        written = _Written(query.model, sql, fields, [column.target.attname for column in columns], converters)
        self._written[connection.vendor] = written
        return written


class Writing(Generic[Row]):
    """The statement that inserts a row of a model, or that writes some columns of one that is there.

    columns: of the latter. The key of an inserted row is not read back, and no signal is sent.
    """

    def __init__(self, model: type[Row], columns: Sequence[str] = ()) -> None:
        known: Any = model._meta
        self._table, self._key = known.db_table, known.pk
        self._is_update: Final = bool(columns)
        named = [known.get_field(name) for name in columns]
        self._fields: Final = named or [field for field in known.local_concrete_fields if not field.primary_key]
        self._sql: Final = self._update() if columns else self._insert()

    def write(self, row: Row) -> bool:
        """Write a row; False if the one whose columns are to be written is not there. Raises IntegrityError."""
        found = [(field, field.pre_save(row, not self._is_update)) for field in self._fields]
        values = [field.get_db_prep_save(value, connection) for field, value in found]
        if self._is_update:
            values.append(row.pk)
        with connection.cursor() as cursor:
            cursor.execute(self._sql, values)
            return bool(cursor.rowcount == 1)

    def _insert(self) -> str:
        names, places = self._columns("{}"), ", ".join(["%s"] * len(self._fields))
        return f'INSERT INTO "{self._table}" ({names}) VALUES ({places})'  # noqa: S608  # names of our own models

    def _update(self) -> str:
        return f'UPDATE "{self._table}" SET {self._columns("{} = %s")} WHERE "{self._key.column}" = %s'  # noqa: S608

    def _columns(self, form: str) -> str:
        return ", ".join(form.format(f'"{field.column}"') for field in self._fields)
