"""Every result that the engine can give is taken from people, under every option; the first one beyond is refused."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.errors import TournamentError
from engine.course import DealLog
from engine.errors import BadOption, BadSeating
from engine.game import OptionInfo, OptionValue, Ruleset
from engine.games import GAMES, PRESETS, option_table, ruleset
from engine.games.koikoi.scoresheet import deal_scores
from engine.games.nuki.scoresheet import most_won
from engine.games.oibana.options import OibanaOptions
from engine.games.oibana.scoresheet import most_paid
from engine.games.oibana.scoring import OibanaOutcome
from engine.games.sakura.outcome import SakuraOutcome
from engine.games.sakura.scoresheet import can_win_by
from engine.match import Match
from tournaments.matches.report_bodies import Claim, body_from

PENALTIES = (0, 1, 7, 24, 25, 30, 40, 49, 50, 51, 60, 100, 999)
NUMBERS = {
    "yaku_penalty": PENALTIES,
    "rounds": (1, 2, 3),
    "target": (1, 2, 3, 5, 9),
    "stake": (0, 5, 30),
    "bid_min": (1, 3),
    "bid_max": (3, 7, 100, 1000),
}


def values(info: OptionInfo) -> st.SearchStrategy[OptionValue]:
    """Return the values of an option."""
    return st.sampled_from(info.allowed or NUMBERS[info.id])


@st.composite
def tables(draw: st.DrawFn) -> tuple[Ruleset, int]:
    """Rules with any options, and a number of seats that fits them."""
    game = draw(st.sampled_from(sorted(GAMES)))
    options = {info.id: draw(values(info)) for info in option_table(game)}
    low, high = GAMES[game].seat_range
    seats = draw(st.integers(low, high))
    try:
        rules = Ruleset.from_json({"game": game, "options": options})
        rules.sides(seats)
    except (BadOption, BadSeating):
        assume(False)
    return rules, seats


def played(rules: Ruleset, seats: int, seed: int) -> Match:
    """A match played at random to its end."""
    match, random = Match(rules, seats, seed.to_bytes(32, "big")), Random(seed)
    while not match.is_over:
        match.apply(random.choice(match.legal_actions()))
    return match


def by_deals(match: Match) -> Claim:
    outcomes = [deal.outcome for deal in match.deals if deal.outcome]
    return Claim(
        deals=tuple(outcome.score for outcome in outcomes),
        winners=tuple(outcome.winning_side for outcome in outcomes),
    )


def by_totals(match: Match) -> Claim:
    counted = match.ruleset.options.scoring == "victories"
    best = match.result().rank.index(1)
    return Claim(
        totals=tuple(match.totals),
        victories=tuple(match.victories) if counted else None,
        winners=(best,) if match.ruleset.game == "poka" else (),
    )


def by_count(match: Match) -> Claim | None:
    """Card points and yaku of Sakura, bids of Oi-bana; None in other games."""
    found: list[DealLog] = [deal for deal in match.deals if deal.outcome]
    if match.ruleset.game == "oibana":
        return _by_bids([deal.outcome for deal in found if isinstance(deal.outcome, OibanaOutcome)], match)
    if match.ruleset.game != "sakura":
        return None
    outcomes = [deal.outcome for deal in found if isinstance(deal.outcome, SakuraOutcome)]
    figures = tuple(each.points if any(each.yaku) else each.score for each in outcomes)
    return Claim(
        deals=figures, winners=tuple(each.winning_side for each in outcomes), yaku=tuple(each.yaku for each in outcomes)
    )


def _by_bids(outcomes: list[OibanaOutcome], match: Match) -> Claim:
    bids, winners, losers, margins = [], [], [], []
    for each, deal in zip(outcomes, match.deals, strict=True):
        void = each.winning_side is None
        made = {seat: action.amount for seat, action in deal.moves if action.kind == "bid"}
        bids.append(tuple(0 if void else made[seat] for seat in range(match.seats)))
        winners.append(each.winning_side)
        losers.append(None if void else next(seat for seat in each.players if seat != each.winning_side))
        margins.append(0 if void else each.table.margin)
    return Claim(bids=tuple(bids), winners=tuple(winners), losers=tuple(losers), margins=tuple(margins))


@pytest.mark.thorough
@given(tables(), st.integers(0, 10_000))
def test_what_the_engine_can_give_is_taken(table: tuple[Ruleset, int], seed: int) -> None:
    match = played(*table, seed)
    for claim in (by_deals(match), by_totals(match), by_count(match)):
        if claim is not None:
            body = body_from(claim, match.ruleset, match.sides)
            assert body["score"] == list(match.totals)
            assert body["rank"] == list(match.result().rank)


def code_of(claim: Claim, rules: Ruleset, seats: int = 2) -> str:
    """The refusal's code, "" for a claim that is taken."""
    try:
        body_from(claim, rules, range(seats))
    except TournamentError as refusal:
        return refusal.code
    return ""


