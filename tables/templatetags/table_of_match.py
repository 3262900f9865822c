"""`{% table_of_match match as table %}`: where a match was played, for pages of apps that know of no tables."""

from __future__ import annotations

from django import template

from tables.models import LiveTable
from tournaments.models import Match

register = template.Library()


@register.simple_tag
def table_of_match(match: Match | None) -> LiveTable | None:
    """Return the live table whose record a match has; None for a match that was played elsewhere. One query."""
    rows = LiveTable.objects.only("commitment", "created_at", "dealt_at", "finished_at")
    return rows.filter(match=match).first() if match is not None else None
