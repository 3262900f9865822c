"""The legal actions of a seat, in one canonical order.

A record and a forfeited seat (it plays the first one) depend on that order; it never changes:

- `mizuten`: `see`, then `mizuten`. `join`: `play`, then `drop` (not for a dealer who plays blind).
- `showdown`: the months of both triplets, the earlier one first.
- `hand`: the plays by card code, for each card without a target (laid, single match, whole triple) or with its
  targets by code; after all plays `cancel`, if this seat has called sage.
- `flip_choice`: the targets by code. `decision`: `sage`, then `shoubu`.
"""

from __future__ import annotations

from typing import Final

from engine.action import Action
from engine.cards import MONTH_MASKS, members
from engine.games.nuki.position import NukiPosition
from engine.games.nuki.teyaku import triplet_choice
from engine.games.sakura.legal import DRAW_TAKE
from engine.games.sakura.plays import plays_by_month

Actions = tuple[Action, ...]

SEE: Final = Action.of("see")
MIZUTEN: Final = Action.of("mizuten")
JOIN: Final = Action.of("join", word="play")
DROP: Final = Action.of("join", word="drop")
TRIPLET: Final[Actions] = tuple(Action.of("triplet", month=month) for month in range(13))
"""The claim of a triplet, by month 1..12."""
SAGE: Final = Action.of("call", word="sage")
SHOUBU: Final = Action.of("call", word="shoubu")
CANCEL: Final = Action.of("call", word="cancel")

_BLIND_OR_NOT: Final[Actions] = (SEE, MIZUTEN)
_ANSWERS: Final[Actions] = (JOIN, DROP)
_MUST_JOIN: Final[Actions] = (JOIN,)
_CALLS: Final[Actions] = (SAGE, SHOUBU)
_PLAYS: Final = plays_by_month(optional=False)


def legal_actions(state: NukiPosition) -> Actions:
    """Return what the seat to act may do; empty when the deal is over."""
    phase = state.phase
    if phase == "hand":
        return _hand(state)
    if phase == "flip_choice":
        return tuple(DRAW_TAKE[card] for card in members(state.field & MONTH_MASKS[state.pending // 4]))
    if phase == "decision":
        return _CALLS
    if phase == "join":
        return _MUST_JOIN if is_committed(state) else _ANSWERS
    if phase == "showdown":
        return tuple(TRIPLET[month] for month in triplet_choice(state.hands[state.turn]))
    return _BLIND_OR_NOT if phase == "mizuten" else ()


def is_committed(state: NukiPosition) -> bool:
    """Return whether the seat on turn has declared to play blind, so that it must play."""
    return state.mizuten and state.turn == state.dealer


def may_cancel(state: NukiPosition) -> bool:
    """Return whether the seat on turn has called sage in this deal."""
    return state.sage >> state.turn & 1 == 1


def _hand(state: NukiPosition) -> Actions:
    hand, field = state.hands[state.turn], state.field
    plays: list[Action] = []
    month = 0
    while hand:
        # Four bits a month from the lowest on: the plays come out in code order without sorting.
        own = hand & 15
        if own:
            plays += _PLAYS[month][own << 4 | field & 15]
        hand >>= 4
        field >>= 4
        month += 1
    if may_cancel(state):
        plays.append(CANCEL)
    return tuple(plays)
