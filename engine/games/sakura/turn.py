"""A turn: the hand card, the flip, the end of the turn. Source: rules.md 3.2.

An action runs in steps, so that a replay can show them one by one (`trace`): `act` is the hand part, `flip` the
top of the pile, `end_turn` the next seat or the closing. `act` and `flip` say False when a choice is waited for.
Most plies are ordinary and done in one go instead: `plies`.
"""

from __future__ import annotations

from typing import Final

from engine.action import UNNAMED, Action
from engine.cards import GAJI, MONTH_MASKS, CardSet
from engine.games.sakura import gaji, hiki, scoring, transfer
from engine.games.sakura.position import SakuraPosition

MONTH_OF: Final[tuple[CardSet, ...]] = tuple(MONTH_MASKS[card // 4] for card in range(48))
"""The four cards of a card's month, by card."""


def apply(state: SakuraPosition, action: Action) -> None:
    """Do a legal action and everything that follows on its own."""
    if act(state, action):
        finish(state)


def finish(state: SakuraPosition) -> None:
    """Do the rest of a turn after a decision: the flip, unless it was for one, and the end of the turn."""
    if state.pending_flip or flip(state):
        end_turn(state)


def act(state: SakuraPosition, action: Action) -> bool:
    """Do the decision itself. Return True when the seat has nothing more to decide before the flip."""
    kind = action.kind
    if kind == "play":
        return play(state, action.card, action.take)
    if kind == "draw_take":
        return take_flipped(state, action.take)
    if kind == "blocked_choice":
        return gaji.choose(state, action.take)
    if kind == "hiki":
        hiki.capture(state, action.month)
    return True


def play(state: SakuraPosition, card: int, take: int) -> bool:
    """Play a hand card."""
    bit = 1 << card
    seat = state.turn
    # XOR: the action is legal, so the bit is set.
    state.hands[seat] ^= bit
    if card == GAJI and gaji.is_wild(state):
        return gaji.play(state, take)
    settle(state, card, take, flipped=False)
    return True


def settle(state: SakuraPosition, card: int, take: int, *, flipped: bool) -> None:
    """Lay a card, or capture with it: the named card, the single match, or the triple."""
    bit = 1 << card
    matches = state.field & MONTH_OF[card]
    if not matches:
        if flipped and state.transfer_open and transfer.takes_turned_up(state, card):
            return
        state.field |= bit
        state.laid.append(card)
        return
    if take >= 0:
        matches = 1 << take
    # More than one bit: no card was named, so it takes all three (with two a target is always named).
    elif matches & (matches - 1):
        state.notes.append(("triple", state.turn, card // 4 + 1))
    state.field ^= matches
    state.captured[state.rules.sides[state.turn]] |= matches | bit
    if state.transfer_open:
        transfer.pass_on(state, matches | bit, card if flipped else UNNAMED)


def flip(state: SakuraPosition) -> bool:
    """Turn up the top of the pile and play it. True when no choice is waited for."""
    if state.position >= len(state.pile):
        return True
    card = state.pile[state.position]
    state.position += 1
    count = (state.field & MONTH_OF[card]).bit_count()
    # Before the count: a wild Gaji may take any month, so the number of Willows on the field decides nothing.
    if card == GAJI and state.rules.pile_wild and gaji.is_wild(state):
        state.phase = "flip_gaji"
    elif count == 2 or (count == 3 and state.rules.triple_optional):
        state.phase = "flip_choice"
    else:
        settle(state, card, UNNAMED, flipped=True)
        return True
    state.pending = card
    # Kept until the end of the turn: after the choice `finish` must not turn up another card.
    state.pending_flip = True
    return False


def take_flipped(state: SakuraPosition, take: int) -> bool:
    """Do the choice for the flipped card."""
    card = state.pending
    state.pending = UNNAMED
    if state.phase == "flip_gaji":
        return gaji.play(state, take)
    settle(state, card, take, flipped=True)
    return True


def end_turn(state: SakuraPosition) -> None:
    """Hand over to the next seat that has something to do, or close the deal."""
    state.pending_flip = False
    state.barred = 0
    state.returned = False
    state.phase = "hand"
    seats = state.rules.seats
    seat = state.turn + 1
    if seat == seats:
        seat = 0
    state.turn = seat
    pile_empty = state.position >= len(state.pile)
    if state.hands[seat] and not (pile_empty and state.rules.ends_with_pile):
        return
    if is_ended(state, pile_empty):
        scoring.close(state)
        return
    # With a pile a seat without cards still draws; without one it is passed over.
    while pile_empty and not state.hands[seat]:
        seat = (seat + 1) % seats
    state.turn = seat


def is_ended(state: SakuraPosition, pile_empty: bool) -> bool:
    """The end test after a complete turn (rules.md 3.2, `round_end`)."""
    if any(state.hands):
        return pile_empty and state.rules.ends_with_pile
    return pile_empty or state.rules.ends_with_hands
