"""Names of presets, and of the ladders that are named after them, as people read them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine.games import GAMES, PRESETS

LADDER: Final = "%(preset)s ladder, %(month)s"
"""The name under which an official ladder is stored, in English: "Hawaii ladder, November 2026"."""
_MONTH: Final = "%B %Y"
_STORED: Final = re.compile(r"(?P<preset>.+) ladder, (?P<month>[A-Z][a-z]+ \d{4})")


def preset_title(preset: str) -> str:
    """Return the name of a preset in the reader's language; its id where it is no longer known.

    Japanese names are data of the games; every other language uses the name that the preset was registered with.
    """
    found = PRESETS.get(preset)
    if found is None:
        return preset
    ja = GAMES[found.game].words.ja.get(preset, "") if (get_language() or "").startswith("ja") else ""
    return ja or found.name


def ladder_name(preset: str, day: datetime) -> str:
    """Return the name under which the official ladder of a month is stored."""
    return LADDER % {"preset": PRESETS[preset].name, "month": f"{day:{_MONTH}}"}


@lru_cache(maxsize=1024)
def official_ladder(name: str) -> tuple[str, datetime] | None:
    """Return the preset and the month of an official ladder, read from its stored name; None for another event."""
    found = _STORED.fullmatch(name)
    preset = next((each.id for each in PRESETS.values() if found and each.name == found["preset"]), None)
    if found is None or preset is None:
        return None
    try:
        return preset, datetime.strptime(found["month"], _MONTH).replace(tzinfo=UTC)
    except ValueError:  # somebody's own name that looks like one of ours
        return None


def month_title(month: datetime) -> str:
    """Return a month with its year as the reader writes it: "November 2026"."""
    return date_format(month, "YEAR_MONTH_FORMAT")


def event_title(name: str) -> str:
    """Return the name of an event; that of an official ladder in the reader's language."""
    found = official_ladder(name)
    if found is None:
        return name
    preset, month = found
    # Translators: the name of an official ladder; the month is written as in your language, with its year.
    return _("%(preset)s ladder, %(month)s") % {"preset": preset_title(preset), "month": month_title(month)}
