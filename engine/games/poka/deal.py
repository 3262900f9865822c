"""Before the first turn: dealing, and the teyaku that are looked for. Source: rules.md 7.1, R77."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.cards import card_set
from engine.game import DealStart
from engine.games.poka.rules import compile_rules
from engine.games.poka.state import PokaState
from engine.games.poka.teyaku import HAND_SIZE, counting, teyaku_of


class Dealt(NamedTuple):
    """Cards as they were dealt, indices: hands by seat in dealing order, the card turned up, the pile top first."""

    hands: tuple[tuple[int, ...], tuple[int, ...]]
    discard: int
    pile: tuple[int, ...]


def deal_cards(order: Sequence[int], dealer: int) -> Dealt:
    """Deal an order of the deck: one packet each, the dealer's opponent first, then one card face up."""
    first, second = tuple(order[:HAND_SIZE]), tuple(order[HAND_SIZE : 2 * HAND_SIZE])
    hands = (second, first) if dealer == 0 else (first, second)
    return Dealt(hands, order[2 * HAND_SIZE], tuple(order[2 * HAND_SIZE + 1 :]))


def new_deal(start: DealStart) -> PokaState:
    """Deal an order of the deck and look for teyaku."""
    cards = deal_cards(start.order, start.dealer)
    state = PokaState(
        compile_rules(start.ruleset),
        dealer=start.dealer,
        hands=[card_set(hand) for hand in cards.hands],
        discard=[cards.discard],
        pile=cards.pile,
        shuffle=start.shuffle,
    )
    set_up(state)
    return state


def set_up(state: PokaState) -> None:
    """Show the teyaku of a freshly dealt position; one that counts ends the deal, void ones do not (R88)."""
    state.shown = tuple(teyaku_of(hand) for hand in state.hands)
    seat = counting(state.shown)
    if seat is None:
        return
    kind = state.shown[seat]
    assert kind is not None, "a seat counts by the teyaku it has"
    state.phase, state.winner, state.reason = "over", seat, kind.kind.id
