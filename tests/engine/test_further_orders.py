"""Shuffles inside a deal: in records, proven by the seed, the same in every copy of a world."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest

from engine.action import Action, Form, learn
from engine.canonical import record_hash
from engine.cards import ALL, CODES, card_set, parse_cards
from engine.deck import GuessedShuffles, commitment, deck_order, further_order
from engine.errors import BadAction
from engine.games import ruleset
from engine.match import Match
from engine.record import verify, write
from engine.record_read import read_document
from engine.record_replay import RecordOrders, replay
from tests.engine.worlds import seed_of

SEED = seed_of("further")
Document = dict[str, Any]


def test_a_further_order_is_a_stream_of_its_own() -> None:
    cards = parse_cards("01.1 02.1 03.1 04.1 05.1 06.1")
    orders = {
        (label, number): further_order(SEED, label, 1, number, cards)
        for label in ("return", "reshuffle")
        for number in (0, 1)
    }
    assert len(set(orders.values())) == 4
    assert all(card_set(order) == cards for order in orders.values())
    assert further_order(SEED, "deck", 3, 1, ALL) == deck_order(SEED, 3, 1), "a deal thrown in while it is played"
    codes = [CODES[card] for card in further_order(bytes(32), "return", 1, 0, cards)]
    assert codes == FIXED, "these bytes are in records: they never change"


FIXED = ["03.1", "05.1", "02.1", "01.1", "04.1", "06.1"]
"""Worked out by hand from tournaments.md 11: zero seed, deal 1, number 0."""


def test_guessed_shuffles_are_pure_and_differ() -> None:
    first, second = GuessedShuffles(1), GuessedShuffles(2)
    assert first("return", 0, ALL) == GuessedShuffles(1)("return", 0, ALL)
    assert len({first("return", 0, ALL), first("return", 1, ALL), first("deck", 0, ALL), second("return", 0, ALL)}) == 4
    assert card_set(first("return", 0, ALL)) == ALL


def _dealt_again() -> Match:
    """A match whose first deal is thrown in: four of a month lie on the field."""
    rules = ruleset("hawaii", field_quad="redeal", rounds=1)
    matches = (Match(rules, 6, seed_of("again", number)) for number in range(1000))
    return next(match for match in matches if len(match.deals[0].orders) > 1)


@cache
def _text(preset: str) -> str:
    match = _dealt_again() if preset == "hawaii" else Match(ruleset(preset, rounds=2), 3, SEED)
    dice = Random(1)
    while not match.is_over:
        match.apply(dice.choice(match.legal_actions()))
    fair = {"commit": commitment(match.seed)}
    return json.dumps(write(match, match_id="m", fair=fair, bots=[None] * match.seats, preset=preset))


def a_document(preset: str = "oibana") -> Document:
    document: Document = json.loads(_text(preset))
    return document


def _shorten_the_redeal(document: Document) -> None:
    del document["record"]["deals"][-1]["orders"][1][0]


def _drop_the_return(document: Document) -> None:
    del document["record"]["deals"][0]["orders"][1]


def _return_a_kept_card(document: Document) -> None:
    orders = document["record"]["deals"][0]["orders"]
    orders[1][0] = next(code for code in orders[0] if code not in orders[1])


def _add_an_order(document: Document) -> None:
    document["record"]["deals"][0]["orders"].append(["01.1"])


def _add_an_empty_order(document: Document) -> None:
    document["record"]["deals"][0]["orders"].append([])


@pytest.mark.parametrize(
    ("preset", "change", "code", "where"),
    [
        ("hawaii", _shorten_the_redeal, "record.orders", "deal "),
        ("oibana", _drop_the_return, "record.orders", "deal 1"),
        ("oibana", _return_a_kept_card, "record.orders", "deal 1, order 2"),
        ("oibana", _add_an_order, "record.orders", "deal 1, orders 3"),
        ("oibana", _add_an_empty_order, "record.orders", "deal 1"),
    ],
)
def test_orders_that_do_not_fit(preset: str, change: Callable[[Document], None], code: str, where: str) -> None:
    document = a_document(preset)
    assert verify(document).ok
    change(document)
    document["hash"] = record_hash(document["record"])
    found = verify(document)
    assert (found.ok, found.code) == (False, code), found
    assert found.where.startswith(where)


def test_a_copy_of_a_replayed_world_may_ask_again() -> None:
    reading = read_document(a_document())
    match = replay(reading, SEED)
    used = match.deals[0].orders[1]
    source = RecordOrders(reading, SEED)
    assert source.order(1, 0) == match.deals[0].orders[0]
    assert source.further("return", 1, 0, card_set(used)) == used
    assert source.further("return", 1, 0, card_set(used)) == used


def test_a_kind_of_action_means_one_thing() -> None:
    learn([Form("bid", "amount")])
    with pytest.raises(ValueError, match="already"):
        learn([Form("bid", "card")])


@pytest.mark.parametrize("value", [-1, 10_000, True, "7", None, 7.0])
def test_what_is_no_bid_as_json(value: object) -> None:
    with pytest.raises(BadAction):
        Action.from_json({"bid": value})


@pytest.mark.parametrize("value", [{"join": "maybe"}, {"join": 1}, {"discard": "13.1"}, {"pass": 1}, {"triplet": 13}])
def test_what_no_game_understands(value: dict[str, object]) -> None:
    with pytest.raises(BadAction):
        Action.from_json(value)


def test_an_action_without_a_form_is_its_name() -> None:
    assert str(Action.of("hop")) == "hop True"
    assert str(Action.of("draw_take")) == "draw_take ?"
