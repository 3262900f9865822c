"""Turns: discarding, stopping, passing, flips and reshuffles. rules.md 7.2, R77-R86, R93."""

from __future__ import annotations

import pytest

from engine.action import Action
from engine.cards import CODES, card_index, codes
from engine.errors import IllegalAction
from engine.games.poka.follow import follows
from engine.games.poka.state import PokaState
from tests.engine.poka.tables import PASS, STOP, a_table, contents, discard, full, hand, listed, run


def refused(state: PokaState, action: Action, seat: int | None = None) -> str:
    """The code with which an action is refused; nothing may have changed."""
    before = contents(state)
    with pytest.raises(IllegalAction) as caught:
        state.apply(action, seat=seat)
    assert contents(state) == before
    assert caught.value.legal == state.legal_actions()
    return caught.value.code


# the sequence (R79, R80)
@pytest.mark.parametrize("month", range(1, 13))
def test_the_next_month_follows_and_december_wraps(month: int) -> None:
    top, following = card_index(f"{month:02}.3"), f"{month % 12 + 1:02}"
    found = [CODES[card] for card in range(48) if follows(card, top)]
    assert set(found) == {f"{following}.{rank}" for rank in range(1, 5)} | {"01.1", "01.2", "02.1"}


@pytest.mark.parametrize("ghost", ["01.1", "01.2", "02.1"])
def test_a_ghost_follows_everything_and_everything_follows_it(ghost: str) -> None:
    card = card_index(ghost)
    for other in range(48):
        if other != card:
            assert follows(card, other)
            assert follows(other, card)


def test_the_other_januaries_and_februaries_are_no_ghosts() -> None:
    assert listed(a_table(top="06.3", p0="01.3 01.4 02.2 02.3 02.4")) == ["pass"]


def test_a_run_goes_on_until_nothing_follows() -> None:
    state = a_table(top="06.3", p0="07.1 08.2 09.3 11.1", p1="01.3")
    assert listed(state) == ["07.1"]
    run(state, "07.1")
    assert listed(state) == ["08.2", "stop"]
    run(state, "08.2 09.3")
    assert state.seat_to_act == 1, "the turn ended automatically"
    assert hand(state, 0) == ["11.1"]
    assert [CODES[card] for card in state.discard] == ["06.3", "07.1", "08.2", "09.3"]


def test_a_ghost_in_the_hand_keeps_the_turn_open() -> None:
    state = run(a_table(top="06.3", p0="07.1 02.1 12.4", p1="01.3"), "07.1")
    assert listed(state) == ["02.1", "stop"]
    run(state, "02.1")
    assert listed(state) == ["12.4", "stop"]


def test_stopping_early_is_allowed_after_a_discard() -> None:
    state = run(a_table(top="06.3", p0="07.1 08.2", p1="01.3"), "07.1 stop")
    assert state.seat_to_act == 1
    assert hand(state, 0) == ["08.2"]


def test_the_next_turn_counts_from_the_new_top() -> None:
    state = run(a_table(top="06.3", p0="07.1 08.2 12.1", p1="08.3 09.1 04.1"), "07.1 stop")
    assert listed(state) == ["08.3"]
    run(state, "08.3 09.1")
    assert listed(state) == ["pass"]


# refusals, in the precedence of rules 3.1
def test_refusals() -> None:
    state = a_table(top="06.3", p0="07.1 08.2 01.1", p1="01.3")
    assert refused(state, discard("08.2")) == "ILLEGAL_DISCARD"
    assert refused(state, discard("07.2")) == "NOT_IN_HAND"
    assert refused(state, STOP) == "STOP_NOT_ALLOWED"
    assert refused(state, PASS) == "MUST_DISCARD"
    assert refused(state, discard("07.1"), seat=1) == "NOT_YOUR_TURN"
    assert refused(state, PASS, seat=1) == "NOT_YOUR_TURN"
    assert refused(state, Action.of("play", card_index("07.1"))) == "WRONG_PHASE"
    assert refused(state, Action.of("draw_only"), seat=1) == "WRONG_PHASE"
    run(state, "07.1")
    assert refused(state, PASS) == "WRONG_PHASE", "a turn with a discard is stopped, not passed"
    run(state, "08.2 01.1")
    assert refused(state, PASS) == "DEAL_OVER"
    assert refused(state, discard("01.3"), seat=1) == "DEAL_OVER"


