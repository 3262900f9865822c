"""Replaying the effects gives the engine's own states, move by move."""

from typing import Any

import pytest

from core.replay.document import read
from core.replay.reducer import Place, clamp, neighbours, position_at, scenes, totals_at, victories_at
from tests.core.replay.played import SEATINGS, games, play


@pytest.mark.parametrize(("seating", "seed"), games())
def test_effects_reproduce_the_engines_states(seating: tuple[int, str, dict[str, Any]], seed: int) -> None:
    game = play(*seating, seed=seed)
    replay = read(game.document)
    for deal in replay.deals:
        for move in range(len(deal.moves) + 1):
            ours, engine = position_at(replay, deal, move), game.places[deal.number, move]
            where = f"deal {deal.number}, move {move}"
            assert ours.hands == engine.hands, where
            assert [sorted(tray) for tray in ours.trays] == engine.trays, where
            assert sorted(ours.on_field) == engine.field, where
            assert (ours.pile, sorted(ours.out), ours.up) == (engine.pile, engine.out, engine.up), where


@pytest.mark.parametrize("seating", SEATINGS)
def test_every_card_is_in_one_place(seating: tuple[int, str, dict[str, Any]]) -> None:
    replay = read(play(*seating, seed=7).document)
    for deal in replay.deals:
        for move in range(len(deal.moves) + 1):
            position = position_at(replay, deal, move)
            rows = [*position.hands, *position.trays, position.on_field, position.discard, position.out]
            cards = [card for row in rows for card in row] + ([position.up] if position.up else [])
            assert len(cards) == len(set(cards))
            assert len(cards) + position.pile == 48


def test_the_field_keeps_its_places() -> None:
    replay = read(play(4, "hawaii", {}, seed=3).document)
    deal = replay.deals[0]
    for move in range(len(deal.moves)):
        before, after = (position_at(replay, deal, number).field for number in (move, move + 1))
        stayed = [card for card in before if card and card in after]
        assert all(before.index(card) == after.index(card) for card in stayed)


def test_scenes_agree_with_positions() -> None:
    replay = read(play(3, "paradise", {}, seed=5).document)
    for deal in replay.deals:
        for scene in scenes(replay, deal):
            before = position_at(replay, deal, scene.move.number - 1)
            after = position_at(replay, deal, scene.move.number)
            assert scene.pending == before.up
            assert [list(tray) for tray in scene.before] == before.trays
            assert [list(tray) for tray in scene.after] == after.trays


def test_steps_walk_the_whole_match_and_back() -> None:
    replay = read(play(2, "hawaii", {}, seed=1, rounds=3).document)
    place: Place | None = Place(1, 0)
    walked = []
    while place is not None:
        walked.append(place)
        place = neighbours(replay, place)[1]
    assert len(walked) == sum(len(deal.moves) + 1 for deal in replay.deals)
    back = [walked[-1]]
    while (before := neighbours(replay, back[-1])[0]) is not None:
        back.append(before)
    assert back == walked[::-1]


def test_a_place_that_does_not_exist_becomes_the_nearest() -> None:
    replay = read(play(2, "hawaii", {}, seed=1).document)
    assert clamp(replay, 0, -3) == Place(1, 0)
    assert clamp(replay, 99, 999) == Place(2, len(replay.deals[1].moves))


def test_the_running_score_counts_a_deal_at_its_last_move() -> None:
    replay = read(play(4, "paradise", {}, seed=2).document)
    first, last = replay.deals
    assert totals_at(replay, Place(1, len(first.moves) - 1)) == (0, 0, 0, 0)
    assert totals_at(replay, Place(1, len(first.moves))) == first.score
    assert totals_at(replay, Place(2, 0)) == first.score
    assert totals_at(replay, Place(2, len(last.moves))) == replay.score
    assert victories_at(replay, Place(2, len(last.moves))) == replay.victories
