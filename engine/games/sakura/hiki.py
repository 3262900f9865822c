"""Hiki: a whole month from hand and field, instead of a hand card. Source: rules.md 3.2, R22, R23."""

from __future__ import annotations

from engine.action import UNNAMED
from engine.cards import MONTH_MASKS, CardSet
from engine.games.sakura import transfer
from engine.games.sakura.position import SakuraPosition


def is_hiki(hand: CardSet, field: CardSet, month: int) -> bool:
    """Return whether the four cards of a month (1..12) lie in the hand and on the field, at least one in the hand."""
    mask = MONTH_MASKS[month - 1]
    return (hand | field) & mask == mask and hand & mask != 0


def capture(state: SakuraPosition, month: int) -> None:
    """The seat on turn captures the month; like any capture it may owe a point card (`transfer`)."""
    take_month(state, state.turn, MONTH_MASKS[month - 1])
    if state.transfer_open:
        transfer.pass_on(state, MONTH_MASKS[month - 1], UNNAMED)


def take_month(state: SakuraPosition, seat: int, mask: CardSet) -> None:
    """Move all four cards of a month from a seat's hand and the field to its side."""
    state.hands[seat] &= ~mask
    state.field &= ~mask
    state.captured[state.rules.sides[seat]] |= mask
