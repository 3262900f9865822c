"""Claims of a Gaji that was used: at the end, or the next point card. Rulings R37-R40."""

from __future__ import annotations

import pytest

from engine.cards import card_set, codes, parse_cards
from engine.game import OptionValue
from engine.games.sakura import scoring
from engine.games.sakura.state import SakuraState
from tests.engine.worlds import a_world, contents, draw_take, hiki, on_field, play, tray


def used(state: SakuraState, *, by: int = 0, month: int = 3) -> SakuraState:
    state.gaji_by, state.gaji_month, state.transfer_open = by, month, state.rules.transfers
    return state


def closed(claim: str, *, by: int | None = 0) -> SakuraState:
    state = a_world(field="03.2 11.2", captured={0: "01.2 02.2"}, options={"gaji_claim": claim})
    if by is not None:
        used(state, by=by)
    scoring.close(state)
    return state


def test_the_paired_month_goes_to_the_user_before_yaku_are_counted() -> None:
    state = closed("round_end_same_month")
    assert state.outcome().yaku == (("Ha",), ())
    assert codes(state.outcome().claimed) == ["03.2"]
    assert codes(state.outcome().dead) == ["11.2"]
    assert state.outcome().score == (30, -50)


def test_the_house_rule_claims_everything_that_is_left() -> None:
    assert closed("round_end_all_leftovers").field == 0
    assert on_field(closed("round_end_all_leftovers", by=None)) == ["03.2", "11.2"]


def test_the_next_point_card_claims_nothing_at_the_end() -> None:
    assert closed("next_point_card").claimed == 0


def transfer(turn: int = 1, *, p0: str, p1: str, field: str, pile: str) -> SakuraState:
    """English 2020, the Gaji used on March by p0; p1 is on turn."""
    return used(a_world(preset="enwiki2020", turn=turn, p0=p0, p1=p1, field=field, pile=pile))


def test_an_opponents_capture_by_hand_hands_the_point_card_over() -> None:
    state = transfer(p0="02.1", p1="03.4 05.1", field="03.1", pile="07.4 12.1")
    state.apply(play("03.4"))
    assert (tray(state, 0), tray(state, 1)) == (["03.1"], ["03.4"])
    assert state.notes[-1] == ("transfer", 8, 0)
    assert not state.transfer_open


def test_of_two_point_cards_the_higher_moves() -> None:
    state = transfer(p0="02.1", p1="03.2 05.1", field="03.1", pile="07.4 12.1")
    state.apply(play("03.2"))
    assert (tray(state, 0), tray(state, 1)) == (["03.1"], ["03.2"])


def test_of_equal_values_the_lower_code_moves() -> None:
    state = used(
        a_world(preset="enwiki2020", turn=1, p0="02.1", p1="11.2 05.1", field="11.1", pile="07.4 12.1"), month=11
    )
    state.apply(play("11.2"))
    assert tray(state, 0) == ["11.1"]


def test_a_flipped_point_card_moves_rather_than_a_higher_one_it_took() -> None:
    state = transfer(p0="02.1", p1="09.4 05.1", field="03.1", pile="03.2 12.1")
    state.apply(play("09.4"))
    assert (tray(state, 0), tray(state, 1)) == (["03.2"], ["03.1"])
    assert state.notes[-1] == ("transfer", 9, 0)


def test_a_flipped_chaff_that_takes_a_point_card_hands_it_over() -> None:
    state = transfer(p0="02.1", p1="09.4 05.1", field="03.1", pile="03.4 12.1")
    state.apply(play("09.4"))
    assert (tray(state, 0), tray(state, 1)) == (["03.1"], ["03.4"])


def test_a_flipped_point_card_moves_though_the_one_it_chose_is_higher() -> None:
    state = transfer(p0="02.1", p1="09.4 05.1", field="03.1 03.4", pile="03.2 12.1")
    state.apply(play("09.4"))
    state.apply(draw_take("03.1"))
    assert (tray(state, 0), tray(state, 1)) == (["03.2"], ["03.1"])


