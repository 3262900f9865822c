"""From an order of the deck to a world that is ready for the first decision. Source: rules.md 6.1."""

from __future__ import annotations

from engine.game import DealStart
from engine.games.nuki import table
from engine.games.nuki.rules import compile_rules
from engine.games.nuki.scoring import CARRY
from engine.games.nuki.state import NukiState


def new_deal(start: DealStart) -> NukiState | None:
    """Deal and set up; None if four cards of a month lie on the field: the cards are thrown in."""
    rules = compile_rules(start.ruleset, start.seats)
    empty = [0] * start.seats
    state = NukiState(rules, dealer=start.dealer, hands=empty, field=(), pile=(), shuffle=start.shuffle)
    state.carry, state.redeal = start.carry.get(CARRY, 0), start.redeal
    return state if table.deal(state, start.order) else None
