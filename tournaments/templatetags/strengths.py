"""How strong a version is, for its own page, which is below the leaderboards."""

from __future__ import annotations

from django import template

from bots.models import BotVersion
from tournaments.ratings import queries
from tournaments.ratings.queries import Strength

register = template.Library()


@register.simple_tag
def strengths_of(version: BotVersion) -> dict[str, Strength]:
    """Return the ratings of a version by preset. One query."""
    return queries.strengths_of(version)
