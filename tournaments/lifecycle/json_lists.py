"""Rows beside a row, in the same query, as one JSON value."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import JSONField, QuerySet, Subquery
from django.db.models.sql.compiler import SQLCompiler

# One name for the column of every such query, for the SQL below.
COLUMN: Final = "it"


class Listed(Subquery):
    """The rows of a query as a list, in its order; `[]` for none. The query has one column: `values(it=...)`.

    For what is asked per row and cut off per row: the newest matches of each version, the pools a bot is rated in.
    """

    def __init__(self, rows: QuerySet[Any, Any], **extra: Any) -> None:
        # A JSONField of Django reads what comes back: a list in Python on both databases.
        super().__init__(rows, output_field=JSONField(), **extra)

    def as_postgresql(self, compiler: SQLCompiler, connection: Any) -> Any:
        """Write the SQL of PostgreSQL."""
        # COALESCE: jsonb_agg of no rows is NULL.
        template = f"(SELECT COALESCE(jsonb_agg(found.{COLUMN}), '[]'::jsonb) FROM (%(subquery)s) found)"  # noqa: S608  # Django's own SQL
        return self.as_sql(compiler, connection, template=template)

    def as_sqlite(self, compiler: SQLCompiler, connection: Any) -> Any:
        """Write the SQL of SQLite, which takes JSON out of a sub-select for text unless `json()` marks it."""
        is_json = isinstance(self.query.annotations[COLUMN].output_field, JSONField)
        value = f"json(found.{COLUMN})" if is_json else f"found.{COLUMN}"
        template = f"(SELECT json_group_array({value}) FROM (%(subquery)s) found)"  # noqa: S608  # Django's own SQL
        return self.as_sql(compiler, connection, template=template)


class JsonValue(Subquery):
    """The one JSON value of a query, to be put into another one."""

    output_field = JSONField()

    def as_sqlite(self, compiler: SQLCompiler, connection: Any) -> Any:
        """Write the SQL of SQLite, which takes what a sub-select returns for text."""
        return self.as_sql(compiler, connection, template="json((%(subquery)s))")
