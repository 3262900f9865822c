"""Join or drop, playing blind, the pile rebuilt, penalties, redeals. rules.md 6.1, 6.3, R53, R58, R59, R92."""

from __future__ import annotations

from functools import partial

import pytest

from engine.cards import NUKI_DECK, card_set, codes, parse_cards
from engine.errors import IllegalAction
from engine.game import OptionValue
from engine.games.nuki.deal import deal_cards
from engine.games.nuki.join import Table, drop_penalty, join_or_drop
from engine.games.nuki.state import NukiState
from tests.engine.nuki.tables import DROP, JOIN, MIZUTEN, SEE, an_order, dealt, is_partition, listed, zones

FIELD = "02.3 02.4 06.3 06.4 09.3 10.3"
LARGE = "01.1 02.4 06.3 06.4 09.3 10.3"


def a_table(seats: int, field: str = FIELD, dealer: int = 0, **options: OptionValue) -> NukiState:
    return dealt(an_order({}, field, seats=seats, dealer=dealer), seats=seats, dealer=dealer, options=options)


def answer(state: NukiState, words: str) -> NukiState:
    for word in words.split():
        state.apply(JOIN if word == "play" else DROP)
    return state


def test_two_players_are_not_asked() -> None:
    state = a_table(2)
    assert state.phase in ("hand", "showdown")
    assert (state.active, state.leader) == ((0, 1), 0)
    with pytest.raises(IllegalAction, match="WRONG_PHASE"):
        state.apply(JOIN)


def test_the_dealer_answers_first_then_to_the_right() -> None:
    state = a_table(4, dealer=2)
    assert (state.phase, state.turn, state.leader) == ("join", 2, -1)
    assert listed(state) == [{"join": "play"}, {"join": "drop"}]
    with pytest.raises(IllegalAction, match="NOT_YOUR_TURN"):
        state.apply(JOIN, seat=3)
    answer(state, "drop")
    assert state.turn == 3
    answer(state, "play")
    assert state.turn == 0


def test_two_volunteers_force_the_rest_out() -> None:
    state = answer(a_table(4), "drop play play")
    assert (state.active, state.leader, state.turn) == ((1, 2), 1, 1)
    assert [hand.bit_count() for hand in state.hands] == [0, 7, 7, 0]
    assert state.pile_left == 14
    assert is_partition(state)
    assert set(state.pile) == set(_indices(state.returned[0] | state.returned[3]))
    assert state.orders == [state.pile]


def _indices(cards: int) -> list[int]:
    return [card for card in range(48) if cards >> card & 1]


def test_the_dealer_leads_if_he_plays() -> None:
    state = answer(a_table(3, dealer=1), "play drop play")
    assert (state.active, state.leader) == ((1, 0), 1)
    state = answer(a_table(3, dealer=1), "drop play play")
    assert (state.active, state.leader) == ((2, 0), 2)


def test_the_pile_is_shuffled_when_hands_come_back() -> None:
    state = a_table(3)
    dealt_pile = state.pile
    answer(state, "play play")
    assert state.pile_left == 14
    assert set(dealt_pile) <= set(state.pile)
    assert state.pile[:7] != dealt_pile


def test_the_paulownia_follow_the_dealer_for_the_deal() -> None:
    state = a_table(3, field="12.1 12.2 02.3 06.3 09.3 10.3")
    assert codes(state.captured[0]) == ["12.1", "12.2"]
    answer(state, "drop play play")
    assert state.captured == [0, parse_cards("12.1 12.2"), 0]
    state = answer(a_table(3, field="12.1 12.2 02.3 06.3 09.3 10.3"), "play drop play")
    assert state.captured == [parse_cards("12.1 12.2"), 0, 0]


def test_one_volunteer_wins_without_a_game() -> None:
    state = answer(a_table(3, LARGE, mizuten=True, dropout_penalty="hachi"), "")
    state.apply(SEE)
    answer(state, "drop drop play")
    outcome = state.outcome()
    assert (state.is_over, outcome.reason, outcome.winner) == (True, "no_game", 2)
    assert outcome.score == (-20, -30, 50)
    assert outcome.carry == {"carry": 0}
    assert state.legal_actions() == ()
    assert [line.code for line in outcome.lines] == ["dropout", "dropout", "pot"]


def test_a_pot_without_penalties_is_empty() -> None:
    outcome = answer(a_table(3), "drop drop play").outcome()
    assert (outcome.score, outcome.lines) == ((0, 0, 0), ())


def test_mizuten_is_not_settled_without_a_game() -> None:
    state = a_table(3, mizuten=True)
    state.apply(MIZUTEN)
    outcome = answer(state, "play drop drop").outcome()
    assert (outcome.winner, outcome.score) == (0, (0, 0, 0))


