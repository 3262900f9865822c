"""Builders for Koi-Koi tests: positions from text, fresh deals, random rules and random play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from inspect import isgetsetdescriptor, ismemberdescriptor
from random import Random
from typing import Final

from hypothesis import strategies as st

from engine.action import Action
from engine.cards import ALL, CardSet, card_index, card_set, members, parse_cards
from engine.deck import deck_order
from engine.errors import EngineError
from engine.game import DealStart, OptionInfo, OptionValue, Ruleset
from engine.games import ruleset
from engine.games.koikoi import KOIKOI
from engine.games.koikoi.hands import is_played
from engine.games.koikoi.options import OPTIONS
from engine.games.koikoi.rules import compile_rules
from engine.games.koikoi.state import KoiKoiState

PRESETS: Final = tuple(preset.id for preset in KOIKOI.presets)
VARIANTS: Final[tuple[tuple[str, dict[str, OptionValue]], ...]] = (
    *((preset, {}) for preset in PRESETS),
    ("koikoi_nintendo", {"field_quad": "dealer_wins", "teshi": "play", "kuttsuki": "redeal", "weather": "field",
                         "viewing": "with_other", "koikoi_limit": "each_once", "koikoi_bonus": "opponent_count",
                         "field_brights": "double", "exhausted": "dealer_6", "scoring": "victories", "target": 20}),
    ("koikoi_fuda", {"sets": "stack", "viewing": "off", "weather": "rain_man", "sake_cup": "one_of",
                     "koikoi_bonus": "own_double", "field_brights": "count", "exhausted": "last_caller",
                     "zero_sum": True, "teyaku_stack": True, "rounds": 3}),
    ("koikoi_zoo", {"sake_cup": "animal", "koikoi_bonus": "any_double", "field_brights": "plus_one",
                    "after_draw": "other", "kuttsuki": "win", "teshi": "win", "stake": 10}),
    ("koikoi_zoo", {"koikoi_bonus": "own_count", "seven_double": True, "weather": "field", "sake_cup": "one_of"}),
    ("koikoi_nintendo", {"koikoi_bonus": "off", "koikoi_limit": "many", "month_cards": True, "rounds": 14}),
)  # fmt: skip
"""Option values beside the presets, so that each value of each option is played."""

FACTS: Final = sorted(
    name
    for name in dir(KoiKoiState)
    if not name.startswith("__")
    and (ismemberdescriptor(part := getattr(KoiKoiState, name)) or isgetsetdescriptor(part))
)
"""What a world holds: a slot each, or what the translated class has instead of slots."""


def _values(info: OptionInfo) -> st.SearchStrategy[OptionValue]:
    numbers = {"rounds": (1, 2, 3, 14), "stake": (0, 5, 30), "target": (0, 5, 30)}
    return st.sampled_from(info.allowed or numbers[info.id])


rulesets: Final = st.fixed_dictionaries({info.id: _values(info) for info in OPTIONS}).map(
    lambda options: ruleset("koikoi_nintendo", **options)
)
"""Any rules of Koi-Koi."""


def a_table(
    *,
    field: str = "",
    pile: str = "",
    p0: str = "",
    p1: str = "",
    c0: str = "",
    c1: str = "",
    turn: int = 0,
    dealer: int = 0,
    number: int = 1,
    preset: str = "koikoi_nintendo",
    **options: OptionValue,
) -> KoiKoiState:
    """A partial position: hands p0, p1, captures c0, c1."""
    return KoiKoiState(
        compile_rules(ruleset(preset, **options)),
        dealer=dealer,
        hands=[parse_cards(p0), parse_cards(p1)],
        field=[card_index(code) for code in field.split()],
        pile=[card_index(code) for code in pile.split()],
        captured=[parse_cards(c0), parse_cards(c1)],
        turn=turn,
        number=number,
    )


def dealt(
    rules: Ruleset, order: tuple[int, ...], *, dealer: int = 0, number: int = 1, redeal: int = 0
) -> KoiKoiState | None:
    """A deal of an order, None if it must be dealt again."""
    return KOIKOI.new_deal(DealStart(rules, 2, dealer, number, order, redeal, nothing_more, {}, (0, 0)))


def nothing_more(label: str, number: int, cards: CardSet) -> tuple[int, ...]:
    raise EngineError("Koi-Koi shuffles nothing inside a deal.", code="deal.shuffle")


def fresh_deal(rules: Ruleset, seed: bytes, *, dealer: int = 0, number: int = 1) -> KoiKoiState:
    """A deal of a seed, dealt again where the rules say so, and again until it is played."""
    for redeal in range(1000):
        state = dealt(rules, deck_order(seed, number, redeal), dealer=dealer, number=number, redeal=redeal)
        if state is not None and not state.is_over:
            return state
    raise AssertionError("a thousand deals thrown in")


def play(card: str, take: str | None = None) -> Action:
    return Action.from_json({"play": card} if take is None else {"play": card, "take": take})


def random_play(state: KoiKoiState, dice: Random) -> Iterator[Action]:
    """Play a deal to its end; yields each action before it is done. Koi-koi is called more often than not."""
    while not state.is_over:
        legal = state.legal_actions()
        action = legal[-1] if legal[0].kind == "declare" and dice.random() < 0.6 else dice.choice(legal)
        yield action
        state.apply_unchecked(action)


def contents(state: KoiKoiState) -> tuple[object, ...]:
    """Everything a world holds."""
    values = (getattr(state, name) for name in FACTS)
    return tuple(tuple(map(str, value)) if isinstance(value, list) else value for value in values)


def zones(state: KoiKoiState) -> Mapping[str, CardSet]:
    """Every place a card can be in."""
    mid_air = 1 << state.pending if state.pending >= 0 else 0
    return {
        **{f"h{seat}": hand for seat, hand in enumerate(state.hands)},
        **{f"c{seat}": pile for seat, pile in enumerate(state.captured)},
        "f": state.field, "p": card_set(state.hidden()), "up": mid_air,
    }  # fmt: skip


def is_partition(state: KoiKoiState) -> bool:
    """Return whether every card is in exactly one place."""
    places = zones(state).values()
    whole = 0
    for cards in places:
        whole |= cards
    return whole == ALL and sum(cards.bit_count() for cards in places) == 48


def shuffled_for(state: KoiKoiState, seat: int, dice: Random) -> KoiKoiState:
    """Another world that `seat` cannot tell from this one: other cards in the other hand and in the pile."""
    twin, other = state.copy(), 1 - seat
    size, gone = state.hands[other].bit_count(), state.played[other]
    pool = [*members(state.hands[other]), *state.hidden()]
    while True:
        dice.shuffle(pool)
        hand = card_set(pool[:size])
        # A starting hand that wins, or is dealt again, would have been seen.
        if is_played(state.rules.options, hand | gone):
            break
    twin.hands[other], twin.dealt[other] = hand, hand | gone
    twin.pile, twin.position = tuple(pool[size:]), 0
    return twin