Extreme = tuple[int, ...]


def of_sakura(options: Any, sides: int, deals: int) -> tuple[Extreme, Extreme]:
    """One side has all cards, and with them the eight yaku, each of which costs the others."""
    rest = (-8 * options.yaku_penalty * deals,) * (sides - 1)
    return (240 * deals, *rest), (240 * deals + 1, *rest)


def of_a_ledger(most: int, sides: int) -> tuple[Extreme, Extreme]:
    """One side pays all to another."""
    rest = (0,) * (sides - 2)
    return (most, -most, *rest), (most + 1, -most - 1, *rest)


def of_oibana(options: Any, sides: int, deals: int) -> tuple[Extreme, Extreme]:
    return of_a_ledger(options.bid_max * (1 + options.basa + options.chu) * deals, sides)


def of_nuki(options: Any, sides: int, deals: int) -> tuple[Extreme, Extreme] | None:
    """None: a pot that nobody won yet has no most."""
    is_without = options.dropout_penalty == "off" or options.require_two_players or sides == 2
    return of_a_ledger(most_won(options, sides) * deals, sides) if is_without else None


def of_poka(options: Any, sides: int, deals: int) -> tuple[Extreme, Extreme] | None:
    """A buttakuri is a deal's most. Totals depend on the target: of several deals nothing is said here."""
    return ((5, 0), (6, 0)) if deals == 1 else None


def of_koikoi(options: Any, sides: int, deals: int) -> tuple[Extreme, Extreme]:
    most = max(deal_scores(options)) * deals
    return of_a_ledger(most, 2) if options.zero_sum else ((most, 0), (most + 1, 0))


EXTREMES: dict[str, Callable[[Any, int, int], tuple[Extreme, Extreme] | None]] = {
    "sakura": of_sakura, "oibana": of_oibana, "nuki": of_nuki, "poka": of_poka, "koikoi": of_koikoi,
}  # fmt: skip
"""Of every game the most that some deals can bring one side, and one unit more."""


@pytest.mark.thorough
@given(tables(), st.integers(1, 3))
def test_the_most_is_taken_and_one_unit_more_is_not(table: tuple[Ruleset, int], deals: int) -> None:
    rules, seats = table
    found = EXTREMES[rules.game](rules.options, len(set(rules.sides(seats))), deals)
    assume(found is not None)
    assert found is not None
    sheet = GAMES[rules.game].scoresheet
    for is_deal in {False, deals == 1} if rules.game != "poka" else {True}:
        for most, one_more in (found, tuple(each[::-1] for each in found)):
            assert sheet.wrong(most, rules.options, deals, is_deal=is_deal) is None, most
            assert sheet.wrong(one_more, rules.options, deals, is_deal=is_deal) is not None, one_more


@pytest.mark.thorough
@given(tables())
def test_no_figures_of_a_deal_are_taken_without_end(table: tuple[Ruleset, int]) -> None:
    """Digits too many are found out in every game."""
    rules, seats = table
    sides = len(set(rules.sides(seats)))
    for scores in ((10**6, -(10**6), *(0,) * (sides - 2)), (10**6, *(0,) * (sides - 1))):
        assert GAMES[rules.game].scoresheet.wrong(scores, rules.options, 1, is_deal=True) is not None


@pytest.mark.parametrize("name", sorted(PRESETS))
@pytest.mark.parametrize("seed", range(3))
def test_what_the_engine_gives_by_every_preset_is_taken(name: str, seed: int) -> None:
    rules = ruleset(name, **({} if PRESETS[name].game == "poka" else {"rounds": 2}))
    match = played(rules, GAMES[rules.game].seat_range[0], seed)
    assert body_from(by_deals(match), rules, match.sides)["score"] == list(match.totals)
    assert body_from(by_totals(match), rules, match.sides)["score"] == list(match.totals)


