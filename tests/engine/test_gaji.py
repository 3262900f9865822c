"""The Gaji: wild or not, blocked, returned, declined. Rulings R26-R36, R90."""

from __future__ import annotations

import pytest

from engine.cards import codes, parse_cards
from engine.game import OptionValue
from engine.games.sakura.state import SakuraState
from tests.engine.test_turn import refused
from tests.engine.worlds import a_world, choice, draw_take, hand, hiki, listed, on_field, play, tray

MAY_RETURN: dict[str, OptionValue] = {"blocked_gaji": "retarget_leave_or_return"}
OWNER = "03.3 03.4 09.1"


def takes(state: SakuraState) -> list[object]:
    return [action.get("take") for action in listed(state) if action.get("play") == "11.4"]


def test_it_takes_any_card_and_the_use_is_recorded() -> None:
    state = a_world(p0="11.4 02.1", p1="05.1", field="03.1 11.2 08.3", pile="07.4 12.1")
    assert takes(state) == ["03.1", "08.3", "11.2"]
    assert refused(state, play("11.4")) == "CHOICE_REQUIRED"
    assert refused(state, play("11.4", "leave")) == "CAPTURE_REQUIRED"
    assert refused(state, play("11.4", "none")) == "CAPTURE_REQUIRED"
    assert refused(state, play("11.4", "01.1")) == "BAD_TARGET"
    assert refused(state, play("11.4", "return")) == "RETURN_NOT_ALLOWED"
    state.apply(play("11.4", "11.2"))
    assert tray(state, 0) == ["11.2", "11.4"]
    assert (state.gaji_by, state.gaji_month) == (0, 11)


def test_three_willows_go_together() -> None:
    state = a_world(p0="11.4 02.1", p1="05.1", field="11.1 11.2 11.3 08.3", pile="07.4 12.1")
    state.apply(play("11.4", "11.2"))
    assert tray(state, 0) == ["11.1", "11.2", "11.3", "11.4"]
    assert state.gaji_month == 11
    assert state.notes == [("triple", 0, 11)]


@pytest.mark.parametrize(
    ("preset", "taken"), [("hawaii", ["06.1", "11.4"]), ("french", ["06.1", "06.2", "06.3", "11.4"])]
)
def test_a_triple_of_another_month(preset: str, taken: list[str]) -> None:
    state = a_world(preset=preset, p0="11.4 02.1", p1="05.1", field="06.1 06.2 06.3", pile="07.4 06.4")
    state.apply(play("11.4", "06.1"))
    assert tray(state, 0) == taken


@pytest.mark.parametrize("preset", ["hawaii", "french", "enwiki2020"])
def test_on_an_empty_field_it_is_laid(preset: str) -> None:
    state = a_world(preset=preset, p0="11.4 02.1", p1="05.1", pile="07.4 12.1")
    assert takes(state) == [None]
    assert refused(state, play("11.4", "03.1")) == "NO_MATCH"
    state.apply(play("11.4"))
    assert on_field(state) == ["07.4", "11.4"]
    assert state.gaji_by == -1


@pytest.mark.parametrize("side", [0, 1])
def test_a_captured_willow_ends_the_french_wild_power(side: int) -> None:
    state = a_world(
        preset="french", p0="11.4 02.1", p1="05.1", field="03.1 11.2", pile="07.4 12.1", captured={side: "11.1 11.3"}
    )
    assert takes(state) == [None]
    assert refused(state, play("11.4", "03.1")) == "NO_MATCH"
    state.apply(play("11.4"))
    assert "11.4" in tray(state, 0)
    assert state.gaji_by == -1


def test_a_willow_on_the_field_does_not_end_it() -> None:
    state = a_world(preset="french", p0="11.4 02.1", p1="05.1", field="03.1 11.2", pile="07.4 12.1")
    assert takes(state) == ["03.1", "11.2"]


def test_never_wild() -> None:
    off: dict[str, OptionValue] = {"gaji_wild": "off", "gaji_from_pile": "wild"}
    state = a_world(p0="11.4 02.1", p1="05.1", field="03.1", pile="07.4 12.1", options=off)
    assert refused(state, play("11.4", "03.1")) == "NO_MATCH"
    flipped = a_world(p0="02.1 02.2", p1="05.1", field="03.1", pile="11.4 12.1", options=off)
    flipped.apply(play("02.1"))
    assert flipped.seat_to_act == 1
    assert "11.4" in on_field(flipped)


def test_it_may_be_declined_where_the_option_says_so() -> None:
    anytime: dict[str, OptionValue] = {"gaji_decline": "anytime"}
    state = a_world(p0="11.4 02.1", p1="05.1", field="03.1 11.2", pile="07.4 12.1", options=anytime)
    assert takes(state) == ["03.1", "11.2", "leave"]
    state.apply(play("11.4", "none"))
    assert on_field(state) == ["03.1", "07.4", "11.2", "11.4"]
    assert state.gaji_by == -1


def test_flipped_it_is_a_plain_willow() -> None:
    state = a_world(p0="02.1 02.2", p1="05.1", field="03.1 11.1", pile="11.4 12.1")
    state.apply(play("02.1"))
    assert tray(state, 0) == ["11.1", "11.4"]
    assert state.gaji_by == -1


