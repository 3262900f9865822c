"""Building blocks of an event's document: bounded numbers and words; bodies of reports; seeds."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta, Struct

Small = Annotated[int, Meta(ge=0, le=32_767)]
Count = Annotated[int, Meta(ge=0, le=2_147_483_647)]
Whole = Annotated[int, Meta(ge=-2_147_483_648, le=2_147_483_647)]
Moment = Annotated[datetime, Meta(tz=True)]
Key = Annotated[str, Meta(pattern="^[0-9]{1,18}$")]
Slug = Annotated[str, Meta(max_length=60, pattern="^[-a-zA-Z0-9_]*$")]
Word = Annotated[str, Meta(max_length=20)]
Name = Annotated[str, Meta(max_length=60)]
Person = Annotated[str, Meta(max_length=150)]
Line = Annotated[str, Meta(max_length=300)]
Hash = Annotated[str, Meta(pattern="^sha256:[0-9a-f]{64}$")]
HashOrNone = Annotated[str, Meta(pattern="^(sha256:[0-9a-f]{64})?$")]
"""What was committed to, empty before that."""
Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Exact = Annotated[str, Meta(max_length=40, pattern="^-?[0-9]{1,18}(/[1-9][0-9]{0,17})?$")]
ExactOrNone = Annotated[str, Meta(max_length=40, pattern="^(-?[0-9]{1,18}(/[1-9][0-9]{0,17})?)?$")]
Json = dict[str, Any]


class Part(Struct, forbid_unknown_fields=True, kw_only=True):
    """One thing of an event."""


class ExtraDeal(Struct):
    """An extra deal of people whose knock-out match ended level, per side."""

    score: Annotated[list[Whole], Meta(min_length=1, max_length=7)]
    victories: Annotated[list[Whole | None], Meta(min_length=1, max_length=7)]
    rank: Annotated[list[Small], Meta(min_length=1, max_length=7)]


class Decided(Struct, kw_only=True):
    """The decision of a level knock-out match, per side. by: the word of anyone who runs the event, the best
    single deal, or lots: SHA-256 of "seed entry", the smallest first.
    """

    by: Literal["ruling", "best_deal", "lots"]
    rank: Annotated[list[Small], Meta(min_length=1, max_length=7)]
    best: Annotated[list[Whole], Meta(max_length=7)] = []
    seed: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""


class Lost(Part):
    """A seat that lost a match by a fault: why, at which deal and move."""

    seat: Annotated[int, Meta(ge=0, le=6)]
    code: Name
    deal: Small
    move: Small


class Body(Struct, kw_only=True):
    """A report of a result, per side. by_deal: points of every deal, where people gave them.

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


class DealSet(Part, omit_defaults=True):
    """One seed, committed to in `commit`; shown once all its legs are done.

    earlier: the number of the stage's earlier secret that it was made from, if not from the one it has now.
    """

    uuid: UUID
    commit: Hash
    created_at: Moment
    revealed_at: Moment | None
    seed: Hex | None
    earlier: Small | None = None


class EarlierSecret(Part):
    """A secret that was shown although the stage then went on: its decks were made from it. number: from 1."""

    number: Small
    secret: Hex
    commitment: Hash
    revealed_at: Moment
