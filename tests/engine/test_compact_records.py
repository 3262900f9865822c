"""Compact records: a seed for every order; they prove what the whole record proves."""

from __future__ import annotations

import copy
import json
from functools import cache
from random import Random
from typing import Any

import pytest
import zstandard

from engine.course import Course, SeedOrders
from engine.deck import commitment
from engine.errors import BadRecord, EngineError, IllegalAction
from engine.game import game_of
from engine.games import PRESETS, ruleset
from engine.match import Match
from engine.record import rederive, verify, write
from engine.record_compact import compact, expand, read_compact, retrace_compact
from tests.engine.worlds import seed_of

SEED = seed_of("compact")
Document = dict[str, Any]


@cache
def _text(preset: str, seats: int, forfeit: bool, rounds: int) -> str:
    game = game_of(PRESETS[preset].game)
    counted = any(option.id == "rounds" for option in game.options)
    match, dice, gone = Match(ruleset(preset, **({"rounds": rounds} if counted else {})), seats, SEED), Random(7), -1
    while not match.is_over:
        if forfeit and match.moves_total == 9:
            gone = match.seat_to_act
            match.forfeit(gone, "timeout.cpu")
        legal = match.legal_actions()
        match.apply(legal[0] if match.seat_to_act == gone else dice.choice(legal))
    bots = [f"sha256:{seed_of('bot', seat).hex()}" for seat in range(seats)]
    fair = {"stage": f"sha256:{seed_of('stage').hex()}", "commit": commitment(SEED), "deal_set": "d41c", "leg": 1}
    return json.dumps(write(match, match_id="0190b0d47a3c", fair=fair, bots=bots, preset=preset))


def a_document(preset: str = "hawaii", seats: int = 4, *, forfeit: bool = False, rounds: int = 3) -> Document:
    document: Document = json.loads(_text(preset, seats, forfeit, rounds))
    return document


SEATS = {
    "oibana": 4, "nuki88": 3, "poka5": 2, "poka3": 2, "koikoi_nintendo": 2, "koikoi_fuda": 2, "koikoi_zoo": 2,
}  # fmt: skip


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("forfeit", [False, True])
@pytest.mark.parametrize("preset", PRESETS)
def test_there_and_back(preset: str, forfeit: bool) -> None:
    document = a_document(preset, SEATS.get(preset, 4), forfeit=forfeit)
    small = json.loads(json.dumps(compact(document, SEED)))
    again = expand(small)
    assert again == document
    assert verify(again, seed=SEED).ok


@pytest.mark.parametrize("preset", PRESETS)
def test_a_course_and_a_told_match_come_to_the_same_record(preset: str) -> None:
    document = a_document(preset, SEATS.get(preset, 4))
    reading = read_compact(compact(document, SEED))
    course = retrace_compact(reading)
    assert [list(log.actions) for log in course.deals] == [list(actions) for actions in reading.deals]
    assert list(course.result().score) == document["record"]["result"]["score"]
    assert json.loads(rederive(document)) == document["record"]


def test_it_is_small() -> None:
    """The compact record of 12 deals and 4 seats: at most 1.5 KB under zstd (issue 3)."""
    small = compact(a_document(rounds=12), SEED)
    assert len(zstandard.compress(json.dumps(small, separators=(",", ":")).encode(), 19)) <= 1536


def test_only_what_verifies_is_made_compact() -> None:
    document = a_document()
    with pytest.raises(BadRecord) as refused:
        compact(document, bytes(32))
    assert refused.value.code == "record.commit"
    document["record"]["result"]["score"][0] += 1
    with pytest.raises(BadRecord) as refused:
        compact(document, SEED)
    assert refused.value.code == "record.hash"


def _with(**changes: Any) -> Document:
    return {**compact(a_document(), SEED), **changes}


def _other_first_move() -> Document:
    small: Document = copy.deepcopy(compact(a_document(), SEED))
    actions = small["deals"][0].split(";")
    small["deals"][0] = ";".join([actions[1], *actions[1:]])
    return small


@pytest.mark.parametrize(
    ("small", "code"),
    [
        (_with(seed="00" * 32), "record.commit"),
        (_with(seed="0"), "record.malformed"),
        (_with(seed="AB" * 32), "record.malformed"),
        (_with(seed="ab" * 31), "record.malformed"),
        (_with(seed=7), "record.malformed"),
        (_with(compact=2), "record.version"),
        (_with(v=2), "record.version"),
        (_with(hash="sha256:00"), "record.hash"),
        (_with(bots=["x"]), "record.seats"),
        (_with(match="another"), "record.hash"),
        (_with(forfeits=[{"seat": 0, "deal": 1, "move": 1, "code": "x"}]), "record.hash"),
        (_with(forfeits=[{"seat": 9, "deal": 1, "move": 1, "code": "x"}]), "record.forfeit"),
        (_with(deals=[]), "record.move"),
        (_with(deals=[""] * 3), "record.move"),
        (_with(deals=[7]), "record.malformed"),
        (_with(deals=["99.9"]), "record.move"),
        (_with(deals=_with()["deals"][:2]), "record.move"),
        (_with(deals=[*_with()["deals"], "03.1"]), "record.move"),
        (_other_first_move(), "record.move"),
        (_with(engine="1"), "record.malformed"),
        ([], "record.malformed"),
        ({}, "record.version"),
    ],
)
def test_a_forged_one_is_refused(small: object, code: str) -> None:
    with pytest.raises(BadRecord) as refused:
        expand(small)
    assert refused.value.code == code


def test_a_course_says_when_it_is_over_and_what_is_not_legal() -> None:
    rules = ruleset("hawaii", rounds=1)
    course = Course(rules, 2, SeedOrders(SEED, game_of("sakura").deck))
    first = course.legal_actions()[0]
    others = Match(rules, 2, bytes(32)).legal_actions()
    foreign = next(action for action in others if action not in course.legal_actions())
    with pytest.raises(IllegalAction):
        course.play_deal([foreign])
    with pytest.raises(EngineError) as refused:
        course.result()
    assert refused.value.code == "match.running"
    course = Course(rules, 2, SeedOrders(SEED, game_of("sakura").deck))
    assert (course.seat_to_act, course.deal, course.move) == (course.dealer, 1, 0)
    while not course.is_over:
        course.play_deal([course.legal_actions()[0]])
    assert (course.seat_to_act, course.legal_actions()) == (-1, ())
    with pytest.raises(EngineError) as refused:
        course.play_deal([first])
    assert refused.value.code == "match.over"