def test_flipped_and_wild_it_asks_for_a_target() -> None:
    state = a_world(preset="enwiki2020", p0="02.1 02.2", p1="05.1", field="03.1", pile="11.4 12.1")
    state.apply(play("02.1"))
    assert state.phase == "flip_gaji"
    assert listed(state) == [{"draw_take": "02.1"}, {"draw_take": "03.1"}]
    assert refused(state, draw_take("leave")) == "CAPTURE_REQUIRED"
    state.apply(draw_take("03.1"))
    assert tray(state, 0) == ["03.1", "11.4"]
    assert (state.gaji_by, state.gaji_month, state.transfer_open) == (0, 3, True)


def test_the_owner_of_the_rest_captures_out_of_turn() -> None:
    state = a_world(p0="11.4 02.1", field="03.1 03.2 01.4 11.1", pile="07.4 12.1", p1=OWNER)
    state.apply(play("11.4", "03.1"))
    assert tray(state, 1) == ["03.1", "03.2", "03.3", "03.4"]
    assert hand(state, 1) == ["09.1"]
    assert state.notes == [("hiki_block", 1, 3)]
    assert state.phase == "gaji_blocked"
    assert [action["blocked_choice"] for action in listed(state)] == ["01.4", "11.1", "leave"]
    assert refused(state, choice("return")) == "RETURN_NOT_ALLOWED"
    assert refused(state, choice("03.1")) == "BAD_TARGET"
    assert refused(state, play("02.1")) == "WRONG_PHASE"
    state.apply(choice("leave"))
    assert on_field(state) == ["01.4", "07.4", "11.1", "11.4"]
    assert state.gaji_by == -1


def test_a_team_mate_blocks_too_and_the_side_captures() -> None:
    state = a_world(
        seats=4, options={"teams": "2x2"}, p0="11.4 02.1", p1="05.1", p2="03.3 03.4 09.1", field="03.1 03.2 01.4",
        pile="07.4 12.1",
    )  # fmt: skip
    state.apply(play("11.4", "03.1"))
    assert tray(state, 0) == ["03.1", "03.2", "03.3", "03.4"]
    assert state.phase == "gaji_blocked"


def test_it_can_be_blocked_twice() -> None:
    state = a_world(p0="11.4 02.1", p1="03.3 03.4 06.4 09.1", field="03.1 03.2 06.1 06.2 06.3 01.4", pile="07.4 12.1")
    state.apply(play("11.4", "03.1"))
    state.apply(choice("06.1"))
    assert len(tray(state, 1)) == 8
    state.apply(choice("01.4"))
    assert tray(state, 0) == ["01.4", "11.4"]


def test_the_own_hiki_and_the_willows_do_not_block() -> None:
    state = a_world(p0="11.4 06.4 02.1", p1="05.1", field="06.1 06.2 06.3", pile="07.4 12.1")
    state.apply(play("11.4", "06.1"))
    assert tray(state, 0) == ["06.1", "11.4"]
    willows = a_world(p0="11.4 02.1", p1="11.1 11.2", field="11.3 06.3", pile="07.4 12.1")
    willows.apply(play("11.4", "11.3"))
    assert tray(willows, 0) == ["11.3", "11.4"]


def test_a_block_that_empties_the_field_lays_it_without_a_question() -> None:
    state = a_world(p0="11.4 02.1", field="03.1 03.2", pile="07.4 12.1", p1=OWNER)
    state.apply(play("11.4", "03.1"))
    assert state.seat_to_act == 1
    assert on_field(state) == ["07.4", "11.4"]


def test_with_the_return_option_the_question_is_asked_on_an_empty_field() -> None:
    state = a_world(p0="11.4 02.1", field="03.1 03.2", pile="07.4 12.1", options=MAY_RETURN, p1=OWNER)
    state.apply(play("11.4", "03.1"))
    assert listed(state) == [{"blocked_choice": "leave"}, {"blocked_choice": "return"}]
    alone = a_world(p0="11.4", field="03.1 03.2", pile="07.4 12.1", options=MAY_RETURN, p1=OWNER)
    alone.apply(play("11.4", "03.1"))
    assert alone.seat_to_act == 1


def test_after_a_return_another_card_is_played() -> None:
    state = a_world(
        p0="11.4 02.1 09.2 09.3 09.4", p1="03.3 03.4 05.1", field="03.1 03.2 01.4 09.1", pile="07.4 12.1",
        options=MAY_RETURN,
    )  # fmt: skip
    state.apply(play("11.4", "03.1"))
    state.apply(choice("return"))
    assert hand(state, 0) == ["02.1", "09.2", "09.3", "09.4", "11.4"]
    assert (state.phase, state.seat_to_act) == ("hand", 0)
    assert [action["play"] for action in listed(state)] == ["02.1", "09.2", "09.3", "09.4"]
    assert refused(state, play("11.4", "01.4")) == "WRONG_PHASE"
    assert refused(state, hiki(9)) == "WRONG_PHASE"
    state.apply(play("02.1"))
    assert state.seat_to_act == 1


