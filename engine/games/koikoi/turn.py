"""A turn: the hand card, the flip, the decision on better yaku, the end. Source: Fuda Wiki Turns, Checking for Yaku.

An action runs in steps, so that a replay can show them one by one (`trace`): `act` is the decision itself, `flip`
the top of the pile, `end_turn` what follows. `act` says True when a flip follows, `flip` when no choice is waited for.
Most plies are ordinary and done in one go instead: `plies`.
"""

from __future__ import annotations

from engine.action import UNNAMED, Action
from engine.games.koikoi.position import KoiKoiPosition
from engine.games.koikoi.rules import points_of
from engine.games.sakura.turn import MONTH_OF


def apply(state: KoiKoiPosition, action: Action) -> None:
    """Do a legal action and everything that follows on its own."""
    if act(state, action) and flip(state):
        end_turn(state)


def act(state: KoiKoiPosition, action: Action) -> bool:
    """The decision itself. True when the flip comes next."""
    kind = action.kind
    if kind == "play":
        # XOR: the action is legal, so the bit is set.
        state.hands[state.turn] ^= 1 << action.card
        settle(state, action.card, action.take)
        return True
    if kind == "draw_take":
        card, state.pending = state.pending, UNNAMED
        settle(state, card, action.take)
        end_turn(state)
    elif action.word == "stop":
        close(state, "shoubu", state.turn)
    else:
        call(state)
    return False


def settle(state: KoiKoiPosition, card: int, take: int) -> None:
    """Lay a card, or capture with it: the named card, the single match, or the triple."""
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
    state.captured[state.turn] |= matches | bit


def flip(state: KoiKoiPosition) -> bool:
    """Turn up the top of the pile and play it. True when no choice is waited for."""
    # Only positions given in part have no pile: in play eight cards are left when the hands run out.
    if state.position >= len(state.pile):
        return True
    card = state.pile[state.position]
    state.position += 1
    if (state.field & MONTH_OF[card]).bit_count() == 2:
        state.phase, state.pending = "flip_choice", card
        return False
    settle(state, card, UNNAMED)
    return True


def points(state: KoiKoiPosition, seat: int) -> int:
    """Points of all yaku that a seat holds now."""
    called = state.calls[seat] > 0
    return points_of(state.rules, state.captured[seat], called=called, lying=state.field, month=state.month)


def end_turn(state: KoiKoiPosition) -> None:
    """Ask whether to go on if the seat has more points than at its last call, else hand over.

    Where no call is possible the deal ends on its own: without a hand card nothing could ever improve.
    """
    seat = state.turn
    now = points(state, seat)
    if now <= state.marks[seat]:
        pass_on(state)
        return
    state.notes.append(("yaku", seat, now))
    if may_call(state, seat):
        state.phase = "decision"
        return
    state.notes.append(("no_call", seat, now))
    close(state, "shoubu", seat)


def may_call(state: KoiKoiPosition, seat: int) -> bool:
    """Return whether a seat may call koi-koi: it has a card left to play, and the limit of calls is not reached."""
    if not state.hands[seat]:
        return False
    rules, calls = state.rules, state.calls
    if rules.once:
        return not calls[0] and not calls[1]
    return not (rules.each_once and calls[seat])


def call(state: KoiKoiPosition) -> None:
    """Call koi-koi: the deal goes on. What the call itself makes of the viewings is no improvement later."""
    seat = state.turn
    state.calls[seat] += 1
    state.last_caller = seat
    state.held[seat] = state.yaku(seat)
    state.marks[seat] = points(state, seat)
    pass_on(state)


def pass_on(state: KoiKoiPosition) -> None:
    """Hand over to the other seat; the deal ends when both hands are exhausted."""
    state.phase = "hand"
    other = 1 - state.turn
    # In play the other player's eighth card exhausts both hands; only positions given in part differ.
    if state.hands[other]:
        state.turn = other
    elif not state.hands[state.turn]:
        state.notes.append(("exhausted", -1, 0))
        close(state, "exhausted", -1)


def close(state: KoiKoiPosition, end: str, winner: int) -> None:
    """End the deal. winner: the seat that stopped, -1 if nobody did."""
    state.phase, state.end, state.winner = "over", end, winner
