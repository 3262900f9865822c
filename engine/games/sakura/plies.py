"""Ordinary plies in one go, for speed alone: nine in ten are a plain hand card and a plain flip.

What is done here must be what the steps of `turn` do (held by tests/engine/test_ordinary_plies.py); all that is not
ordinary is left to them. Ordinary: a hand card but the Gaji, written as `legal_actions` writes it, without an open
claim, a Gaji that comes wild from the pile, or a choice of three. An illegal action is never ordinary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from engine.action import UNNAMED, Action
from engine.cards import BITS, GAJI, CardSet, members
from engine.games.sakura.position import SakuraPosition
from engine.games.sakura.turn import MONTH_OF, end_turn, finish

Continuation: TypeAlias = "Callable[[SakuraPosition], None] | None"
"""The function that finishes a turn by the steps, if anything is left to do."""

PLAIN_CARDS: Final = tuple(card for card in range(48) if card != GAJI)
PLAYS: Final[dict[Action, tuple[int, CardSet, CardSet, CardSet, bool]]] = {
    **{Action.of("play", card): (card, BITS[card], MONTH_OF[card], MONTH_OF[card], False) for card in PLAIN_CARDS},
    **{
        Action.of("play", card, take): (card, BITS[card], MONTH_OF[card], BITS[take], True)
        for card in PLAIN_CARDS
        for take in members(MONTH_OF[card] ^ BITS[card])
    },
}
"""A hand card; as sets: the card, its month, what it may take; whether that is named, one of two."""
NO_PLAY: Final = (GAJI, 0, 0, 0, False)
"""For any other action: no hand holds the card."""
FLIPS: Final = tuple((card, BITS[card], MONTH_OF[card]) for card in range(48))
"""A card of the pile; as sets: the card, its month."""
CHOICES: Final[dict[Action | None, CardSet]] = {Action.of("draw_take", take=take): BITS[take] for take in range(48)}


# Local names throughout: its loop is the innermost of every playout, and each look at an attribute costs time.
def run(state: SakuraPosition, actions: Sequence[Action], seats: list[int]) -> Continuation:
    """Do actions while they are ordinary, noting the seat of each. Returns how the last turn is to be finished."""
    field, pile, position, seat, rules = state.field, state.pile, state.position, state.turn, state.rules
    if state.phase != "hand" or state.transfer_open or state.returned or position == (size := len(pile)):
        return None
    hands, captured, laid, sides, after = state.hands, state.captured, state.laid, rules.sides, rules.after
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
            captured[sides[seat]] |= taken | bit
        else:
            laid.append(card)
        field ^= taken or bit
        card, bit, month = FLIPS[pile[position]]
        taken = field & month
        if card == rules.wild_from_pile or (taken & (taken - 1) and not takes_triple(state, seat, taken)):
            taken &= CHOICES.get(next(coming, None), 0) if taken.bit_count() == 2 else 0
            if not taken or card == GAJI:
                state.field, state.position, state.turn = field, position, seat
                return finish  # no choice between the two follows: the steps go on from the flip
            seats.append(seat)
        position += 1
        if taken:
            captured[sides[seat]] |= taken | bit
        else:
            laid.append(card)
        field ^= taken or bit
        if position == size or not hands[after[seat]]:
            state.field, state.position, state.turn = field, position, seat
            return end_turn
        seat = after[seat]
    state.field, state.position, state.turn = field, position, seat
    return None


def one(state: SakuraPosition, action: Action) -> bool:
    """Do an element of `legal_actions()` as `run` does, if it is an ordinary hand card. False: nothing was done."""
    field, pile, position, seat, rules = state.field, state.pile, state.position, state.turn, state.rules
    if state.phase != "hand" or state.transfer_open or state.returned or position == len(pile):
        return False
    card, bit, month, target, named = PLAYS.get(action, NO_PLAY)
    hands, captured, side, taken = state.hands, state.captured, rules.sides[seat], field & month
    if not bit or (taken & (taken - 1) and not (named or takes_triple(state, seat, taken))):
        return False
    # Written out: in machine code `^=` on an item of a list is a call of its own, a tenth of a ply.
    hands[seat] = hands[seat] ^ bit
    if taken:
        taken = target if named else taken
        captured[side] = captured[side] | taken | bit
        field ^= taken
    else:
        state.laid.append(card)
        field |= bit
    card, bit, month = FLIPS[pile[position]]
    taken = field & month
    if card == rules.wild_from_pile or (taken & (taken - 1) and not takes_triple(state, seat, taken)):
        state.field = field
        finish(state)
        return True
    if taken:
        captured[side] = captured[side] | taken | bit
        field ^= taken
    else:
        state.laid.append(card)
        field |= bit
    state.field, state.position, following = field, position + 1, rules.after[seat]
    if position + 1 == len(pile) or not hands[following]:
        end_turn(state)
    else:
        state.turn = following
    return True


def takes_triple(state: SakuraPosition, seat: int, taken: CardSet) -> bool:
    """Return whether these matches are a triple that has to be taken; it is told of."""
    if taken.bit_count() != 3 or state.rules.triple_optional:
        return False
    state.notes.append(("triple", seat, taken.bit_length() + 3 >> 2))
    return True


def choose(state: SakuraPosition, action: Action) -> bool:
    """Check and do the choice between two matches of a flipped card. False: not that choice, nothing was done."""
    card = state.pending
    if state.phase != "flip_choice" or state.transfer_open or card == GAJI:
        return False
    matches, bit = state.field & MONTH_OF[card], BITS[card]
    target = matches & CHOICES.get(action, 0)
    if not target or matches.bit_count() != 2:
        return False
    state.pending = UNNAMED
    state.field ^= target
    state.captured[state.rules.sides[state.turn]] |= target | bit
    end_turn(state)
    return True
