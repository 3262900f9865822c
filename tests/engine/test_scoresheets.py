"""Scores that people may report at a table: every score that the rules can give, none beyond.

Source: rules.md 1.1, 4-7.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.game import game_of
from engine.games import option_table, ruleset
from engine.games.nuki import scoresheet as nuki
from engine.games.oibana import scoresheet as oibana
from engine.games.poka import scoresheet as poka
from engine.games.sakura import scoresheet as sakura
from engine.games.sakura.outcome import SakuraOutcome
from engine.match import Match
from engine.scoresheet import Scoresheet, Wrong

PENALTIES = [
    value for info in option_table("nuki") if info.id == "dropout_penalty" for value in info.allowed if value != "off"
]


def options_of(preset: str, **changes: Any) -> Any:
    return ruleset(preset, **changes).options


def played(preset: str, seats: int, seed: int, **changes: Any) -> list[list[int]]:
    """The points of each deal of a match that is played at random."""
    match, random = Match(ruleset(preset, **changes), seats, seed.to_bytes(32, "big")), Random(seed)
    while not match.is_over:
        match.apply(random.choice(match.legal_actions()))
    outcomes = [deal.outcome for deal in match.deals]
    return [list(outcome.points) for outcome in outcomes if isinstance(outcome, SakuraOutcome)]


@pytest.mark.parametrize("penalty", [0, 7, 25, 50, 51, 999])
@pytest.mark.parametrize("deals", [1, 2, 12])
def test_all_the_cards_and_all_the_yaku_are_the_bound(penalty: int, deals: int) -> None:
    options = options_of("hawaii", yaku_penalty=penalty)
    most, least = 240 * deals, -8 * penalty * deals
    assert sakura.allows((most, least), options, deals)
    for beyond in ((most + 5, least), (most, least - 5), (most + 1, least), (most + 1, 0)):
        assert not sakura.allows(beyond, options, deals), beyond


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("preset", "seats", "changes"), [
    ("hawaii", 2, {}), ("hawaii", 5, {}), ("hawaii", 3, {"yaku_penalty": 7}), ("french", 2, {"rounds": 4}),
    ("french", 3, {"yaku_penalty": 7, "rounds": 4}), ("paradise", 2, {"yaku_penalty": 49}),
])  # fmt: skip
def test_what_the_engine_gives_is_allowed(preset: str, seats: int, changes: dict[str, Any], seed: int) -> None:
    deals, options = played(preset, seats, seed, **changes), options_of(preset, **changes)
    assert deals
    assert all(sakura.allows(scores, options) for scores in deals), deals
    assert sakura.allows([sum(scores) for scores in zip(*deals, strict=True)], options, len(deals))


@pytest.mark.parametrize(("penalty", "scores", "deals", "is_allowed"), [
    (50, (6, 0), 1, True), (50, (0, 6), 1, True), (50, (7, 0), 1, False), (50, (6, 5), 1, False),
    (50, (12, 6), 3, True), (50, (12, 12), 3, False), (50, (6, 6), 1, False),
    (7, (6, 0), 1, True), (7, (13, 9), 2, True), (7, (481, 0), 2, False),
])  # fmt: skip
def test_a_hand_that_wins_as_it_is_dealt_brings_six(
    penalty: int, scores: tuple[int, ...], deals: int, is_allowed: bool
) -> None:
    options = options_of("french", deal_hands="teshi_kuttsuki", yaku_penalty=penalty)
    assert sakura.allows(scores, options, deals) is is_allowed


def test_a_margin_is_made_of_cards_and_yaku() -> None:
    """A yaku costs 7, so a deal can be won by 7 (level cards) and 47 more, and by 2 (a yaku up, a card down)."""
    odd, even = options_of("hawaii", yaku_penalty=7), options_of("hawaii")
    assert all(sakura.can_win_by(margin, odd) for margin in (0, 2, 7, 12, 47))
    assert not any(sakura.can_win_by(margin, even) for margin in (-5, 1, 7, 52, 645))
    dealt = options_of("french", deal_hands="teshi_kuttsuki")
    assert sakura.can_win_by(6, dealt)
    assert not sakura.can_win_by(6, options_of("french", deal_hands="off"))


@pytest.mark.parametrize(
    ("basa", "chu", "times"), [(False, False, 1), (True, False, 2), (False, True, 2), (True, True, 3)]
)
def test_a_stake_is_paid_by_one_to_one(basa: bool, chu: bool, times: int) -> None:
    options = options_of("oibana", bid_min=10, bid_max=40, basa=basa, chu=chu)
    most = oibana.most_paid(options)
    assert (most, oibana.multipliers(options)[-1]) == (40 * times, times)
    assert oibana.allows((most, -most, 0), options)
    assert oibana.allows((0, 0, 0), options)
    for wrong in ((most + 1, -most - 1, 0), (9, -9, 0), (1, -1, 0), (20, -10, -10), (10, 10, -20), (20, -19, 0)):
        assert not oibana.allows(wrong, options), wrong
    assert oibana.allows((20, -10, -10), options, 2)
    assert not oibana.allows((2 * most + 1, -2 * most - 1, 0), options, 2)


def test_nobody_wins_more_than_all_hands_and_piles_together() -> None:
    options = options_of("nuki88", dropout_penalty="off")
    most = nuki.most_won(options, 3)
    assert nuki.allows((most, -most, 0), options)
    assert nuki.allows((2 * most, -most, -most), options, 2)
    assert not nuki.allows((most + 1, -most - 1, 0), options)
    assert not nuki.allows((10, -11, 0), options)


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize(("seats", "dropped"), [(2, 0), (3, 10), (4, 10 + 15)])
def test_where_two_must_play_one_deal_holds_the_pot(penalty: str, seats: int, dropped: int) -> None:
    without = nuki.most_won(options_of("nuki88"), seats)
    options = options_of("nuki88", dropout_penalty=penalty, require_two_players=True)
    most = nuki.most_won(options, seats)
    assert most - without == 2 * dropped
    rest = [0] * (seats - 2)
    assert nuki.allows((most, -most, *rest), options)
    assert not nuki.allows((most + 1, -most - 1, *rest), options)
    assert not nuki.allows((3 * most + 1, -3 * most - 1, *rest), options, 3)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_a_pot_that_waits_is_paid_by_everybody(penalty: str) -> None:
    """Everybody drops out again and again: there is no most, but nobody pays it for the others."""
    options = options_of("nuki88", dropout_penalty=penalty)
    for times in (1, 10, 1000):
        for paid in ((10, 15), (15, 20), (10, 20)):
            lost = [-points * times for points in paid]
            assert nuki.allows((-sum(lost), *lost), options)
    assert not nuki.allows((10**6, -(10**6), 0), options)
    assert not nuki.allows((10**6, -(10**6) - 1, 0), options, 2)
    assert nuki.allows((10**6, -(10**6), 0), options, 2), "two pots, one won by each of two"
    assert not nuki.allows((10**6, -(10**6)), options), "two play, and nobody drops out"


@pytest.mark.parametrize(("changes", "seats", "points"), [
    # A hand of 20 and 4 kan, a pile of 12, 10, 7 and 7, Diving and Escape of 1 each: 62 kan of 10 points, doubled.
    ({}, 2, 1240), ({}, 4, 1240),
    ({"mizuten": True}, 2, 1260), ({"mizuten": True}, 3, 1280), ({"mizuten": True}, 4, 1300),
    # Who drops out pays 10, the next one 15, a third one 20.
    ({"dropout_penalty": "hachi"}, 2, 1240), ({"dropout_penalty": "hachi"}, 3, 1290),
    ({"dropout_penalty": "hachi"}, 4, 1330), ({"dropout_penalty": "hachi", "require_two_players": True}, 4, 1290),
])  # fmt: skip
def test_the_most_that_a_deal_of_nuki_brings(changes: dict[str, Any], seats: int, points: int) -> None:
    options = options_of("nuki88", **{"mizuten": False, "require_two_players": False, **changes})
    most = nuki.most_won(options, seats)
    assert (most, type(most)) == (points, int)


def test_several_deals_of_nuki_bring_no_more_than_each() -> None:
    sheet, options = sheet_of("nuki88")[0], options_of("nuki88", mizuten=False, dropout_penalty="off")
    assert sheet.wrong((2480, -2480, 0), options, 2, is_deal=False) is None
    assert sheet.wrong((2481, -2481, 0), options, 2, is_deal=False) is not None
    assert sheet.wrong((1241, -1241, 0), options, 1, is_deal=True) is not None


@pytest.mark.parametrize(("seats", "last"), [(3, 20), (4, 25)])
def test_nobody_pays_more_of_a_pot_than_the_last_does_of_what_the_first_does(seats: int, last: int) -> None:
    """Shares are 10, 15 .. each time; besides them every loser may pay, or be paid, what all the others win at most."""
    options = options_of("nuki88", dropout_penalty="hachi", require_two_players=False)
    besides = nuki.most_won(options, seats) * (seats - 1)
    for least in (-besides // 2, 0, 10, 1000):
        most = besides + (least + besides) * last // 10
        lost = [least, *[least + 1] * (seats - 3), most]
        won = sum(lost)
        assert nuki.allows((won, *[-paid for paid in lost]), options)
        assert not nuki.allows((won + 1, *[-paid for paid in lost[:-1]], -most - 1), options)


def test_one_side_scores_in_a_deal_of_poka() -> None:
    assert poka.allows_deal((0, 0))
    assert all(poka.allows_deal(scores) for scores in ((1, 0), (0, 2), (5, 0)))
    assert not any(poka.allows_deal(scores) for scores in ((1, 1), (3, 0), (-1, 0)))


@pytest.mark.parametrize("target", [1, 2, 5, 9])
def test_a_match_to_a_target_ends_with_its_last_deal(target: int) -> None:
    """Before it nobody had the target; it scores 1, 2 or, with a buttakuri, 5."""
    options = options_of("poka5", target=target)
    able = {before + points for before in range(target) for points in (1, 2) if before + points >= target}
    able |= {before + 5 for before in range(target)}
    for total in range(target + 12):
        assert (0 in poka.winners((total, 0), options)) is (total in able), total
        assert (1 in poka.winners((0, total), options)) is (total in able), total
    assert poka.winners((target, target), options) == ()
    assert poka.winners((target, -1), options) == ()


def test_the_deals_of_a_match_say_who_won_it() -> None:
    options = options_of("poka5", target=10)
    assert poka.winner_of_deals(((2, 0),) * 5, options) == 0
    assert poka.winner_of_deals(((2, 0), (0, 5)), options) == 1
    assert poka.winner_of_deals(((0, 5), (1, 0)), options) is None, "it went on after its end"
    assert poka.winner_of_deals(((2, 0),), options) is None, "it does not end"
    assert poka.winner_of_deals((), options) is None
    with pytest.raises(ValueError, match="shorter"):
        poka.winner_of_deals(((2, 0), (1,)), options)


def sheet_of(preset: str) -> tuple[Any, Any]:
    """The sheet on which people report a game, and the options of a preset."""
    rules = ruleset(preset)
    return game_of(rules.game).scoresheet, rules.options


def test_a_sheet_refuses_what_the_rules_cannot_give_and_says_why() -> None:
    sheet, options = sheet_of("hawaii")
    assert sheet.wrong((120, 120), options, 1, is_deal=True) is None
    assert sheet.wrong((121, 119), options, 1, is_deal=True).message == sakura.NO_MULTIPLE
    assert sheet.wrong((300, -60), options, 1, is_deal=True).message == sakura.TOO_MANY
    assert sheet.wrong((120, 125), options, 1, is_deal=True).message == sakura.NOT_TOGETHER
    for preset in ("nuki88", "oibana"):
        sheet, options = sheet_of(preset)
        assert sheet.wrong((1, 1, 1), options, 1, is_deal=True) is not None
        assert sheet.wrong((0, 0, 0), options, 3, is_deal=False) is None
    sheet, options = sheet_of("poka5")
    assert sheet.wrong((3, 0), options, 1, is_deal=True).message == poka.NO_DEAL
    assert sheet.wrong((3, 0), options, 2, is_deal=False) is None


@pytest.mark.parametrize(("changes", "scores", "deals", "wrong"), [
    ({}, (121, 119), 1, Wrong(sakura.NO_MULTIPLE, {"score": 121, "step": 5}, 1)),
    ({}, (120, 119), 1, Wrong(sakura.NO_MULTIPLE, {"score": 119, "step": 5}, 2)),
    ({}, (245, 0), 1, Wrong(sakura.TOO_MANY, {"score": 245, "most": 240}, 1)),
    ({}, (-60, 485), 2, Wrong(sakura.TOO_MANY, {"score": 485, "most": 480}, 2)),
    ({}, (240, 240), 1, Wrong(sakura.NOT_TOGETHER, {"most": 240, "penalty": 50})),
    ({"yaku_penalty": 0}, (240, 245), 2, Wrong(sakura.NOT_TOGETHER, {"most": 480, "penalty": 0})),
    # Where a hand may win as it is dealt, no score is wrong for its last digit alone.
    ({"deal_hands": "teshi_kuttsuki"}, (121, 119), 1, Wrong(sakura.NOT_TOGETHER, {"most": 240, "penalty": 50})),
])  # fmt: skip
def test_a_sheet_of_sakura_names_what_is_wrong_and_where(
    changes: dict[str, Any], scores: tuple[int, ...], deals: int, wrong: Wrong
) -> None:
    sheet, _options = sheet_of("hawaii")
    assert sheet.wrong(scores, options_of("hawaii", **changes), deals, is_deal=True) == wrong


@pytest.mark.parametrize(("basa", "chu", "margins"), [
    (False, False, {0: 1, 75: 1, 500: 1}), (True, False, {0: 1, 95: 1, 500: 2}), (False, True, {0: 1, 500: 2}),
])  # fmt: skip
def test_a_sheet_counts_a_great_victory_as_the_rules_say(basa: bool, chu: bool, margins: dict[int, int]) -> None:
    sheet, options = sheet_of("paradise")[0], options_of("paradise", basa=basa, chu=chu)
    assert {margin: sheet.victories_for(margin, options) for margin in margins} == margins
    assert sheet.most_victories(options) == max(margins.values())


def test_a_sheet_of_sakura_adds_cards_and_yaku() -> None:
    sheet, options = sheet_of("hawaii")
    assert set(sheet.ticked(options)) == set(sheet.combinations)
    assert sheet.scores_of((120, 120), (1, 0), options) == (120, 120 - options.yaku_penalty)
    assert sheet.ticked(options_of("hawaii", yaku_penalty=0)) == ()
    sheet, options = sheet_of("paradise")
    assert sheet.most_victories(options) >= sheet.victories_for(0, options) >= 0
    assert sheet.victories_for(120, options) <= sheet.most_victories(options)


def test_a_sheet_of_oibana_pays_what_was_bid() -> None:
    sheet, options = sheet_of("oibana")
    low, high = sheet.bid_range(options)
    assert 0 < low <= high <= sheet.max_bid
    assert sheet.can_win_by(0, options)
    assert not sheet.can_win_by(-1000, options)
    # Several deals add up; one may not pay more than the highest bid.
    assert sheet.wrong((high * 2, -high * 2), options, 2, is_deal=False) is None
    assert sheet.wrong((high * 2, -high * 2), options, 1, is_deal=True) is not None
    assert sheet.wrong((low, -low), options, 1, is_deal=True) is None


@pytest.mark.parametrize(("payment", "stake"), [("loser_bid", 30), ("winner_bid", 70)])
@pytest.mark.parametrize(("basa", "chu"), [(False, False), (True, False), (False, True), (True, True)])
def test_a_sheet_of_oibana_multiplies_the_stake_by_the_victory(basa: bool, chu: bool, payment: str, stake: int) -> None:
    sheet, options = sheet_of("oibana")[0], options_of("oibana", oibana_payment=payment, basa=basa, chu=chu)
    assert sheet.asks_margin(options) is (basa or chu)
    for margin in (0, 240):
        assert sheet.paid(70, 30, margin, options) == stake * sheet_of("paradise")[0].victories_for(margin, options)


def test_a_sheet_of_poka_asks_who_won_where_points_may_not_tell() -> None:
    sheet, options = sheet_of("poka5")
    assert [sheet.asks_winner(replace(options, target=target)) for target in (0, 1, 2, 5)] == [False, False, True, True]
    target = options.target
    assert sheet.winners((target, 0), options) == (0,)
    deals = [(1, 0)] * target
    assert sheet.winner_of_deals(deals, options) == 0
    assert sheet.winner_of_deals(deals[:-1], options) is None


def test_a_game_that_says_nothing_of_its_sheet_takes_any_points() -> None:
    sheet, options = Scoresheet(), options_of("hawaii")
    assert sheet.wrong((1, 2), options, 1, is_deal=True) is None
    assert (sheet.ticked(options), sheet.scores_of((1, 2), (0, 0), options)) == ((), (1, 2))
    assert (sheet.victories_for(9, options), sheet.most_victories(options)) == (1, 1)
    assert (sheet.asks_margin(options), sheet.bid_range(options), sheet.paid(1, 1, 0, options)) == (False, (0, 0), 0)
    assert (sheet.can_win_by(0, options), sheet.can_win_by(-1, options)) == (True, False)
    assert not sheet.may_be_unwon((0, 0), options)
    assert not sheet.asks_winner(options)
    assert (sheet.winners((1, 0), options), sheet.winner_of_deals([(1, 0)], options)) == (None, None)
