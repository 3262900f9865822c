"""The Gaji (Lightning, 11.4): its wild capture and the block.

Its claims are in `transfer` and `scoring.close`. Source: rules.md 3.2, R26-R40, R90.
"""

from __future__ import annotations

from typing import Final

from engine.action import LEAVE, RETURN, UNNAMED
from engine.cards import BITS, GAJI, MONTH_MASKS, WILLOW, CardSet
from engine.games.sakura import hiki
from engine.games.sakura.position import SakuraPosition

WILLOWS: Final = MONTH_MASKS[WILLOW - 1]
GAJI_BIT: Final = BITS[GAJI]


def is_wild(state: SakuraPosition) -> bool:
    """Return whether the Gaji, now played, takes any card. From the pile `Rules.pile_wild` is asked as well."""
    rules = state.rules
    if not rules.wild or not state.field:
        return False
    return not (rules.wild_until_willow and any(pile & WILLOWS for pile in state.captured))


def play(state: SakuraPosition, take: int) -> bool:
    """Name a field card for the wild Gaji, which is neither in a hand nor on the field. False after a block."""
    if take == LEAVE:
        lay(state)
        return True
    mask = MONTH_MASKS[take // 4]
    on_field = state.field & mask
    # In its own month the Gaji is an ordinary card, which nobody blocks.
    if mask != WILLOWS and is_blocked(state, mask, on_field):
        return _after_block(state)
    _note_clear(state, mask, on_field)
    triple = on_field.bit_count() == 3
    taken = on_field if triple and (state.rules.takes_triple or mask == WILLOWS) else BITS[take]
    if triple and mask == WILLOWS:
        state.notes.append(("triple", state.turn, WILLOW))
    state.field ^= taken
    # Only a successful capture is a use of the Gaji: the claim belongs to it, not to a blocked one.
    state.captured[state.rules.sides[state.turn]] |= taken | GAJI_BIT
    state.pending = UNNAMED
    state.gaji_by = state.turn
    state.gaji_month = take // 4 + 1
    state.transfer_open = state.rules.transfers
    return True


def lay(state: SakuraPosition) -> None:
    """Lay the Gaji on the field as an ordinary Willow."""
    state.pending = UNNAMED
    state.field |= GAJI_BIT
    state.laid.append(GAJI)


def is_blocked(state: SakuraPosition, mask: CardSet, on_field: CardSet) -> bool:
    """Return whether another seat stops the capture; if so it has already done what its block does."""
    rules = state.rules
    missing = mask & ~on_field
    if not missing or not (rules.owner_captures or (rules.forbid_triple and on_field.bit_count() == 3)):
        return False
    for seat, hand in enumerate(state.hands):
        # At most one hand can hold all of the missing cards, so the first found is the only one.
        if seat != state.turn and hand & missing == missing:
            _block(state, seat, mask, missing)
            return True
    return False


def _block(state: SakuraPosition, owner: int, mask: CardSet, missing: CardSet) -> None:
    month = mask.bit_length() // 4
    if state.rules.owner_captures:
        hiki.take_month(state, owner, mask)
        state.notes.append(("hiki_block", owner, month))
    else:
        # The block shows one card of the owner: from now on all know it to be in that hand, and sampling honours it.
        state.barred |= mask
        state.known[owner] |= missing
        state.notes.append(("forbidden", owner, month))


def _note_clear(state: SakuraPosition, mask: CardSet, on_field: CardSet) -> None:
    """Remember what an unblocked capture has shown: no other hand holds all the missing cards."""
    rules = state.rules
    missing = mask & ~on_field
    asked = rules.owner_captures or (rules.forbid_triple and on_field.bit_count() == 3)
    if asked and mask != WILLOWS and missing and not any(pile & missing for pile in state.captured):
        state.clear = missing


def _after_block(state: SakuraPosition) -> bool:
    """Let the user choose again; if the block emptied the field the Gaji is laid, unless it may be returned."""
    state.pending = GAJI
    state.phase = "gaji_blocked"
    if state.field or may_return(state):
        return False
    lay(state)
    return True


def targets(state: SakuraPosition) -> CardSet:
    """The field cards that the wild Gaji may name now."""
    return state.field & ~state.barred


def may_return(state: SakuraPosition) -> bool:
    """Return whether the blocked Gaji may go back to the hand, where another card must be left to play."""
    return state.rules.may_return and not state.pending_flip and state.hands[state.turn] != 0


def choose(state: SakuraPosition, take: int) -> bool:
    """Do the choice after a block."""
    if take != RETURN:
        return play(state, take)
    state.pending = UNNAMED
    state.hands[state.turn] |= GAJI_BIT
    state.known[state.turn] |= GAJI_BIT
    state.returned = True
    state.phase = "hand"
    return False
