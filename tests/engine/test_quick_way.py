"""Plies that the quick way does at once or leaves to the steps; both end in the same position. rules.md 3.2."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from engine.action import Action
from engine.games import ruleset
from engine.games.sakura import plies, turn
from engine.games.sakura.state import SakuraState
from tests.engine.worlds import SAKURA_PRESETS, a_world, contents, draw_take, fresh_deal, hiki, play, seed_of


def go_on(state: SakuraState, actions: Sequence[Action], done: list[int]) -> None:
    """Do what is ordinary, and what is then left of the last turn."""
    rest = plies.run(state, actions, done)
    if rest is not None:
        rest(state)


def quick(state: SakuraState, *actions: Action) -> list[int]:
    """The seats of the actions done at once; the steps then do the same to a copy."""
    slow, done = state.copy(), list[int]()
    go_on(state, actions, done)
    for action in actions[: len(done)]:
        turn.apply(slow, action)
    assert contents(state) == contents(slow)
    return done


def table(
    p0: str, field: str, pile: str = "07.4 12.1", *, p1: str = "05.1 05.2", preset: str = "hawaii"
) -> SakuraState:
    return a_world(preset=preset, p0=p0, p1=p1, field=field, pile=pile)


@pytest.mark.parametrize(
    ("p0", "field", "action"),
    [
        ("01.1 02.1", "08.1", play("01.1")),  # laid
        ("03.1 02.1", "08.1 03.3", play("03.1")),  # the one match
        ("03.1 02.1", "03.2 03.3", play("03.1", "03.3")),  # one of two
        ("03.1 02.1", "07.1 08.1", play("03.1")),  # the flip takes
        ("03.1 02.1", "03.2 03.3 03.4 08.1", play("03.1")),  # a triple
        ("03.1 02.1", "07.1 07.2 07.3", play("03.1")),  # the flip takes three
    ],
)
def test_a_plain_ply_is_done_at_once(p0: str, field: str, action: Action) -> None:
    assert quick(table(p0, field), action) == [0]


@pytest.mark.parametrize(
    ("p0", "field", "action"),
    [
        ("03.1 02.1", "03.2 03.3", play("03.1")),  # no choice named
        ("03.1 02.1", "03.2 03.3", play("03.1", "03.4")),  # not on the field
        ("03.1 02.1", "03.2 08.1", play("03.1", "03.2")),  # a single match is written without its name
        ("03.1 02.1", "03.2 03.3 03.4", play("03.1", "03.2")),  # one of three
        ("03.1 02.1", "08.1", play("03.1", "08.1")),  # nothing matches
        ("03.1 02.1", "08.1", play("04.1")),  # not in the hand
        ("11.4 02.1", "08.1", play("11.4", "08.1")),  # the Gaji
        ("11.4 02.1", "", play("11.4")),
        ("03.1 03.2 03.3 03.4", "08.1", hiki(3)),
        ("03.1 02.1", "08.1", Action.of("draw_only")),
    ],
)
def test_anything_else_is_left_alone(p0: str, field: str, action: Action) -> None:
    state = table(p0, field)
    before = contents(state)
    assert quick(state, action) == []
    assert contents(state) == before


def test_a_choice_that_is_at_hand_is_taken_with_the_flip() -> None:
    state = table("01.1 02.1", "07.1 07.2")
    assert quick(state, play("01.1"), draw_take("07.2")) == [0, 0]
    assert (state.phase, state.turn, state.pending) == ("hand", 1, -1)


@pytest.mark.parametrize("choice", [None, draw_take("07.3"), draw_take("01.1"), play("02.1")])
def test_without_the_right_choice_the_flipped_card_waits(choice: Action | None) -> None:
    state = table("01.1 02.1", "07.1 07.2")
    assert quick(state, *([play("01.1"), choice] if choice else [play("01.1")])) == [0]
    assert (state.phase, state.turn, state.pending) == ("flip_choice", 0, 27)


@pytest.mark.parametrize(
    ("pile", "field"), [("11.4 12.1", "11.1 08.1"), ("11.4 12.1", "11.1 11.2"), ("08.4 12.1", "08.1 08.2 08.3")]
)
def test_a_gaji_or_a_fourth_card_turned_up_ends_the_quick_way(pile: str, field: str) -> None:
    state = table("01.1 02.1", field, pile)
    assert quick(state, play("01.1"), draw_take("11.2"), play("05.1")) in ([0], [0, 0])


def test_plies_go_on_from_seat_to_seat() -> None:
    state = table("01.1 02.1", "08.1", "07.4 12.1 09.1 10.1", p1="05.1 06.1")
    actions = [play("01.1"), play("05.1"), play("02.1"), play("06.1")]
    assert quick(state, *actions) == [0, 1, 0, 1]
    assert state.phase == "over"


@pytest.mark.parametrize("second", [play("04.1"), play("03.1"), play("03.1", "05.3"), hiki(3)])
def test_what_was_done_before_an_action_that_is_not_ordinary_stands(second: Action) -> None:
    state = table("01.1 02.1", "03.2 03.3", "07.4 12.1 09.1 10.1", p1="03.1 06.1")
    assert quick(state, play("01.1"), second) == [0]
    assert (state.turn, state.pile_left) == (1, 3)


@pytest.mark.parametrize("pile", ["01.4", "03.4"])
def test_three_that_may_be_split_are_asked_for(pile: str) -> None:
    month = pile[:2]
    field = f"{month}.1 {month}.2 {month}.3"
    state = a_world(p0="02.1 06.1", p1="05.1", field=field, pile=f"{pile} 12.1", options={"triple_capture": "optional"})
    assert quick(state, play("02.1")) == [0]
    assert (state.phase, state.turn) == ("flip_choice", 0)


def test_the_last_card_of_the_pile_and_a_seat_without_cards_end_it() -> None:
    assert quick(table("01.1 02.1", "08.1", "07.4"), play("01.1"), play("05.1")) == [0]
    assert quick(table("01.1 02.1", "08.1", p1=""), play("01.1"), play("02.1")) == [0]


def test_no_pile_an_open_claim_and_a_returned_gaji_are_not_ordinary() -> None:
    empty = table("01.1 02.1", "08.1", "")
    claimed, returned = table("01.1 02.1", "08.1", preset="enwiki2020"), table("01.1 02.1", "08.1")
    claimed.gaji_by, claimed.gaji_month, claimed.transfer_open = 1, 3, True
    returned.returned = True
    for state in (empty, claimed, returned):
        assert quick(state, play("01.1")) == []


def waiting(field: str = "07.1 07.2", flipped: int = 27) -> SakuraState:
    state = table("02.1", field)
    state.phase, state.pending, state.pending_flip = "flip_choice", flipped, True
    return state


def test_a_choice_is_done_at_once_where_two_cards_match() -> None:
    state = waiting()
    slow = state.copy()
    assert plies.choose(state, draw_take("07.1"))
    turn.apply(slow, draw_take("07.1"))
    assert contents(state) == contents(slow)


def test_what_is_no_plain_choice_is_left_alone() -> None:
    claimed, playing = waiting(), waiting()
    claimed.transfer_open, playing.phase = True, "hand"
    cases = [
        (waiting(), draw_take("07.3")), (waiting(), draw_take("08.1")), (waiting(), play("02.1")),
        (waiting("07.1 07.2 07.3"), draw_take("07.1")), (waiting("07.1"), draw_take("07.1")),
        (waiting("11.1 11.2", 43), draw_take("11.1")), (claimed, draw_take("07.1")), (playing, draw_take("07.1")),
    ]  # fmt: skip
    for state, action in cases:
        before = contents(state)
        assert not plies.choose(state, action)
        assert contents(state) == before


@pytest.mark.parametrize("preset", SAKURA_PRESETS)
def test_most_plies_are_ordinary(preset: str) -> None:
    """Or it would be no quick way: nearly half of a deal of four where claims stay open, more elsewhere."""
    dice, at_once, choices, total = Random(1), 0, 0, 0
    for number in range(10):
        state = fresh_deal(ruleset(preset), 4, seed_of("quick", number))
        while not state.is_over:
            action, done = dice.choice(state.legal_actions()), list[int]()
            go_on(state, (action,), done)
            chosen = not done and plies.choose(state, action)
            at_once, choices, total = at_once + len(done), choices + chosen, total + 1
            if not done and not chosen:
                turn.apply(state, action)
    assert at_once + choices > 0.4 * total
    assert choices > 0
