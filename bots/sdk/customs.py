"""What players usually do where no card is captured: bids, joining, calls, discards. A start for a bot of one's own.

Each decision gets a figure, to be compared with that of the other decisions at the same moment only.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from bots.sdk.tables import values_of
from engine.action import Action
from engine.cards import GAJI, CardSet, members
from engine.games.poka.follow import FOLLOWERS, GHOSTS

NOTHING: Final = -1
BID_FREE: Final = 50
"""Card points of an Oi-bana hand that are worth no bid; eight cards hold 40 on average, and a high bid pays itself."""
BID_STEP: Final = 7
GAJI_BONUS: Final = 12
JOIN_FROM: Final = 38
"""Card points of a Nuki hand that is worth playing: seven cards hold 43 on average."""
GHOST: Final = 0.6
"""What laying a ghost counts beside a natural card, which is 1: ghosts are laid last."""
SPOKEN: Final = frozenset({"bid", "join", "see", "mizuten", "triplet", "call", "discard", "stop", "pass"})
"""Kinds of actions that `custom` judges. If the first legal action is of one of them, all are."""

_CALLS: Final = {"shoubu": 1.0, "sage": 0.0, "cancel": -1000.0}


def custom(action: Action, hand: CardSet = 0, top: int = NOTHING) -> float:
    """How usual an action is for who holds `hand`, higher is more; 0 for the Sakura turn.

    top: the card on top of the discard pile in Poka. A bid far from what the hand is worth is unusual; a weak hand
    drops out; whoever may end the deal with a dekiyaku does; cards are discarded in the longest chain.
    """
    kind = action.kind
    if kind == "discard":
        return _weight(action.card) + chain(action.card, hand & ~(1 << action.card))
    if kind == "bid":
        return -abs(action.amount - fair_bid(hand))
    if kind == "call":
        return _CALLS[action.word]
    if kind == "join":
        return float(_nuki_points(hand) - JOIN_FROM) if action.word == "play" else 0.0
    return 1.0 if kind == "see" else 0.0


def customary(world: Any, legal: tuple[Action, ...]) -> Action:
    """The most usual of the legal actions in a world of a playout; of equal ones the first.

    world: an engine state of any game; its hand and discard pile are those of the seat to act.
    """
    hand: CardSet = world.hands[world.seat_to_act]
    if legal[0].kind == "bid":  # every amount from the lowest on
        return legal[min(max(0, fair_bid(hand) - legal[0].amount), len(legal) - 1)]
    discard = getattr(world, "discard", None)
    top: int = discard[-1] if discard else NOTHING
    return max(legal, key=lambda action: custom(action, hand, top))


@lru_cache(maxsize=2_000)
def fair_bid(hand: CardSet) -> int:
    """What an Oi-bana hand is worth bidding, by its card points and the Gaji; at least 1.

    >>> from engine.cards import parse_cards
    >>> fair_bid(parse_cards("01.4 02.4 03.4 04.4 05.4 06.4 07.4 08.4"))
    1
    """
    values = values_of("oibana")
    strength = sum(values[card] for card in members(hand)) + (GAJI_BONUS if hand >> GAJI & 1 else 0)
    return max(1, (strength - BID_FREE) // BID_STEP)


def _nuki_points(hand: CardSet) -> int:
    values = values_of("nuki")
    return sum(values[card] for card in members(hand))


def _weight(card: int) -> float:
    return GHOST if GHOSTS >> card & 1 else 1.0


@lru_cache(maxsize=20_000)
def chain(top: int, hand: CardSet) -> float:
    """The most that a Poka hand can lay in one turn on a card: 1 for every natural card, less for a ghost."""
    return max((_weight(card) + chain(card, hand & ~(1 << card)) for card in members(hand & FOLLOWERS[top])), default=0)
