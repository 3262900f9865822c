"""The legal actions of a seat, in one canonical order: discards by card code, then `stop`, then `pass` (R93).

A record and a forfeited seat depend on that order; it never changes.
"""

from __future__ import annotations

from typing import Final

from engine.action import Action
from engine.cards import members
from engine.games.poka.position import PokaPosition
from engine.games.poka.turn import continuing, forcing

DISCARD: Final[tuple[Action, ...]] = tuple(Action.of("discard", card) for card in range(48))
STOP: Final = Action.of("stop")
PASS: Final = Action.of("pass")


def legal_actions(state: PokaPosition) -> tuple[Action, ...]:
    """Return what the seat to act may do; empty when the deal is over."""
    if state.phase == "over":
        return ()
    discards = tuple([DISCARD[card] for card in members(continuing(state))])
    if state.laid:
        return discards if state.owes else (*discards, STOP)
    return discards if forcing(state) else (*discards, PASS)
