"""Hand card, flip, hiki, draw-only turns, the end of the deal. Rulings R17-R25, R41."""

from __future__ import annotations

import pytest

from engine.action import Action
from engine.errors import IllegalAction
from engine.game import OptionValue
from engine.games.sakura.state import SakuraState
from tests.engine.worlds import a_world, choice, contents, draw_take, hand, hiki, listed, on_field, play, tray

OPTIONAL: dict[str, OptionValue] = {"triple_capture": "optional"}


def refused(state: SakuraState, action: Action, *, seat: int | None = None) -> str:
    """The code of a refusal that changes nothing."""
    before = contents(state)
    with pytest.raises(IllegalAction) as caught:
        state.apply(action, seat=seat)
    assert contents(state) == before
    assert caught.value.legal == state.legal_actions()
    return caught.value.code


def test_a_card_without_a_match_is_laid() -> None:
    state = a_world(p0="03.3 01.1", p1="02.1", field="08.1", pile="12.4 10.1")
    state.apply(play("03.3"))
    assert state.field_order() == [28, 10, 47]
    assert state.seat_to_act == 1


def test_a_single_match_may_be_named_or_not() -> None:
    for action in (play("03.3"), play("03.3", "03.1")):
        state = a_world(p0="03.3 01.1", p1="02.1", field="03.1 08.1", pile="12.4 10.1")
        state.apply(action)
        assert tray(state, 0) == ["03.1", "03.3"]


def test_what_is_asked_of_a_card_that_matches_two() -> None:
    state = a_world(p0="03.3 01.1", p1="02.1", field="03.1 03.2 08.1", pile="12.4 10.1")
    assert listed(state) == [{"play": "01.1"}, {"play": "03.3", "take": "03.1"}, {"play": "03.3", "take": "03.2"}]
    assert refused(state, play("03.3")) == "CHOICE_REQUIRED"
    assert refused(state, play("03.3", "none")) == "CAPTURE_REQUIRED"
    assert refused(state, play("03.3", "08.1")) == "BAD_TARGET"
    assert refused(state, play("03.3", "all")) == "BAD_TARGET"
    assert refused(state, play("03.3", "return")) == "RETURN_NOT_ALLOWED"
    assert refused(state, play("01.1", "08.1")) == "NO_MATCH"
    assert refused(state, play("04.1")) == "NOT_IN_HAND"
    state.apply(play("03.3", "03.2"))
    assert on_field(state) == ["03.1", "08.1", "12.4"]


def test_the_fourth_card_takes_three() -> None:
    for action in (play("03.4"), play("03.4", "all")):
        state = a_world(p0="03.4 01.1", p1="02.1", field="03.1 03.2 03.3", pile="12.4 10.1")
        assert refused(state, play("03.4", "03.1")) == "CAPTURE_REQUIRED"
        state.apply(action)
        assert tray(state, 0) == ["03.1", "03.2", "03.3", "03.4"]
        assert state.notes == [("triple", 0, 3)]


def test_an_optional_triple_may_be_split() -> None:
    state = a_world(p0="03.4 01.1", p1="02.1", field="03.1 03.2 03.3", pile="12.4 10.1", options=OPTIONAL)
    assert [action["take"] for action in listed(state) if "take" in action] == ["03.1", "03.2", "03.3"]
    state.apply(play("03.4", "03.2"))
    assert on_field(state) == ["03.1", "03.3", "12.4"]


def test_a_flipped_fourth_card_asks_where_the_triple_is_optional() -> None:
    state = a_world(p0="12.4 01.1", p1="02.1", field="03.1 03.2 03.3", pile="03.4 10.1", options=OPTIONAL)
    state.apply(play("12.4"))
    assert [action["draw_take"] for action in listed(state)] == ["all", "03.1", "03.2", "03.3"]
    assert refused(state, draw_take("none")) == "CAPTURE_REQUIRED"
    twin = state.copy()
    state.apply(draw_take("all"))
    assert tray(state, 0) == ["03.1", "03.2", "03.3", "03.4"]
    twin.apply(draw_take("03.1"))
    assert tray(twin, 0) == ["03.1", "03.4"]


def test_the_flip_follows_the_same_table() -> None:
    state = a_world(p0="10.4 01.1", p1="02.1", field="03.1 03.2 03.3", pile="03.4 10.1")
    state.apply(play("10.4"))
    assert tray(state, 0) == ["03.1", "03.2", "03.3", "03.4"]


def test_the_flipper_chooses_after_seeing_the_card() -> None:
    state = a_world(p0="10.4 01.1", p1="02.1", field="06.1 06.2", pile="06.3 10.1")
    state.apply(play("10.4"))
    assert (state.phase, state.seat_to_act) == ("flip_choice", 0)
    assert listed(state) == [{"draw_take": "06.1"}, {"draw_take": "06.2"}]
    assert refused(state, play("01.1")) == "WRONG_PHASE"
    assert refused(state, choice("leave")) == "WRONG_PHASE"
    assert refused(state, draw_take("06.1"), seat=1) == "NOT_YOUR_TURN"
    assert refused(state, draw_take("none")) == "CAPTURE_REQUIRED"
    assert refused(state, Action.of("draw_take")) == "CHOICE_REQUIRED"
    assert refused(state, draw_take("10.4")) == "BAD_TARGET"
    state.apply(draw_take("06.2"))
    assert tray(state, 0) == ["06.2", "06.3"]
    assert state.seat_to_act == 1


