"""Many tables in one operation of a migration: those of a new database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import CreateModel
from django.db.migrations.operations.base import Operation, OperationCategory
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """Create all models of an app at once; they may refer to each other in circles.

    One after another, each would have Django render again all models it is related to, which here is nearly every
    one: a new database then took 49 s of processor time, where this takes a tenth.
    """

    category = OperationCategory.ADDITION
    reduces_to_sql = True
    reversible = True
    serialization_expand_args = ["models"]

    def __init__(self, models: Sequence[CreateModel]) -> None:
        self.models = models

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Add the models. What was rendered is forgotten: the next who asks renders all of them, once."""
        vars(state).pop("apps", None)
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        """Create the tables. References to those that come later hold once all are there."""
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        """Drop the tables, the last one first."""
        for model in reversed(self.models):
            model.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        """Return the line that `migrate` shows."""
        return f"Create {len(self.models)} models"

    @property
    def migration_name_fragment(self) -> str:
        """Return its part of a migration's name."""
        return "models"
