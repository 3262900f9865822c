"""Photos of slips: which a table has, and who may look at them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tournaments.models import Match, Round, SlipPhoto


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


def with_photos(round_row: Round | None) -> frozenset[int]:
    """The tables of a round (ids of matches) of which somebody has sent a photo. One query, none without a round."""
    if round_row is None:
        return frozenset()
    found: Iterable[int] = SlipPhoto.objects.filter(match__round=round_row).values_list("match", flat=True)
    return frozenset(found)
