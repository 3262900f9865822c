"""Order of the cards: the next month may follow, and the three ghosts anywhere. Source: rules.md 7.2, R79, R80."""

from __future__ import annotations

from typing import Final

from engine.cards import ALL, MONTH_MASKS, CardSet, parse_cards
from engine.games.poka.rules import Rules

GHOSTS: Final[CardSet] = parse_cards("01.1 01.2 02.1")
"""Crane, January ribbon, Bush Warbler: each follows everything and is followed by everything."""
NATURAL: Final[CardSet] = ALL & ~GHOSTS
JANUARY: Final[CardSet] = MONTH_MASKS[0]
FEBRUARY: Final[CardSet] = MONTH_MASKS[1]
FIRST_OF_FEBRUARY: Final = 4


def _followers(card: int) -> CardSet:
    bit = 1 << card
    return ALL & ~bit if bit & GHOSTS else (MONTH_MASKS[(card // 4 + 1) % 12] | GHOSTS)


FOLLOWERS: Final[tuple[CardSet, ...]] = tuple(_followers(card) for card in range(48))
"""By the card on top: every card that follows it. December is followed by January."""
FORCING: Final[tuple[CardSet, ...]] = tuple(cards & NATURAL for cards in FOLLOWERS)
"""By the card on top: the natural cards that follow it, which a seat must not hold back (R83)."""
SAME_MONTH: Final[tuple[CardSet, ...]] = tuple(MONTH_MASKS[card // 4] if card < 8 else 0 for card in range(48))
"""By the card on top: the month that `same_month_dump` lets a seat lay first; 0 but for January and February."""


def follows(card: int, top: int) -> bool:
    """Return whether a card may lie on the one on top, by the sequence alone.

    >>> from engine.cards import card_index
    >>> follows(card_index("01.3"), card_index("12.1")), follows(card_index("08.1"), card_index("06.1"))
    (True, False)
    """
    return bool(FOLLOWERS[top] >> card & 1)


def may_dump(rules: Rules, top: int) -> bool:
    """Return whether a turn that begins on this card may lay its whole month first (R82)."""
    return rules.same_month_dump and bool(SAME_MONTH[top])
