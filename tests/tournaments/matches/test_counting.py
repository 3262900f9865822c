"""Scores from what people count at a table: card points with yaku, bids with who won. Rules 4.1, 4.4 and 5."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import TournamentError
from engine.cards import points
from engine.games import ruleset
from engine.games.sakura.yaku import YAKU
from tournaments.matches.report_bodies import Claim, body_from, hash_of
from tournaments.pages.scores.claim_form import fields_for, read_claim

ONE = ruleset("hawaii", rounds=1)


def refusal(claim: Claim, preset: str = "hawaii", seats: int = 2, **options: Any) -> tuple[str, str]:
    """(code, message) of what is refused."""
    with pytest.raises(TournamentError) as caught:
        body_from(claim, ruleset(preset, **options), range(seats))
    return caught.value.code, str(caught.value)


def made(*sides: str) -> tuple[tuple[str, ...], ...]:
    """The yaku of each side."""
    return tuple(tuple(side.split()) for side in sides)


def test_yaku_are_taken_off_the_others_and_say_the_same_as_the_score() -> None:
    body = body_from(Claim(totals=(145, 95), yaku=(made("I Ho", "Ha"),)), ONE, (0, 1))
    assert body["score"] == [95, -5]
    assert body["yaku"] == [[["I", "Ho"], ["Ha"]]]
    plain = body_from(Claim(totals=(95, -5)), ONE, (0, 1))
    assert hash_of(body) == hash_of(plain)  # who counted and who gave the score agree


@pytest.mark.parametrize(
    ("cards", "yaku", "code", "words"),
    [
        ((40, 200), ("I", ""), "report.points_impossible", "worth 45 points"),
        ((100, 140), ("I", "I"), "report.yaku_impossible", "ticked on two sides"),
        ((100, 140), ("I", "Ro"), "report.yaku_impossible", "share a card"),
        ((102, 138), ("I", ""), "report.points_impossible", "multiple of 5"),
        ((145, 100), ("I", ""), "report.points_impossible", "add up to 245"),
        ((-5, 100), ("", "I"), "report.points_impossible", "A score of -5 points is impossible"),
        ((100, 140), ("Wa", ""), "report.yaku_impossible", "no yaku called"),
        ((100, 140), ("I",), "report.sides_wrong", "each of the 2 sides"),
    ],
)
def test_what_cannot_have_been_counted(cards: tuple[int, ...], yaku: tuple[str, ...], code: str, words: str) -> None:
    found = refusal(Claim(totals=cards, yaku=(made(*yaku),)), rounds=1)
    assert found[0] == code
    assert words in found[1]


def test_yaku_belong_to_their_deal_and_to_their_game() -> None:
    deals = ((130, 110), (120, 120))
    claim = Claim(deals=deals, winners=(None, 0), yaku=(made("Ro", ""), made("", "")))
    assert body_from(claim, ruleset("hawaii", rounds=2), (0, 1))["by_deal"] == [[130, 60], [120, 120]]
    assert refusal(Claim(deals=deals, yaku=(made("Ro", ""),)), rounds=2)[0] == "report.deals_wrong"
    assert refusal(Claim(totals=(130, 110), yaku=(made("Ro", ""),)), rounds=2)[0] == "report.deals_wrong"
    assert refusal(Claim(totals=(5, 3), yaku=(made("Ro", ""),)), "poka5")[0] == "report.yaku_impossible"


@given(st.permutations(range(48)), st.integers(1, 47))
def test_whatever_piles_there_are_is_taken_and_scored_as_the_rules_say(order: list[int], cut: int) -> None:
    piles = [sum(1 << card for card in part) for part in (order[:cut], order[cut:])]
    yaku = tuple(tuple(each.id for each in YAKU if each.cards & pile == each.cards) for pile in piles)
    cards = tuple(map(points, piles))
    body = body_from(Claim(totals=cards, yaku=(yaku,)), ONE, (0, 1))
    assert body["score"] == [cards[0] - 50 * len(yaku[1]), cards[1] - 50 * len(yaku[0])]


def test_a_margin_of_100_adds_two_victories_with_basa() -> None:
    rules = ruleset("paradise", rounds=2, basa=True)
    claim = Claim(deals=((170, 70), (100, 140)), yaku=(made("", ""), made("", "Ro")))
    body = body_from(claim, rules, (0, 1))
    assert (body["by_deal"], body["victories"]) == ([[170, 70], [50, 140]], [2, 1])


@pytest.mark.parametrize(
    ("bids", "winner", "loser", "paid"),
    [
        ((10, 25, 15, 5), 1, None, (0, 15, -15, 0)),
        ((10, 25, 15, 5), 2, None, (0, -25, 25, 0)),
        ((20, 20, 15, 5), 0, None, (20, -20, 0, 0)),
        ((20, 15, 15, 5), 0, 2, (15, 0, -15, 0)),
        ((20, 15, 15, 5), 2, None, (-20, 0, 20, 0)),
        ((0, 0, 0, 0), None, None, (0, 0, 0, 0)),
    ],
)
def test_the_loser_pays_his_bid(
    bids: tuple[int, ...], winner: int | None, loser: int | None, paid: tuple[int, ...]
) -> None:
    claim = Claim(bids=(bids,), winners=(winner,), losers=(loser,))
    assert tuple(body_from(claim, ruleset("oibana", rounds=1), range(4))["score"]) == paid


@pytest.mark.parametrize(
    ("bids", "winner", "code"),
    [
        ((10, 25, 15, 5), 0, "report.bids_impossible"),
        ((10, 250, 15, 5), 1, "report.bids_impossible"),
        ((10, 0, 0, 0), 0, "report.bids_impossible"),
        ((10, 25, 15, 5), None, "report.winner_needed"),
        ((20, 15, 15, 5), 0, "report.opponent_needed"),
        ((20, 15, 15), 0, "report.sides_wrong"),
    ],
)
def test_bids_that_cannot_have_been(bids: tuple[int, ...], winner: int | None, code: str) -> None:
    assert refusal(Claim(bids=(bids,), winners=(winner,)), "oibana", 4, rounds=1)[0] == code


def test_basa_and_chu_multiply_what_is_paid() -> None:
    rules = ruleset("oibana", rounds=2, basa=True, chu=True)
    bids = ((10, 25, 15), (10, 25, 15))
    body = body_from(Claim(bids=bids, winners=(1, 2), margins=(100, 45)), rules, range(3))
    assert body["by_deal"] == [[0, 45, -45], [0, -25, 25]]
    assert refusal(Claim(bids=bids[:1], winners=(1,), margins=(7,)), "oibana", 3, rounds=1, chu=True)[0] == (
        "report.points_impossible"
    )
    assert refusal(Claim(bids=((1, 2),), winners=(0,)), rounds=1)[0] == "report.bids_impossible"


def test_a_form_asks_for_what_its_game_has_and_stays_light() -> None:
    one = fields_for(ONE, 2)
    assert (one.deals, len(one.yaku), one.has_ticks, one.as_totals) == (1, 8, True, True)
    assert not fields_for(ruleset("hawaii"), 6).has_ticks
    assert fields_for(ruleset("hawaii", rounds=200), 2).deals == 0
    assert fields_for(ruleset("poka5"), 2).deals == 0
    bids = fields_for(ruleset("oibana", chu=True), 4)
    assert (bids.bids, bids.margin, bids.pays, bids.yaku) == (True, True, True, ())


def test_yaku_are_read_from_ticks_and_from_words() -> None:
    fields = fields_for(ONE, 2)
    ticked = read_claim({"d1_0": "145", "d1_1": "95", "y1_0Ho": "on", "y1_0I": "on"}, fields)
    written = read_claim({"d1_0": "145", "d1_1": "95", "y1_0": "ho, I"}, fields)
    assert ticked == written == Claim(totals=(145, 95), yaku=(made("I Ho", ""),))
    assert read_claim({"d1_0": "145", "d1_1": "95"}, fields) == Claim(totals=(145, 95))
    unknown = read_claim({"d1_0": "145", "d1_1": "95", "y1_0": "moon"}, fields)
    assert unknown.yaku == (made("moon", ""),)
    rules = ruleset("oibana", rounds=1, basa=True)
    sent = {"b1_0": "10", "b1_1": "20", "b1_2": "15", "w1": "1", "m1": "100"}
    assert read_claim(sent, fields_for(rules, 3)) == Claim(
        bids=((10, 20, 15),), winners=(1,), losers=(None,), margins=(100,)
    )
