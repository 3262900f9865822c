"""The replay of every preset: effects that lead somewhere, a sentence for every move, event and score line."""

from __future__ import annotations

import json
from random import Random

import pytest

from core.replay.book import book, tables
from core.replay.document import Replay, read
from core.replay.facts import made
from core.replay.reducer import Place, position_at
from core.replay.score import ending_at, score_rows
from core.replay.table import table_at, yaku_lines
from core.replay.words import Phrasebook, deal_text, line_text, number_text
from engine.game import game_of
from engine.games import PRESETS, option_table, ruleset
from engine.match import Match
from engine.record import write

SEATINGS = [(name, seats) for name, preset in PRESETS.items() for seats in game_of(preset.game).seat_range]


def a_replay(preset: str, seats: int, *, seed: int = 0) -> Replay:
    has_rounds = any(info.id == "rounds" for info in option_table(PRESETS[preset].game))
    match, dice = (
        Match(ruleset(preset, **({"rounds": 4} if has_rounds else {})), seats, seed.to_bytes(32, "big")),
        Random(seats),
    )
    while not match.is_over:
        match.apply(dice.choice(match.legal_actions()))
    document = write(match, match_id="m", fair={}, bots=[None] * seats, preset=preset)
    return read(json.loads(json.dumps(document)))


def english(replay: Replay) -> Phrasebook:
    return book("en", str, replay.game)


@pytest.mark.parametrize(("preset", "seats"), dict.fromkeys(SEATINGS))
def test_every_card_is_in_one_place(preset: str, seats: int) -> None:
    replay = a_replay(preset, seats)
    assert replay.deck == game_of(replay.game).deck.bit_count()
    for deal in replay.deals:
        for move in range(len(deal.moves) + 1):
            position = position_at(replay, deal, move)
            rows = [*position.hands, *position.trays, position.on_field, position.discard, position.out]
            cards = [card for row in rows for card in row] + ([position.up] if position.up else [])
            assert len(cards) == len(set(cards))
            assert len(cards) + position.pile == replay.deck


@pytest.mark.parametrize(("preset", "seats"), dict.fromkeys(SEATINGS))
def test_every_move_and_line_is_said(preset: str, seats: int) -> None:
    replay = a_replay(preset, seats)
    words = english(replay)
    known = set(words["own"]["lines"]) | {"cards", "opp_yaku"}
    for deal in replay.deals:
        for move, sentence in zip(deal.moves, deal_text(replay, words, deal)[1:], strict=True):
            assert replay.names[move.seat] in sentence
            assert "event:" not in sentence, sentence
            assert "%(" not in sentence, sentence
            told = move.events or move.flip or {"call", "declare"} & set(move.action)
            assert ": " not in sentence.split(" is over: ")[0] or told, sentence
        assert {line.code for line in deal.lines} <= known
        for side, score in enumerate(deal.score):
            assert_sums_up(line_text(replay, words, deal, side), score, sum(line.side == side for line in deal.lines))


def assert_sums_up(sentence: str, score: int, lines: int) -> None:
    """Several lines end with their sum, one says the score itself, no line says nothing, and neither does a zero."""
    shown = str(score).replace("-", "\N{MINUS SIGN}")
    if lines > 1:
        assert sentence.endswith(f"= {shown}")
    elif score:
        assert f" {shown}" in f" {sentence}".replace("+", ""), "a yaku has its sign"
    else:
        assert bool(sentence) == bool(lines)
        assert " = " not in sentence


@pytest.mark.parametrize(("preset", "seats"), dict.fromkeys(SEATINGS))
def test_table_strip_and_tracker_are_drawn(preset: str, seats: int) -> None:
    replay = a_replay(preset, seats)
    words = english(replay)
    assert all(len(row.cells) == len(replay.deals) for row in score_rows(replay))
    own = tables(replay.game)
    for deal in replay.deals:
        place = Place(deal.number, len(deal.moves))
        drawn = table_at(replay, place, 0, words)
        ending = ending_at(replay, place, drawn.position, words)
        assert (ending is None) == (not deal.score)
        assert [line.id for line in yaku_lines(replay, drawn.position, words)] == list(own["yaku"])


@pytest.mark.parametrize(("preset", "seats"), dict.fromkeys(SEATINGS))
def test_the_end_of_a_deal_shows_the_cards_of_the_yaku_that_counted(preset: str, seats: int) -> None:
    replay = a_replay(preset, seats)
    words, shown = english(replay), set()
    for deal in replay.deals:
        position = position_at(replay, deal, len(deal.moves))
        ending = ending_at(replay, Place(deal.number, len(deal.moves)), position, words)
        scored = {str(line.yaku) for line in deal.lines if line.yaku}
        for row in ending.rows if ending else ():
            tray = position.trays[replay.sides[row.seat]]
            if "yaku_penalty" in replay.options and row.yaku:
                assert [one.id for one in row.yaku] == made((), tray, replay.game)
            else:
                assert {one.id for one in row.yaku} <= scored
            for one in row.yaku:
                assert set(one.cards) <= set(tray)
                assert one.name == (words["signs"].get(one.id) or words["yaku"].get(one.id, one.id))
                shown.add(one.name + one.gain)
                # What the cards show is said once in sight: above them, or by its sign.
                above = [part for part in row.parts if row.is_above_cards(part) and one.name in part]
                assert all(part.startswith(f"{one.name} {one.gain}") for part in above)
                assert len(above) == bool(one.gain)
    if (preset, seats) in {("hawaii", 2), ("koikoi_nintendo", 2)}:
        assert shown, "none in four deals: the test says nothing"
        assert any("+" in each for each in shown) == (preset != "hawaii")


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_of_those_who_bid_the_end_of_a_deal_tells_of_the_two_who_played(seats: int) -> None:
    """What their cards came to stands before what is paid for it; who watched has neither."""
    replay = a_replay("oibana", seats)
    words, settled = english(replay), 0
    for deal in replay.deals[:-1]:
        position = position_at(replay, deal, len(deal.moves))
        ending = ending_at(replay, Place(deal.number, len(deal.moves)), position, words)
        said = next((dict(event) for event in deal.moves[-1].events if event["code"] == "settled"), None)
        if ending is None or said is None:
            continue
        settled += 1
        played = sorted((f"p{row.seat}" for row in ending.rows), key=lambda seat: seat != said["by"])
        assert played == [said["by"], said["from"]]
        points = [row.parts[0].removesuffix("; ") for row in ending.rows]
        assert sorted(points) == sorted(f"{number_text(score)} pts" for score in said["score"])
        assert all("stake" in row.parts[1] for row in ending.rows)
    assert settled, "nobody paid: the test says nothing"
    last = Place(len(replay.deals), len(replay.deals[-1].moves))
    over = ending_at(replay, last, position_at(replay, replay.deals[-1], last.move), words)
    assert over is not None
    assert len(over.rows) == seats, "the match is everybody's"


def test_the_winner_of_equal_scores_says_why() -> None:
    found = 0
    for seed in range(40):
        replay = a_replay("hawaii", 7, seed=seed)
        words = english(replay)
        for deal in replay.deals:
            ending = ending_at(replay, Place(deal.number, len(deal.moves)), position_at(replay, deal, 0), words)
            assert ending is not None
            told = [row.seat for row in ending.rows if "first in turn" in row.parts]
            assert deal.winner is not None
            is_level = deal.score.count(deal.score[replay.sides[deal.winner]]) > 1
            assert told == [deal.winner] * is_level
            found += is_level
    assert found, "no two were level: the test says nothing"
