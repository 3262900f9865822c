"""Rows of decisions: they say what bots were told, for every game, and follow from the record alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from bots.house import house_files
from bots.runner.inprocess import InProcessLauncher
from bots.runner.table import play
from engine.data_rows import COLUMNS, actions_of, difference, observation_of, rows_of, ruleset_of
from engine.errors import BadRecord
from engine.game import game_of
from engine.games import PRESETS
from engine.games import ruleset as preset_ruleset
from engine.match import Match
from engine.record import write
from tests.bots.matches import a_bot, a_spec

FAIR: dict[str, Any] = {"stage": "s", "commit": "c", "deal_set": "d", "leg": 1}
CRASHES = "def choose(obs):\n    if obs['deal'] == 2:\n        raise ValueError\n    return 1\n"


def a_match(preset: str, seats: int, *, told: Callable[[int, dict[str, Any], int], None]) -> Any:
    """The document of a random match; `told` hears (seat, observation, choice) of each question as a bot would."""
    dice, seen = Random(seats), [0] * seats
    options = {info.id: 2 for info in game_of(PRESETS[preset].game).options if info.id == "rounds"}
    name = f"{preset}-{seats}"
    match = Match(preset_ruleset(preset, **options), seats, bytes([seats]) * 32)
    while not match.is_over:
        seat, legal = match.seat_to_act, match.legal_actions()
        choice = dice.randrange(len(legal))
        if len(legal) > 1:
            obs: Any = match.observation(seat, match_id=name, preset=preset, since=seen[seat], ms_left=0)
            seen[seat] = match.event_count
            told(seat, obs, choice)
        match.apply(legal[choice])
    return write(match, match_id=name, fair=FAIR, bots=[None] * seats, preset=preset)


def _note(told: list[tuple[int, Any, int]], *asked: Any) -> None:
    told.append(asked)


@pytest.mark.parametrize("preset", PRESETS)
def test_rows_give_back_every_question_of_every_game(preset: str) -> None:
    low, high = game_of(PRESETS[preset].game).seat_range
    for seats in {low, high}:
        told: list[tuple[int, Any, int]] = []
        document = a_match(preset, seats, told=partial(_note, told))
        rows = rows_of(document)
        assert rows
        assert [(row["seat"], observation_of(row), row["choice"]) for row in rows] == told
        assert {tuple(row) for row in rows} == {tuple(column.name for column in COLUMNS)}
        assert {ruleset_of(row).hash for row in rows} == {document["record"]["ruleset"]["hash"]}


def test_a_row_says_how_its_deal_and_its_match_ended() -> None:
    document = a_match("hawaii", 3, told=lambda *_asked: None)
    record = document["record"]
    for row in rows_of(document):
        deal = record["deals"][row["deal"] - 1]
        assert row["deal_score"] == deal["score"]
        assert row["deal_winner"] == (None if deal["winner"] is None else int(deal["winner"][1:]))
        assert row["match_score"] == record["result"]["score"]
        assert row["match_rank"] == record["result"]["rank"]
        assert len(actions_of(row)) == len(row["legal"]) > row["choice"]


def test_nobody_is_asked_after_a_forfeit() -> None:
    played = play(a_spec(a_bot(CRASHES), house_files("greedy"), rounds=3), InProcessLauncher())
    assert [forfeit.seat for forfeit in played.forfeits] == [0]
    rows = rows_of(played.document)
    assert {row["deal"] for row in rows if row["seat"] == 0} == {1}
    assert {row["deal"] for row in rows if row["seat"] == 1} == {1, 2, 3}
    assert all(row["forfeits"] == [0] for row in rows)


def test_another_choice_is_found() -> None:
    document = a_match("hawaii", 2, told=lambda *_asked: None)
    rows = rows_of(document)
    assert difference(rows, document) == ""
    assert difference(rows[:-1], document).endswith(f"the record has {len(rows)}")
    wrong = [*rows[:-1], {**rows[-1], "choice": rows[-1]["choice"] + 1}]
    assert difference(wrong, document).endswith("choice")


def test_a_record_that_was_changed_gives_no_rows() -> None:
    document = json.loads(json.dumps(a_match("hawaii", 2, told=lambda *_asked: None)))
    document["record"]["deals"][0]["moves"][0] = "p0 12.4"
    with pytest.raises(BadRecord):
        rows_of(document)
