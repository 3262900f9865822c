"""First dealer, dealing, setup. Rulings R04-R17, R90."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import ALL, card_index, codes, members, parse_cards
from engine.deck import GuessedShuffles, dealer_order
from engine.errors import EngineError
from engine.game import DealStart
from engine.games import ruleset
from engine.games.sakura import SAKURA, scoring
from engine.games.sakura.deal import DEAL_CHART, best_drawn, deal_cards, deal_hand, first_dealer, is_kuttsuki
from engine.games.sakura.start import set_up_state
from engine.games.sakura.state import SakuraState
from tests.engine.worlds import a_world, contents, on_field, tray

SORTED = list(members(ALL))


def drawn(*cards: str) -> dict[int, int]:
    return {seat: card_index(code) for seat, code in enumerate(cards)}


@pytest.mark.parametrize(
    ("rule", "cards", "first"),
    [
        ("redraw", ("06.3", "02.4", "11.1"), [1]),
        ("redraw", ("02.1", "02.4", "09.1"), [0, 1]),
        ("value_then_redraw", ("03.2", "03.1"), [1]),
        ("value_then_redraw", ("11.1", "11.3"), [1]),
        ("value_then_redraw", ("11.1", "11.2", "12.1"), [0, 1]),
        ("value_then_redraw", ("01.3", "01.4", "01.2"), [2]),
        ("rank_then_redraw", ("11.3", "11.1"), [1]),
        ("rank_then_redraw", ("01.3", "01.4", "02.1"), [0, 1]),
        ("rank_then_redraw", ("12.2", "12.4"), [0, 1]),
    ],
)
def test_who_deals_first(rule: str, cards: tuple[str, ...], first: list[int]) -> None:
    assert best_drawn(rule, drawn(*cards)) == first


def test_only_the_tied_draw_again() -> None:
    drawings = [drawn("02.1", "02.4", "09.1"), drawn("12.1", "05.3")]
    dealer, seen = first_dealer("redraw", 3, lambda number: list(drawings[number].values()))
    assert dealer == 1
    assert [len(cards) for cards in seen] == [3, 2]


def test_too_few_cards_to_draw() -> None:
    with pytest.raises(EngineError, match=r"^3 players draw, but there are 1 cards\.$") as caught:
        first_dealer("redraw", 3, lambda _: [1])
    assert caught.value.code == "draw.short"


@given(st.binary(min_size=32, max_size=32), st.integers(2, 7))
def test_every_first_dealer_has_the_earliest_month(seed: bytes, seats: int) -> None:
    def order(number: int) -> Sequence[int]:
        return dealer_order(seed, number)

    dealer, drawings = first_dealer("redraw", seats, order)
    months = [card // 4 for card in drawings[0]]
    assert months[dealer] == min(months)
    assert len(drawings) == 1 or months.count(min(months)) == len(drawings[1])


@pytest.mark.parametrize("players", DEAL_CHART)
@pytest.mark.parametrize("pattern", ["packets", "halves"])
def test_the_chart(players: int, pattern: str) -> None:
    cards = deal_cards(SORTED, players, 0, pattern)
    table = DEAL_CHART[players]
    assert {len(hand) for hand in cards.hands} == {table.hand}
    assert len(cards.field) == table.field
    assert len(cards.pile) == table.pile(players)
    assert sorted([*cards.field, *cards.pile, *(card for hand in cards.hands for card in hand)]) == SORTED


def test_halves_give_the_larger_half_first() -> None:
    cards = deal_cards(SORTED, 4, 3, "halves")
    assert cards.field[:4] == (0, 1, 2, 3)
    assert cards.hands[0][:3] == (4, 5, 6)
    assert cards.hands[3][:3] == (13, 14, 15)
    assert cards.field[4:] == (16, 17, 18, 19)
    assert cards.hands[0][3:] == (20, 21)


def setup(state: SakuraState) -> SakuraState:
    assert set_up_state(state)
    return state


def test_the_dealers_side_captures_full_months() -> None:
    state = setup(a_world(seats=4, dealer=3, options={"teams": "2x2"}, field="05.1 05.2 05.3 05.4 11.3 03.2 07.3 10.1"))
    assert tray(state, 1) == ["05.1", "05.2", "05.3", "05.4"]
    assert on_field(state) == ["03.2", "07.3", "10.1", "11.3"]
    assert not state.is_over


def test_three_full_months_on_twelve_cards() -> None:
    state = setup(a_world(seats=6, field="01.1 01.2 01.3 01.4 02.1 02.2 02.3 02.4 03.1 03.2 03.3 03.4"))
    assert len(tray(state, 0)) == 12
    assert on_field(state) == []


def test_a_discarded_gaji_is_not_replaced_and_precedes_the_full_month() -> None:
    field = "11.1 11.2 11.3 11.4 01.1 02.1 03.1 04.1"
    state = setup(a_world(field=field, options={"gaji_at_deal": "discard"}))
    assert codes(state.removed) == ["11.4"]
    assert len(on_field(state)) == 7
    assert not state.is_over


def test_redeal_throws_the_deal_in() -> None:
    state = a_world(field="05.1 05.2 05.3 05.4", options={"field_quad": "redeal"})
    assert not set_up_state(state)


@pytest.mark.parametrize(
    ("cards", "found"),
    [
        ("02.1 02.2 02.3 02.4 05.1 06.2 09.3 10.4", "teshi"),
        ("01.1 01.2 02.1 02.2 05.1 05.2 09.3 09.4", "kuttsuki"),
        ("02.1 02.2 02.3 02.4 05.1 05.2 09.3 09.4", "teshi"),
        ("01.1 01.2 02.1 02.2 05.1 05.2 09.3", None),
        ("01.1 01.2 01.3 02.2 05.1 05.2 09.3 09.4", None),
    ],
)
def test_deal_hands(cards: str, found: str | None) -> None:
    assert deal_hand(parse_cards(cards)) == found


def test_twelve_cards_are_no_kuttsuki() -> None:
    assert not is_kuttsuki(parse_cards("01.1 01.2 02.1 02.2 03.1 03.2 04.1 04.2 11.1 11.2 08.3 09.3"))


FRENCH_FIELD = "01.3 03.4 04.1 06.3 07.2 08.4 09.1 12.1"
TESHI = "02.1 02.2 02.3 02.4 05.1 06.2 09.3 10.4"


def test_a_deal_hand_wins_six_points_for_its_side() -> None:
    state = setup(a_world(preset="french", field=FRENCH_FIELD, p1=TESHI))
    outcome = state.outcome()
    assert (outcome.score, outcome.winner, outcome.reason, outcome.victories) == ((0, 6), 1, "teshi", (0, 1))
    assert state.legal_actions() == ()


def test_four_pairs_win_under_their_own_name() -> None:
    state = setup(a_world(preset="french", field=FRENCH_FIELD, p0="02.1 02.2 05.1 05.2 10.1 10.2 11.1 11.2"))
    outcome = state.outcome()
    assert (outcome.score, outcome.winner, outcome.reason) == ((6, 0), 0, "kuttsuki")
    assert state.notes[0][0] == "kuttsuki"


def test_two_deal_hands_of_one_side_count_once() -> None:
    p0, p2 = "02.1 02.2 02.3 02.4 05.1", "10.1 10.2 10.3 10.4 05.2"
    teams = {"teams": "2x2"}
    state = setup(a_world(seats=4, preset="french", options=teams, field=FRENCH_FIELD, dealer=1, p0=p0, p2=p2))
    assert state.outcome().score == (6, 0)
    assert state.outcome().winner == 2


def test_the_deal_hands_of_the_winning_side_are_shown_and_no_other() -> None:
    """Everybody sees why the deal is over; a hand that does not count stays hidden (rules.md 3.6)."""
    p0, p1, p2 = "02.1 02.2 02.3 02.4 05.1", "07.1 08.2 11.1 11.2 12.2", "10.1 10.2 10.3 10.4 05.2"
    field, teams = FRENCH_FIELD, {"teams": "2x2"}
    both = setup(a_world(seats=4, preset="french", options=teams, field=field, dealer=1, p0=p0, p1=p1, p2=p2))
    assert [(code, side, codes(cards)) for code, side, cards in both.notes] == [
        ("teshi", 0, [*p0.split()[:4], "05.1", "05.2", *p2.split()[:4]])
    ]
    one = setup(a_world(seats=4, preset="french", options=teams, field=field, p1=p0, p2=p1, p3=p1))
    assert [(code, side, codes(cards)) for code, side, cards in one.notes] == [("teshi", 1, p0.split())]
    void = setup(a_world(preset="french", field=field, p0=TESHI, p1="10.1 10.2 11.1 11.2 08.1 08.2 07.3 07.4"))
    assert void.notes == [("void", -1, 0)]


def test_the_lines_of_a_deal_hand_name_it() -> None:
    state = setup(a_world(preset="french", field=FRENCH_FIELD, p1=TESHI))
    assert scoring.lines(state.rules.options, state.outcome()) == [
        {"side": 0, "code": "teshi", "v": 0},
        {"side": 1, "code": "teshi", "v": 6},
    ]


def test_deal_hands_of_two_sides_void_the_deal() -> None:
    state = setup(a_world(preset="french", field=FRENCH_FIELD, p0=TESHI, p1="10.1 10.2 11.1 11.2 08.1 08.2 07.3 07.4"))
    assert (state.outcome().reason, state.outcome().score, state.outcome().winner) == ("void", (0, 0), None)


@pytest.mark.parametrize(
    "field", ["01.3 01.4 02.3 02.4 09.1 09.2 10.1 10.2", "05.1 05.2 05.3 05.4 11.3 03.2 07.3 10.1"]
)
def test_a_field_combination_voids_even_a_deal_hand(field: str) -> None:
    state = setup(a_world(preset="french", field=field, p0="06.1 06.2 06.3 06.4 12.1 04.2 07.4 08.1"))
    assert state.outcome().reason == "void"
    assert state.outcome().victories == (0, 0)


def test_the_same_ruleset_deals_for_any_number_of_players() -> None:
    """Nothing that was worked out for one deal is used for another table."""
    rules = ruleset("hawaii")
    for seats, hand in ((2, 8), (3, 7), (2, 8), (6, 3), (3, 7)):
        start = DealStart(rules, seats, 0, 1, tuple(SORTED), 0, GuessedShuffles(1), {}, (0,) * seats)
        state = SAKURA.new_deal(start)
        assert state is not None
        assert [cards.bit_count() for cards in state.hands] == [hand] * seats
    other = DealStart(ruleset("french"), 3, 0, 1, tuple(SORTED), 0, GuessedShuffles(1), {}, (0, 0, 0))
    dealt = SAKURA.new_deal(other)
    assert dealt is not None
    assert dealt.rules.ruleset == ruleset("french")


def test_full_months_are_told_with_every_card() -> None:
    """01.1 is as good a card as any other: the first bit of a set is a card too."""
    order = [card for card in SORTED if card >= 8]
    order = [*order[:16], *range(8), *order[16:]]
    start = DealStart(ruleset("hawaii"), 2, 1, 1, tuple(order), 0, GuessedShuffles(1), {}, (0, 0))
    state = SAKURA.new_deal(start)
    assert state is not None
    told = SAKURA.dealt(state, order)
    taken = [step for step in told.steps if step.target == "c1"]
    assert [(codes(1 << step.card), step.source) for step in taken] == [([code], "f") for code in codes(255)]
    assert told.notes == ({"code": "field_quad", "side": 1, "cards": codes(255)},)
    assert told.event == {"dealer": "p1", "field": codes(255), "ev": list(told.notes)}


def test_a_copy_of_a_deal_that_is_over_is_over_in_the_same_way() -> None:
    for state in (
        setup(a_world(preset="french", field=FRENCH_FIELD, p1=TESHI)),
        setup(a_world(preset="french", field=FRENCH_FIELD, p0=TESHI, p1=TESHI)),
    ):
        assert contents(state.copy()) == contents(state)
        assert state.copy().outcome() == state.outcome()


def test_where_deal_hands_are_off_a_teshi_is_played() -> None:
    state = setup(a_world(preset="hawaii", field=FRENCH_FIELD, p0="01.1", p1=TESHI))
    assert (state.phase, state.end, state.winning_side, state.claimed_side) == ("hand", None, None, None)
    assert state.notes == []
