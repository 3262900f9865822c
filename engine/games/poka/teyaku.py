"""Hands that count as they are dealt, one per hand. Source: rules.md 7.1, R87, R88."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.cards import MONTH_MASKS, CardSet, card_set, members
from engine.games.poka.follow import GHOSTS, JANUARY

HAND_SIZE: Final = 6


@dataclass(frozen=True, slots=True)
class Teyaku:
    """One kind. points: what it scores; wins_match: whether it ends the match at once, regardless of the target."""

    id: str
    points: int
    wins_match: bool
    source: str


BUTTAKURI: Final = Teyaku("buttakuri", 5, True, "rules 7.1; 004 Teyaku table")
GHOST_TRIPLET: Final = Teyaku("ghost_triplet", 2, False, "rules 7.1; 004 Teyaku table")
JANUARY_TRIPLET: Final = Teyaku("january_triplet", 2, False, "rules 7.1; 004 Teyaku table")
TRIPLE_STICKY: Final = Teyaku("triple_sticky", 2, False, "rules 7.1; 004 Teyaku table")

TEYAKU: Final[tuple[Teyaku, ...]] = (BUTTAKURI, GHOST_TRIPLET, JANUARY_TRIPLET, TRIPLE_STICKY)
"""All of them; a hand that fits several is named by the first (R87)."""
BY_ID: Final = MappingProxyType({kind.id: kind for kind in TEYAKU})


@dataclass(frozen=True, slots=True)
class Shown:
    """A teyaku in a hand, and the cards that make it, which everybody sees (rules 3.6)."""

    kind: Teyaku
    cards: CardSet


def teyaku_of(hand: CardSet) -> Shown | None:
    """The teyaku of a hand as it was dealt, None without one.

    >>> from engine.cards import parse_cards
    >>> found = teyaku_of(parse_cards("01.1 01.2 01.3 02.1 06.1 07.1"))
    >>> found and found.kind.id
    'ghost_triplet'
    """
    # In the order of TEYAKU: a hand that fits several is named by the first (R87).
    full = next((month for month in MONTH_MASKS if hand & month == month), 0)
    if full:
        return Shown(BUTTAKURI, full)
    if hand & GHOSTS == GHOSTS:
        return Shown(GHOST_TRIPLET, GHOSTS)
    if (hand & JANUARY).bit_count() == 3:
        return Shown(JANUARY_TRIPLET, hand & JANUARY)
    pairs = card_set(card for month in MONTH_MASKS if (hand & month).bit_count() == 2 for card in members(hand & month))
    return Shown(TRIPLE_STICKY, hand) if pairs == hand and hand.bit_count() == HAND_SIZE else None


def counting(shown: Sequence[Shown | None]) -> int | None:
    """The seat whose teyaku counts: the only one, or a buttakuri against a lesser one. None if nobody's does.

    Two of equal value are void, no matter what their names (R88).
    """
    points = [one.kind.points if one else 0 for one in shown]
    best = max(points)
    return points.index(best) if best and points.count(best) == 1 else None
