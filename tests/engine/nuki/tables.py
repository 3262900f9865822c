"""Builders for the tests of Nuki: positions from text, deals from seeds, random play."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from engine.action import Action
from engine.cards import NUKI_DECK, CardSet, card_index, card_set, codes, members, parse_cards
from engine.deck import GuessedShuffles, deck_order, further_order
from engine.game import DealStart, OptionValue
from engine.games import ruleset
from engine.games.nuki.position import NukiPosition
from engine.games.nuki.rules import compile_rules
from engine.games.nuki.start import new_deal
from engine.games.nuki.state import NukiState

VARIANTS: Final[tuple[Mapping[str, OptionValue], ...]] = (
    {},
    {"mizuten": True, "dropout_penalty": "hachi", "forced_out_compensation": "hachi"},
    {"require_two_players": True, "dropout_penalty": "hachi", "diving_scope": "triplet_only"},
    {"mizuten": True, "require_two_players": True, "forced_out_compensation": "hachi"},
    {"dropout_penalty": "hachi", "first_dealer_tie": "redraw"},
)
"""Together they play each value of each option."""

SEE: Final = Action.of("see")
MIZUTEN: Final = Action.of("mizuten")
JOIN: Final = Action.of("join", word="play")
DROP: Final = Action.of("join", word="drop")
SAGE: Final = Action.of("call", word="sage")
SHOUBU: Final = Action.of("call", word="shoubu")
CANCEL: Final = Action.of("call", word="cancel")


def seed_of(*parts: object) -> bytes:
    """32 bytes that depend on the parts."""
    return hashlib.sha256(repr(parts).encode()).digest()


def a_world(
    *,
    seats: int = 2,
    field: str = "",
    pile: str = "",
    turn: int = 0,
    dealer: int = 0,
    captured: Mapping[int, str] | None = None,
    options: Mapping[str, OptionValue] | None = None,
    multiplier: int = 1,
    p0: str = "",
    p1: str = "",
) -> NukiState:
    """A partial position before a hand card; hands by seat (p0="03.3 11.4"), captured by seat number."""
    state = NukiState(
        compile_rules(ruleset("nuki88", **(options or {})), seats),
        dealer=dealer,
        hands=[parse_cards(held) for held in (p0, p1, "", "")[:seats]],
        field=[card_index(code) for code in field.split()],
        pile=[card_index(code) for code in pile.split()],
        captured=[parse_cards((captured or {}).get(seat, "")) for seat in range(seats)],
        turn=turn,
    )
    state.multiplier = multiplier
    return state


def order_with(top: str) -> tuple[int, ...]:
    """An order of the deck that begins with these cards; the rest in code order."""
    first = [card_index(code) for code in top.split()]
    return (*first, *(card for card in members(NUKI_DECK) if card not in first))


def an_order(hands: Mapping[int, str], field: str, *, seats: int = 2, dealer: int = 0) -> tuple[int, ...]:
    """An order that deals these hands (by seat, up to seven cards) and this field; the rest comes as it comes."""
    named = {seat: [card_index(code) for code in held.split()] for seat, held in hands.items()}
    board = [card_index(code) for code in field.split()]
    used = {card for held in named.values() for card in held} | set(board)
    spare = [card for card in members(NUKI_DECK) if card not in used]
    for seat in range(seats):
        named.setdefault(seat, [])
        named[seat] += [spare.pop() for _ in range(7 - len(named[seat]))]
    board += [spare.pop() for _ in range(6 - len(board))]
    turn = [(dealer + step) % seats for step in range(1, seats + 1)]
    first = [card for seat in turn for card in named[seat][:4]] + board[:3]
    second = [card for seat in turn for card in named[seat][4:]] + board[3:]
    order = (*first, *second, *spare)
    assert len(set(order)) == len(order) == 34, "a card is named twice"
    return order


def a_deal(
    order: tuple[int, ...],
    *,
    seats: int = 2,
    dealer: int = 0,
    carry: int = 0,
    options: Mapping[str, OptionValue] | None = None,
) -> NukiState | None:
    """A deal of an order; None if it is thrown in."""
    rules = ruleset("nuki88", **(options or {}))
    start = DealStart(rules, seats, dealer, 1, order, 0, GuessedShuffles(1), {"carry": carry}, (0,) * seats)
    return new_deal(start)


def dealt(order: tuple[int, ...], **facts: object) -> NukiState:
    """The same, for an order that is not thrown in."""
    state = a_deal(order, **facts)  # type: ignore[arg-type]  # the facts of `a_deal`
    assert state is not None
    return state


def fresh_deal(
    seed: int, *, seats: int = 2, dealer: int = 0, options: Mapping[str, OptionValue] | None = None
) -> NukiState:
    """A deal of a seed, dealt again where the rules say so; its later shuffles come from the seed too."""
    secret = seed_of(seed)

    def shuffle(label: str, number: int, cards: CardSet) -> tuple[int, ...]:
        return further_order(secret, label, 1, number, cards)

    rules = ruleset("nuki88", **(options or {}))
    for redeal in range(1000):
        order = deck_order(secret, 1, redeal, NUKI_DECK)
        state = new_deal(DealStart(rules, seats, dealer, 1, order, redeal, shuffle, {}, (0,) * seats))
        if state is not None:
            return state
    raise AssertionError("a thousand deals thrown in")


def random_play(state: NukiState, rng: Random) -> Iterator[Action]:
    """Play a deal to its end with random actions; yields each action before it is done."""
    while not state.is_over:
        action = rng.choice(state.legal_actions())
        yield action
        state.apply_unchecked(action)


def play(card: str, take: str | None = None) -> Action:
    return Action.from_json({"play": card} if take is None else {"play": card, "take": take})


def draw_take(take: str) -> Action:
    return Action.from_json({"draw_take": take})


def triplet(month: int) -> Action:
    return Action.of("triplet", month=month)


def listed(state: NukiState) -> list[dict[str, object]]:
    return [action.to_json() for action in state.legal_actions()]


def tray(state: NukiState, seat: int) -> list[str]:
    return codes(state.captured[seat])


def contents(state: NukiState) -> tuple[object, ...]:
    """Everything a world holds."""
    values = (getattr(state, name) for name in NukiPosition.__slots__)
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


def zones(state: NukiState) -> list[CardSet]:
    """Every place a card can be in."""
    mid_air = 1 << state.pending if state.pending >= 0 else 0
    return [*state.hands, state.field, card_set(state.hidden()), *state.captured, mid_air]


def is_partition(state: NukiState) -> bool:
    """Return whether each of the 34 cards is in exactly one place."""
    places = zones(state)
    whole = 0
    for cards in places:
        whole |= cards
    return whole == NUKI_DECK and sum(cards.bit_count() for cards in places) == 34
