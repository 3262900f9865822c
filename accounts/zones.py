"""Time zones by name, and the one a reader sees times in: their account's, else their browser's, else UTC."""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest

COOKIE: Final = "zone"
"""Cookie of static/site/zone.js: the browser's name of its zone."""
MAX_LENGTH: Final = 40


# Unknown names are remembered, too: a look for a zone reads files.
@lru_cache(maxsize=1024)
def zone_named(name: str) -> ZoneInfo | None:
    """Return the zone of that name; None where there is none, and for what is no name of a zone at all."""
    # ZoneInfo opens a file of this name: nothing that begins like a path reaches it.
    if not 0 < len(name) <= MAX_LENGTH or not name.isascii() or not name[0].isalpha():
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_of(request: HttpRequest) -> ZoneInfo:
    """Return the zone of the reader."""
    chosen = getattr(request.user, "time_zone", "") or request.COOKIES.get(COOKIE, "")
    return zone_named(chosen) or ZoneInfo("UTC")