# passing (R83)
def test_a_natural_follower_forces() -> None:
    assert listed(a_table(top="06.3", p0="07.1 01.1")) == ["01.1", "07.1"]


def test_a_ghost_does_not_force() -> None:
    assert listed(a_table(top="06.3", p0="10.2 01.1")) == ["01.1", "pass"]


@pytest.mark.parametrize("ghost", ["01.1", "01.2", "02.1"])
def test_on_a_ghost_every_natural_card_forces(ghost: str) -> None:
    assert listed(a_table(top=ghost, p0="08.3 12.4")) == ["08.3", "12.4"]


def test_on_a_ghost_another_ghost_does_not_force() -> None:
    assert listed(a_table(top="01.1", p0="01.2 02.1")) == ["01.2", "02.1", "pass"]


def test_on_january_the_warbler_alone_does_not_force() -> None:
    assert listed(a_table(top="01.3", p0="02.1 05.1")) == ["02.1", "pass"]
    assert listed(a_table(top="12.3", p0="01.1 05.1")) == ["01.1", "pass"]


def test_the_only_choice_may_be_to_pass() -> None:
    state = a_table(top="06.3", p0="10.2", p1="07.1")
    assert listed(state) == ["pass"]
    assert run(state, "pass").seat_to_act == 1


# One-Two (R81)
def test_one_two() -> None:
    state = a_table(top="01.3", p0="01.4 02.2 03.3 07.1", p1="01.1")
    assert listed(state) == ["01.4", "02.2"]
    run(state, "01.4")
    assert listed(state) == ["02.2"], "no stop between the two"
    assert refused(state, STOP) == "STOP_NOT_ALLOWED"
    assert refused(state, discard("07.1")) == "ILLEGAL_DISCARD"
    run(state, "02.2")
    assert listed(state) == ["03.3", "stop"]


def test_one_two_with_the_warbler_as_february() -> None:
    state = run(a_table(top="01.3", p0="01.4 02.1 09.3 01.1", p1="05.1"), "01.4")
    assert listed(state) == ["02.1"], "another ghost is no February"
    assert listed(run(state, "02.1")) == ["01.1", "09.3", "stop"]


def test_one_two_needs_the_february_and_a_january_on_top_of_the_turn() -> None:
    assert listed(a_table(top="01.3", p0="01.4 05.2")) == ["pass"]
    assert listed(a_table(top="02.3", p0="01.4 02.2")) == ["pass"]
    assert listed(a_table(top="02.3", p0="02.2 02.4 03.1")) == ["03.1"]
    assert listed(a_table(top="03.3", p0="03.4 02.2 01.4")) == ["pass"]
    state = run(a_table(top="12.3", p0="01.3 01.4 02.2", p1="05.1"), "01.3")
    assert listed(state) == ["02.2", "stop"], "the January on top was laid in this turn"


def test_one_extra_january_per_turn() -> None:
    state = run(a_table(top="01.3", p0="01.2 01.4 02.2 05.1", p1="05.1"), "01.2")
    assert listed(state) == ["01.4", "02.2", "05.1", "stop"], "on a ghost it follows anyway"
    assert listed(run(state, "01.4")) == ["02.2", "stop"], "and binds to nothing"


def test_on_a_ghost_january_a_january_binds_to_nothing() -> None:
    state = run(a_table(top="01.1", p0="01.4 02.2", p1="05.1"), "01.4")
    assert listed(state) == ["02.2", "stop"]


def test_the_extra_january_does_not_force() -> None:
    assert listed(a_table(top="01.3", p0="01.4 02.1 05.1")) == ["01.4", "02.1", "pass"]


def test_one_two_switched_off() -> None:
    assert listed(a_table(top="01.3", p0="01.4 02.2", one_two=False)) == ["02.2"]


def test_one_two_may_end_the_deal() -> None:
    state = run(a_table(top="01.3", p0="01.4 02.2", p1="05.1"), "01.4 02.2")
    assert state.is_over


