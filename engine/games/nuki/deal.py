"""Before the first decision: seating, dealing, misdeal, Paulownia, field multiplier. Source: rules.md 6.1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import MONTH_MASKS, CardSet, parse_cards
from engine.errors import BadSeating

SEATS: Final = (2, 4)
HAND: Final = 7
FIELD: Final = 6
PILE_AT_PLAY: Final = 14
"""Cards in the pile once inactive hands have come back: one flip for each of the seven turns of both players."""
PACKETS: Final = ((4, 3), (3, 3))
"""Two rounds of dealing: that many cards to each hand, then that many to the field."""
PAULOWNIA: Final[CardSet] = parse_cards("12.1 12.2")
LARGE_BRIGHTS: Final[CardSet] = parse_cards("01.1 03.1 08.1")
"""The brights that double a Deal; the Rain Man and the Phoenix do not."""


def seat_sides(seats: int) -> tuple[int, ...]:
    """Side number of every seat: everybody plays for himself. Raises BadSeating."""
    if not SEATS[0] <= seats <= SEATS[1]:
        message = f"Nuki cannot be seated with {seats} players. Players: 2, 3 or 4, all for themselves."
        raise BadSeating(message, extra={"teams": "solo", "seats": seats, "allowed": [2, 3, 4]})
    return tuple(range(seats))


def turn_order(dealer: int, seats: int) -> tuple[int, ...]:
    """Seats in turn order from the dealer, the dealer first."""
    return tuple((dealer + step) % seats for step in range(seats))


@dataclass(frozen=True, slots=True)
class Dealt:
    """Cards as they were dealt, indices: hands by seat in dealing order, the field, the pile top first."""

    hands: tuple[tuple[int, ...], ...]
    field: tuple[int, ...]
    pile: tuple[int, ...]


def deal_cards(order: Sequence[int], seats: int, dealer: int) -> Dealt:
    """Deal an order of the 34 cards: 4 to each from the dealer's right, 3 to the field, 3 to each, 3 to the field."""
    hands: list[list[int]] = [[] for _ in range(seats)]
    field: list[int] = []
    top = iter(order)
    for to_hand, to_field in PACKETS:
        for step in range(1, seats + 1):
            hands[(dealer + step) % seats].extend(next(top) for _ in range(to_hand))
        field.extend(next(top) for _ in range(to_field))
    return Dealt(tuple(map(tuple, hands)), tuple(field), tuple(top))


def is_misdeal(field: CardSet) -> bool:
    """Return whether four cards of a month lie on the field, so that nobody could ever take them."""
    return any(field & month == month for month in MONTH_MASKS)


def paulownia_on(field: CardSet) -> CardSet:
    """The two Paulownia if both lie on the field (the dealer's), else nothing."""
    return PAULOWNIA if field & PAULOWNIA == PAULOWNIA else 0


def field_multiplier(carry: int, field: CardSet) -> tuple[int, int]:
    """The multiplier of a Deal and the doubled Deals that it hands on. carry: those handed on to it.

    >>> field_multiplier(0, LARGE_BRIGHTS)
    (2, 2)
    """
    # One double is used up by this deal; the others double the deals that follow, one each.
    doubles = carry + (field & LARGE_BRIGHTS).bit_count()
    return (2, doubles - 1) if doubles else (1, 0)
