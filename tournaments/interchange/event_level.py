"""What followed a knock-out match that ended level, as a report's body in an event's document says it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tournaments.interchange.event_words import Small, Whole


class ExtraDeal(Struct):
    """An extra deal of people whose knock-out match ended level, per side."""

    score: Annotated[list[Whole], Meta(min_length=1, max_length=7)]
    victories: Annotated[list[Whole | None], Meta(min_length=1, max_length=7)]
    rank: Annotated[list[Small], Meta(min_length=1, max_length=7)]


class Decided(Struct, kw_only=True):
    """What decided a level knock-out match at last, per side. by: the word of whoever runs the event, the best single
    deal, or lots: SHA-256 of "seed entry", the smallest first.
    """

    by: Literal["ruling", "best_deal", "lots"]
    rank: Annotated[list[Small], Meta(min_length=1, max_length=7)]
    best: Annotated[list[Whole], Meta(max_length=7)] = []
    seed: Annotated[str, Meta(pattern="^([0-9a-f]{32})?$")] = ""
