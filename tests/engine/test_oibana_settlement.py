"""Oi-bana: who pays whom, and how it is told. rules.md 5 step 7, R74 to R76."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.game import OptionValue
from engine.games import ruleset
from engine.games.oibana import scoring
from engine.games.oibana.rules import own_options
from engine.games.sakura import scoring as sakura_scoring
from engine.games.sakura.outcome import SakuraOutcome


def a_table_result(
    options: Mapping[str, OptionValue], *, margin: int, leader_wins: bool, bids: tuple[int, int] = (9, 7)
) -> scoring.OibanaOutcome:
    """Bids 9 (p2, the leader) and 7 (p0) of four seats, a deal won by a margin."""
    own = own_options(ruleset("oibana", **options).options)
    score = (100 + margin, 100) if leader_wins else (100, 100 + margin)
    side = sakura_scoring.winner_seat(score, (0, 1), 0)
    won = sakura_scoring.victories_for(own, margin)
    table = SakuraOutcome(
        reason="played", score=score, winner=side, winning_side=side, victories=(won, 0) if side == 0 else (0, won),
        points=score, yaku=((), ()), margin=margin, label=None, claimed=0, claimed_side=None, dead=0,
    )  # fmt: skip
    return scoring.settle(own, 4, (2, 0), bids, table)


@pytest.mark.parametrize(
    ("options", "margin", "leader_wins", "ledger"),
    [
        ({}, 30, True, (-7, 0, 7, 0)),
        ({}, 30, False, (9, 0, -9, 0)),
        ({}, 0, True, (-7, 0, 7, 0)),
        ({"oibana_payment": "winner_bid"}, 30, True, (-9, 0, 9, 0)),
        ({"oibana_payment": "winner_bid"}, 30, False, (7, 0, -7, 0)),
        ({"chu": True}, 50, True, (-14, 0, 14, 0)),
        ({"chu": True}, 49, True, (-7, 0, 7, 0)),
        ({"basa": True}, 99, True, (-7, 0, 7, 0)),
        ({"basa": True}, 100, True, (-14, 0, 14, 0)),
        ({"basa": True, "chu": True}, 100, True, (-21, 0, 21, 0)),
        ({"basa": True, "chu": True}, 50, False, (18, 0, -18, 0)),
    ],
)
def test_the_loser_pays(
    options: Mapping[str, OptionValue], margin: int, leader_wins: bool, ledger: tuple[int, ...]
) -> None:
    outcome = a_table_result(options, margin=margin, leader_wins=leader_wins)
    assert outcome.score == ledger
    assert outcome.winner == ledger.index(max(ledger))
    assert sum(outcome.victories) == outcome.multiplier
    lines = scoring.lines(outcome)
    for seat, change in enumerate(ledger):
        assert sum(int(str(line["v"])) for line in lines if line["side"] == seat) == change
    assert {line["code"] for line in lines if line["side"] in (1, 3)} == {"watched"}
    assert ("margin" in {line["code"] for line in lines}) == (outcome.multiplier > 1)


def test_a_stake_of_one_is_told_with_its_sign() -> None:
    outcome = a_table_result({}, margin=30, leader_wins=True, bids=(9, 1))
    assert scoring.lines(outcome) == [
        {"side": 0, "code": "stake", "by": 2, "v": -1},
        {"side": 1, "code": "watched", "v": 0},
        {"side": 2, "code": "stake", "by": 0, "v": 1},
        {"side": 3, "code": "watched", "v": 0},
    ]
    assert (outcome.players, outcome.bids, outcome.stake) == ((2, 0), (9, 1), 1)
    assert (outcome.winner, outcome.winning_side, outcome.reason) == (2, 2, "played")


def test_a_void_deal_is_settled_with_nothing() -> None:
    table = SakuraOutcome(
        reason="void", score=(0, 0), winner=None, winning_side=None, victories=(0, 0), points=(0, 0), yaku=((), ()),
        margin=0, label=None, claimed=0, claimed_side=None, dead=0,
    )  # fmt: skip
    outcome = scoring.settle(own_options(ruleset("oibana").options), 3, (1, 2), (5, 4), table)
    assert (outcome.score, outcome.victories, outcome.winner, outcome.winning_side) == (
        (0, 0, 0),
        (0, 0, 0),
        None,
        None,
    )
    assert (outcome.stake, outcome.multiplier, outcome.paid) == (0, 1, 0)
    assert [(line["side"], line["code"], line["v"]) for line in scoring.lines(outcome)] == [
        (0, "watched", 0), (1, "stake", 0), (2, "stake", 0),
    ]  # fmt: skip
