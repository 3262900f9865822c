"""Dealing, misdeal, Paulownia, field multiplier, first dealer. rules.md 6.1, R50-R54."""

from __future__ import annotations

import pytest

from engine.cards import ALL, NUKI_DECK, card_index, codes, members, parse_cards
from engine.errors import BadSeating
from engine.games import ruleset
from engine.games.nuki import NUKI
from engine.games.nuki.deal import deal_cards, field_multiplier, is_misdeal, paulownia_on
from engine.games.nuki.values import ANIMALS, BRIGHTS, CHAFF, RIBBONS, card_points, chaff_count
from tests.engine.nuki.tables import a_deal, an_order, dealt
from tests.engine.vectors.nuki_tables import pile_after_deal

NO_BRIGHT = "02.3 02.4 06.3 06.4 09.3 10.3"


def test_the_deck_has_34_cards_worth_211() -> None:
    assert NUKI_DECK.bit_count() == 34
    assert card_points(NUKI_DECK) == 211
    assert chaff_count(NUKI_DECK) == (CHAFF & NUKI_DECK).bit_count() == 19
    assert [(cards & NUKI_DECK).bit_count() for cards in (BRIGHTS, ANIMALS, RIBBONS)] == [5, 6, 7]


def test_the_values_are_those_of_all_48_cards() -> None:
    assert card_points(ALL) == 264
    assert [cards.bit_count() for cards in (BRIGHTS, ANIMALS, RIBBONS)] == [5, 9, 10]
    assert card_points(parse_cards("04.1 04.2 04.3")) == 10 + 5 + 1


@pytest.mark.parametrize(("code", "value"), [("01.1", 20), ("11.1", 20), ("11.2", 10), ("11.3", 5), ("12.2", 1)])
def test_card_points_are_by_what_is_printed(code: str, value: int) -> None:
    assert card_points(parse_cards(code)) == value


@pytest.mark.parametrize(("seats", "pile"), [(2, 14), (3, 7), (4, 0)])
@pytest.mark.parametrize("dealer", [0, 1])
def test_four_and_three_three_and_three(seats: int, pile: int, dealer: int) -> None:
    order = tuple(members(NUKI_DECK))
    cards = deal_cards(order, seats, dealer)
    right = (dealer + 1) % seats
    assert cards.hands[right] == order[:4] + order[4 * seats + 3 :][:3]
    assert cards.hands[dealer][:4] == order[4 * (seats - 1) : 4 * seats]
    assert cards.field == order[4 * seats :][:3] + order[7 * seats + 3 :][:3]
    assert len(cards.pile) == pile_after_deal(seats) == pile
    assert sorted(card for zone in (*cards.hands, cards.field, cards.pile) for card in zone) == list(order)


def test_four_of_a_month_on_the_field_are_thrown_in() -> None:
    assert a_deal(an_order({}, "09.1 09.2 09.3 09.4 12.1 12.2")) is None
    assert is_misdeal(parse_cards("09.1 09.2 09.3 09.4"))
    assert not is_misdeal(parse_cards("09.1 09.2 09.3 12.1 12.2"))


def test_both_paulownia_go_to_the_dealer_and_the_field_stays_at_four() -> None:
    state = dealt(an_order({}, "12.1 02.3 12.2 06.3 09.3 10.3", dealer=1), dealer=1)
    assert codes(state.captured[1]) == ["12.1", "12.2"]
    assert state.field_order() == list(members(parse_cards("02.3 06.3 09.3 10.3")))
    assert (state.multiplier, state.turn, state.pile_left) == (1, 1, 14)


def test_one_paulownia_stays() -> None:
    assert paulownia_on(parse_cards("12.1 01.1")) == 0
    state = dealt(an_order({1: "12.2"}, "12.1 02.3 06.3 06.4 09.3 10.3"))
    assert "12.1" in codes(state.field)


@pytest.mark.parametrize(
    ("carry", "field", "expected"),
    [
        (0, "11.1 12.1 02.3", (1, 0)),
        (0, "01.1", (2, 0)),
        (0, "03.1 08.1", (2, 1)),
        (0, "01.1 03.1 08.1", (2, 2)),
        (1, "02.3", (2, 0)),
        (1, "08.1", (2, 1)),
        (2, "02.3", (2, 1)),
        (2, "01.1 03.1 08.1", (2, 4)),
    ],
)
def test_doubles_never_stack_but_are_handed_on(carry: int, field: str, expected: tuple[int, int]) -> None:
    assert field_multiplier(carry, parse_cards(field)) == expected


def test_the_carry_reaches_the_deal() -> None:
    state = dealt(an_order({}, NO_BRIGHT), carry=2)
    assert (state.multiplier, state.mult, state.carry_out) == (2, 2, 1)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_two_to_four_players_and_no_others(seats: int) -> None:
    with pytest.raises(BadSeating) as caught:
        ruleset("nuki88").sides(seats)
    assert caught.value.extra["allowed"] == [2, 3, 4]


def test_everybody_plays_for_himself() -> None:
    assert ruleset("nuki88").sides(4) == (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("drawn", "dealer"),
    [(["02.1", "01.4"], 1), (["01.2", "01.1"], 1), (["12.2", "12.1"], 1), (["03.1", "03.2", "02.4"], 2)],
)
def test_the_first_dealer_has_the_earliest_month_then_the_higher_rank(drawn: list[str], dealer: int) -> None:
    cards = [card_index(code) for code in drawn]
    found = NUKI.first_dealer(ruleset("nuki88").options, len(cards), lambda number: cards)
    assert found == (dealer, (tuple(cards),))


def test_chaff_of_one_month_draw_again() -> None:
    draws = [[card_index("01.3"), card_index("01.4"), card_index("02.1")], [card_index("06.1"), card_index("03.4")]]
    dealer, drawn = NUKI.first_dealer(ruleset("nuki88").options, 3, lambda number: draws[number])
    assert dealer == 1
    assert len(drawn) == 2
