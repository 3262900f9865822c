"""The legal actions of a seat, in one canonical order.

A record and a forfeited seat (it plays the first one) depend on that order; it never changes:

- `hand`: the plays by card code, for each card without a target (laid, single match, whole triple) or with its targets
  by code. `flip_choice`: the targets by code. `decision`: `stop`, then `koikoi`.
"""

from __future__ import annotations

from typing import Final

from engine.action import Action
from engine.cards import MONTH_MASKS, members
from engine.games.koikoi.position import KoiKoiPosition
from engine.games.sakura.legal import DRAW_TAKE
from engine.games.sakura.plays import PLAYS, SHIFTS, Actions

STOP: Final = Action.of("declare", word="stop")
KOIKOI: Final = Action.of("declare", word="koikoi")
DECLARATIONS: Final[Actions] = (STOP, KOIKOI)
NOTHING: Final[Actions] = ()


def legal_actions(state: KoiKoiPosition) -> Actions:
    """Return what the seat to act may do; empty when the deal is over."""
    phase = state.phase
    if phase == "hand":
        return _plays(state)
    if phase == "flip_choice":
        matches = state.field & MONTH_MASKS[state.pending // 4]
        return tuple([DRAW_TAKE[card] for card in members(matches)])
    return DECLARATIONS if phase == "decision" else NOTHING


def _plays(state: KoiKoiPosition) -> Actions:
    hand, field, plays = state.hands[state.turn], state.field, NOTHING
    while hand:
        # The last month first, each put before the others: `bit_length` finds the highest card at once.
        shift = SHIFTS[hand.bit_length()]
        own = hand >> shift
        plays = PLAYS[shift << 6 | own << 4 | (field >> shift & 15)] + plays
        hand ^= own << shift
    return plays
