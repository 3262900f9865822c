"""The 48 cards, and sets of them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import cards
from engine.cards import ALL, CARDS, GAJI, NUKI_DECK, card_index, code_of, codes, members, parse_cards, points, set_of
from engine.errors import BadCard
from engine.games.sakura.yaku import YAKU, yaku_in


def test_there_are_48_cards_in_code_order() -> None:
    assert [card.code for card in CARDS] == [f"{month:02}.{rank}" for month in range(1, 13) for rank in range(1, 5)]


def test_printed_categories() -> None:
    assert Counter(card.category for card in CARDS) == {"bright": 5, "animal": 9, "ribbon": 10, "chaff": 24}


def test_sakura_values_add_up_to_240() -> None:
    assert Counter(card.sakura for card in CARDS) == {20: 4, 10: 11, 5: 10, 0: 23}
    assert points(ALL) == 240


def test_the_odd_values_of_sakura() -> None:
    values = {CARDS[card_index(code)].sakura for code in ("11.1", "12.2", "11.4")}
    assert values == {5, 10, 0}


def test_nuki_values_add_up_to_211() -> None:
    assert NUKI_DECK.bit_count() == 34
    assert sum(CARDS[card].nuki or 0 for card in members(NUKI_DECK)) == 211


def test_every_card_names_its_yaku() -> None:
    for card in CARDS:
        assert card.yaku == tuple(yaku.id for yaku in YAKU if yaku.cards & card.bit)


def test_four_cards_are_in_two_yaku() -> None:
    assert [card.code for card in CARDS if len(card.yaku) == 2] == ["03.1", "07.1", "09.1", "10.1"]


def test_the_willow_ribbon_is_in_no_yaku() -> None:
    assert yaku_in(parse_cards("04.2 05.2 11.3")) == ()


def test_every_card_has_three_names() -> None:
    for card in CARDS:
        assert all(card.names[language] for language in ("en", "ja", "fr"))
    assert CARDS[GAJI].names["en"] == "Willow: Lightning (Gaji)"


@given(st.integers(min_value=0, max_value=ALL))
def test_a_set_survives_its_text(cards: int) -> None:
    assert parse_cards(" ".join(codes(cards))) == cards
    assert set_of(codes(cards)) == cards
    assert codes(cards) == sorted(codes(cards))


@pytest.mark.parametrize("code", ["13.1", "00.1", "1.1", "01.5", "", "01.1 ", None, 3])
def test_an_unknown_code_is_refused(code: object) -> None:
    with pytest.raises(BadCard, match="No card has the code"):
        card_index(code)


def test_index_and_code() -> None:
    assert card_index("03.1") == 8
    assert code_of(GAJI) == "11.4"


def test_a_row_of_the_table_with_another_category_is_refused() -> None:
    with pytest.raises(BadCard, match=r"^01\.1: no category flower$"):
        cards._read_row(0, "01.1|Pine|松|pin|flower|20|20|Ro")
