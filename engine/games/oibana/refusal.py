"""Refusals of actions, in the precedence of rules.md 3.1; at the table Sakura's own reasons."""

from __future__ import annotations

from engine.action import Action
from engine.errors import Refusal
from engine.games.oibana.position import OibanaPosition
from engine.games.sakura import refusal as sakura_refusal

_WATCHING = -1


def check_legality(state: OibanaPosition, action: Action, seat: int) -> Action | Refusal:
    """The listed action that is meant, or why it is refused. `pass` is asked for by who does not want to bid."""
    if state.table is not None:
        player = state.players.index(seat) if seat in state.players else _WATCHING
        return sakura_refusal.check_legality(state.table, action, player)
    if action.kind not in ("bid", "pass"):
        return Refusal.WRONG_PHASE
    if seat != state.bidder:
        return Refusal.NOT_YOUR_TURN
    options = state.rules.options
    if action.kind == "pass" or action.amount < options.bid_min:
        return Refusal.BID_REQUIRED
    return Refusal.BID_TOO_HIGH if action.amount > options.bid_max else action
