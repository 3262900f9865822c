"""The claim on the next point card (`gaji_claim = next_point_card`). Source: rules.md 3.2, R37, R38."""

from __future__ import annotations

from engine.action import UNNAMED
from engine.cards import BITS, MONTH_MASKS, POINT_CARDS, VALUES, CardSet, members
from engine.games.sakura.position import SakuraPosition


def takes_turned_up(state: SakuraPosition, card: int) -> bool:
    """Move a point card of the paired month that was turned up without a match (`next_point_card`)."""
    if not (POINT_CARDS >> card & 1) or card // 4 + 1 != state.gaji_month:
        return False
    side = state.rules.sides[state.gaji_by]
    state.captured[side] |= BITS[card]
    state.transfer_open = False
    state.notes.append(("flip_transfer", card, side))
    return True


def pass_on(state: SakuraPosition, taken: CardSet, flipped: int) -> None:
    """Move the next point card of the paired month after a capture (`next_point_card`).

    taken: all cards of the capture; flipped: the card turned up that made it, UNNAMED for a hand card.
    """
    due = taken & POINT_CARDS & MONTH_MASKS[state.gaji_month - 1]
    if not due:
        return
    side, owner = state.rules.sides[state.turn], state.rules.sides[state.gaji_by]
    turned_up = flipped != UNNAMED and due >> flipped & 1
    # The user's own captures use up the claim only by a card turned up.
    if side == owner:
        if turned_up:
            state.transfer_open = False
        return
    # Several cards can be due at once: the card turned up, else the most valuable, of equal ones the first by code.
    card = flipped if turned_up else max(members(due), key=lambda index: (VALUES[index], -index))
    state.captured[side] ^= BITS[card]
    state.captured[owner] |= BITS[card]
    state.transfer_open = False
    state.notes.append(("transfer", card, owner))
