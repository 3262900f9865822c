"""Time zones by name, and the one a reader sees times in: their account's, else their browser's, else UTC."""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest

COOKIE: Final = "zone"
"""Written by static/site/zone.js: what the browser calls its zone."""
MAX_LENGTH: Final = 40


@lru_cache(maxsize=1024)
def zone_named(name: str) -> ZoneInfo | None:
    """The zone of that name; None where there is none, and for what is no name of a zone at all."""
    if not 0 < len(name) <= MAX_LENGTH or not name.isascii() or not name[0].isalpha():
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_of(request: HttpRequest) -> ZoneInfo:
    """The zone of who reads."""
    kept = getattr(request.user, "time_zone", "") or request.COOKIES.get(COOKIE, "")
    return zone_named(kept) or ZoneInfo("UTC")
