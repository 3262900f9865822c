"""The words of Oi-bana, beside those of the Sakura deal that it plays."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from engine.games.oibana.clauses import OIBANA_PARTS
from engine.games.sakura.words import SAKURA_WORDS
from engine.words import LocalizedMessage, Mark, Portrait, Words, gettext_noop

OIBANA_WORDS: Final[Words] = replace(
    SAKURA_WORDS,
    moves=MappingProxyType(
        {**SAKURA_WORDS.moves, "bid": LocalizedMessage(gettext_noop("%(who)s bids %(bid)s"), {"bid": "number"})},
    ),
    marks=MappingProxyType(
        {
            "bid": (Mark(gettext_noop("bid %(bid)s"), {"bid": "number"}, group="bid"),),
            "auction": (
                Mark(gettext_noop("watches"), group="role", seats=("*",)),
                Mark(gettext_noop("plays"), group="role", seats=("first", "second")),
            ),
            "redeal": (Mark(group="bid", seats=("*",)), Mark(group="role", seats=("*",))),
        }
    ),
    events=MappingProxyType(
        {
            **SAKURA_WORDS.events,
            "auction": LocalizedMessage(
                gettext_noop("%(first)s and %(second)s play, the others return their cards; %(first)s leads"),
                {"first": "seat", "second": "seat"},
            ),
            "settled": LocalizedMessage(
                gettext_noop("%(who)s wins by %(score)s, so %(from)s pays %(amount)s"),
                {"score": "score", "from": "seat", "amount": "number"},
            ),
            "redeal": LocalizedMessage(gettext_noop("a full month lies on the field: everything is dealt again")),
        }
    ),
    phases=MappingProxyType({"auction": gettext_noop("a bid"), **SAKURA_WORDS.phases}),
    lines=MappingProxyType(
        {
            "stake": gettext_noop("stake"),
            "margin": gettext_noop("Basa or Chu"),
            "watched": gettext_noop("did not play"),
        }
    ),
    account=gettext_noop("Points: stakes won minus stakes paid."),
    title=gettext_noop("Oi-bana"),
    ja=MappingProxyType({"oibana": "おいばな"}),
    parts=OIBANA_PARTS,
    portrait=Portrait(
        minute=gettext_noop(
            "Everybody looks at their cards and bids once, openly. The two highest bidders play a deal of Sakura"
            " against each other: they capture cards of the same month, and each yaku takes %(yaku_penalty)s points"
            " from the other. The others watch. The loser pays a stake to the winner; after %(rounds)s deals the player"
            " with the highest account wins."
        ),
        special=MappingProxyType({"oibana": gettext_noop("Bid for a seat, play for stakes")}),
        cards=("12.1", "01.1", "03.1"),
        luck=3,
    ),
)
