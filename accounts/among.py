"""`pk__among=rows` is `pk__in=rows`, read from the side of the rows that are named: they are few of a long table.

PostgreSQL joins a table with a sub-query by what it guesses of both, and for a person with thousands of rows it would
rather read the whole other table. An array of keys it looks up in an index, key by key.

`has_one(rows)` is `Exists(rows)`, asked of each row in turn: for EXISTS PostgreSQL collects all keys that there are
before it looks at the first row, which is long for a page of thirty.
"""

from __future__ import annotations

from typing import Any

from django.db.models import BigAutoField, Q, QuerySet, Subquery
from django.db.models.lookups import In, IsNull
from django.db.models.sql.compiler import SQLCompiler


class InArray(In):
    """Test of a key against the keys of a query of one column. On SQLite it is written as `in`."""

    lookup_name = "among"

    def as_postgresql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        """Return the lookup in PostgreSQL's words: an array of keys."""
        keys, named = self.process_rhs(compiler, connection)
        column, params = self.process_lhs(compiler, connection)
        return f"{column} = ANY(ARRAY{keys})", [*params, *named]


def has_one(rows: QuerySet[Any]) -> Q:
    """Return a condition: there is one of these rows, which name the outer row by its key (`OuterRef`)."""
    return Q(IsNull(Subquery(rows.order_by().values("pk")[:1]), rhs=False))


def connect() -> None:
    """Register the lookup `__among` for keys."""
    BigAutoField.register_lookup(InArray)
