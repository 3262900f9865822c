"""From an order of the deck to a world that is ready for the first turn. Source: rules.md 3.4."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import CardSet, card_set
from engine.games.sakura.deal import deal_hand, deal_zones, full_months, set_up
from engine.games.sakura.rules import Rules
from engine.games.sakura.state import SakuraState


def new_deal(rules: Rules, dealer: int, order: Sequence[int]) -> SakuraState | None:
    """Deal an order of the deck and set it up; None if it must be shuffled and dealt again."""
    hands, field, pile = deal_zones(rules.seats, dealer, rules.options.deal_pattern)
    dealt = [card_set(hand(order)) for hand in hands]
    state = SakuraState(rules, dealer=dealer, hands=dealt, field=field(order), pile=pile(order))
    return state if set_up_state(state) else None


def set_up_state(state: SakuraState) -> bool:
    """Carry out the setup of a freshly dealt position; False if the deal is thrown in (`field_quad = redeal`)."""
    rules = state.rules
    # The usual case, without a look at the hands.
    if rules.plain_setup and not full_months(state.field):
        return True
    found = set_up(rules.options, rules.sides, state.hands, state.field)
    if found.end == "redeal":
        return False
    side = rules.sides[state.dealer]
    state.field &= ~(found.removed | found.captured)
    state.laid = [card for card in state.laid if state.field >> card & 1]
    state.removed |= found.removed
    state.captured[side] |= found.captured
    if found.captured:
        state.notes.append(("field_quad", side, found.captured))
    if found.removed:
        state.notes.append(("gaji_removed", side, found.removed))
    if found.end is not None:
        state.phase, state.end, state.winning_side = "over", found.end, found.side
        state.notes.append((found.end, -1 if found.side is None else found.side, _shown(state, found.side)))
    return True


def _shown(state: SakuraState, side: int | None) -> CardSet:
    """The cards that everybody sees when a deal ends as it is dealt: the winning side's deal hands."""
    if side is None:
        return 0
    sides = state.rules.sides
    return sum(hand for seat, hand in enumerate(state.hands) if sides[seat] == side and deal_hand(hand))
