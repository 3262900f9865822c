"""Hand card, flip, decision, cancel, the end. rules.md 6.4, 3.1, R18, R20, R62-R65, R69."""

from __future__ import annotations

import pytest

from engine.action import Action
from engine.cards import codes, parse_cards
from engine.errors import EngineError, IllegalAction
from engine.games import ruleset
from engine.games.nuki.dekiyaku import dekiyaku_in, ids_in
from engine.games.nuki.rules import compile_rules
from engine.games.nuki.scoring import forced_out
from engine.games.nuki.state import NukiState
from tests.engine.nuki.tables import (
    CANCEL,
    JOIN,
    SAGE,
    SEE,
    SHOUBU,
    a_world,
    contents,
    draw_take,
    listed,
    play,
    tray,
    triplet,
)


def refused(state: NukiState, action: Action, *, seat: int | None = None) -> str:
    """The code with which an action is refused; the world stays as it was."""
    before = contents(state)
    with pytest.raises(IllegalAction) as caught:
        state.apply(action, seat=seat)
    assert contents(state) == before
    assert action not in state.legal_actions() or seat is not None
    return caught.value.code


@pytest.mark.parametrize(
    ("captured", "made"),
    [
        ("01.1 03.1 08.1 12.1 11.1", {"five_brights": 12}),
        ("01.1 03.1 08.1 12.1", {"four_brights": 10}),
        ("01.1 03.1 08.1 11.1", {}),
        ("01.2 02.2 03.2", {"poetry_ribbons": 7}),
        ("06.2 09.2 10.2 11.3", {"blue_ribbons": 7}),
        ("01.2 02.2 03.2 06.2 09.2 10.2", {"poetry_ribbons": 7, "blue_ribbons": 7}),
        ("01.2 02.2 03.2 06.2 09.2 10.2 11.3", {"seven_ribbons": 10, "poetry_ribbons": 7, "blue_ribbons": 7}),
    ],
)
def test_dekiyaku(captured: str, made: dict[str, int]) -> None:
    assert {dekiyaku.id: dekiyaku.kan for dekiyaku in dekiyaku_in(parse_cards(captured))} == made


def test_a_card_without_a_match_is_laid_and_the_flip_may_take_it() -> None:
    state = a_world(p0="03.1 01.1", p1="06.1", field="08.3", pile="03.3 09.1")
    state.apply(play("03.1"))
    assert tray(state, 0) == ["03.1", "03.3"]
    assert (state.turn, codes(state.turned), codes(state.played[0])) == (1, ["03.3"], ["03.1"])
    state.apply(play("06.1"))
    assert [codes(1 << card) for card in state.field_order()] == [["08.3"], ["06.1"], ["09.1"]]


def test_of_two_matches_one_is_named() -> None:
    state = a_world(p0="03.1 01.1", p1="06.1", field="03.2 03.3 08.3", pile="08.1")
    assert listed(state) == [{"play": "01.1"}, {"play": "03.1", "take": "03.2"}, {"play": "03.1", "take": "03.3"}]
    assert refused(state, play("03.1")) == "CHOICE_REQUIRED"
    assert refused(state, play("03.1", "none")) == "CAPTURE_REQUIRED"
    assert refused(state, play("03.1", "08.3")) == "BAD_TARGET"
    assert refused(state, play("03.1", "all")) == "BAD_TARGET"
    state.apply(play("03.1", "03.3"))
    assert tray(state, 0) == ["03.1", "03.3", "08.1", "08.3"]


def test_a_single_match_may_be_named_and_must_be_taken() -> None:
    state = a_world(p0="03.1", p1="06.1", field="03.2", pile="08.1")
    assert refused(state, play("03.1", "leave")) == "CAPTURE_REQUIRED"
    assert state.resolve(play("03.1", "03.2")) is play("03.1")
    assert refused(state, play("01.1")) == "NOT_IN_HAND"
    assert refused(state, play("03.1"), seat=1) == "NOT_YOUR_TURN"


def test_no_match_no_target() -> None:
    state = a_world(p0="03.1", p1="06.1", field="08.3", pile="08.1")
    assert refused(state, play("03.1", "08.3")) == "NO_MATCH"
    assert refused(state, play("03.1", "return")) == "RETURN_NOT_ALLOWED"
    assert state.resolve(play("03.1", "none")) is play("03.1")


