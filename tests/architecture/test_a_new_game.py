"""Adding a game is a folder and its line in the registry: a toy game runs through table, record and replay."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from bots.runner.inprocess import InProcessLauncher
from bots.runner.table import play
from core.replay.book import book, tables
from core.replay.document import read
from core.replay.reducer import position_at
from core.replay.words import deal_text, line_text
from engine import games
from engine.action import Action
from engine.canonical import canonical, record_hash
from engine.errors import BadOption
from engine.game import game_of
from engine.games.sakura import SAKURA
from engine.match import Match
from engine.notation import format_move, parse_move
from engine.record import rederive, verify
from tests.architecture.toy_game import TOY, ToyView
from tests.bots.matches import LAST, a_spec

SEEDS = 12


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    """The toy game, registered for one test."""
    games.register(TOY)
    yield
    games.withdraw(TOY)


def a_document(number: int, seats: int = 3) -> dict[str, Any]:
    """A match of toy bots at the real table. The last legal action is to swap, which needs a further shuffle."""
    played = play(a_spec(*([LAST] * seats), preset="toy2", number=number), InProcessLauncher())
    assert not played.forfeits, "a bot that only reads its observation meets no surprise"
    document: dict[str, Any] = json.loads(json.dumps(played.document))
    return document


def seed_of(document: dict[str, Any], number: int) -> bytes:
    spec = a_spec(LAST, LAST, preset="toy2", number=number)
    assert document["record"]["fair"] == dict(spec.fair)
    return spec.seed


@pytest.mark.parametrize("number", range(SEEDS))
def test_table_record_and_verify(number: int) -> None:
    document = a_document(number)
    record = document["record"]
    assert max(record["result"]["score"]) >= 2, "the match ends by its target, not by a number of deals"
    assert all(len(deal["orders"][-1]) < 12 for deal in record["deals"]), "the further shuffles are noted"
    assert record["deals"][0]["moves"][0].endswith(" swap")
    assert verify(document, seed=seed_of(document, number)).ok
    assert rederive(document) == canonical(record)


def test_everything_of_the_contract_occurs() -> None:
    documents = [a_document(number) for number in range(SEEDS)]
    deals = [deal for document in documents for deal in document["record"]["deals"]]
    shown = [deal for document in documents for deal in document["view"]["deals"]]
    assert any(len(deal["orders"][1]) == 12 for deal in deals), "a deal was thrown in and not counted"
    assert {deal["mult"] for deal in shown} == {1, 2}, "what one deal leaves reaches the next"
    assert all("mult" not in deal for deal in deals)


def test_a_forged_shuffle_is_found_with_the_seed_and_other_cards_without() -> None:
    document = a_document(1)
    order = document["record"]["deals"][0]["orders"][-1]
    order[-1], order[-2] = order[-2], order[-1]
    document["hash"] = record_hash(document["record"])
    assert verify(document).ok, "the pile was not touched after that, so only the seed can tell"
    found = verify(document, seed=seed_of(document, 1))
    assert (found.ok, found.code) == (False, "record.order")
    assert found.where.startswith("deal 1, order ")
    broken = copy.deepcopy(document)
    del broken["record"]["deals"][0]["orders"][-1][0]
    broken["hash"] = record_hash(broken["record"])
    assert verify(broken).code == "record.orders"


@pytest.mark.parametrize("number", range(SEEDS))
def test_the_replay_shows_and_says_it(number: int) -> None:
    replay = read(a_document(number))
    words = book("en", str, "toy")
    assert replay.deck == 12
    for deal in replay.deals:
        said = deal_text(replay, words, deal)
        for move, sentence in zip(deal.moves, said[1:], strict=True):
            verb = "swaps; p" if "swap" in move.action else f"shows {words['cards'].get(move.action.get('show'))}"
            assert sentence.startswith(f"{replay.names[move.seat]} {verb}")
            position = position_at(replay, deal, move.number)
            rows = [*position.hands, position.discard]
            assert sum(map(len, rows)) + position.pile == 12
        assert "shuffles 8 cards" in said[1]
        assert line_text(replay, words, deal, deal.winner or 0).startswith("highest card ")
    assert tables("toy")["yaku"] == {"pair": ["01.1", "01.2"]}
    assert words["yaku"] == {"pair": "Two Januaries"}


def test_its_actions_are_known_as_json_and_text() -> None:
    for text, told in (("p1 show 02.3", {"show": "02.3"}), ("p0 swap", {"swap": True})):
        seat, action = parse_move(text)
        assert action.to_json() == told
        assert Action.from_json(told) is action
        assert format_move(seat, action) == text


def test_search_bots_get_worlds_of_it() -> None:
    match = Match(games.ruleset("toy_two"), 2, bytes(32))
    game, reader, dice = game_of("toy"), TOY.reader(match.ruleset, 2), Random(1)
    while not match.is_over:
        seat = match.seat_to_act
        obs = match.observation(seat, match_id="m", preset="toy2", since=0, ms_left=1)
        typed = reader.read(json.loads(json.dumps(obs)))
        assert typed == game.observe(match.state, seat)
        assert isinstance(typed, ToyView)
        world = game.determinize(typed, dice)
        twin = world.copy()
        world.apply_unchecked(world.legal_actions()[-1])
        assert (twin.seat_to_act, twin.legal_actions()) == (seat, typed.legal)
        match.apply(dice.choice(match.legal_actions()))


def test_a_game_is_registered_once_and_its_words_mean_one_thing() -> None:
    with pytest.raises(ValueError, match="registered already"):
        games.register(TOY)
    with pytest.raises(ValueError, match="registered already"):
        games.register(SAKURA)
    with pytest.raises(BadOption):
        games.ruleset("toy2", target=10)
    assert games.preset("toy_two").id == "toy2"
