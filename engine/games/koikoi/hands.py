"""Hands that count as they are dealt, and fields that cannot be played. Source: Fuda Wiki Lucky Hands; KoiKoi-AI."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.cards import MONTH_MASKS, CardSet
from engine.games.koikoi.options import KoiKoiOptions
from engine.games.sakura.deal import full_months

HAND_SIZE: Final = 8
LUCKY_POINTS: Final = 6


class Lucky(NamedTuple):
    """A winning hand: its name (`teshi` or `kuttsuki`), what it scores, and the cards that are shown."""

    name: str
    points: int
    cards: CardSet


class Setup(NamedTuple):
    """Effect of the setup. end: None (play goes on), `redeal`, or why the deal is over; seat: who wins it, or None.

    lucky: the winning hands, by seat.
    """

    end: str | None
    seat: int | None = None
    lucky: tuple[Lucky | None, ...] = (None, None)


def is_four_pairs(cards: CardSet) -> bool:
    """Return whether these are eight cards in pairs; a full month is two pairs, three of a month only one."""
    return cards.bit_count() == HAND_SIZE and not any((cards & month).bit_count() & 1 for month in MONTH_MASKS)


def asks_for_redeal(options: KoiKoiOptions, hand: CardSet) -> bool:
    """Return whether the cards must be dealt again because of a starting hand."""
    return (options.teshi == "redeal" and bool(full_months(hand))) or (
        options.kuttsuki == "redeal" and is_four_pairs(hand)
    )


def lucky_hand(options: KoiKoiOptions, hand: CardSet) -> Lucky | None:
    """The winning hand that a starting hand is, None if it is played. One that is both is named `teshi`."""
    full = full_months(hand) if options.teshi == "win" else 0
    pairs = options.kuttsuki == "win" and is_four_pairs(hand)
    if full:
        return Lucky("teshi", 2 * LUCKY_POINTS if pairs and options.teyaku_stack else LUCKY_POINTS, full)
    return Lucky("kuttsuki", LUCKY_POINTS, hand) if pairs else None


def is_played(options: KoiKoiOptions, hand: CardSet) -> bool:
    """Return whether a deal with this starting hand is played at all."""
    return not asks_for_redeal(options, hand) and lucky_hand(options, hand) is None


def set_up(options: KoiKoiOptions, dealer: int, hands: Sequence[CardSet], field: CardSet) -> Setup:
    """Look at a deal before the first turn: first the field, then hands that are dealt again, then those that win."""
    if full_months(field):
        return Setup("redeal") if options.field_quad == "redeal" else Setup("field_quad", dealer)
    if options.field_pairs == "redeal" and is_four_pairs(field):
        return Setup("redeal")
    if any(asks_for_redeal(options, hand) for hand in hands):
        return Setup("redeal")
    lucky = tuple(lucky_hand(options, hand) for hand in hands)
    winners = [(seat, found) for seat, found in enumerate(lucky) if found]
    if not winners:
        return Setup(None)
    if len(winners) > 1:
        return Setup("both_teyaku", None, lucky)
    seat, found = winners[0]
    return Setup(found.name, seat, lucky)
