"""Ordinary plies in one go, for speed alone: most are a plain hand card and a plain flip that change no yaku.

What is done here must be what the steps of `turn` do (held by tests/engine/koikoi/test_plies.py); all that is not
ordinary is left to them. Ordinary: a hand card written as `legal_actions` writes it, and the flip of its turn with the
choice for it, if that follows. An illegal action is never ordinary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from engine.action import UNNAMED, Action
from engine.cards import BITS, CardSet, members
from engine.games.koikoi.position import KoiKoiPosition
from engine.games.koikoi.rules import points_of
from engine.games.koikoi.turn import end_turn, flip
from engine.games.sakura.turn import MONTH_OF

Continuation: TypeAlias = "Callable[[KoiKoiPosition], object] | None"
"""The function that finishes a turn by the steps, if anything is left to do."""

PLAYS: Final[dict[Action, tuple[int, CardSet, CardSet, CardSet, bool]]] = {
    **{Action.of("play", card): (card, BITS[card], MONTH_OF[card], MONTH_OF[card], False) for card in range(48)},
    **{
        Action.of("play", card, take): (card, BITS[card], MONTH_OF[card], BITS[take], True)
        for card in range(48)
        for take in members(MONTH_OF[card] ^ BITS[card])
    },
}
"""A hand card; as sets: the card, its month, what it may take; whether that is named, one of two."""
NO_PLAY: Final = (0, 0, 0, 0, False)
"""For any other action: no hand holds the card."""
FLIPS: Final = tuple((card, BITS[card], MONTH_OF[card]) for card in range(48))
"""A card of the pile; as sets: the card, its month."""
CHOICES: Final[dict[Action | None, CardSet]] = {Action.of("draw_take", take=take): BITS[take] for take in range(48)}


# Local names throughout: its loop is the innermost of every playout, and each look at an attribute costs time.
def run(state: KoiKoiPosition, actions: Sequence[Action], seats: list[int]) -> Continuation:
    """Do actions while they are ordinary, noting the seat of each. Returns how the last turn is to be finished."""
    field, pile, position, seat = state.field, state.pile, state.position, state.turn
    if state.phase != "hand" or position == (size := len(pile)):
        return None
    hands, captured, laid = state.hands, state.captured, state.laid
    for action in (coming := iter(actions)):
        card, bit, month, target, named = PLAYS.get(action, NO_PLAY)  # interned: found by identity
        hand, taken = hands[seat], field & month
        if not hand & bit or (named and (taken.bit_count() != 2 or not taken & target)):
            break
        if taken & (taken - 1) and not (named or takes_triple(state, seat, taken)):
            break
        hands[seat], taken = hand ^ bit, target if named else taken
        seats.append(seat)
        if taken:
            captured[seat] |= taken | bit
        else:
            laid.append(card)
        field ^= taken or bit
        card, bit, month = FLIPS[pile[position]]
        taken = field & month
        if taken & (taken - 1) and not takes_triple(state, seat, taken):
            taken &= CHOICES.get(next(coming, None), 0)
            if not taken:
                state.field, state.position, state.turn = field, position, seat
                return flip  # no choice between the two follows: the flip waits for it
            seats.append(seat)
        position += 1
        if taken:
            captured[seat] |= taken | bit
        else:
            laid.append(card)
        field ^= taken or bit
        if has_more(state, seat, field) or position == size or not hands[1 - seat]:
            state.field, state.position, state.turn = field, position, seat
            return end_turn
        seat = 1 - seat
    state.field, state.position, state.turn = field, position, seat
    return None


def one(state: KoiKoiPosition, action: Action) -> bool:
    """Do an element of `legal_actions()` as `run` does, if it is an ordinary hand card. False: nothing was done."""
    field, pile, position, seat = state.field, state.pile, state.position, state.turn
    if state.phase != "hand" or position == len(pile):
        return False
    card, bit, month, target, named = PLAYS.get(action, NO_PLAY)
    hands, captured, taken = state.hands, state.captured, field & month
    if not bit or (taken & (taken - 1) and not (named or takes_triple(state, seat, taken))):
        return False
    # Written out: in machine code `^=` on an item of a list is a call of its own, a tenth of a ply.
    hands[seat] = hands[seat] ^ bit
    if taken:
        taken = target if named else taken
        captured[seat] = captured[seat] | taken | bit
        field ^= taken
    else:
        state.laid.append(card)
        field |= bit
    card, bit, month = FLIPS[pile[position]]
    taken = field & month
    if taken & (taken - 1) and not takes_triple(state, seat, taken):
        state.field = field
        flip(state)  # waits for the choice between the two
        return True
    if taken:
        captured[seat] = captured[seat] | taken | bit
        field ^= taken
    else:
        state.laid.append(card)
        field |= bit
    state.field, state.position = field, position + 1
    if not hands[1 - seat] or has_more(state, seat, field):
        end_turn(state)
    else:
        state.turn = 1 - seat
    return True


def has_more(state: KoiKoiPosition, seat: int, field: CardSet) -> bool:
    """Return whether a seat has more points than at its last call. field: what lies there now."""
    called, cards = state.calls[seat] > 0, state.captured[seat]
    return points_of(state.rules, cards, called=called, lying=field, month=state.month) > state.marks[seat]


def takes_triple(state: KoiKoiPosition, seat: int, taken: CardSet) -> bool:
    """Return whether these matches are a triple, which has to be taken; it is told of."""
    if taken.bit_count() != 3:
        return False
    state.notes.append(("triple", seat, taken.bit_length() + 3 >> 2))
    return True


def choose(state: KoiKoiPosition, action: Action) -> bool:
    """Check and do the choice between two matches of a flipped card. False: not that choice, nothing was done."""
    if state.phase != "flip_choice":
        return False
    card = state.pending
    target = state.field & MONTH_OF[card] & CHOICES.get(action, 0)
    if not target:
        return False
    state.pending = UNNAMED
    state.field ^= target
    state.captured[state.turn] |= target | BITS[card]
    end_turn(state)
    return True
