"""Actions as JSON and as text."""

from __future__ import annotations

import copy
import pickle

import pytest

from engine.action import Action
from engine.errors import BadAction
from engine.notation import format_move, parse_action, parse_move
from tests.engine.test_ten_thousand_deals import EVERY_ACTION

TEXTS = {
    "p0 03.3": {"play": "03.3"},
    "p1 03.3*03.2": {"play": "03.3", "take": "03.2"},
    "p6 11.4*leave": {"play": "11.4", "take": "leave"},
    "p2 hiki 9": {"hiki": 9},
    "p0 draw": {"draw_only": True},
    "p0 >06.1": {"draw_take": "06.1"},
    "p0 >all": {"draw_take": "all"},
    "p0 !01.4": {"blocked_choice": "01.4"},
    "p0 !return": {"blocked_choice": "return"},
}


@pytest.mark.parametrize(("text", "value"), TEXTS.items())
def test_text_and_json_name_the_same_action(text: str, value: dict[str, object]) -> None:
    seat, action = parse_move(text)
    assert action.to_json() == value
    assert Action.from_json(value) is action
    assert format_move(seat, action) == text


def test_every_named_action_survives_both_ways() -> None:
    for action in EVERY_ACTION:
        if action.kind in ("draw_take", "blocked_choice") and action.take == -1:
            continue  # a choice that names nothing is only ever refused
        assert parse_action(format_move(0, action)[3:]) is action
        assert Action.from_json(action.to_json()) is action


def test_copies_stay_interned() -> None:
    action = Action.from_json({"play": "03.3"})
    assert copy.deepcopy(action) is action
    assert pickle.loads(pickle.dumps(action)) is action


@pytest.mark.parametrize(
    "value",
    [
        None, 3, "03.3", [], {}, {"play": "13.1"}, {"play": None}, {"play": ["03.3"]}, {"play": "03.3", "take": "13.1"},
        {"play": "03.3", "take": None}, {"play": "03.3", "hiki": 3}, {"hiki": 0}, {"hiki": 13}, {"hiki": True},
        {"hiki": "9"}, {"draw_only": False}, {"draw_only": 1}, {"draw_take": "x"}, {"blocked_choice": None},
        {"play": "03.3", "flip": "01.1"}, {"take": "03.1"}, {1: 2},
    ],
)  # fmt: skip
def test_what_is_no_action_as_json(value: object) -> None:
    with pytest.raises(BadAction):
        Action.from_json(value)


@pytest.mark.parametrize(
    "text",
    ["", "p0", "p7 03.3", "p0 3.3", "p0 03.3*", "p0 03.3 ", " p0 03.3", "p0  03.3", "p0 hiki 0", "p0 hiki 09", "p0 >",
     "p0 03.3*03.2*03.1", "p0 draw 1", "p0 03.3\n", None, 7, ["p0 03.3"]],
)  # fmt: skip
def test_what_is_no_move_as_text(text: object) -> None:
    with pytest.raises(BadAction):
        parse_move(text)