@pytest.mark.parametrize("split", ["09.1 | 09.2 09.3 09.4", "09.1 09.2 | 09.3 09.4", "09.1 09.2 09.3 | 09.4"])
def test_a_hiki_in_any_split(split: str) -> None:
    held, lying = split.split("|")
    state = a_world(p0=held + " 01.1", p1="02.1", field=lying + " 08.1", pile="12.4 10.1")
    assert {"hiki": 9} in listed(state)
    state.apply(hiki(9))
    assert tray(state, 0) == ["09.1", "09.2", "09.3", "09.4"]
    assert hand(state, 0) == ["01.1"]
    assert on_field(state) == ["08.1", "12.4"]


def test_a_hiki_is_an_offer() -> None:
    state = a_world(p0="09.1 09.2 09.3 01.1", p1="02.1", field="09.4 08.1", pile="12.4 10.1")
    state.apply(play("09.1"))
    assert tray(state, 0) == ["09.1", "09.4"]


def test_what_is_no_hiki() -> None:
    state = a_world(p0="09.1 09.2 01.1", p1="02.1", field="09.4 08.1 05.1 05.2 05.3 05.4", pile="09.3 12.4")
    assert refused(state, hiki(9)) == "NOT_A_HIKI"
    assert refused(state, hiki(5)) == "NOT_A_HIKI"  # all on the field, none in the hand
    assert refused(a_world(p0="09.1", preset="french"), hiki(9)) == "NOT_IN_PRESET"
    assert refused(a_world(p1="09.1", preset="french"), hiki(9)) == "NOT_IN_PRESET"


def test_a_willow_hiki_does_not_use_the_gaji() -> None:
    state = a_world(p0="11.1 11.4 01.1", p1="02.1", field="11.2 11.3", pile="12.4 10.1")
    state.apply(hiki(11))
    assert tray(state, 0) == ["11.1", "11.2", "11.3", "11.4"]
    assert state.gaji_by == -1


def test_an_empty_hand_only_flips() -> None:
    state = a_world(seats=3, p2="07.3", field="07.1", pile="07.4 07.2")
    assert listed(state) == [{"draw_only": True}]
    assert refused(state, play("07.3")) == "HAND_EMPTY"
    assert refused(state, hiki(7)) == "HAND_EMPTY"
    assert refused(a_world(p0="01.1"), Action.of("draw_only")) == "WRONG_PHASE"


def test_seats_with_nothing_to_do_are_passed_over() -> None:
    state = a_world(seats=3, turn=2, p0="", p1="01.1 03.1", p2="07.3", field="", pile="07.4")
    state.apply(play("07.3"))
    assert state.seat_to_act == 1
    state.apply(play("01.1"))
    assert state.seat_to_act == 1


@pytest.mark.parametrize(("preset", "over"), [("hawaii", False), ("french", True), ("enwiki2020", True)])
def test_the_last_hand_card_of_two_players(preset: str, over: bool) -> None:
    state = a_world(preset=preset, turn=1, p1="02.3", field="05.1", pile="02.4 05.4 06.4")
    state.apply(play("02.3"))
    assert state.is_over is over
    assert state.seat_to_act == (-1 if over else 0)


@pytest.mark.parametrize(("end", "over"), [("hands_and_pile", False), ("hands_empty", False), ("pile_or_hands", True)])
def test_the_pile_runs_out_first(end: str, over: bool) -> None:
    state = a_world(turn=1, p0="01.1", p1="02.3 03.1", field="05.1", pile="02.4", options={"round_end": end})
    state.apply(play("02.3"))
    assert state.is_over is over


def test_nothing_is_accepted_after_the_end() -> None:
    state = a_world(turn=1, p1="02.3", pile="12.1")
    state.apply(play("02.3"))
    assert state.is_over
    assert state.legal_actions() == ()
    assert refused(state, play("02.3")) == "DEAL_OVER"


def test_a_refusal_says_what_is_legal() -> None:
    with pytest.raises(IllegalAction, match=r"play 03.3: .*CHOICE_REQUIRED.*Legal now: play 03.3 take 03.1, play"):
        a_world(p0="03.3", field="03.1 03.2").apply(play("03.3"))


def test_without_a_pile_the_turn_ends_with_the_hand_card() -> None:
    state = a_world(p0="01.1 02.1", p1="05.1", field="08.1")
    state.apply(play("01.1"))
    assert (state.phase, state.seat_to_act, on_field(state)) == ("hand", 1, ["01.1", "08.1"])


def test_of_two_that_have_cards_the_next_to_the_right_goes_on() -> None:
    state = a_world(seats=3, turn=2, p1="01.1", p2="07.3 08.3", field="02.1", pile="")
    state.apply(play("07.3"))
    assert state.seat_to_act == 1
