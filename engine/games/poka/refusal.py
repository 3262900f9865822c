"""Refusals of actions, in the precedence of rules.md 3.1: phase, seat, card."""

from __future__ import annotations

from engine.action import Action
from engine.errors import Refusal
from engine.games.poka.position import PokaPosition
from engine.games.poka.turn import continuing, forcing

Verdict = Action | Refusal


def check_legality(state: PokaPosition, action: Action, seat: int) -> Verdict:
    """The action itself if it is legal, or why it is refused."""
    if state.phase == "over":
        return Refusal.DEAL_OVER
    if action.kind not in ("discard", "stop", "pass") or (action.kind == "pass" and state.laid):
        return Refusal.WRONG_PHASE
    if seat != state.turn:
        return Refusal.NOT_YOUR_TURN
    if action.kind == "stop":
        return action if state.laid and not state.owes else Refusal.STOP_NOT_ALLOWED
    if action.kind == "pass":
        return Refusal.MUST_DISCARD if forcing(state) else action
    if not state.hands[seat] >> action.card & 1:
        return Refusal.NOT_IN_HAND
    return action if continuing(state) >> action.card & 1 else Refusal.ILLEGAL_DISCARD
