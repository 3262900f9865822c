"""Refusals of actions, in the precedence of rules.md 3.1: phase, seat, preset, empty hand, card, hiki, capture."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from engine.action import LEAVE, NONE, RETURN, TRIPLE, UNNAMED, Action
from engine.cards import BITS, GAJI, MONTH_MASKS, CardSet
from engine.errors import Refusal
from engine.games.sakura import gaji, hiki
from engine.games.sakura.position import SakuraPosition

_PHASE_OF: Final = MappingProxyType(
    {
        "play": ("hand",),
        "hiki": ("hand",),
        "draw_only": ("hand",),
        "draw_take": ("flip_choice", "flip_gaji"),
        "blocked_choice": ("gaji_blocked",),
    }
)
Verdict = Action | Refusal


def check_legality(state: SakuraPosition, action: Action, seat: int) -> Verdict:
    """The listed action that is meant, or why it is refused."""
    if state.phase == "over":
        return Refusal.DEAL_OVER
    if state.phase not in _PHASE_OF.get(action.kind, ()) or _is_out_of_phase(state, action):
        return Refusal.WRONG_PHASE
    if seat != state.turn:
        return Refusal.NOT_YOUR_TURN
    if action.kind == "draw_only":
        return action
    if action.kind in ("play", "hiki"):
        return _check_hand(state, action)
    return _check_choice(state, action)


def _is_out_of_phase(state: SakuraPosition, action: Action) -> bool:
    """A flip while there are cards to play; the Gaji or a hiki after the Gaji came back."""
    if action.kind == "draw_only":
        return state.hands[state.turn] != 0
    return state.returned and (action.kind == "hiki" or action.card == GAJI)


def _check_hand(state: SakuraPosition, action: Action) -> Verdict:
    hand = state.hands[state.turn]
    if action.kind == "hiki" and not state.rules.hiki:
        return Refusal.NOT_IN_PRESET
    if not hand:
        return Refusal.HAND_EMPTY
    if action.kind == "hiki":
        return action if hiki.is_hiki(hand, state.field, action.month) else Refusal.NOT_A_HIKI
    if not hand >> action.card & 1:
        return Refusal.NOT_IN_HAND
    if action.card == GAJI and gaji.is_wild(state):
        return _check_wild(state, action)
    return _check_capture(state, action, action.card)


def _check_choice(state: SakuraPosition, action: Action) -> Verdict:
    if state.phase == "flip_choice":
        return _check_capture(state, action, state.pending)
    return _check_wild(state, action)


def _check_capture(state: SakuraPosition, action: Action, card: int) -> Verdict:
    """An ordinary card by the table of rules.md 3.2."""
    matches = state.field & MONTH_MASKS[card // 4]
    count, take = matches.bit_count(), action.take
    if take == RETURN:
        return Refusal.RETURN_NOT_ALLOWED
    # A shorthand: "leave" of a card without a match is the plain play.
    if take in (NONE, LEAVE):
        return Refusal.CAPTURE_REQUIRED if matches else _with(action, UNNAMED)
    if not matches:
        return action if take == UNNAMED else Refusal.NO_MATCH
    # A flipped card that matches three waits only where a triple is optional: there "all" is a choice, too.
    asks_for_choice = count == 2 or (count == 3 and action.kind == "draw_take")
    if take == UNNAMED:
        return Refusal.CHOICE_REQUIRED if asks_for_choice else action
    if take == TRIPLE:
        whole = TRIPLE if action.kind == "draw_take" else UNNAMED
        return _with(action, whole) if count == 3 else Refusal.BAD_TARGET
    return _check_target(state, action, matches)


def _check_target(state: SakuraPosition, action: Action, matches: CardSet) -> Verdict:
    if not matches & BITS[action.take]:
        return Refusal.NO_MATCH if _is_gaji_elsewhere(action) else Refusal.BAD_TARGET
    count = matches.bit_count()
    if count == 3 and not state.rules.triple_optional:
        return Refusal.CAPTURE_REQUIRED
    return _with(action, UNNAMED) if count == 1 else action


def _is_gaji_elsewhere(action: Action) -> bool:
    """A Gaji that is not wild was to take another month (rules.md 3.2: refused with NO_MATCH)."""
    return action.card == GAJI and action.take // 4 != GAJI // 4


def _check_wild(state: SakuraPosition, action: Action) -> Verdict:
    """The wild Gaji: from the hand, from the pile, or after a block."""
    take, blocked = action.take, action.kind == "blocked_choice"
    if take == UNNAMED:
        return Refusal.CHOICE_REQUIRED
    if take == RETURN:
        return action if blocked and gaji.may_return(state) else Refusal.RETURN_NOT_ALLOWED
    if take in (NONE, LEAVE):
        return _with(action, LEAVE) if blocked or state.rules.may_decline else Refusal.CAPTURE_REQUIRED
    if take < 0 or not state.field & BITS[take]:
        return Refusal.BAD_TARGET
    return Refusal.BLOCKED_TARGET if state.barred & BITS[take] else action


def _with(action: Action, take: int) -> Action:
    return action if action.take == take else Action.of(action.kind, action.card, take)
