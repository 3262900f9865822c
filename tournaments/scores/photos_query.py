"""Photos of slips: the ones that a table has."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournaments.models import Match, SlipPhoto


@dataclass(frozen=True, slots=True)
class PhotoLine:
    """A photo as a page shows it. width, height: pixels, so that nothing jumps when it comes."""

    side: int
    width: int
    height: int
    sent_at: datetime


def photos_of(match: Match) -> list[PhotoLine]:
    """The photos of a table by side, without their bytes. One query."""
    rows = SlipPhoto.objects.filter(match=match).order_by("side")
    return [PhotoLine(*row) for row in rows.values_list("side", "width", "height", "sent_at")]
