"""Indexes on tables that are large and written to all the time: built beside the work, not instead of it."""

from __future__ import annotations

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AddIndex


class BuildIndex(AddIndex):
    """`AddIndex` that on PostgreSQL locks nobody out (CREATE INDEX CONCURRENTLY); on SQLite the plain one.

    Its migration says `atomic = False`. One that was cut off leaves an index that is not valid: it is dropped first, so
    that the migration can be run again.
    """

    atomic = False

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        """Build it."""
        editor: Any = schema_editor
        if editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(editor.connection.alias, model):
            # A CREATE INDEX CONCURRENTLY that was cut off leaves an invalid index of this name, and creating it would
            # fail.
            editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {editor.quote_name(self.index.name)}")
            editor.add_index(model, self.index, concurrently=True)
