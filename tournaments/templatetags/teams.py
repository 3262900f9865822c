"""Teams and seats of people, on pages that list people."""

from django import template
from django.utils.translation import gettext as _

from tournaments.entries.teams_query import Present
from tournaments.models import Entry

register = template.Library()


@register.filter
def team_of(entry: Entry, present: Present) -> str:
    """Return the name of the team that a person is in now; "" for a person in none."""
    return present.teams.get(entry.pk, "")


@register.filter
def at_key(found: dict[int, str], key: int) -> str:
    """Return the text of a table at a key; "" where it has none."""
    return found.get(key, "")


@register.filter
def sits_at(entry: Entry, tables: dict[tuple[str, int], tuple[int, int]]) -> str:
    """Return in words where a person sits next; "" for a person who sits nowhere."""
    found = tables.get(("player", entry.player_id)) or tables.get(("entry", entry.pk))
    return _("round %(round)s, table %(table)s") % {"round": found[0], "table": found[1]} if found else ""
