"""Builders for Poka tests: positions from text, fresh deals, play at random or as slow as the rules let it be."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from engine.action import Action
from engine.cards import ALL, CardSet, card_index, card_set, codes, parse_cards
from engine.deck import deck_order, further_order
from engine.game import DealStart, OptionValue, Ruleset
from engine.games import ruleset
from engine.games.poka import POKA
from engine.games.poka.position import PokaPosition
from engine.games.poka.rules import compile_rules
from engine.games.poka.state import PokaState

VARIANTS: Final[tuple[tuple[str, dict[str, OptionValue]], ...]] = (
    ("poka5", {}),
    ("poka3", {}),
    ("poka5", {"same_month_dump": True, "target": 7}),
    ("poka5", {"one_two": False, "first_dealer_tie": "value_then_redraw"}),
    ("poka3", {"one_two": False, "same_month_dump": True, "first_dealer_tie": "rank_then_redraw", "target": 1}),
)
"""Option values beside the presets, so that each value of each option is played."""


def no_seed(label: str, number: int, cards: CardSet) -> tuple[int, ...]:
    """Further orders of a position that no seed belongs to."""
    return further_order(b"no seed", label, 1, number, cards)


def a_table(
    *,
    top: str = "06.3",
    p0: str = "",
    p1: str = "",
    pile: str = "",
    turn: int = 0,
    dealer: int = 0,
    preset: str = "poka5",
    **options: OptionValue,
) -> PokaState:
    """A partial position. top: the discard pile, bottom to top."""
    return PokaState(
        compile_rules(ruleset(preset, **options)),
        dealer=dealer,
        hands=[parse_cards(p0), parse_cards(p1)],
        discard=[card_index(code) for code in top.split()],
        pile=[card_index(code) for code in pile.split()],
        shuffle=no_seed,
        turn=turn,
    )


def full(state: PokaState) -> PokaState:
    """The position with all cards that it does not name at the bottom of the pile."""
    named = sum(state.hands) | card_set(state.discard) | card_set(state.pile)
    state.pile = (*state.pile, *(card for card in range(48) if not named >> card & 1))
    assert is_partition(state)
    return state


def dealt(rules: Ruleset, order: tuple[int, ...], *, dealer: int = 0, seed: bytes = b"") -> PokaState:
    """A deal of an order; later piles come from the seed."""

    def shuffle(label: str, number: int, cards: CardSet) -> tuple[int, ...]:
        return further_order(seed, label, 1, number, cards)

    return POKA.new_deal(DealStart(rules, 2, dealer, 1, order, 0, shuffle, {}, (0, 0)))


def fresh_deal(rules: Ruleset, seed: bytes, *, dealer: int = 0) -> PokaState:
    """A deal of a seed."""
    return dealt(rules, deck_order(seed, 1), dealer=dealer, seed=seed)


def dealing(p0: str, p1: str, top: str) -> tuple[int, ...]:
    """An order that dealer p0 deals so: p1's hand first."""
    named = [card_index(code) for code in f"{p1} {p0} {top}".split()]
    return (*named, *(card for card in range(48) if card not in named))


def discard(code: str) -> Action:
    return Action.of("discard", card_index(code))


STOP: Final = Action.of("stop")
PASS: Final = Action.of("pass")


def listed(state: PokaState) -> list[str]:
    """Return what is legal, in order: card codes, stop, pass."""
    return [str(action).removeprefix("discard ").removesuffix(" True") for action in state.legal_actions()]


def run(state: PokaState, text: str) -> PokaState:
    """Do actions written as card codes, `stop` and `pass`."""
    for word in text.split():
        state.apply(Action.of(word) if word in ("stop", "pass") else discard(word))
    return state


def hand(state: PokaState, seat: int) -> list[str]:
    return codes(state.hands[seat])


def random_play(state: PokaState, dice: Random, *, idle: float = 0.0) -> Iterator[Action]:
    """Play a deal to its end; yields each action before it is done. idle: how often to stop or pass where possible."""
    while not state.is_over:
        legal = state.legal_actions()
        action = legal[-1] if dice.random() < idle else dice.choice(legal)
        yield action
        state.apply_unchecked(action)


def is_partition(state: PokaState) -> bool:
    """Return whether every card is in exactly one hand, in the pile or in the discard pile."""
    cards = [*state.discard, *state.hidden()]
    places = [*state.hands, card_set(cards)]
    whole = 0
    for place in places:
        whole |= place
    return whole == ALL and len(cards) + sum(hand.bit_count() for hand in state.hands) == 48


def contents(state: PokaState) -> tuple[object, ...]:
    """Everything a world holds."""
    values = (getattr(state, name) for name in PokaPosition.__slots__)
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)