def test_the_fourth_card_takes_three_from_hand_and_pile() -> None:
    state = a_world(p0="06.4 01.1", p1="02.1", field="06.1 06.2 06.3 08.1 08.2 08.3", pile="08.4")
    assert refused(state, play("06.4", "06.1")) == "CAPTURE_REQUIRED"
    assert state.resolve(play("06.4", "all")) is play("06.4")
    state.apply(play("06.4"))
    assert tray(state, 0) == ["06.1", "06.2", "06.3", "06.4", "08.1", "08.2", "08.3", "08.4"]
    assert state.notes == [("triple", 0, 6), ("triple", 0, 8)]
    state.apply(play("02.1"))
    assert len(state.notes) == 2


def test_the_first_card_of_the_deck_can_be_named_and_a_pair_is_no_triple() -> None:
    state = a_world(p0="01.3 02.1", p1="06.1", field="01.1 01.2", pile="09.1")
    state.apply(play("01.3", "01.1"))
    assert (tray(state, 0), state.notes) == (["01.1", "01.3"], [])


def test_the_flipped_card_between_two() -> None:
    state = a_world(p0="01.1 01.3", p1="02.1", field="08.1 08.2", pile="08.4")
    state.apply(play("01.1"))
    assert (state.phase, state.turn, listed(state)) == (
        "flip_choice",
        0,
        [{"draw_take": "08.1"}, {"draw_take": "08.2"}],
    )
    assert refused(state, draw_take("01.1")) == "BAD_TARGET"
    assert refused(state, Action.of("draw_take")) == "CHOICE_REQUIRED"
    assert refused(state, draw_take("none")) == "CAPTURE_REQUIRED"
    assert refused(state, play("01.3")) == "WRONG_PHASE"
    state.apply(draw_take("08.1"))
    assert (tray(state, 0), state.turn) == (["08.1", "08.4"], 1)


def test_the_lightning_is_an_ordinary_willow_and_there_is_no_hiki() -> None:
    state = a_world(p0="11.4 11.1", p1="02.1", field="03.1 11.2", pile="08.4")
    assert refused(state, play("11.4", "03.1")) == "NO_MATCH"
    assert refused(state, play("11.1", "03.1")) == "BAD_TARGET"
    assert refused(state, play("11.4", "11.3")) == "BAD_TARGET"
    assert refused(state, play("11.4", "12.1")) == "NO_MATCH"
    assert refused(state, Action.of("hiki", month=11)) == "NOT_IN_PRESET"
    assert refused(state, Action.of("draw_only")) == "WRONG_PHASE"
    assert refused(state, Action.of("blocked_choice", take=8)) == "WRONG_PHASE"
    state.apply(play("11.4"))
    assert tray(state, 0) == ["11.2", "11.4"]


RIBBONS = {0: "01.2 02.2"}
POSITION = {
    "captured": RIBBONS,
    "p0": "03.3 09.3",
    "p1": "08.3 09.4",
    "field": "03.2 08.2",
    "pile": "12.2 10.2 10.4 12.1",
}


def a_decision(**more: object) -> NukiState:
    """p0 has just made the poetry ribbons."""
    state = a_world(**{**POSITION, **more})  # type: ignore[arg-type]  # the facts of `a_world`
    state.apply(play("03.3"))
    return state


def test_something_new_asks_for_a_call_after_the_flip() -> None:
    state = a_decision()
    assert (state.phase, state.turn, listed(state)) == ("decision", 0, [{"call": "sage"}, {"call": "shoubu"}])
    assert codes(state.turned) == ["12.2"]
    assert refused(state, play("09.3")) == "WRONG_PHASE"
    assert refused(state, CANCEL) == "WRONG_PHASE"
    assert refused(state, SAGE, seat=1) == "NOT_YOUR_TURN"


def test_nothing_new_asks_for_nothing() -> None:
    state = a_decision(captured={0: "01.2"})
    assert (state.phase, state.turn) == ("hand", 1)
    assert refused(state, SHOUBU) == "WRONG_PHASE"
    assert refused(state, SAGE) == "WRONG_PHASE"


def test_a_flip_that_makes_it_counts_too_also_after_a_choice() -> None:
    state = a_world(captured=RIBBONS, p0="09.3 06.3", p1="08.3", field="03.2 03.3", pile="03.4 01.1")
    state.apply(play("09.3"))
    assert listed(state) == [{"draw_take": "03.2"}, {"draw_take": "03.3"}]
    state.apply(draw_take("03.2"))
    assert state.phase == "decision"


def test_shoubu_ends_the_deal() -> None:
    state = a_decision(multiplier=2)
    state.apply(SHOUBU)
    outcome = state.outcome()
    assert (outcome.reason, outcome.winner, outcome.score) == ("shoubu", 0, (140, -140))
    assert refused(state, SAGE) == "DEAL_OVER"


