"""A turn: the hand card, the flip, the decision on a new dekiyaku, the end. Source: rules.md 6.4.

An action runs in steps, so that a replay can show them one by one (`trace`): `act` is the decision itself, `flip`
the top of the pile, `end_turn` what follows. `act` says True when a flip follows, `flip` when no choice is waited for.
"""

from __future__ import annotations

from engine.action import UNNAMED, Action
from engine.games.nuki import table
from engine.games.nuki.dekiyaku import completes_any
from engine.games.nuki.position import NukiPosition
from engine.games.sakura.turn import MONTH_OF


def apply(state: NukiPosition, action: Action) -> None:
    """Do a legal action and everything that follows on its own."""
    if act(state, action) and flip(state):
        end_turn(state)


def act(state: NukiPosition, action: Action) -> bool:
    """The decision itself. True when the flip comes next."""
    kind = action.kind
    if kind == "play":
        bit = 1 << action.card
        state.hands[state.turn] ^= bit
        state.played[state.turn] |= bit
        settle(state, action.card, action.take)
        return True
    if kind == "draw_take":
        card, state.pending = state.pending, UNNAMED
        settle(state, card, action.take)
        end_turn(state)
    elif kind == "call":
        _call(state, action.word)
    elif kind == "triplet":
        table.name_triplet(state, action.month)
    elif kind == "join":
        table.answer(state, "play" if action.word == "play" else "drop")
    else:
        table.declare(state, blind=kind == "mizuten")
    return False


def settle(state: NukiPosition, card: int, take: int) -> None:
    """Lay a card, or capture with it: the named card, the single match, or the triple. Notes a new dekiyaku."""
    bit = 1 << card
    matches = state.field & MONTH_OF[card]
    if not matches:
        state.field |= bit
        state.laid.append(card)
        return
    if take >= 0:
        matches = 1 << take
    # More than one bit set and none named: a triple, since of two one must be named.
    elif matches & (matches - 1):
        state.notes.append(("triple", state.turn, card // 4 + 1))
    state.field ^= matches
    if completes_any(state.captured[state.turn], matches | bit):
        state.fresh = True
    state.captured[state.turn] |= matches | bit


def flip(state: NukiPosition) -> bool:
    """Turn up the top of the pile and play it. True when no choice is waited for."""
    if state.position >= len(state.pile):
        return True
    card = state.pile[state.position]
    state.position += 1
    state.turned |= 1 << card
    # Of one card or three there is nothing to choose.
    if (state.field & MONTH_OF[card]).bit_count() == 2:
        state.phase, state.pending = "flip_choice", card
        return False
    settle(state, card, UNNAMED)
    return True


def end_turn(state: NukiPosition) -> None:
    """Ask for a call if there is something new, else hand over."""
    if state.fresh:
        state.phase = "decision"
    else:
        pass_on(state)


def pass_on(state: NukiPosition) -> None:
    """The other active seat is on turn; the Deal ends when both hands are exhausted."""
    state.fresh = False
    state.phase = "hand"
    other = state.opponent(state.turn)
    # In play the second player's last card exhausts both hands; only positions given in part differ.
    if state.hands[other]:
        state.turn = other
    elif not state.hands[state.turn]:
        state.phase, state.end = "over", "exhausted"


def _call(state: NukiPosition, word: str) -> None:
    if word == "sage":
        state.sage |= 1 << state.turn
        # Only the first caller wins a deal whose hands run out (R65).
        if state.first_sage < 0:
            state.first_sage = state.turn
        pass_on(state)
        return
    state.phase, state.ended_by = "over", state.turn
    state.end = "shoubu" if word == "shoubu" else "cancel"
