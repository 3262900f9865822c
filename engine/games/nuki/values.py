"""Hachi-hachi values of the cards, by what is printed, and what counts as chaff. Source: rules.md 1.1, 1.4.

They are those of all 48 cards; the game plays with 34 of them.
"""

from __future__ import annotations

from typing import Final

from engine.cards import ALL as ALL
from engine.cards import CARDS, MONTH_MASKS, WILLOW, CardSet
from engine.cards import NUKI_DECK as NUKI_DECK

KAN: Final = 10
"""Points of one kan; half a kan is a whole number of points."""
TOTAL: Final = 211
ESCAPE_POINTS: Final = 106
"""The least number of card points above half of the deck."""
WILLOWS: Final[CardSet] = MONTH_MASKS[WILLOW - 1]


def _printed(category: str) -> CardSet:
    return sum(card.bit for card in CARDS if card.category == category)


BRIGHTS: Final = _printed("bright")
ANIMALS: Final = _printed("animal")
RIBBONS: Final = _printed("ribbon")
CHAFF: Final[CardSet] = _printed("chaff") | WILLOWS
"""The chaff of Group B and of Sixteen Chaff, 19 of them in the deck: every Willow is one."""


def card_points(cards: CardSet) -> int:
    """Card points of a set: brights 20, animals 10, ribbons 5, chaff 1, by what is printed.

    >>> card_points(NUKI_DECK), card_points(ALL)
    (211, 264)
    """
    brights, animals = (cards & BRIGHTS).bit_count(), (cards & ANIMALS).bit_count()
    ribbons = (cards & RIBBONS).bit_count()
    return 20 * brights + 10 * animals + 5 * ribbons + cards.bit_count() - brights - animals - ribbons


def chaff_count(cards: CardSet) -> int:
    """Number of chaff with the Willows."""
    return (cards & CHAFF).bit_count()
