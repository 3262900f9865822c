"""Poka: the worth of a hand after a turn. Lay as many cards as follow each other, but keep the ghosts.

A ghost follows anything and lets anything follow, so it is worth most in the turn that empties the hand: until then it
is kept, by a pass or a stop. The figures were tried against each other in some 100,000 deals.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.cards import CardSet, members
from engine.games.poka.follow import FOLLOWERS, GHOSTS

OUT: Final = 1.0
"""The hand is empty: the deal is won."""
IN_HAND_SHARE: Final = 0.15
"""A ghost in the hand: worth more than the five other cards together that it could be spent for."""
LEFT: Final = -0.025
"""Any other card that is still there."""


def in_hand_worth(hand: CardSet) -> float:
    """Return what a hand is worth when the turn ends.

    >>> held(0), held(1 << 47)
    (1.0, -0.025)
    """
    if not hand:
        return OUT
    ghosts = (hand & GHOSTS).bit_count()
    return IN_HAND_SHARE * ghosts + LEFT * (hand.bit_count() - ghosts)


# The same rest of a hand is reached in many orders: without the cache the search is factorial in the cards.
@lru_cache(maxsize=20_000)
def turn_worth(top: int, hand: CardSet) -> float:
    """The most that the rest of a turn can make of a hand, with this card on top."""
    return max(
        (in_hand_worth(hand), *(turn_worth(card, hand & ~(1 << card)) for card in members(hand & FOLLOWERS[top])))
    )


def move_worth(card: int, hand: CardSet) -> float:
    """Return what a discard is worth; a pass or a stop, if `card` is -1."""
    return in_hand_worth(hand) if card < 0 else turn_worth(card, hand & ~(1 << card))
