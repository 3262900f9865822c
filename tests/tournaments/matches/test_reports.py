"""Possible results: by the cards, the yaku, the ledger, the target and the number of deals."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import TournamentError
from engine.games import ruleset
from engine.match import Match
from tournaments.matches.report_bodies import Claim, body_from, hash_of

SOLO = (0, 1)


def code_of(claim: Claim, preset: str = "hawaii", sides: tuple[int, ...] = SOLO, **options: int) -> str:
    """The refusal's code, "" for a claim that is taken."""
    try:
        body_from(claim, ruleset(preset, **options), sides)
    except TournamentError as refusal:
        return refusal.code
    return ""


@pytest.mark.parametrize(
    ("totals", "code"),
    [
        ((130, 110), ""),
        ((-20, 210), ""),  # one yaku of side 2: 30 and 210 in cards
        ((240, -400), ""),  # all cards and all eight yaku
        ((0, 0), ""),
        ((131, 109), "report.points_impossible"),
        ((245, -5), "report.points_impossible"),
        ((200, 100), "report.points_impossible"),
        ((-20, 240), "report.points_impossible"),
        ((240, -450), "report.points_impossible"),
        ((130,), "report.sides_wrong"),
        ((130, 110, 0), "report.sides_wrong"),
        ((10**6, 0), "report.points_impossible"),
    ],
)
def test_one_deal_of_sakura(totals: tuple[int, ...], code: str) -> None:
    assert code_of(Claim(totals=totals), rounds=1) == code


@pytest.mark.parametrize(
    ("claim", "preset", "sides", "code"),
    [
        (Claim(totals=(5, 3)), "poka5", SOLO, ""),
        (Claim(totals=(4, 3)), "poka5", SOLO, "report.points_impossible"),
        (Claim(totals=(5, 5)), "poka5", SOLO, "report.points_impossible"),
        (Claim(totals=(5, -1)), "poka5", SOLO, "report.points_impossible"),
        (Claim(totals=(30, -10, -20)), "oibana", (0, 1, 2), ""),
        (Claim(totals=(30, -10, -10)), "oibana", (0, 1, 2), "report.points_impossible"),
        (Claim(totals=(120, -60, -60)), "nuki88", (0, 1, 2), ""),
        (Claim(totals=(120, -60, -50)), "nuki88", (0, 1, 2), "report.points_impossible"),
        (Claim(totals=(6, 0)), "french", SOLO, ""),  # a hand that wins as it is dealt
        (Claim(totals=(1200, 1100), victories=(7, 5)), "paradise", SOLO, ""),
        (Claim(totals=(1200, 1100)), "paradise", SOLO, "report.victories_impossible"),
        (Claim(totals=(1200, 1100), victories=(90, 5)), "paradise", SOLO, "report.victories_impossible"),
        (Claim(totals=(1200, 1100), victories=(7, -1)), "paradise", SOLO, "report.victories_impossible"),
        (Claim(absent=(2,)), "hawaii", SOLO, "report.sides_wrong"),
    ],
)
def test_other_games_and_formats(claim: Claim, preset: str, sides: tuple[int, ...], code: str) -> None:
    assert code_of(claim, preset, sides) == code


def test_deal_by_deal_counts_victories_as_the_rules_do() -> None:
    """Example A of the standings: Chu 2, Basa 3; the dealer's turn decides the level deal."""
    deals = ((150, 40), (95, 145), (120, 120), (125, 115), (60, 130), (135, 105))
    rules = ruleset("paradise", rounds=6, chu=True, basa=True)
    winners = (None, None, 1, None, None, None)
    body = body_from(Claim(deals=deals, winners=winners), rules, SOLO)
    assert (body["score"], body["victories"], body["deals"], body["rank"]) == ([685, 655], [5, 5], 6, [1, 1])


def test_the_number_of_deals() -> None:
    deals = ((130, 110),)
    assert code_of(Claim(deals=deals), rounds=2) == "report.deals_wrong"
    assert code_of(Claim(deals=deals, complete=False), rounds=2) == ""
    assert code_of(Claim(deals=deals * 3, complete=False), rounds=2) == "report.deals_wrong"
    assert code_of(Claim(deals=((120, 120),)), rounds=1) == "report.winner_needed"


def test_who_does_not_come() -> None:
    rules = ruleset("hawaii", rounds=1)
    alone = body_from(Claim(absent=(1,)), rules, SOLO)
    assert (alone["end"], alone["rank"], [each["seat"] for each in alone["forfeits"]]) == ("walkover", [1, 2], [1])
    short = body_from(Claim(totals=(100, 0, 140), absent=(1,)), rules, (0, 1, 2))
    assert (short["end"], short["score"], short["rank"]) == ("complete", [100, 0, 140], [2, 3, 1])
    assert body_from(Claim(absent=(0, 1)), rules, SOLO)["rank"] == [2, 2]


def test_how_a_report_came_in_is_no_part_of_its_hash() -> None:
    body = body_from(Claim(totals=(130, 110)), ruleset("hawaii", rounds=1), SOLO)
    assert hash_of(body) == hash_of({**body, "side": 1, "key": "k"})
    assert hash_of(body) != hash_of({**body, "score": [110, 130]})


@pytest.mark.thorough
@given(st.integers(0, 10_000), st.sampled_from(["hawaii", "paradise", "french", "oibana", "nuki88"]), st.integers(3, 4))
def test_whatever_the_engine_can_give_is_taken(seed: int, preset: str, seats: int) -> None:
    """Matches played at random: deal by deal and as totals."""
    rules = ruleset(preset, rounds=2)
    match, random = Match(rules, seats, seed.to_bytes(32, "big")), Random(seed)
    while not match.is_over:
        match.apply(random.choice(match.legal_actions()))
    ends: list[dict[str, Any]] = [dict(event) for event in match.events if "deal_end" in event]
    deals = tuple(tuple(event["score"]) for event in ends)
    named = (event["winner"] for event in ends)
    winners = tuple(None if winner is None else match.sides[int(winner[1:])] for winner in named)
    body = body_from(Claim(deals=deals, winners=winners), rules, match.sides)
    assert body["score"] == list(match.totals)
    if rules.game == "sakura":
        assert body["victories"] == list(match.victories)
    victories = tuple(match.victories) if rules.options.scoring == "victories" else None
    assert (
        body_from(Claim(totals=tuple(match.totals), victories=victories), rules, match.sides)["score"] == body["score"]
    )
