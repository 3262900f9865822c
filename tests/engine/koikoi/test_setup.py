"""How a deal of Koi-Koi begins: packets, misdeals, lucky hands, Brights on the field."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import card_index, card_set, members, parse_cards
from engine.games import ruleset
from engine.games.koikoi import KOIKOI
from engine.games.koikoi.deal import deal_cards, set_up_state
from engine.games.koikoi.hands import asks_for_redeal, is_four_pairs, is_played, lucky_hand, set_up
from engine.games.koikoi.options import KoiKoiOptions
from engine.games.koikoi.rules import compile_rules, options_of
from engine.games.koikoi.state import KoiKoiState
from tests.engine.koikoi.tables import a_table, dealt

TESHI = "02.1 02.2 02.3 02.4 05.1 06.2 09.3 10.4"
PAIRS = "01.1 01.3 04.2 04.4 07.1 07.3 12.2 12.3"
BOTH = "08.1 08.2 08.3 08.4 05.1 05.2 09.3 09.4"
TWO_MONTHS = "08.1 08.2 08.3 08.4 05.1 05.2 05.3 05.4"
PLAIN = "01.2 03.1 05.2 06.3 08.4 09.4 10.1 11.2"
FIELD = "03.2 03.3 04.1 06.1 07.2 10.2 11.1 12.1"
QUAD = "07.1 07.2 07.3 07.4 02.3 04.1 12.1 12.2"
FIELD_PAIRS = "07.1 07.2 02.3 02.4 04.1 04.2 12.1 12.2"


def options(preset: str = "koikoi_nintendo", **changes: Any) -> KoiKoiOptions:
    return options_of(ruleset(preset, **changes))


@pytest.mark.parametrize(
    ("pattern", "dealer", "hand", "field"),
    [
        ("twos", 0, (4, 5, 10, 11, 16, 17, 22, 23), (2, 3, 8, 9, 14, 15, 20, 21)),
        ("twos", 1, (0, 1, 6, 7, 12, 13, 18, 19), (2, 3, 8, 9, 14, 15, 20, 21)),
        ("fours", 0, (8, 9, 10, 11, 20, 21, 22, 23), (4, 5, 6, 7, 16, 17, 18, 19)),
        ("fours", 1, (0, 1, 2, 3, 12, 13, 14, 15), (4, 5, 6, 7, 16, 17, 18, 19)),
        ("packets", 0, (8, 9, 10, 11, 12, 13, 14, 15), (16, 17, 18, 19, 20, 21, 22, 23)),
        ("packets", 1, (0, 1, 2, 3, 4, 5, 6, 7), (16, 17, 18, 19, 20, 21, 22, 23)),
    ],
)
def test_packets_go_opponent_field_dealer(
    pattern: str, dealer: int, hand: tuple[int, ...], field: tuple[int, ...]
) -> None:
    cards = deal_cards(range(48), dealer, pattern)
    assert (cards.hands[0], cards.field, cards.pile) == (hand, field, tuple(range(24, 48)))
    assert sorted([*cards.hands[0], *cards.hands[1], *cards.field, *cards.pile]) == list(range(48))


@pytest.mark.parametrize(
    ("cards", "is_pairs"),
    [
        (PAIRS, True), (BOTH, True), (TWO_MONTHS, True), (TESHI, False), (PLAIN, False),
        ("01.1 01.2 01.3 02.1 03.1 03.2 04.1 04.2", False), ("01.1 01.2 02.1 02.2 03.1 03.2", False), ("", False),
    ],
)  # fmt: skip
def test_four_pairs(cards: str, is_pairs: bool) -> None:
    assert is_four_pairs(parse_cards(cards)) is is_pairs


@pytest.mark.parametrize(
    ("hand", "changes", "name", "points"),
    [
        (TESHI, {}, "teshi", 6), (PAIRS, {}, "kuttsuki", 6), (BOTH, {}, "teshi", 6), (PLAIN, {}, None, 0),
        (BOTH, {"teyaku_stack": True}, "teshi", 12), (TESHI, {"teyaku_stack": True}, "teshi", 6),
        (PAIRS, {"teyaku_stack": True}, "kuttsuki", 6),
        (BOTH, {"teyaku_stack": True, "kuttsuki": "play"}, "teshi", 6),
        (BOTH, {"teyaku_stack": True, "teshi": "play"}, "kuttsuki", 6),
        (TESHI, {"teshi": "play"}, None, 0), (PAIRS, {"kuttsuki": "play"}, None, 0),
    ],
)  # fmt: skip
def test_lucky_hands(hand: str, changes: dict[str, Any], name: str | None, points: int) -> None:
    found = lucky_hand(options(**changes), parse_cards(hand))
    assert (found.name if found else None, found.points if found else 0) == (name, points)
    assert is_played(options(**changes), parse_cards(hand)) is (name is None)


def test_what_is_shown_of_a_lucky_hand() -> None:
    found = [lucky_hand(options(), parse_cards(hand)) for hand in (TESHI, PAIRS, TWO_MONTHS)]
    shown = [one.cards for one in found if one]
    assert shown == [parse_cards("02.1 02.2 02.3 02.4"), parse_cards(PAIRS), parse_cards(TWO_MONTHS)]


@pytest.mark.parametrize(
    ("hand", "changes", "again"),
    [
        (TESHI, {"teshi": "redeal"}, True), (TESHI, {"kuttsuki": "redeal"}, False),
        (PAIRS, {"kuttsuki": "redeal"}, True), (PAIRS, {"teshi": "redeal"}, False),
        (BOTH, {"kuttsuki": "redeal"}, True), (BOTH, {}, False), (PLAIN, {"teshi": "redeal"}, False),
    ],
)  # fmt: skip
def test_hands_that_are_dealt_again(hand: str, changes: dict[str, Any], again: bool) -> None:
    assert asks_for_redeal(options(**changes), parse_cards(hand)) is again
    assert not again or not is_played(options(**changes), parse_cards(hand))


@pytest.mark.parametrize(
    ("hands", "field", "changes", "end", "seat"),
    [
        ((PLAIN, PLAIN), FIELD, {}, None, None),
        ((TESHI, PLAIN), FIELD, {}, "teshi", 0),
        ((PLAIN, PAIRS), FIELD, {}, "kuttsuki", 1),
        ((TESHI, PAIRS), FIELD, {}, "both_teyaku", None),
        ((TESHI, PLAIN), QUAD, {}, "redeal", None),
        ((TESHI, PLAIN), QUAD, {"field_quad": "dealer_wins"}, "field_quad", 1),
        ((PLAIN, PLAIN), FIELD_PAIRS, {}, "redeal", None),
        ((PLAIN, PLAIN), FIELD_PAIRS, {"field_pairs": "play"}, None, None),
        # Of two rules about the same field the full month comes first.
        ((PLAIN, PLAIN), BOTH, {"field_quad": "dealer_wins"}, "field_quad", 1),
        ((TESHI, PAIRS), FIELD, {"kuttsuki": "redeal"}, "redeal", None),
        ((TESHI, PLAIN), FIELD, {"teshi": "play"}, None, None),
    ],
)
def test_the_order_of_the_setup(
    hands: tuple[str, str], field: str, changes: dict[str, Any], end: str | None, seat: int | None
) -> None:
    found = set_up(options(**changes), 1, [parse_cards(hand) for hand in hands], parse_cards(field))
    assert (found.end, found.seat) == (end, seat)


def world(p0: str, p1: str, field: str, **changes: Any) -> KoiKoiState:
    state = a_table(p0=p0, p1=p1, field=field, dealer=1, **changes)
    assert set_up_state(state)
    return state


def test_a_position_is_of_the_first_deal_unless_it_says_another() -> None:
    rules = compile_rules(ruleset("koikoi_nintendo"))
    state = KoiKoiState(rules, dealer=1, hands=(0, 0), field=(), pile=())
    assert (state.number, state.month, state.turn, state.winner) == (1, 0b1111, 1, -1)


def test_a_lucky_hand_is_shown_and_ends_the_deal() -> None:
    state = world(TESHI, PLAIN, FIELD, zero_sum=True)
    found = state.outcome()
    assert (state.is_over, found.reason, found.winner, found.score) == (True, "teshi", 0, (6, -6))
    assert (found.victories, found.base, found.added, found.multipliers) == ((1, 0), 0, 0, ())
    assert found.winning_side == 0
    assert KOIKOI.lines(state.rules.options, found) == [
        {"side": 0, "code": "teshi", "v": 6}, {"side": 1, "code": "paid", "v": -6},
    ]  # fmt: skip
    order = [*members(parse_cards(TESHI)), *(card for card in range(48) if not parse_cards(TESHI) >> card & 1)]
    told = KOIKOI.dealt(state, order)
    shown = {"code": "teyaku", "by": 0, "name": "teshi", "cards": ["02.1", "02.2", "02.3", "02.4"]}
    assert told.notes == (shown,)
    assert told.event["ev"] == [shown]


def test_two_lucky_hands_are_both_shown_and_score_nothing() -> None:
    state = world(TESHI, PAIRS, FIELD)
    found = state.outcome()
    assert (found.reason, found.winner, found.score, found.victories) == ("both_teyaku", None, (0, 0), (0, 0))
    assert KOIKOI.lines(state.rules.options, found) == []
    assert [note["name"] for note in KOIKOI.dealt(state, range(48)).notes] == ["teshi", "kuttsuki"]


def test_a_full_month_on_the_field_may_win_for_the_dealer() -> None:
    state = world(PLAIN, PLAIN, QUAD, field_quad="dealer_wins", field_brights="double")
    found = state.outcome()
    assert (found.reason, found.winner, found.score) == ("field_quad", 1, (0, 6))
    quad, brights = KOIKOI.dealt(state, range(48)).notes
    assert quad == {"code": "field_quad", "side": 1, "cards": ["07.1", "07.2", "07.3", "07.4"]}
    assert brights == {"code": "field_brights", "cards": ["12.1"], "mult": 2}


@pytest.mark.parametrize(
    ("option", "field", "mult"),
    [
        ("off", FIELD, 1), ("double", FIELD, 2), ("count", FIELD, 2), ("plus_one", FIELD, 3),
        ("double", "02.1", 1), ("count", "02.1", 1), ("plus_one", "02.1", 1), ("count", "01.1", 1),
        ("double", "01.1 03.1 08.1", 2), ("count", "01.1 03.1 08.1", 3), ("plus_one", "01.1 03.1 08.1", 4),
    ],
)  # fmt: skip
def test_brights_dealt_to_the_field_multiply(option: str, field: str, mult: int) -> None:
    state = world(PLAIN, "02.3", field, field_brights=option)
    assert state.mult == mult
    assert ("field_brights" in [note["code"] for note in KOIKOI.dealt(state, range(48)).notes]) == (mult > 1)


def test_an_order_that_is_dealt_again_makes_no_deal() -> None:
    order = [card_index(code) for code in QUAD.split()]
    rest = [card for card in range(48) if not card_set(order) >> card & 1]
    packets = (*rest[:16], *order, *rest[16:])
    assert dealt(ruleset("koikoi_zoo"), packets) is None
    state = dealt(ruleset("koikoi_nintendo", field_quad="dealer_wins", deal_pattern="packets"), packets, number=7)
    assert state is not None
    assert (state.is_over, state.number, state.outcome().score) == (True, 7, (6, 0))