def test_nobody_plays_the_same_dealer_deals_again() -> None:
    state = dealt(
        an_order({}, LARGE, seats=3, dealer=1), seats=3, dealer=1, carry=1, options={"dropout_penalty": "hachi"}
    )
    assert (state.multiplier, state.carry_out) == (2, 1)
    answer(state, "drop drop drop")
    assert not state.is_over
    assert (state.phase, state.dealer, state.turn, state.redeal) == ("join", 1, 1, 1)
    assert state.carry == 1
    assert state.multiplier == 2
    assert state.paid == [40, 20, 30]
    assert state.answers == []
    assert [len(order) for order in state.orders] == [34] * len(state.orders)
    assert is_partition(state)


def test_the_pot_waits_and_the_first_to_drop_pays_one_kan_again() -> None:
    state = answer(a_table(3, dropout_penalty="hachi"), "drop drop drop")
    assert state.paid == [10, 15, 20]
    mult = state.multiplier
    answer(state, "drop drop play")
    assert state.paid == [10 + 10 * mult, 15 + 15 * mult, 20]
    outcome = state.outcome()
    assert outcome.score == (-10 - 10 * mult, -15 - 15 * mult, 25 + 25 * mult)


def test_a_thrown_in_deal_leaves_nothing_behind() -> None:
    state = answer(a_table(3, field="12.1 12.2 02.3 06.3 09.3 10.3"), "drop drop drop")
    assert sum(cards.bit_count() for cards in zones(state)) == NUKI_DECK.bit_count()
    cards = deal_cards(state.orders[-1], 3, 0)
    assert state.hands == [card_set(hand) for hand in cards.hands]
    assert (state.pile, state.position, state.turned) == (cards.pile, 0, 0)


def test_two_must_play_if_the_option_says_so() -> None:
    state = answer(a_table(3, require_two_players=True), "drop")
    assert (state.active, state.leader) == ((1, 2), 1)
    state = answer(a_table(4, require_two_players=True), "drop play drop")
    assert (state.active, state.leader) == ((1, 3), 1)
    state = answer(a_table(4, require_two_players=True), "play play")
    assert state.active == (0, 1)


def test_who_must_play_was_not_forced_out() -> None:
    table = join_or_drop(4, 0, [(0, "drop"), (1, "play"), (2, "drop")], require_two=True)
    assert (table.result, table.volunteers, table.forced_out, table.leader) == ("play", (1, 3), (), 1)
    table = join_or_drop(4, 3, [(3, "play"), (0, "drop"), (1, "play")], require_two=False)
    assert (table.volunteers, table.dropped, table.forced_out, table.leader) == ((3, 1), (0,), (2,), 3)


@pytest.mark.parametrize(("already", "mult", "points"), [(0, 1, 10), (1, 1, 15), (2, 1, 20), (3, 2, 50)])
def test_penalties_rise_by_halves(already: int, mult: int, points: int) -> None:
    assert drop_penalty(already, mult) == points


def test_the_blind_dealer_is_committed() -> None:
    state = a_table(3, mizuten=True)
    assert (state.phase, state.turn, listed(state)) == ("mizuten", 0, [{"see": True}, {"mizuten": True}])
    state.apply(MIZUTEN)
    assert (state.phase, state.mizuten, listed(state)) == ("join", True, [{"join": "play"}])
    with pytest.raises(IllegalAction, match="COMMITTED"):
        state.apply(DROP)
    answer(state, "play drop")
    assert listed(state) == [{"join": "play"}, {"join": "drop"}]


def test_who_looked_may_drop() -> None:
    state = a_table(3, mizuten=True)
    state.apply(SEE)
    assert (state.mizuten, listed(state)) == (False, [{"join": "play"}, {"join": "drop"}])


def test_two_players_decide_on_playing_blind_too() -> None:
    state = a_table(2, mizuten=True)
    assert state.phase == "mizuten"
    assert state.claims == [None, None]
    state.apply(MIZUTEN)
    assert state.phase in ("hand", "showdown")


def test_without_the_option_nobody_plays_blind() -> None:
    for action in (MIZUTEN, SEE):
        with pytest.raises(IllegalAction, match="NOT_IN_PRESET"):
            a_table(3).apply(action)


def test_the_table_after_any_answers() -> None:
    """rules.md 6.3, from the dealer on: who plays, who dropped, who was forced out, who is asked next, who leads."""
    ask = partial(join_or_drop, 4, 2, require_two=False)
    assert ask([]) == Table("open", (), (), (), 2, None)
    assert ask([(2, "drop"), (3, "play")]) == Table("open", (3,), (2,), (), 0, None)
    assert ask([(2, "drop"), (3, "play"), (0, "play")]) == Table("play", (3, 0), (2,), (1,), None, 3)
    assert ask([(2, "play"), (3, "drop"), (0, "drop"), (1, "drop")]) == Table(
        "no_game", (2,), (3, 0, 1), (), None, None
    )
    assert ask([(seat, "drop") for seat in (2, 3, 0, 1)]) == Table("misdeal", (), (2, 3, 0, 1), (), None, None)
    must = join_or_drop(4, 2, [(2, "drop"), (3, "drop")], require_two=True)
    assert must == Table("play", (0, 1), (2, 3), (), None, 0)
