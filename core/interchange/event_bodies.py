"""What a report of an event's document says of a result, and of what followed one that ended level."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from core.interchange.event_words import Name, Part, Small, Whole, Word


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
    seed: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""


class Lost(Part):
    """Who lost a match by a fault: the seat, why, at which deal and move."""

    seat: Annotated[int, Meta(ge=0, le=6)]
    code: Name
    deal: Small
    move: Small


class Body(Struct, kw_only=True):
    """What a report says of a result, per side. by_deal: points of every deal, where people gave them.

    yaku, bids: per deal and side what was counted at the table, where they gave that. extra, decided: what followed a
    knock-out match that ended level.
    """

    end: Word
    score: Annotated[list[Whole], Meta(min_length=1, max_length=7)]
    victories: Annotated[list[Whole | None], Meta(min_length=1, max_length=7)]
    rank: Annotated[list[Small], Meta(min_length=1, max_length=7)]
    forfeits: Annotated[list[Lost], Meta(max_length=7)]
    deals: Small
    first_dealer: Annotated[int, Meta(ge=0, le=6)] | None = None
    by_deal: list[Annotated[list[Whole], Meta(max_length=7)]] = []
    yaku: list[Annotated[list[Annotated[list[Word], Meta(max_length=8)]], Meta(max_length=7)]] = []
    bids: list[Annotated[list[Whole], Meta(max_length=7)]] = []
    side: Annotated[int, Meta(ge=0, le=6)] | None = None
    extra: Annotated[list[ExtraDeal], Meta(max_length=50)] = []
    decided: Decided | None = None
