"""Before the first turn: dealing, and what is looked for in hands and field. Source: Nintendo; Fuda Wiki Setup."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import islice
from operator import itemgetter
from types import MappingProxyType
from typing import Final

from engine.cards import card_set
from engine.game import DealStart
from engine.games.koikoi.hands import HAND_SIZE, set_up
from engine.games.koikoi.rules import compile_rules
from engine.games.koikoi.scoring import field_factor
from engine.games.koikoi.state import KoiKoiState
from engine.games.koikoi.yaku import BRIGHTS
from engine.games.sakura.deal import Dealt, Zone

PACKETS: Final = MappingProxyType({"twos": 2, "fours": 4})
"""The number of cards that each hand and the field get in turn."""


@cache
def deal_zones(dealer: int, pattern: str) -> tuple[tuple[Zone, Zone], Zone, Zone]:
    """Return pickers of the cards of an order: per seat, for the field, for the pile (top first)."""
    other, field, top = 1 - dealer, 2, iter(range(48))
    zones: tuple[list[int], ...] = ([], [], [], [])
    packet = PACKETS.get(pattern, HAND_SIZE)
    # The opponent first. Whole hands are dealt before the field, smaller packets with the field in between.
    turns = (other, dealer, field) if pattern == "packets" else (other, field, dealer)
    for zone in turns * (HAND_SIZE // packet):
        zones[zone].extend(islice(top, packet))
    zones[3].extend(top)
    first, second, on_field, pile = (itemgetter(*zone) for zone in zones)
    return (first, second), on_field, pile


def deal_cards(order: Sequence[int], dealer: int, pattern: str) -> Dealt:
    """Deal an order of the deck."""
    hands, field, pile = deal_zones(dealer, pattern)
    return Dealt(tuple(hand(order) for hand in hands), field(order), pile(order))


def new_deal(start: DealStart) -> KoiKoiState | None:
    """Deal an order of the deck and set it up; None if it must be shuffled and dealt again."""
    rules = compile_rules(start.ruleset)
    cards = deal_cards(start.order, start.dealer, rules.options.deal_pattern)
    state = KoiKoiState(
        rules,
        dealer=start.dealer,
        hands=[card_set(hand) for hand in cards.hands],
        field=cards.field,
        pile=cards.pile,
        number=start.number,
    )
    return state if set_up_state(state) else None


def set_up_state(state: KoiKoiState) -> bool:
    """Carry out the setup of a freshly dealt position; False if it must be dealt again."""
    options = state.rules.options
    found = set_up(options, state.dealer, state.hands, state.field)
    if found.end == "redeal":
        return False
    state.mult = field_factor(options.field_brights, (state.field & BRIGHTS).bit_count())
    if found.end is not None:
        state.phase, state.end, state.lucky = "over", found.end, found.lucky
        state.winner = -1 if found.seat is None else found.seat
    return True
