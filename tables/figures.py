"""What a person's page says of their matches at tables."""

from __future__ import annotations

from django.utils.translation import ngettext

from accounts.models import User
from tables.actions.leavers import leaves_of
from tournaments.people.figures import register


def matches_left(person: User) -> str:
    """Return how many matches somebody has left at tables of the site, and how many they have played. One query."""
    left, n = leaves_of([person.pk]).get(person.pk, (0, 0))
    text = ngettext(
        "Left %(left)s of %(n)s match at tables of the site.",
        "Left %(left)s of %(n)s matches at tables of the site.",
        n,
    )
    return text % {"left": left, "n": n} if n else ""


register(matches_left)
