"""The account of a match: result line, players by deals, running totals, the end of a deal, and the best moments."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from core.replay.book import book
from core.replay.document import Replay, read, told_apart
from core.replay.facts import cards_of, points, standings
from core.replay.moments import BEST, best_moments, swings
from core.replay.reducer import Place, position_at, scenes
from core.replay.rows import rows
from core.replay.score import HEIGHT, LABEL_HEIGHT, chart, ending_at, result_line, score_rows, short, spread
from core.replay.words import deal_text, line_text, scores_text
from tests.core.replay.played import SEATINGS, play

ENGLISH = book("en", str)


def a_replay(seats: int, preset: str = "hawaii", *, rounds: int = 4, seed: int = 1, **options: Any) -> Replay:
    return read(play(seats, preset, options, seed=seed, rounds=rounds).document)


@pytest.mark.parametrize("seating", SEATINGS)
def test_the_score_adds_up_to_the_result(seating: tuple[int, str, dict[str, Any]]) -> None:
    seats, preset, options = seating
    replay = a_replay(seats, preset, **options)
    figures = replay.victories if replay.options["scoring"] == "victories" else replay.score
    table, line = score_rows(replay), result_line(replay)
    assert [row.total for row in table] == [str(figure).replace("-", "\N{MINUS SIGN}") for figure in figures]
    assert sorted(one.place for one in line) == sorted(replay.rank)
    assert {one.name: one.figure for one in line} == {row.name: row.total for row in table}
    for row, side in zip(table, range(replay.side_count), strict=True):
        assert replay.sides[row.seat] == side
        won = {number for number, _score, is_won in row.cells if is_won}
        assert won == {
            deal.number
            for deal in replay.deals
            if deal.winner is not None and replay.sides[deal.winner] == side and any(deal.score)
        }


def test_running_totals_are_lines_inside_the_drawing() -> None:
    replay = a_replay(3, rounds=6)
    drawn = chart(replay)
    assert drawn is not None
    assert [seat for seat, _points in drawn.lines] == [0, 1, 2]
    for _seat, drawing in drawn.lines:
        places = [tuple(map(float, each.split(","))) for each in drawing.split()]
        assert [x for x, _y in places] == [100 * deal for deal in range(7)]
        assert all(0 <= y <= HEIGHT for _x, y in places)
    assert len({points.split()[0] for _seat, points in drawn.lines}) == 1, "all begin at nought"
    assert chart(a_replay(2, rounds=1)) is None
    nothing = tuple(replace(deal, score=(0, 0, 0), total=(0, 0, 0)) for deal in replay.deals)
    assert chart(replace(replay, deals=nothing)) is None, "nobody ever had a point"
    assert not any(won for row in score_rows(replace(replay, deals=nothing)) for _n, _score, won in row.cells)


@pytest.mark.parametrize("heights", [[50.0], [4.0, 4.0, 4.0], [96.0, 95.0, 50.0], [50.0] * 7, [96.0] * 7, [4.0, 96.0]])
def test_names_at_the_ends_of_lines_lie_inside_and_apart(heights: list[float]) -> None:
    found = spread(heights)
    assert all(LABEL_HEIGHT / 2 <= each <= HEIGHT - LABEL_HEIGHT / 2 for each in found)
    assert all(b - a >= LABEL_HEIGHT - 0.1 for a, b in pairwise(sorted(found)))


def test_every_line_ends_in_a_name() -> None:
    replay = a_replay(4, rounds=3)
    drawn = chart(replay)
    assert drawn is not None
    assert [(seat, name) for seat, name, _height in drawn.names] == list(enumerate(replay.names))
    assert short("Nineteen letters in") == "Nineteen lette…"


def test_the_end_of_a_deal_says_who_won_and_with_what() -> None:
    replay = a_replay(3, rounds=3)
    for deal in replay.deals:
        last = Place(deal.number, len(deal.moves))
        assert ending_at(replay, Place(deal.number, last.move - 1), position_at(replay, deal, 0), ENGLISH) is None
        ending = ending_at(replay, last, position_at(replay, deal, last.move), ENGLISH)
        assert ending is not None
        assert ending.is_match == (deal is replay.deals[-1])
        for row in ending.rows:
            whole = line_text(replay, ENGLISH, deal, row.seat)
            assert all(part.rstrip("; ") in whole for part in row.parts if "'s " not in part), (
                "what is not put together"
            )
        ranks = replay.rank if ending.is_match else [-score for score in deal.score]
        assert [ranks[row.seat] for row in ending.rows] == sorted(ranks), "the best comes first"
        winners = [row.name for row in ending.rows if row.is_winner]
        if ending.is_match:
            best = [replay.names[seat] for seat, rank in enumerate(replay.rank) if rank == 1]
            assert winners == best
            assert ending.title.endswith("wins the match" if len(best) == 1 else "share first place")
            assert bool(ending.fan) == (len(best) == 1)
        else:
            assert ending.fan == ()
            won = [] if deal.winner is None else [replay.names[deal.winner]]
            assert winners == won
            assert ending.title == (f"{won[0]} wins deal {deal.number}" if won else f"Deal {deal.number} is over")


def test_what_one_of_the_others_takes_by_several_yaku_is_one_part() -> None:
    replay = a_replay(2, rounds=12)
    found = 0
    for deal in replay.deals:
        ending = ending_at(replay, Place(deal.number, len(deal.moves)), position_at(replay, deal, 0), ENGLISH)
        assert ending is not None
        for row in ending.rows:
            taken = [line for line in deal.lines if line.code == "opp_yaku" and line.side == row.seat]
            if len(taken) > 1:
                found += 1
                signs = ", ".join(ENGLISH["signs"][line.yaku] for line in taken)
                worth = -sum(line.value for line in taken)
                assert row.parts[-1] == f"{replay.names[1 - row.seat]}'s {signs} \N{MINUS SIGN}{worth}"
                assert all(part.endswith("; ") for part in row.parts[:-1])
    assert found, "nobody made two: the test says nothing"


@pytest.mark.parametrize("seating", SEATINGS)
def test_a_deal_that_ended_now_would_count_what_it_counts_at_its_end(seating: tuple[int, str, dict[str, Any]]) -> None:
    """What stands beside the total while a deal goes on becomes its score: cards, less what yaku of others take."""
    seats, preset, options = seating
    replay = a_replay(seats, preset, rounds=24, **options)
    played = [deal for deal in replay.deals if any(line.code == "cards" for line in deal.lines)]
    assert any(line.code == "opp_yaku" for deal in played for line in deal.lines), "no yaku: the test says too little"
    for deal in played:
        end = position_at(replay, deal, len(deal.moves))
        assert standings(end.trays, replay.game, replay.options) == list(deal.score), deal.number


def test_games_without_a_penalty_for_yaku_count_their_cards_alone() -> None:
    trays = [["01.1", "03.1", "08.1", "09.1"], ["12.1"]]
    assert standings(trays, "sakura", {"yaku_penalty": 50}) == [points(trays[0], "sakura"), 20 - 50]
    assert standings(trays, "sakura", {"yaku_penalty": 0}) == [points(tray, "sakura") for tray in trays]
    assert standings(trays, "nuki", {}) == [points(tray, "nuki") for tray in trays]


def test_a_yaku_counts_certain_cards_or_all_of_a_kind() -> None:
    tray = ["01.1", "03.1", "08.1", "02.1", "04.2", "11.3"]
    assert cards_of("three_brights", 6, [*tray, "09.1"], "koikoi") == ["01.1", "03.1", "08.1"]
    assert cards_of("moon_viewing", 5, tray, "koikoi") == [], "the cup is missing"
    assert set(cards_of("moon_viewing", 5, [*tray, "09.1"], "koikoi")) == {"08.1", "09.1"}
    assert cards_of("teshi", 6, tray, "koikoi") == [], "dealt in a hand, not captured"
    assert cards_of("kept by a game that is gone", 1, tray, "gone") == []


def test_the_sake_cup_is_among_the_chaff_where_it_was_counted() -> None:
    chaff = [f"{month:02d}.4" for month in range(1, 10)]
    assert cards_of("chaff", 1, [*chaff, "10.4", "09.1"], "koikoi") == [*chaff, "10.4"]
    assert cards_of("chaff", 1, [*chaff, "09.1"], "koikoi") == sorted([*chaff, "09.1"])
    assert cards_of("chaff", 2, [*chaff, "10.4", "09.1"], "koikoi") == sorted([*chaff, "10.4", "09.1"])
    animals = ["02.1", "04.1", "05.1", "08.2"]
    assert cards_of("animals", 1, [*animals, "09.1"], "koikoi") == [*animals, "09.1"]
    assert cards_of("animals", 1, [*animals, "07.1", "09.1"], "koikoi") == sorted([*animals, "07.1"]), "it was chaff"


def test_rows_show_the_cards_that_left_hand_and_pile() -> None:
    replay = a_replay(4, rounds=2)
    for deal in replay.deals:
        said = deal_text(replay, ENGLISH, deal)
        listed = rows(replay, ENGLISH, deal, said)
        assert [row.text for row in listed] == said
        assert [row.moved for row in listed] == deal_text(replay, ENGLISH, deal, with_scores=False)
        assert [row.over for row in listed if row.over] == [scores_text(replay, ENGLISH, deal)]
        for row, scene in zip(listed[1:], scenes(replay, deal), strict=True):
            effects = scene.move.effects
            played = {one.card for one in effects if one.source[0] == "h" and one.target[0] != "h"}
            assert played <= {part.card for part in row.parts if not part.is_flip}
            if scene.move.flip:
                assert [part.card for part in row.parts if part.is_flip] == [scene.move.flip]
            taken = {one.card for one in effects if one.source == "f" and one.target[0] == "c"}
            assert {card for part in row.parts for card in part.taken} <= taken
            assert row.gain >= 0 or any(event.get("code") for event in scene.move.events)


def test_the_best_moments_are_the_largest_swings_in_order() -> None:
    replay = a_replay(3, rounds=6)
    best = best_moments(replay)
    assert len(best) == BEST
    assert list(best) == sorted(best, key=lambda place: (place.deal, place.move))
    worth = {place: swing for swing, place in swings(replay)}
    assert min(worth[place] for place in best) >= max(swing for place, swing in worth.items() if place not in best)
    marked = [
        Place(deal.number, row.number)
        for deal in replay.deals
        for row in rows(replay, ENGLISH, deal, deal_text(replay, ENGLISH, deal), best)
        if row.is_best
    ]
    assert marked == list(best)


@pytest.mark.parametrize(
    ("names", "sides", "shown"),
    [
        (("Plum", "Kiri"), (0, 1), ("Plum", "Kiri")),
        (("Plum", "Plum"), (0, 1), ("A1 Plum", "B2 Plum")),
        (("Plum", "Kiri", "Plum"), (0, 1, 2), ("A1 Plum", "Kiri", "C3 Plum")),
        (("Plum", "Kiri", "Plum", "Lani"), (0, 1, 0, 1), ("Plum", "Kiri", "Plum", "Lani")),
        (("", ""), (0, 1), ("", "")),
    ],
)
def test_same_names_of_several_sides_are_told_apart(
    names: tuple[str, ...], sides: tuple[int, ...], shown: tuple[str, ...]
) -> None:
    assert told_apart(names, sides) == shown


def test_deals_won_stand_in_the_result_of_an_event_that_counts_them() -> None:
    replay = a_replay(3)
    usual, counted = result_line(replay), result_line(replay, ranks_by_deals=True)
    assert {one.points for one in usual} == {""}
    assert {one.name: one.points for one in counted} == {one.name: one.figure for one in usual}
    assert [one.figure for one in counted] == [str(won) for won in sorted(replay.victories, reverse=True)]
    assert [one.place for one in counted] == sorted(
        1 + sum(o > won for o in replay.victories) for won in replay.victories
    )
