"""Whom a person plays with, on pages that list people."""

from django import template

from tournaments.models import Entry
from tournaments.selectors.teams import Present

register = template.Library()


@register.filter
def team_of(entry: Entry, present: Present) -> str:
    """The name of the team that a person is in now; "" for who is in none."""
    return present.teams.get(entry.pk, "")