@pytest.mark.parametrize("deals", [1, 2, 12])
@pytest.mark.parametrize("penalty", [2, 7, 25, 50, 51, 999])
def test_all_the_cards_and_all_the_yaku_are_the_bound(penalty: int, deals: int) -> None:
    rules = ruleset("hawaii", rounds=deals, yaku_penalty=penalty)
    most, least = 240 * deals, -8 * penalty * deals
    assert code_of(Claim(totals=(most, least)), rules) == ""
    step = 5 if penalty % 5 == 0 else 1
    for beyond in ((most + step, least), (most, least - step), (most + 1, 0), (most, least + 1)):
        assert code_of(Claim(totals=beyond), rules) == "report.points_impossible", beyond


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("penalty", PENALTIES)
def test_a_margin_is_bounded_by_the_cards_and_the_yaku(penalty: int) -> None:
    rules = ruleset("oibana", rounds=1, yaku_penalty=penalty, basa=True)

    def claimed(margin: int) -> str:
        return code_of(Claim(bids=((5, 9, 0),), winners=(1,), margins=(margin,)), rules, 3)

    most = 240 + 8 * penalty
    assert (claimed(most), claimed(most - 10), claimed(0), claimed(5)) == ("", "", "", "")
    assert {claimed(most + 1), claimed(most + 5), claimed(-5)} == {"report.points_impossible"}
    taken = [margin for margin in range(most + 10) if claimed(margin) == ""]
    assert taken == [margin for margin in range(most + 10) if can_win_by(margin, rules.options)]  # type: ignore[arg-type]


def test_margins_of_an_odd_penalty_are_those_of_the_engine() -> None:
    """A yaku costs 7, so a deal can be won by 7 (level cards) and 47 more, and by 1 (a yaku up, two cards down)."""
    options = ruleset("hawaii", yaku_penalty=7).options
    assert [margin for margin in (7, 47, 2, 12) if can_win_by(margin, options)] == [7, 47, 2, 12]  # type: ignore[arg-type]
    even = ruleset("hawaii").options
    assert not any(can_win_by(margin, even) for margin in (1, 7, 52))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("basa", "chu", "times"), [(False, False, 1), (True, False, 2), (False, True, 2), (True, True, 3)]
)
def test_a_stake_is_the_highest_bid_times_the_margin(basa: bool, chu: bool, times: int) -> None:
    rules = ruleset("oibana", rounds=1, bid_min=10, bid_max=40, basa=basa, chu=chu)
    assert isinstance(rules.options, OibanaOptions)
    most = most_paid(rules.options)
    assert most == 40 * times
    assert code_of(Claim(totals=(most, -most, 0)), rules, 3) == ""
    for wrong in ((most + 1, -most - 1, 0), (9, -9, 0), (20, -10, -10), (20, 20, -40), (20, -19, 0)):
        assert code_of(Claim(totals=wrong), rules, 3) == "report.points_impossible", wrong
    assert code_of(Claim(totals=(0, 0, 0)), rules, 3) == ""


@pytest.mark.parametrize("target", [1, 2, 5, 9])
def test_a_match_to_a_target_ends_with_its_last_deal(target: int) -> None:
    """Before it nobody had the target; it scores 1, 2 or, with a buttakuri, 5. Source: rules.md 7.1, R88, R89."""
    rules = ruleset("poka5", target=target)
    reachable = {before + points for before in range(target) for points in (1, 2)}
    able = {total for total in reachable if total >= target} | {before + 5 for before in range(target)}
    for total in range(target + 12):
        code = code_of(Claim(totals=(total, 0), winners=(0,)), rules)
        assert code == ("" if total in able else "report.points_impossible"), total
    assert code_of(Claim(totals=(target, target)), rules) == "report.points_impossible"
    assert code_of(Claim(totals=(target, -1)), rules) == "report.points_impossible"


