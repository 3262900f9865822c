"""A record is played again exactly as it was written, and every way to play a deal gives the same course. site.md 3."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.action import UNNAMED, Action
from engine.canonical import record_hash
from engine.cards import MONTH_MASKS, NUKI_DECK, members
from engine.course import Course, SeedOrders
from engine.deck import commitment
from engine.errors import IllegalAction
from engine.games import PRESETS, ruleset
from engine.games.sakura.state import SakuraState
from engine.match import Match
from engine.notation import format_move
from engine.record import verify, write
from tests.engine.nuki.tables import DROP, JOIN
from tests.engine.worlds import seed_of

SEED = seed_of("replaying")
SEATS = {"oibana": 3}


def played(match: Match, seed: int = 1) -> Match:
    dice = Random(seed)
    while not match.is_over:
        match.apply(dice.choice(match.legal_actions()))
    return match


def a_document() -> dict[str, Any]:
    match = played(Match(ruleset("hawaii", rounds=1), 2, SEED))
    fair = {"commit": commitment(SEED)}
    found: dict[str, Any] = json.loads(
        json.dumps(write(match, match_id="m", fair=fair, bots=[None, None], preset="hawaii"))
    )
    return found


def rehashed(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "hash": record_hash(document["record"])}


def single_captures() -> Iterator[tuple[int, str, str]]:
    """Number of a move that takes the one card of its month, as the engine writes it, and with the target named."""
    match, dice = Match(ruleset("hawaii", rounds=1), 2, SEED), Random(1)
    while not match.is_over:
        action, seat, state = dice.choice(match.legal_actions()), match.seat_to_act, match.state
        assert isinstance(state, SakuraState)
        if action.kind == "play" and action.take == UNNAMED:
            matches = list(members(state.field & MONTH_MASKS[action.card // 4]))
            if len(matches) == 1:
                named = Action.of("play", action.card, matches[0])
                yield match.move, format_move(seat, action), format_move(seat, named)
        match.apply(action)


def test_a_move_written_in_another_way_is_named() -> None:
    """A record has one form: the shorthand that a player may use is not what the engine writes."""
    document = a_document()
    number, written, other = next(single_captures())
    assert document["record"]["deals"][0]["moves"][number] == written
    document["record"]["deals"][0]["moves"][number] = other
    found = verify(rehashed(document))
    assert (found.code, found.where) == ("record.move", f"deal 1, move {number + 1}")
    assert found.message == f"The engine writes {written}."


def test_a_ruleset_names_every_option() -> None:
    """Defaults may change one day; what was played may not."""
    document = a_document()
    rules = document["record"]["ruleset"]
    assert verify(document).ok
    del rules["options"]["final_tie"]
    found = verify(rehashed(document))
    assert (found.code, found.where) == ("record.ruleset", "ruleset")
    assert found.message == "The ruleset does not name every option and its hash."
    again = a_document()
    del again["record"]["ruleset"]["hash"]
    assert verify(rehashed(again)).code == "record.ruleset"


@pytest.mark.parametrize("preset", PRESETS)
def test_a_deal_played_at_once_is_the_deal_played_move_by_move(preset: str) -> None:
    seats = SEATS.get(preset, 2)
    one = played(Match(ruleset(preset), seats, SEED), 3)
    other = Match(ruleset(preset), seats, SEED)
    for log in one.deals:
        other.play_deal(log.actions)
    assert other.is_over
    assert other.events == one.events
    assert other.result() == one.result()
    assert [log.orders for log in other.deals] == [log.orders for log in one.deals]


def test_what_is_not_listed_stops_a_deal_played_at_once() -> None:
    match = Match(ruleset("hawaii"), 2, SEED)
    legal = match.legal_actions()
    with pytest.raises(IllegalAction):
        match.play_deal([legal[0], Action.of("call", word="sage")])
    assert match.move == 1


def test_a_copy_that_is_played_on_adds_no_order_to_the_match() -> None:
    """Bots and pages try moves on copies; a shuffle met there belongs to the record only if it comes about."""
    match = Match(ruleset("nuki88", rounds=1), 3, SEED)
    match.apply(JOIN)
    ahead = match.state.copy()
    ahead.apply(JOIN)
    match.apply(DROP)
    assert len(match.deals[0].orders) == 1
    match.apply(JOIN)
    assert [len(order) for order in match.deals[0].orders] == [34, 14]


def test_a_course_notes_a_shuffle_once() -> None:
    course = Course(ruleset("nuki88", rounds=1), 3, SeedOrders(SEED, NUKI_DECK))
    course.play_deal([JOIN])
    course.state.copy().apply(JOIN)
    course.play_deal([JOIN])
    told = Match(ruleset("nuki88", rounds=1), 3, SEED)
    told.play_deal([JOIN, JOIN])
    assert [len(order) for order in course.deals[0].orders] == [34, 14]
    assert course.deals[0].orders == told.deals[0].orders
