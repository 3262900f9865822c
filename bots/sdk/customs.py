"""Worth of a decision that captures nothing: bids, joining, calls, discards. A start for a bot of one's own.

Each decision gets a figure, to be compared with that of the other decisions at the same moment only.
"""

from __future__ import annotations

from typing import Any, Final

from bots.sdk.bidding import best_bid, bid_worth
from bots.sdk.calling import call_worth
from bots.sdk.joining import answer_worth, triplet_worth
from bots.sdk.pressing import declaration_worth
from bots.sdk.shedding import move_worth
from engine.action import Action
from engine.cards import CardSet
from engine.games.oibana.auction import NO_BID

NOTHING: Final = -1
SPOKEN: Final = frozenset({"bid", "join", "see", "mizuten", "triplet", "call", "discard", "stop", "pass", "declare"})
"""Kinds of actions that `custom` judges; only `cancel` is ever legal beside others."""


def custom(action: Action, position: Any, hand: CardSet) -> float:
    """Return what a decision is worth to the seat on turn, which holds `hand`; 0 for a play and any choice of a card.

    position: the engine's observation of that seat (`view.known`), or a world. In points of the game; the figure of a
    cancel is what it brings more than playing on. A blind dealer is unusual.
    """
    kind = action.kind
    if kind in ("discard", "stop", "pass"):
        return move_worth(action.card if kind == "discard" else NOTHING, hand)
    if kind == "bid":
        return bid_worth(action.amount, hand, bids_made(position), position.rules.options)
    if kind == "call":
        return call_worth(action.word, hand, position)
    if kind == "declare":
        return declaration_worth(action.word, hand, position)
    if kind == "join":
        return answer_worth(action.word, hand, position)
    if kind == "triplet":
        return triplet_worth(action.month, position.field)
    return 1.0 if kind == "see" else 0.0


def customary(world: Any, legal: tuple[Action, ...]) -> Action:
    """The decision of highest worth in a world of a playout, of any game; of equal ones the first."""
    hand: CardSet = world.hands[world.seat_to_act]
    if legal[0].kind == "bid":  # every amount from the lowest on
        return legal[best_bid(hand, bids_made(world), world.rules.options) - legal[0].amount]
    return max(legal, key=lambda action: custom(action, world, hand))


def bids_made(position: Any) -> list[int]:
    """The bids of an auction so far, by seat."""
    return [bid for bid in position.bids if bid != NO_BID]
