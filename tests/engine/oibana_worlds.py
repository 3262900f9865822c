"""Builders for tests of Oi-bana: deals, random play, worlds that a seat cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from engine.action import Action
from engine.cards import ALL, CardSet, card_set, members
from engine.deck import GuessedShuffles, deck_order
from engine.game import DealStart, OptionValue
from engine.games import ruleset
from engine.games.oibana import OIBANA
from engine.games.oibana.state import OibanaState
from tests.engine import worlds
from tests.engine.worlds import contents as contents_at_table
from tests.engine.worlds import seed_of

VARIANTS: Final[tuple[Mapping[str, OptionValue], ...]] = (
    {},
    {"oibana_payment": "winner_bid", "basa": True, "chu": True, "bid_min": 3, "bid_max": 9},
    {"hiki_block": "forbid_triple", "blocked_gaji": "retarget_leave_or_return", "gaji_from_pile": "wild"},
    {"gaji_at_deal": "discard", "field_quad": "redeal", "deal_hands": "teshi_kuttsuki", "deal_pattern": "halves"},
    {"gaji_claim": "next_point_card", "field_quad": "void_round", "dealer_succession": "rotate"},
)
"""Oi-bana's own options, and options of the deal that change what a table shows."""


def bid(amount: int) -> Action:
    return Action.of("bid", amount=amount)


def a_deal(
    seats: int = 3, *, dealer: int = 0, seed: object = 0, options: Mapping[str, OptionValue] | None = None
) -> OibanaState:
    """A deal before the first bid."""
    start = DealStart(
        ruleset=ruleset("oibana", **(options or {})),
        seats=seats,
        dealer=dealer,
        number=1,
        order=deck_order(seed_of(seed), 1),
        redeal=0,
        shuffle=GuessedShuffles(Random(repr(seed)).getrandbits(64)),
        carry={},
        totals=(0,) * seats,
    )
    return OIBANA.new_deal(start)


def at_table(seats: int = 3, *bids: int, dealer: int = 0, seed: object = 0, **options: OptionValue) -> OibanaState:
    """The same after these bids, in the order of bidding."""
    state = a_deal(seats, dealer=dealer, seed=seed, options=options)
    for amount in bids:
        state.apply(bid(amount))
    return state


def random_play(state: OibanaState, rng: Random) -> Iterator[Action]:
    """Play a deal to its end with random actions; yields each action before it is done."""
    while not state.is_over:
        action = rng.choice(state.legal_actions())
        yield action
        state.apply_unchecked(action)


def contents(state: OibanaState) -> tuple[object, ...]:
    """Everything a world holds but the orders and events that were told already."""
    table = state.table.copy() if state.table is not None else None
    if table is not None:
        table.notes = []
    return (
        tuple(state.hands), state.undealt, tuple(state.bids), state.bidder, state.players, tuple(state.returned),
        state.redeal, None if table is None else contents_at_table(table),
    )  # fmt: skip


def is_partition(state: OibanaState) -> bool:
    """Return whether every card is in exactly one place."""
    if state.table is not None:
        return worlds.is_partition(state.table) and not any(state.hands) and not state.undealt
    places = [*state.hands, state.undealt]
    return sum(places) == ALL and sum(cards.bit_count() for cards in places) == 48


def shuffled_for(state: OibanaState, seat: int, rng: Random) -> OibanaState:
    """Another world that `seat` cannot tell from this one: what rules 3.6 hides from it lies otherwise."""
    twin = state.copy()
    if state.table is None:
        _shuffle_hands(twin, seat, rng)
        return twin
    assert twin.table is not None
    _forget_returns(twin, seat)
    if seat in state.players:
        twin.table = worlds.shuffled_for(state.table, state.players.index(seat), rng)
    else:
        _shuffle_table(state, twin, seat, rng)
    return twin


def _shuffle_hands(twin: OibanaState, seat: int, rng: Random) -> None:
    rest = list(members(ALL & ~twin.hands[seat]))
    rng.shuffle(rest)
    for other in range(twin.rules.seats):
        if other != seat:
            twin.hands[other] = card_set(rest[:8])
            del rest[:8]
    twin.undealt = card_set(rest)


def _forget_returns(twin: OibanaState, seat: int) -> None:
    twin.returned = [cards if other == seat else 0 for other, cards in enumerate(twin.returned)]


def _shuffle_table(state: OibanaState, twin: OibanaState, seat: int, rng: Random) -> None:
    """For who watches: both hands and the pile, but what the seat gave back is in no hand."""
    assert state.table is not None
    assert twin.table is not None
    given_back: CardSet = state.returned[seat]
    known = [shown & hand for shown, hand in zip(state.table.known, state.table.hands, strict=True)]
    hidden = [hand & ~shown for hand, shown in zip(state.table.hands, known, strict=True)]
    free = [card for cards in hidden for card in members(cards)]
    below = [card for card in state.table.hidden() if given_back >> card & 1]
    free += [card for card in state.table.hidden() if not given_back >> card & 1]
    rng.shuffle(free)
    for place, cards in enumerate(hidden):
        count = cards.bit_count()
        gone = twin.table.played[place]
        twin.table.hands[place] = known[place] | card_set(free[:count])
        twin.table.dealt[place] = twin.table.hands[place] | gone
        del free[:count]
    pile = free + below
    rng.shuffle(pile)
    twin.table.pile, twin.table.position = tuple(pile), 0
