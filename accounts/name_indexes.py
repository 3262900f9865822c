"""Indexes of PostgreSQL on columns of names, built while people write if their migration says `atomic = False`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation


class NameIndex(Operation, ABC):
    """The index of one column, with the function that it is over.

    One that was cut off leaves an index that is not valid: it is dropped first, so that the migration can be run again.
    SQLite has none: another program that opens the file would not know the function.
    """

    reversible = True
    atomic = False
    reduces_to_sql = True
    pattern: str  # the name of the index, by `table` and `column`
    what: str  # the line that `migrate` shows, by the same

    def __init__(self, table: str, column: str) -> None:
        self.table, self.column = table, column

    @property
    def name(self) -> str:
        """Return the name of the index."""
        return self.pattern.format(table=self.table, column=self.column)

    @abstractmethod
    def function(self) -> str:
        """Return the SQL that writes the function."""

    @abstractmethod
    def definition(self) -> str:
        """Return what follows ON <table> in CREATE INDEX."""

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Change nothing: models do not know the index, for SQLite has none."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        """Write the function, build the index."""
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(self.function())
            schema_editor.execute(f"DROP INDEX {_beside(schema_editor)}IF EXISTS {self.name}")
            schema_editor.execute(
                f"CREATE INDEX {_beside(schema_editor)}{self.name} ON {self.table} {self.definition()}"
            )

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        """Drop it."""
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP INDEX {_beside(schema_editor)}IF EXISTS {self.name}")

    def describe(self) -> str:
        """Return the line that `migrate` shows."""
        return self.what.format(table=self.table, column=self.column)


def _beside(editor: Any) -> str:
    """Return the word for building beside the work, nothing inside a transaction: there the table is new and empty."""
    return "" if editor.connection.in_atomic_block else "CONCURRENTLY "
