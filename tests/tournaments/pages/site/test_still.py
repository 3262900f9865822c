"""Stills of replays: a moment in few cards, of every game, against the positions of the replay."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.replay.document import read
from core.replay.moments import best_deal, middle_of
from core.replay.reducer import Place, position_at
from engine.games import GAMES, PRESETS
from tests.core.replay.test_own_facts import a_document
from tournaments.pages.site.still import BEST, still_at


@pytest.mark.parametrize("preset", PRESETS)
def test_a_still_shows_the_field_and_the_best_of_each_tray(preset: str) -> None:
    seats = GAMES[PRESETS[preset].game].seat_range[0]
    replay = read(a_document(preset, seats, 7))
    place = middle_of(replay, 1)
    still, position = still_at(replay, place), position_at(replay, replay.deals[0], place.move)
    assert set(still.field) <= {*position.on_field, *position.discard}
    assert still.field
    assert len(still.sides) == replay.side_count
    for side, shown in enumerate(still.sides):
        assert set(shown.cards) <= set(position.trays[side])
        assert len(shown.cards) == min(BEST, len(position.trays[side]))
        assert shown.captured == len(position.trays[side])


@pytest.mark.parametrize("preset", PRESETS)
def test_of_moves_near_the_middle_the_one_with_most_cards_on_the_field_is_shown(preset: str) -> None:
    seats = GAMES[PRESETS[preset].game].seat_range[0]
    replay = read(a_document(preset, seats, 7))
    for deal in replay.deals:
        half = len(deal.moves) // 2
        cards = {
            move: len(position_at(replay, deal, move).on_field)
            for move in range(max(0, half - 2), min(len(deal.moves) - 1, half + 2) + 1)
        }
        shown = middle_of(replay, deal.number).move
        assert cards[shown] == max(cards.values())
        nearer = [move for move in cards if abs(move - half) < abs(shown - half)]
        assert all(cards[move] < cards[shown] for move in nearer)


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_match_that_is_played_from_its_middle_does_not_begin_at_its_end(seed: int) -> None:
    whole = read(a_document("hawaii", 2, seed))
    for moves in range(1, 9):
        short = replace(whole, deals=(replace(whole.deals[0], moves=whole.deals[0].moves[:moves]),))
        assert middle_of(short, 1).move < moves
    empty = replace(whole, deals=(replace(whole.deals[0], moves=()),))
    assert middle_of(empty, 1) == Place(1, 0)


def test_the_best_deal_has_the_highest_score_and_its_end_shows_the_last_move() -> None:
    replay = read(a_document("hawaii", 2, 11))
    number = best_deal(replay)
    assert max(replay.deals[number - 1].score) == max(max(deal.score) for deal in replay.deals)
    end = Place(len(replay.deals), len(replay.deals[-1].moves))
    still = still_at(replay, end)
    assert still.moved == {effect.card for effect in replay.deals[-1].moves[-1].effects}


def test_a_deal_that_somebody_left_is_never_the_best() -> None:
    whole = read(a_document("hawaii", 2, 11))
    lost = replace(whole.deals[1], score=(-20, -35))
    left = replace(whole.deals[0], score=())
    assert best_deal(replace(whole, deals=(left, lost))) == lost.number


def test_a_deal_that_somebody_left_has_a_still_of_its_last_move() -> None:
    whole = read(a_document("hawaii", 2, 11))
    left = replace(whole.deals[0], moves=whole.deals[0].moves[:2], score=())
    still, before = still_at(replace(whole, deals=(left,)), Place(1, 2)), still_at(whole, Place(1, 2))
    assert [(side.gain, side.cards) for side in still.sides] == [(side.gain, side.cards) for side in before.sides]


def test_nobody_has_captured_a_card_of_a_fresh_deal() -> None:
    replay = read(a_document("hawaii", 3, 5))
    still = still_at(replay, Place(1, 0))
    assert not any(side.cards for side in still.sides)
    assert still.moved == frozenset()


@pytest.mark.parametrize("preset", ["hawaii", "koikoi_nintendo", "paradise"])
def test_at_the_end_of_a_deal_a_side_has_gained_its_score(preset: str) -> None:
    replay = read(a_document(preset, 2, 11))
    for deal in replay.deals:
        still = still_at(replay, Place(deal.number, len(deal.moves)))
        assert [int(side.gain.replace("\N{MINUS SIGN}", "-")) for side in still.sides] == list(deal.score)
        assert all(
            side.gain.startswith("+") == (score > 0) for side, score in zip(still.sides, deal.score, strict=True)
        )
