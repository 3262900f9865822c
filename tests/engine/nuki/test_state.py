"""A position of Nuki that was set up by hand, and what it asks its shuffle for. rules.md 6.1 to 6.3."""

from __future__ import annotations

import pytest

from engine.cards import NUKI_DECK, CardSet, codes, members, parse_cards
from engine.errors import IllegalAction
from engine.game import DealStart
from engine.games import ruleset
from engine.games.nuki.position import NOBODY
from engine.games.nuki.rules import compile_rules
from engine.games.nuki.start import new_deal
from engine.games.nuki.state import NukiState
from engine.games.nuki.teyaku import NOTHING, claims_of, group_a
from tests.engine.nuki.tables import DROP, JOIN, SAGE, an_order, play

TRIPLETS = "06.1 06.2 06.3 09.1 09.2 09.3 01.1"


def test_a_position_before_anybody_has_decided_anything() -> None:
    rules = compile_rules(ruleset("nuki88"), 4)
    state = NukiState(rules, dealer=3, hands=[parse_cards("01.1"), 0, 0, 0], field=(), pile=())
    assert (state.active, state.leader, state.turn, state.seat_to_act) == ((3, 0), 3, 3, 3)
    assert state.claims == [NOTHING, None, None, NOTHING]
    assert (state.captured, state.played, state.returned, state.paid) == ([0] * 4, [0] * 4, [0] * 4, [0] * 4)
    assert (state.carry, state.carry_out, state.multiplier, state.mult, state.redeal) == (0, 0, 1, 1, 0)
    assert (state.sage, state.first_sage, state.end, state.ended_by, state.pending) == (0, NOBODY, None, NOBODY, NOBODY)
    assert state.mizuten is False
    assert state.fresh is False
    assert (state.notes, state.orders, state.answers) == ([], [], [])


def test_turn_and_active_may_be_given() -> None:
    rules = compile_rules(ruleset("nuki88"), 3)
    state = NukiState(rules, dealer=0, hands=[0, 0, 0], field=(), pile=(), active=(2, 1), turn=1, captured=[1, 2, 4])
    assert (state.active, state.leader, state.turn) == ((2, 1), 2, 1)
    assert state.captured == [1, 2, 4]
    assert (state.opponent(1), state.opponent(2)) == (2, 1)


def test_a_refusal_names_what_was_refused_and_what_is_legal() -> None:
    state = NukiState(compile_rules(ruleset("nuki88"), 2), dealer=0, hands=[parse_cards("01.1"), 0], field=(), pile=())
    with pytest.raises(IllegalAction) as caught:
        state.apply(SAGE)
    assert (caught.value.action, caught.value.code) == (SAGE, "WRONG_PHASE")
    assert caught.value.legal == (play("01.1"),)


@pytest.mark.parametrize("month", [6, 9])
def test_of_two_triplets_the_named_one_is_claimed(month: int) -> None:
    hand = parse_cards(TRIPLETS)
    claim = claims_of(hand, month).a
    assert claim is not None
    assert (claim.id, claim.month) == ("triplet", month)
    assert codes(claim.shown) == [f"{month:02}.{rank}" for rank in (1, 2, 3)]
    assert group_a(hand, month) == claim


def test_without_a_name_the_earlier_triplet_counts() -> None:
    """rules.md 6.2: where nobody can be asked the earlier month counts."""
    for hand, month in (
        (TRIPLETS, 6),
        ("01.1 01.2 01.3 09.1 09.2 09.3 02.1", 1),
        (TRIPLETS.replace("01.1", "02.1"), 6),
    ):
        claim = claims_of(parse_cards(hand)).a
        assert claim is not None
        assert claim.month == month
        assert claims_of(parse_cards(hand), 4).a == claim


class Asked:
    """A shuffle that notes what it is asked for."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int, CardSet]] = []

    def __call__(self, label: str, number: int, cards: CardSet) -> tuple[int, ...]:
        self.calls.append((label, number, cards))
        return tuple(members(cards))


def asked_deal(asked: Asked) -> NukiState:
    order = an_order({0: TRIPLETS}, "02.3 02.4 08.3", seats=4)
    state = new_deal(DealStart(ruleset("nuki88"), 4, 0, 1, order, 0, asked, {}, (0, 0, 0, 0)))
    assert state is not None
    return state


def test_inactive_hands_are_shuffled_back_under_their_label() -> None:
    """rules.md 6.3: the hands of those who do not play make the pile again; the label keeps the stream apart."""
    asked = Asked()
    state = asked_deal(asked)
    away = state.hands[0] | state.hands[3]
    for said in (DROP, JOIN, JOIN):
        state.apply(said)
    assert asked.calls == [("return", 0, away)]
    assert (state.returned[0] | state.returned[3], state.pile_left, state.leader) == (away, 14, 1)


def test_a_deal_that_nobody_plays_comes_from_the_next_order_of_the_deck() -> None:
    asked = Asked()
    state = asked_deal(asked)
    for _ in range(4):
        state.apply(DROP)
    assert [call[:2] for call in asked.calls] == [("deck", number) for number in range(1, len(asked.calls) + 1)]
    assert all(cards == NUKI_DECK for _, _, cards in asked.calls)
    assert state.redeal == len(asked.calls)
