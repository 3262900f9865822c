"""Builders for engine tests: positions from text, random play, worlds that a seat cannot tell apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from inspect import isgetsetdescriptor, ismemberdescriptor
from random import Random
from typing import Final

from engine.action import Action
from engine.cards import ALL, CardSet, card_index, card_set, codes, members, parse_cards
from engine.deck import deck_order
from engine.game import OptionValue, Ruleset
from engine.games import ruleset
from engine.games.sakura import SAKURA
from engine.games.sakura.observation import observe
from engine.games.sakura.rules import compile_rules
from engine.games.sakura.start import new_deal
from engine.games.sakura.state import SakuraState

SEATINGS: Final = (
    (2, "solo"), (3, "solo"), (4, "solo"), (5, "solo"), (6, "solo"), (7, "solo"), (4, "2x2"), (6, "3x2"), (6, "2x3"),
)  # fmt: skip

SAKURA_PRESETS: Final = tuple(preset.id for preset in SAKURA.presets)

VARIANTS: Final[tuple[Mapping[str, OptionValue], ...]] = (
    {"blocked_gaji": "retarget_leave_or_return", "gaji_decline": "anytime", "basa": True, "chu": True},
    {"hiki_block": "forbid_triple", "blocked_gaji": "retarget_leave_or_return", "gaji_from_pile": "wild"},
    {"triple_capture": "optional", "gaji_on_triple": "all", "gaji_claim": "round_end_all_leftovers"},
    {"gaji_at_deal": "discard", "field_quad": "redeal", "deal_hands": "teshi_kuttsuki", "round_end": "hands_empty"},
    {"gaji_claim": "next_point_card", "gaji_wild": "until_willow_captured", "deal_pattern": "halves"},
    {"hiki": "off", "hiki_block": "off", "gaji_wild": "off", "field_quad": "void_round", "round_end": "pile_or_hands"},
    {"first_dealer_tie": "rank_then_redraw", "dealer_succession": "rotate", "yaku_penalty": 30, "scoring": "victories"},
)
"""Option values beside the presets, so that each value of each option is played."""


FACTS: Final = sorted(
    name
    for name in dir(SakuraState)
    if not name.startswith("__")
    and (ismemberdescriptor(part := getattr(SakuraState, name)) or isgetsetdescriptor(part))
)
"""What a world holds: a slot each, or what the translated class has instead of slots."""


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
    preset: str = "hawaii",
    captured: Mapping[int, str] | None = None,
    options: Mapping[str, OptionValue] | None = None,
    p0: str = "",
    p1: str = "",
    p2: str = "",
    p3: str = "",
) -> SakuraState:
    """A partial position; hands by seat (p0="03.3 11.4"), captured by side number."""
    rules = compile_rules(ruleset(preset, **(options or {})), seats)
    hands = (p0, p1, p2, p3, "", "", "")[:seats]
    return SakuraState(
        rules,
        dealer=dealer,
        hands=[parse_cards(held) for held in hands],
        field=[card_index(code) for code in field.split()],
        pile=[card_index(code) for code in pile.split()],
        captured=[parse_cards((captured or {}).get(side, "")) for side in range(rules.side_count)],
        turn=turn,
    )


def play(card: str, take: str | None = None) -> Action:
    return Action.from_json({"play": card} if take is None else {"play": card, "take": take})


def draw_take(take: str) -> Action:
    return Action.from_json({"draw_take": take})


def choice(take: str) -> Action:
    return Action.from_json({"blocked_choice": take})


def hiki(month: int) -> Action:
    return Action.from_json({"hiki": month})


def hand(state: SakuraState, seat: int) -> list[str]:
    return codes(state.hands[seat])


def tray(state: SakuraState, side: int) -> list[str]:
    return codes(state.captured[side])


def on_field(state: SakuraState) -> list[str]:
    return codes(state.field)


def listed(state: SakuraState) -> list[dict[str, object]]:
    return [action.to_json() for action in state.legal_actions()]


def contents(state: SakuraState) -> tuple[object, ...]:
    """Everything a world holds."""
    values = (getattr(state, name) for name in FACTS)
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


def fresh_deal(rules: Ruleset, seats: int, seed: bytes, deal: int = 1, dealer: int = 0) -> SakuraState:
    """A deal of a seed, dealt again where the rules say so."""
    for redeal in range(1000):
        state = new_deal(compile_rules(rules, seats), dealer, deck_order(seed, deal, redeal))
        if state is not None:
            return state
    raise AssertionError("a thousand deals thrown in")


def random_play(state: SakuraState, rng: Random) -> Iterator[Action]:
    """Play a deal to its end with random actions; yields each action before it is done."""
    while not state.is_over:
        action = rng.choice(state.legal_actions())
        yield action
        state.apply_unchecked(action)


def zones(state: SakuraState) -> list[CardSet]:
    """Every place a card can be in."""
    mid_air = 1 << state.pending if state.pending >= 0 else 0
    return [*state.hands, state.field, card_set(state.hidden()), *state.captured, state.removed, mid_air]


def is_partition(state: SakuraState) -> bool:
    """Return whether every card is in exactly one place."""
    places = zones(state)
    whole = 0
    for cards in places:
        whole |= cards
    return whole == ALL and sum(cards.bit_count() for cards in places) == 48


def shuffled_for(state: SakuraState, seat: int, rng: Random) -> SakuraState:
    """Another world that `seat` cannot tell from this one: what rules 3.6 hides from it lies otherwise."""
    twin = state.copy()
    known = observe(state, seat).known
    hidden = [cards & ~shown if other != seat else 0 for other, (cards, shown) in enumerate(zip(state.hands, known))]
    pool = [card for cards in hidden for card in members(cards)] + state.hidden()
    rng.shuffle(pool)
    for other, cards in enumerate(hidden):
        count = cards.bit_count()
        gone = state.played[other]
        twin.hands[other] = (state.hands[other] & ~cards) | card_set(pool[:count])
        twin.dealt[other] = twin.hands[other] | gone
        del pool[:count]
    twin.pile, twin.position = tuple(pool), 0
    return twin
