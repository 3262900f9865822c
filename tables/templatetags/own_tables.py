"""`{% own_tables as tables %}`: where the reader sits, for pages of apps that know of no tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template

from tables.models import LiveTable
from tables.pages.lobby import tables_of

register = template.Library()


@register.simple_tag(takes_context=True)
def own_tables(context: dict[str, Any]) -> Sequence[LiveTable]:
    """Return the tables at which the reader sits and that are not over. One query."""
    return list(tables_of(context["request"]))
