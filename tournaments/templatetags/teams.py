"""Whom a person plays with, on pages that list people."""

from django import template
from django.utils.translation import gettext as _

from tournaments.entries.teams_query import Present
from tournaments.models import Entry

register = template.Library()


@register.filter
def team_of(entry: Entry, present: Present) -> str:
    """The name of the team that a person is in now; "" for who is in none."""
    return present.teams.get(entry.pk, "")


@register.filter
def at_key(found: dict[int, str], key: int) -> str:
    """What a table of texts has at a key; "" where it has nothing."""
    return found.get(key, "")


@register.filter
def sits_at(entry: Entry, tables: dict[tuple[str, int], tuple[int, int]]) -> str:
    """Where somebody sits next, in words; "" for who sits nowhere."""
    found = tables.get(("player", entry.player_id)) or tables.get(("entry", entry.pk))
    return _("round %(round)s, table %(table)s") % {"round": found[0], "table": found[1]} if found else ""