def test_no_return_without_another_card_or_from_the_pile() -> None:
    options: dict[str, OptionValue] = {"blocked_gaji": "retarget_leave_or_return", "gaji_from_pile": "wild"}
    state = a_world(p0="11.4", field="03.1 03.2 01.4", pile="07.4 12.1", options=options, p1=OWNER)
    state.apply(play("11.4", "03.1"))
    assert refused(state, choice("return")) == "RETURN_NOT_ALLOWED"
    flipped = a_world(p0="02.1 02.2", field="03.1 03.2 01.4", pile="11.4 12.1", options=options, p1=OWNER)
    flipped.apply(play("02.1"))
    flipped.apply(draw_take("03.1"))
    assert flipped.phase == "gaji_blocked"
    assert refused(flipped, choice("return")) == "RETURN_NOT_ALLOWED"
    flipped.apply(choice("01.4"))
    assert tray(flipped, 0) == ["01.4", "11.4"]
    assert (flipped.seat_to_act, flipped.pile_left) == (1, 1)


def test_the_french_block_only_forbids() -> None:
    state = a_world(preset="french", p0="11.4 02.1", p1="06.4 05.1", field="06.1 06.2 06.3 08.4", pile="07.4 12.1")
    state.apply(play("11.4", "06.2"))
    assert state.notes == [("forbidden", 1, 6)]
    assert tray(state, 1) == []
    assert listed(state) == [{"blocked_choice": "08.4"}, {"blocked_choice": "leave"}]
    assert refused(state, choice("06.1")) == "BLOCKED_TARGET"
    state.apply(choice("08.4"))
    assert tray(state, 0) == ["08.4", "11.4"]
    assert state.barred == 0


def test_every_month_that_was_forbidden_in_a_turn_stays_so() -> None:
    """R34: neither is offered again, so the turn ends; both cards that forbade are known to be in that hand."""
    field = "03.1 03.2 03.3 06.1 06.2 06.3 08.4"
    state = a_world(preset="french", p0="11.4 02.1", p1="03.4 06.4 05.1", field=field, pile="07.4 12.1")
    state.apply(play("11.4", "06.2"))
    state.apply(choice("03.1"))
    assert listed(state) == [{"blocked_choice": "08.4"}, {"blocked_choice": "leave"}]
    for again in ("03.1", "06.1"):
        assert refused(state, choice(again)) == "BLOCKED_TARGET"
    assert codes(state.known[1]) == ["03.4", "06.4"]
    state.apply(choice("leave"))
    assert (state.barred, codes(state.known[1]), codes(state.known[0])) == (0, ["03.4", "06.4"], [])


def test_a_returned_gaji_is_known_beside_what_was_known_before() -> None:
    options: dict[str, OptionValue] = {"hiki_block": "forbid_triple", **MAY_RETURN}
    field = "03.1 03.2 03.3 06.1 06.2 06.3"
    state = a_world(p0="11.4 02.1", p1="06.4 05.1", field=field, pile="07.4 12.1", options=options)
    state.known[0] = parse_cards("02.1")
    state.apply(play("11.4", "06.1"))
    state.apply(choice("return"))
    assert (codes(state.known[0]), codes(state.known[1])) == (["02.1", "11.4"], ["06.4"])
    assert hand(state, 0) == ["02.1", "11.4"]
    assert listed(state) == [{"play": "02.1"}]


def test_a_forbidden_triple_alone_on_the_field_leaves_only_leaving() -> None:
    state = a_world(preset="french", p0="11.4 02.1", p1="06.4 05.1", field="06.1 06.2 06.3", pile="07.4 12.1")
    state.apply(play("11.4", "06.2"))
    assert listed(state) == [{"blocked_choice": "leave"}]


def test_four_willows_are_dead_once_the_gaji_was_left_beside_three() -> None:
    state = a_world(p0="11.4 02.1", field="03.1 03.2 11.1 11.2 11.3", pile="07.4 12.1", p1=OWNER)
    state.apply(play("11.4", "03.1"))
    state.apply(choice("leave"))
    assert on_field(state) == ["07.4", "11.1", "11.2", "11.3", "11.4"]
    assert {"hiki": 11} not in listed(state)


def test_on_the_field_only_a_willow_takes_it() -> None:
    state = a_world(p0="11.2 05.1", p1="02.1", field="11.4 05.2", pile="07.4 12.1")
    state.apply(play("11.2"))
    assert tray(state, 0) == ["11.2", "11.4"]
    assert state.gaji_by == -1


def test_an_ordinary_gaji_is_told_apart_by_what_it_asks_for() -> None:
    """Another month does not match; another Willow does, but it is not there."""
    state = a_world(p0="11.4 02.1", p1="05.1", field="11.1 03.1", pile="07.4 12.1", options={"gaji_wild": "off"})
    for code in ("03.1", "12.1", "10.1"):
        assert refused(state, play("11.4", code)) == "NO_MATCH"
    for code in ("11.2", "11.3"):
        assert refused(state, play("11.4", code)) == "BAD_TARGET"