def test_a_buttakuri_wins_below_the_target() -> None:
    rules = ruleset("poka5", target=10)
    body = body_from(Claim(deals=((2, 0),) * 4 + ((0, 5),)), rules, (0, 1))
    assert (body["score"], body["rank"]) == ([8, 5], [2, 1])
    assert body_from(Claim(totals=(8, 5), winners=(1,)), rules, (0, 1))["rank"] == [2, 1]
    assert code_of(Claim(totals=(8, 5)), rules) == "report.winner_needed"
    assert code_of(Claim(totals=(4, 5)), rules) == "", "who has four points cannot have had a buttakuri"
    assert code_of(Claim(totals=(4, 5), winners=(0,)), rules) == "report.winner_needed"
    assert code_of(Claim(deals=((0, 5), (1, 0))), rules) == "report.points_impossible", "a match went on after its end"
    assert code_of(Claim(deals=((3, 0), (7, 0))), rules) == "report.points_impossible", "no deal scores so much"


def test_nobody_wins_more_than_all_hands_and_piles_together() -> None:
    rules = ruleset("nuki88", rounds=1)
    most = most_won(rules.options, 3)  # type: ignore[arg-type]
    assert code_of(Claim(totals=(most, -most, 0)), rules, 3) == ""
    assert code_of(Claim(totals=(most + 1, -most - 1, 0)), rules, 3) == "report.points_impossible"
    assert code_of(Claim(totals=(10, -11, 0)), rules, 3) == "report.points_impossible"


def test_a_deal_level_at_nothing_can_have_a_winner() -> None:
    """120 points and three yaku each cost both sides everything: the deal was played, and turn order decides it."""
    rules = ruleset("paradise", rounds=1, yaku_penalty=40)
    assert body_from(Claim(deals=((0, 0),), winners=(1,)), rules, (0, 1))["victories"] == [0, 1]
    assert body_from(Claim(deals=((0, 0),)), rules, (0, 1))["victories"] == [0, 0], "a void deal"


@pytest.mark.parametrize(("penalty", "scores", "code"), [
    (50, (6, 0), ""), (50, (0, 6), ""), (50, (7, 0), "report.points_impossible"),
    (50, (6, 5), "report.points_impossible"),
    (1, (6, 0), ""), (50, (11, 0), "report.points_impossible"),
])  # fmt: skip
def test_a_hand_that_wins_as_it_is_dealt_brings_six(penalty: int, scores: tuple[int, ...], code: str) -> None:
    rules = ruleset("french", rounds=1, deal_hands="teshi_kuttsuki", yaku_penalty=penalty)
    assert code_of(Claim(totals=scores), rules) == code
    assert code_of(Claim(totals=(12, 6)), ruleset("french", rounds=3)) == ""
    assert code_of(Claim(totals=(12, 12)), ruleset("french", rounds=3)) == "report.points_impossible"


@pytest.mark.parametrize(
    ("deals", "code"),
    [
        (((20, -20), (12, -12)), ""),  # 32 points lost: the match is over
        (((5, -5),) * 6, ""),
        (((1, -1), (-1, 1)) * 4, ""),  # eight deals
        (((20, -20),), "report.deals_wrong"),  # it goes on
        (((20, -20), (12, -12), (1, -1)), "report.deals_wrong"),  # it was over
        (((1, -1), (-1, 1)) * 4 + ((1, -1),), "report.deals_wrong"),
        (((20, -20), (12, -10)), "report.points_impossible"),
    ],
)
def test_a_match_ends_where_its_rules_end_it(deals: tuple[tuple[int, int], ...], code: str) -> None:
    """Koi-Koi Japan: eight deals, or until somebody has lost 30 points."""
    assert code_of(Claim(deals=deals), ruleset("koikoi_zoo")) == code
    started = Claim(deals=deals[:1], complete=False)
    assert code_of(started, ruleset("koikoi_zoo")) == ""


def test_the_privilege_of_a_dealer_is_no_victory_unless_somebody_is_named() -> None:
    rules = ruleset("koikoi_zoo", scoring="victories", rounds=2)
    unnamed = body_from(Claim(deals=((1, -1), (-5, 5))), rules, range(2))
    named = body_from(Claim(deals=((1, -1), (-5, 5)), winners=(0, None)), rules, range(2))
    assert (unnamed["victories"], unnamed["rank"]) == ([0, 1], [2, 1])
    assert (named["victories"], named["rank"]) == ([1, 1], [1, 1])