# same-month discard (R82)
def test_same_month_discard_is_off() -> None:
    state = a_table(top="02.3", p0="02.2 02.4 03.1")
    assert refused(state, discard("02.2")) == "ILLEGAL_DISCARD"


def test_same_month_discard() -> None:
    state = a_table(top="02.3", p0="02.2 02.4 03.1 03.2 04.1", p1="05.1", same_month_dump=True)
    assert listed(state) == ["02.2", "02.4", "03.1", "03.2"]
    run(state, "02.2")
    assert listed(state) == ["02.4", "03.1", "03.2", "stop"]
    run(state, "02.4 03.1")
    assert listed(state) == ["04.1", "stop"], "then on in sequence"


def test_same_month_discard_only_at_the_start_of_a_turn() -> None:
    state = run(a_table(top="12.3", p0="01.3 01.4 02.2", p1="05.1", same_month_dump=True), "01.3")
    assert listed(state) == ["02.2", "stop"]
    state = run(a_table(top="01.3", p0="02.2 02.3 03.1", p1="05.1", same_month_dump=True), "02.2")
    assert listed(state) == ["03.1", "stop"]
    state = run(a_table(top="02.3", p0="01.1 02.4 02.2", p1="05.1", same_month_dump=True), "01.1 02.2")
    assert state.seat_to_act == 1, "after another month the second February no longer goes"


def test_same_month_discard_only_of_january_and_february() -> None:
    assert listed(a_table(top="03.3", p0="03.1 03.2", same_month_dump=True)) == ["pass"]


def test_same_month_discard_does_not_force_and_binds_to_nothing() -> None:
    state = a_table(top="01.3", p0="01.4 05.1 01.2", p1="05.2", same_month_dump=True)
    assert listed(state) == ["01.2", "01.4", "pass"]
    assert listed(run(state, "01.4")) == ["01.2", "stop"], "no February needed"
    state = run(a_table(top="02.3", p0="02.1 02.4 05.1", p1="05.2", same_month_dump=True), "02.1 02.4")
    assert state.seat_to_act == 1


def test_the_other_seat_may_dump_on_its_own_turn() -> None:
    state = run(a_table(top="01.3", p0="02.2 05.1", p1="02.3 02.4 07.1", same_month_dump=True), "02.2")
    assert listed(state) == ["02.3", "02.4", "pass"]
    state = run(a_table(top="06.3", p0="05.1", p1="01.4 02.3", pile="01.3", same_month_dump=True), "pass pass")
    assert listed(run(state, "pass")) == ["01.4", "02.3"]


# two passes (R84)
def test_two_passes_flip_for_the_first_passer() -> None:
    state = run(a_table(top="06.3", p0="10.1", p1="03.2", pile="09.2 05.1"), "pass pass")
    assert (state.seat_to_act, state.pile_left, state.passes) == (0, 1, 0)
    assert CODES[state.discard[-1]] == "09.2"
    assert listed(state) == ["10.1"]


def test_one_pass_does_not_flip() -> None:
    state = run(a_table(top="06.3", p0="10.1", p1="07.2 01.3", pile="09.2 05.1"), "pass")
    assert (state.passes, state.pile_left) == (1, 2)
    run(state, "07.2")
    assert (state.passes, state.pile_left, state.seat_to_act) == (0, 2, 0)
    assert run(state, "pass").pile_left == 2, "only two in succession count"


def test_passes_are_counted_afresh_after_a_flip() -> None:
    state = run(a_table(top="06.3", p0="10.1", p1="10.2", pile="02.2 04.1 09.1"), "pass pass pass")
    assert state.pile_left == 2
    run(state, "pass")
    assert (state.pile_left, state.seat_to_act) == (1, 0)
    assert [CODES[card] for card in state.discard] == ["06.3", "02.2", "04.1"]


def test_a_flipped_ghost_frees_everything() -> None:
    assert listed(run(a_table(top="06.3", p0="10.1 11.1", p1="03.2", pile="01.2"), "pass pass")) == ["10.1", "11.1"]


