"""Numbers of actions: every legal one has its own, and none ever changes."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from engine.actions import FIRST_CALL, ActionTable, StepwiseSpace, space_of, table_of, write_mask
from engine.game import GAMES, game_of
from engine.games import PRESETS, ruleset
from engine.match import Match
from engine.notation import parse_action
from tests.architecture.toy_game import Toy
from tests.engine.worlds import seed_of

GOLDEN: Final = Path(__file__).parents[1] / "data" / "engine" / "actions.json"
KEPT: Final[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", GAMES)
def test_the_table_of_a_game_is_the_one_that_was_published(game: str) -> None:
    """What is added goes to the end, with a new hash in the golden file; the numbers that were there stay."""
    table = table_of(game)
    assert table.hash == KEPT[game]["hash"]
    assert len(table.actions) == KEPT[game]["size"]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_sizes_of_a_preset_are_those_that_were_published(preset: str) -> None:
    rules = ruleset(preset)
    sizes = [space_of(rules).size, space_of(rules, stepwise=True).size]
    assert sizes == KEPT["sizes"][preset]


@pytest.mark.parametrize("game", GAMES)
def test_a_table_can_be_read_back(game: str) -> None:
    table = table_of(game)
    written = table.to_json()["actions"]
    assert isinstance(written, list)
    assert [parse_action(text) for text in written] == list(table.actions)
    assert len(set(table.actions)) == len(table.actions)


def test_a_game_that_is_added_has_a_table_too() -> None:
    actions = ActionTable(Toy()).actions
    assert [(action.kind, action.card) for action in actions] == [*[("show", card) for card in range(12)], ("swap", -1)]


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_legal_action_has_a_number_in_one_step_and_in_two(preset: str) -> None:
    rules, dice = ruleset(preset), Random(5)
    low, high = game_of(rules.game).seat_range
    flat, steps = space_of(rules), space_of(rules, stepwise=True)
    for seats in range(low, high + 1):
        match = Match(rules, seats, seed_of("actions", preset, seats))
        while not match.is_over:
            legal = match.legal_actions()
            choices = flat.choices(legal)
            assert list(choices.values()) == [(action,) for action in legal]
            assert max(choices) < flat.size
            first = steps.choices(legal)
            assert max(first) < steps.size
            found = [action for actions in first.values() for action in actions]
            assert sorted(map(str, found)) == sorted(map(str, legal))
            for actions in first.values():
                assert sorted(map(str, steps.targets(actions).values())) == sorted(str((action,)) for action in actions)
            match.apply(dice.choice(legal))


def test_two_steps_ask_for_the_card_and_then_for_its_target() -> None:
    space = space_of(ruleset("hawaii"), stepwise=True)
    legal = [parse_action(text) for text in ("01.1*01.2", "01.1*01.3", "03.1", "hiki 9")]
    first = space.choices(legal)
    assert [space.text(number) for number in first] == ["01.1", "03.1", "hiki 9"]
    assert [space.text(number) for number in space.targets(first[0])] == ["01.2", "01.3"]


def test_a_card_without_a_target_beside_targets_is_a_word() -> None:
    space = space_of(ruleset("hawaii", triple_capture="optional"), stepwise=True)
    legal = [parse_action(text) for text in ("01.1", "01.1*01.2", "01.1*01.3", "01.1*01.4")]
    assert [space.text(number) for number in space.targets(space.choices(legal)[0])] == ["-", "01.2", "01.3", "01.4"]


def test_the_words_of_a_stepwise_table_are_published() -> None:
    space = StepwiseSpace(ruleset("koikoi_nintendo"))
    written = space.to_json()["actions"]
    assert isinstance(written, list)
    assert written[47:] == ["12.4", "all", "leave", "return", "-", "declare stop", "declare koikoi"]
    assert [space.text(number) for number in range(space.size)] == written
    assert space.text(FIRST_CALL) == "declare stop"


def test_bids_beyond_the_highest_of_the_rules_have_no_number_in_its_space() -> None:
    assert space_of(ruleset("oibana", bid_max=7)).size == space_of(ruleset("oibana")).size - 93
    assert len(table_of("oibana").actions) == space_of(ruleset("oibana", bid_max=1000)).size


def test_a_mask_is_written_into_a_buffer() -> None:
    rules = ruleset("poka5")
    space, buffer = space_of(rules), bytearray(b"\7" * 60)
    write_mask(space, [parse_action("discard 01.2"), parse_action("pass")], buffer, 5)
    assert [place for place, value in enumerate(buffer) if value == 1] == [5 + 1, 5 + 49]
    assert buffer[:5] == buffer[55:] == b"\7" * 5
