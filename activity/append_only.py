"""Rows that stay as they were written: their models refuse politely what the database refuses anyway."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from django.db import models
from django.utils.translation import gettext as _

from engine.errors import DomainError

Row = TypeVar("Row", bound=models.Model)


class AppendOnlyError(DomainError):
    """Somebody tried to change or delete what is append-only. A mistake of ours, never of a user's."""

    code = "journal.append_only"


def refuse(model: type[models.Model]) -> NoReturn:
    """Raise AppendOnlyError for this model."""
    message = _("Rows of “%(name)s” cannot be changed: add a new one instead.")
    raise AppendOnlyError(message % {"name": model._meta.verbose_name})


class AppendOnlyQuerySet(models.QuerySet[Row]):
    """A queryset without update and delete. `changeable`: columns that may be updated all the same."""

    changeable: frozenset[str] = frozenset()

    def update(self, **changes: Any) -> int:
        """Update, if only changeable columns are named. Raises AppendOnlyError."""
        if not set(changes) <= self.changeable:
            refuse(self.model)
        return super().update(**changes)

    def delete(self) -> NoReturn:
        """Raise AppendOnlyError."""
        refuse(self.model)


class AppendOnly(models.Model):
    """A row that is written once. `changeable`: fields that `save` may change later."""

    changeable: frozenset[str] = frozenset()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write a new row; of a row that is there only changeable fields, named in `update_fields`."""
        named = kwargs.get("update_fields")
        # A full save writes every column, so it is refused even where nothing changed.
        if not self._state.adding and (named is None or not set(named) <= self.changeable):
            refuse(type(self))
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise AppendOnlyError."""
        refuse(type(self))