def test_sage_goes_on_and_the_first_is_noted() -> None:
    state = a_decision()
    state.apply(SAGE)
    assert (state.phase, state.turn, state.sage, state.first_sage, state.fresh) == ("hand", 1, 1, 0, False)
    assert listed(state) == [{"play": "08.3"}, {"play": "09.4"}]


def test_the_first_sage_stays_the_first() -> None:
    state = a_decision(captured={0: "01.2 02.2", 1: "06.2 10.2"}, field="03.2 09.2", p1="09.4 08.3", pile="12.2 12.1")
    state.apply(SAGE)
    state.apply(play("09.4"))
    assert (state.phase, state.turn) == ("decision", 1)
    state.apply(SAGE)
    assert (state.first_sage, state.sage) == (0, 3)


def test_an_old_dekiyaku_is_not_asked_for_again_but_a_better_one_is() -> None:
    state = a_world(
        captured={0: "01.1 03.1 08.1 12.1"}, p0="11.4 06.1 02.1", p1="09.1 09.2", field="11.1", pile="10.1 10.3 10.2"
    )
    state.apply(play("06.1"))
    assert (state.phase, state.turn) == ("hand", 1)
    state.apply(play("09.1"))
    state.apply(play("11.4"))
    assert state.phase == "decision"
    assert ids_in(state.captured[0]) == ("five_brights",)


def test_a_card_of_another_dekiyaku_does_not_ask_again_for_the_old_one() -> None:
    state = a_world(captured={0: "01.2 02.2 03.2"}, p0="06.3 01.1", p1="09.3", field="06.2", pile="08.1 08.2")
    state.apply(play("06.3"))
    assert (state.phase, state.turn, state.fresh) == ("hand", 1, False)


def test_cancel_needs_an_own_sage_and_comes_before_a_card() -> None:
    state = a_decision(p0="03.3 09.3 01.1")
    assert refused(a_world(**POSITION), CANCEL) == "NO_SAGE"  # type: ignore[arg-type]  # one dict holds facts of several types
    state.apply(SAGE)
    assert refused(state, CANCEL) == "NO_SAGE"
    state.apply(play("08.3"))
    assert state.turn == 0
    assert listed(state)[-1] == {"call": "cancel"}
    state.apply(CANCEL)
    outcome = state.outcome()
    assert (outcome.reason, outcome.winner, outcome.score) == ("cancel", 0, (35, -35))


def test_the_decision_is_asked_on_the_last_turn_too() -> None:
    state = a_world(captured=RIBBONS, p0="03.3", field="03.2", pile="12.2")
    state.apply(play("03.3"))
    assert state.phase == "decision"
    state.apply(SAGE)
    assert (state.is_over, state.end, state.outcome().winner) == (True, "exhausted", 0)


def test_hands_exhausted_end_the_deal() -> None:
    state = a_world(p0="03.3", p1="03.1", field="03.2 03.4", pile="12.2 12.1")
    state.apply(play("03.3", "03.2"))
    assert not state.is_over
    state.apply(play("03.1"))
    assert state.end == "exhausted"
    with pytest.raises(ValueError, match="not over"):
        a_world().outcome()


def test_the_other_phases_refuse_what_is_not_theirs() -> None:
    state = a_world(p0="03.3", p1="03.1", options={"mizuten": True})
    assert refused(state, JOIN) == "WRONG_PHASE"
    assert refused(state, SEE) == "WRONG_PHASE"
    assert refused(state, triplet(3)) == "WRONG_PHASE"
    assert refused(a_world(p1="03.1"), play("03.3")) == "HAND_EMPTY"


def test_a_position_without_a_pile_or_a_hand_goes_on_as_far_as_it_can() -> None:
    state = a_world(p0="03.3 01.1", field="03.2")
    state.apply(play("03.3"))
    assert (state.turn, state.is_over) == (0, False)
    state.apply(play("01.1"))
    assert state.end == "exhausted"


def test_a_position_told_in_part_cannot_shuffle() -> None:
    state = a_world(seats=3)
    assert forced_out(state) == (2,)
    state.active, state.phase, state.turn, state.answers = (), "join", 0, [(1, "play")]
    assert forced_out(state) == ()
    with pytest.raises(EngineError, match="no randomness"):
        state.apply(JOIN)


def test_the_rules_of_another_game_are_none() -> None:
    with pytest.raises(TypeError, match="sakura is not Nuki"):
        compile_rules(ruleset("hawaii"), 2)