def test_after_a_choice_the_flipped_card_still_moves() -> None:
    state = transfer(p0="02.1", p1="09.4 05.1", field="03.3 03.4", pile="03.2 12.1")
    state.apply(play("09.4"))
    state.apply(draw_take("03.4"))
    assert (tray(state, 0), tray(state, 1)) == (["03.2"], ["03.4"])


def test_a_point_card_turned_up_without_a_match_goes_over_at_once() -> None:
    for turn, (p0, p1) in ((1, ("02.1", "09.4 05.1")), (0, ("09.4 05.1", "02.1"))):
        state = transfer(turn, p0=p0, p1=p1, field="08.1", pile="03.2 12.1")
        state.apply(play("09.4"))
        assert tray(state, 0) == ["03.2"]
        assert on_field(state) == ["08.1", "09.4"]
        assert state.notes[-1] == ("flip_transfer", 9, 0)
        assert not state.transfer_open


def test_the_own_side_keeps_what_it_turns_up_and_the_claim_is_spent() -> None:
    state = transfer(0, p0="09.4 05.1", p1="02.1", field="03.1", pile="03.2 12.1")
    state.apply(play("09.4"))
    assert tray(state, 0) == ["03.1", "03.2"]
    assert not state.transfer_open


def test_the_own_side_does_not_spend_it_by_hand_or_from_the_field() -> None:
    state = transfer(0, p0="03.2 05.1", p1="02.1", field="03.1", pile="07.4 12.1")
    state.apply(play("03.2"))
    assert state.transfer_open
    from_field = transfer(0, p0="09.4 05.1", p1="02.1", field="03.1", pile="03.4 12.1")
    from_field.apply(play("09.4"))
    assert from_field.transfer_open


@pytest.mark.parametrize("card", ["03.3", "06.1"])
def test_chaff_and_other_months_leave_the_claim_open(card: str) -> None:
    state = transfer(p0="02.1", p1=f"{card} 05.1", field="03.4 06.2", pile="07.4 12.1")
    state.apply(play(card))
    assert state.transfer_open
    assert tray(state, 0) == []


def test_a_team_mate_is_no_opponent() -> None:
    state = a_world(
        seats=4, preset="enwiki2020", options={"teams": "2x2"}, turn=2, p2="03.4 05.1", p3="02.1", field="03.1",
        pile="07.4 12.1",
    )  # fmt: skip
    used(state).apply(play("03.4"))
    assert tray(state, 0) == ["03.1", "03.4"]
    assert state.transfer_open


def test_the_capture_of_the_gaji_itself_never_triggers_it() -> None:
    state = a_world(preset="enwiki2020", p0="11.4 05.1", p1="02.1", field="03.1", pile="07.4 12.1")
    state.apply(play("11.4", "03.1"))
    assert state.transfer_open
    assert state.captured[0] == parse_cards("03.1 11.4")
    assert card_set(state.laid) == parse_cards("03.1 07.4")


@pytest.mark.parametrize("month", [2, 5])
def test_a_hiki_of_another_month_leaves_the_claim_and_all_other_cards_alone(month: int) -> None:
    """The paired month itself cannot be a hiki any more: the Gaji has taken one of its cards."""
    options: dict[str, OptionValue] = {"hiki": "any_split", "gaji_claim": "next_point_card"}
    state = a_world(turn=1, p0="01.1", p1="03.1 03.2 09.1", field="03.3 03.4", pile="07.4 12.3", options=options)
    used(state, month=month).captured[1] = parse_cards("02.2 05.2")
    state.apply(hiki(3))
    assert (tray(state, 0), tray(state, 1)) == ([], ["02.2", "03.1", "03.2", "03.3", "03.4", "05.2"])
    assert state.transfer_open


@pytest.mark.parametrize("claim", ["round_end_same_month", "round_end_all_leftovers", "next_point_card"])
def test_a_copy_of_a_closed_deal_claims_the_same(claim: str) -> None:
    state = closed(claim)
    assert contents(state.copy()) == contents(state)
    assert state.copy().outcome() == state.outcome()
