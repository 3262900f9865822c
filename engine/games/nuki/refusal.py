"""Refusals of actions, in the precedence of rules.md 3.1: phase, seat, preset, empty hand, card, hiki, capture."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, TypeAlias

from engine.action import LEAVE, NONE, RETURN, TRIPLE, UNNAMED, Action
from engine.cards import BITS, GAJI, MONTH_MASKS, CardSet
from engine.errors import Refusal
from engine.games.nuki.legal import is_committed, may_cancel
from engine.games.nuki.position import NukiPosition
from engine.games.nuki.teyaku import triplet_choice

_PHASE_OF: Final = MappingProxyType(
    {
        "mizuten": "mizuten",
        "see": "mizuten",
        "join": "join",
        "triplet": "showdown",
        "play": "hand",
        "hiki": "hand",
        "draw_take": "flip_choice",
    }
)
Verdict: TypeAlias = Action | Refusal


def check_legality(state: NukiPosition, action: Action, seat: int) -> Verdict:
    """The listed action that is meant, or why it is refused."""
    kind = action.kind
    if state.phase == "over":
        return Refusal.DEAL_OVER
    if kind in ("mizuten", "see") and not state.rules.mizuten:
        return Refusal.NOT_IN_PRESET
    wanted = _PHASE_OF.get(kind)
    # Two decisions in one kind: cancel is called before a card, sage and shoubu after a new dekiyaku.
    if kind == "call":
        wanted = "hand" if action.word == "cancel" else "decision"
    if state.phase != wanted:
        return Refusal.WRONG_PHASE
    if seat != state.turn:
        return Refusal.NOT_YOUR_TURN
    if kind == "play":
        return _check_play(state, action)
    if kind == "draw_take":
        return _check_capture(state, action, state.pending)
    return _check_answer(state, action)


def _check_answer(state: NukiPosition, action: Action) -> Verdict:
    """Judge an action that names no card."""
    if action.kind == "hiki":
        return Refusal.NOT_IN_PRESET
    if action.word == "drop" and is_committed(state):
        return Refusal.COMMITTED
    if action.word == "cancel" and not may_cancel(state):
        return Refusal.NO_SAGE
    if action.kind == "triplet" and action.month not in triplet_choice(state.hands[state.turn]):
        return Refusal.BAD_TARGET
    return action


def _check_play(state: NukiPosition, action: Action) -> Verdict:
    hand = state.hands[state.turn]
    if not hand:
        return Refusal.HAND_EMPTY
    if not hand >> action.card & 1:
        return Refusal.NOT_IN_HAND
    return _check_capture(state, action, action.card)


def _check_capture(state: NukiPosition, action: Action, card: int) -> Verdict:
    """A hand card or a flipped card by the table of rules.md 3.2, nothing optional."""
    matches = state.field & MONTH_MASKS[card // 4]
    count, take = matches.bit_count(), action.take
    if take == RETURN:
        return Refusal.RETURN_NOT_ALLOWED
    if take in (NONE, LEAVE):
        return Refusal.CAPTURE_REQUIRED if matches else _unnamed(action)
    if not matches:
        return action if take == UNNAMED else Refusal.NO_MATCH
    if take == UNNAMED:
        return Refusal.CHOICE_REQUIRED if count == 2 else action
    if take == TRIPLE:
        return _unnamed(action) if count == 3 else Refusal.BAD_TARGET
    return _check_target(action, card, matches)


def _check_target(action: Action, card: int, matches: CardSet) -> Verdict:
    if not matches & BITS[action.take]:
        is_wild_elsewhere = card == GAJI and action.take // 4 != GAJI // 4
        return Refusal.NO_MATCH if is_wild_elsewhere else Refusal.BAD_TARGET
    count = matches.bit_count()
    if count == 3:
        return Refusal.CAPTURE_REQUIRED
    return _unnamed(action) if count == 1 else action


def _unnamed(action: Action) -> Action:
    """The listed action where there is nothing to choose."""
    return Action.of(action.kind, action.card)
