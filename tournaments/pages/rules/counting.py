"""How much something counts, in a game's own unit."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

POINTS: Final = "points"
"""The unit of most games; the only one whose word has a plural."""


def counted_in(unit: str, worth: int) -> str:
    """Return how much that is in a game's unit: "1 point", "12 kan"."""
    if unit == POINTS:
        return ngettext("%(n)s point", "%(n)s points", worth) % {"n": worth}
    return f"{worth} {_(unit)}"
