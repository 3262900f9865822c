"""Refusals of actions, in the precedence of rules.md 3.1: phase, seat, card, capture."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, TypeAlias

from engine.action import LEAVE, NONE, RETURN, TRIPLE, UNNAMED, Action
from engine.cards import BITS, MONTH_MASKS, CardSet
from engine.errors import Refusal
from engine.games.koikoi.position import KoiKoiPosition

_PHASE_OF: Final = MappingProxyType({"play": "hand", "draw_take": "flip_choice", "declare": "decision"})
Verdict: TypeAlias = Action | Refusal


def check_legality(state: KoiKoiPosition, action: Action, seat: int) -> Verdict:
    """The listed action that is meant, or why it is refused."""
    if state.phase == "over":
        return Refusal.DEAL_OVER
    if state.phase != _PHASE_OF.get(action.kind):
        return Refusal.WRONG_PHASE
    if seat != state.turn:
        return Refusal.NOT_YOUR_TURN
    if action.kind == "declare":
        return action
    if action.kind == "draw_take":
        return _check_capture(state, action, state.pending)
    hand = state.hands[seat]
    if not hand:
        return Refusal.HAND_EMPTY
    return _check_capture(state, action, action.card) if hand >> action.card & 1 else Refusal.NOT_IN_HAND


def _check_capture(state: KoiKoiPosition, action: Action, card: int) -> Verdict:
    """A hand card or a flipped card by the table of rules.md 3.2, nothing optional."""
    matches = state.field & MONTH_MASKS[card // 4]
    count, take = matches.bit_count(), action.take
    if take == RETURN:
        return Refusal.RETURN_NOT_ALLOWED
    # A shorthand: "leave" of a card without a match is the plain play.
    if take in (NONE, LEAVE):
        return Refusal.CAPTURE_REQUIRED if matches else _unnamed(action)
    if not matches:
        return action if take == UNNAMED else Refusal.NO_MATCH
    if take == UNNAMED:
        return Refusal.CHOICE_REQUIRED if count == 2 else action
    if take == TRIPLE:
        return _unnamed(action) if count == 3 else Refusal.BAD_TARGET
    return _check_target(action, matches)


def _check_target(action: Action, matches: CardSet) -> Verdict:
    if not matches & BITS[action.take]:
        return Refusal.BAD_TARGET
    count = matches.bit_count()
    if count == 3:
        return Refusal.CAPTURE_REQUIRED
    return _unnamed(action) if count == 1 else action


def _unnamed(action: Action) -> Action:
    """The listed action where there is nothing to choose."""
    return Action.of(action.kind, action.card)
