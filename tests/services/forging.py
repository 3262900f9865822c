"""Rows that the service could never write: for tests that ask what becomes of forged or aged ones."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)


def forge(rows: QuerySet[Row], **changes: Any) -> None:
    """Update rows that are kept as they were written, past the model and past PostgreSQL's triggers."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        try:
            QuerySet.update(rows, **changes)
        finally:
            cursor.execute("SET session_replication_role = DEFAULT")