# reshuffle (R85)
def test_the_pile_is_formed_again_when_a_flip_needs_it() -> None:
    state = a_table(top="04.1 05.2 06.3", p0="10.1", p1="12.2", pile="02.2")
    run(state, "pass pass")
    assert (state.pile_left, state.reshuffles, state.pile_known) == (0, 0, False), "not before a flip needs it"
    run(state, "pass pass")
    assert (state.pile_left, state.reshuffles, state.pile_known) == (2, 1, True)
    assert codes(state.hands[0]) == ["10.1"]
    assert CODES[state.discard[0]] == "02.2", "the top stays, below the card turned up"
    assert len(state.discard) == 2
    assert {CODES[card] for card in (*state.hidden(), state.discard[1])} == {"04.1", "05.2", "06.3"}


def test_the_order_of_a_new_pile_is_asked_for_by_its_number() -> None:
    asked: list[tuple[str, int, list[str]]] = []

    def shuffle(label: str, number: int, cards: int) -> tuple[int, ...]:
        asked.append((label, number, codes(cards)))
        return tuple(card_index(code) for code in codes(cards))

    state = a_table(top="04.1 05.2", p0="10.1", p1="12.2")
    state.shuffle = shuffle
    run(state, "pass " * 4)
    assert asked == [("reshuffle", 0, ["04.1"]), ("reshuffle", 1, ["05.2"])]
    assert [CODES[card] for card in state.discard] == ["04.1", "05.2"]


# progress (R93)
def test_a_ghost_forces_from_the_third_reshuffle_on() -> None:
    state = a_table(top="04.1 05.2", p0="10.1 01.1", p1="12.2 02.1")
    for reshuffles in (1, 2):
        run(state, "pass pass")
        assert state.reshuffles == reshuffles
        assert listed(state) == ["01.1", "pass"]
    run(state, "pass pass")
    assert state.reshuffles == 3
    assert listed(state) == ["01.1"]
    assert refused(state, PASS) == "MUST_DISCARD"
    assert listed(run(state, "01.1 stop")) == ["02.1", "12.2"]


def test_a_natural_hand_may_still_pass_then() -> None:
    state = run(a_table(top="04.1 05.2", p0="10.1", p1="12.2"), "pass " * 6)
    assert state.reshuffles == 3
    assert listed(state) == ["pass"]


# how a deal ends (R86)
def test_an_empty_hand_wins_at_once() -> None:
    state = a_table(top="03.3", p0="04.1", p1="05.1")
    state.first_turn = [False, False]
    run(state, "04.1")
    assert state.is_over
    assert state.reason == "emptied"
    assert state.outcome().score == (1, 0)


def test_all_out_on_the_first_turn_of_either_player() -> None:
    state = full(a_table(top="03.3", p0="04.1 08.1", p1="05.1 06.1 07.1 08.2 09.1 10.1"))
    run(state, "04.1 05.1 06.1 07.1 08.2 09.1 10.1")
    assert state.reason == "all_out"
    assert (state.outcome().score, state.outcome().winner) == ((0, 2), 1)


def test_a_pass_uses_up_the_first_turn() -> None:
    state = a_table(top="03.3", p0="05.1 06.1", p1="10.1", pile="04.1")
    run(state, "pass")
    assert state.first_turn == [False, True]
    run(state, "pass 05.1 06.1")
    assert (state.reason, state.outcome().points) == ("emptied", 1)


def test_a_stop_uses_up_the_first_turn() -> None:
    state = run(a_table(top="03.3", p0="04.1 05.1 06.1", p1="10.1"), "04.1 stop")
    assert state.first_turn == [False, True]


def test_only_the_seat_itself_knows_of_a_stop() -> None:
    """The others are told the same whether a turn ended on its own or by a stop (rules 11)."""
    stopped = run(a_table(top="06.3", p0="07.1 08.2", p1="01.3"), "07.1 stop")
    by_itself = run(a_table(top="06.3", p0="07.1 10.2", p1="01.3"), "07.1")
    assert (stopped.moves_seen, by_itself.moves_seen) == ([2, 1], [1, 1])
    assert run(by_itself, "pass").moves_seen == [2, 2]
