"""Matches: deals one after another, both formats, forfeits, the cap. rules.md 4, tournaments.md 9."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from engine.course import MAX_MOVES, Course, SeedOrders
from engine.deck import dealer_order, deck_order
from engine.errors import BadSeating, EngineError, IllegalAction
from engine.game import Forfeit, game_of
from engine.games import ruleset
from engine.match import Match
from engine.places import settle
from tests.engine.worlds import play, seed_of


def a_match(preset: str = "hawaii", seats: int = 3, seed: object = 0, **options: str | int | bool) -> Match:
    return Match(ruleset(preset, **{"rounds": 4, **options}), seats, seed_of("match", seed))


def play_out(match: Match, rng: Random | None = None) -> Match:
    dice = rng or Random(1)
    while not match.is_over:
        match.apply(dice.choice(match.legal_actions()))
    return match


def test_the_first_dealer_comes_from_the_seed() -> None:
    match = a_match()
    assert match.draws[0] == dealer_order(match.seed, 0)[:3]
    months = [card // 4 for card in match.draws[0]]
    assert len(match.draws) > 1 or match.dealer == months.index(min(months))
    assert match.deals[0].orders == [deck_order(match.seed, 1)]


def test_the_match_plays_on_by_itself() -> None:
    match = a_match()
    assert (match.deal, match.move, match.moves_total, match.seat_to_act) == (1, 0, 0, match.dealer)
    while match.deal == 1:
        match.apply(match.legal_actions()[0])
    outcome = match.deals[0].outcome
    assert outcome is not None
    assert match.dealer == outcome.winner
    assert match.totals == list(outcome.score)
    assert match.move == 0


@pytest.mark.parametrize("preset", ["hawaii", "paradise", "french", "enwiki2020"])
def test_totals_are_the_sums_of_the_deals(preset: str) -> None:
    match = play_out(a_match(preset, 4))
    outcomes = [log.outcome for log in match.deals if log.outcome]
    assert len(outcomes) == 4
    assert match.totals == [sum(column) for column in zip(*(outcome.score for outcome in outcomes), strict=True)]
    assert match.victories == [sum(column) for column in zip(*(o.victories for o in outcomes), strict=True)]
    assert match.deals[-1].totals == tuple(match.totals)
    assert match.result().end == "complete"


def test_the_french_dealer_rotates() -> None:
    match = play_out(a_match("french", 3))
    assert [log.dealer for log in match.deals] == [(match.deals[0].dealer + step) % 3 for step in range(4)]


def test_a_void_deal_counts_and_the_dealer_stays_with_the_winner_rule() -> None:
    for seed in range(200):
        match = a_match("hawaii", 6, seed, field_quad="void_round", rounds=3)
        if match.deals[0].outcome:
            break
    log = match.deals[0]
    assert log.outcome is not None
    assert log.outcome.reason == "void"
    assert log.moves == []
    assert match.deals[1].dealer == log.dealer
    assert match.totals == [0] * 6
    assert next(event["reason"] for event in match.events if "deal_end" in event) == "void"


def test_a_redeal_is_the_same_deal_by_the_same_dealer() -> None:
    match = next(found for seed in range(200) if len((found := redealing(seed)).deals[0].orders) > 1)
    orders = match.deals[0].orders
    assert orders == [deck_order(match.seed, 1, redeal) for redeal in range(len(orders))]
    assert match.deal == 1


def redealing(seed: int) -> Match:
    return a_match("hawaii", 6, seed, field_quad="redeal")


def test_cumulative_and_victories_rank_by_their_own_figure() -> None:
    totals, victories = [900, 200, 100], [3, 4, 1]
    by_points = settle(totals, victories, (0, 1, 2), (), figures=totals)
    by_victories = settle(totals, victories, (0, 1, 2), (), figures=victories)
    assert [line.rank for line in by_points] == [1, 2, 3]
    assert [line.rank for line in by_victories] == [2, 1, 3]


def test_equal_sides_share_a_place() -> None:
    lines = settle([310, 310, -40], [0, 0, 0], (0, 1, 2), (), figures=[310, 310, -40])
    assert [line.rank for line in lines] == [1, 1, 3]
    assert [line.share for line in lines] == [Fraction(3, 4), Fraction(3, 4), 0]
    assert sum(line.share for line in lines) == Fraction(3, 2)


def test_a_forfeit_is_last_whatever_it_scored() -> None:
    forfeits = [Forfeit(1, 2, 7, "crash"), Forfeit(0, 3, 1, "timeout.cpu")]
    lines = settle([500, -30, 10, -90], [4, 1, 0, 0], (0, 1, 2, 3), forfeits, figures=[500, -30, 10, -90])
    assert [line.rank for line in lines] == [3, 4, 1, 2]
    assert [(line.score, line.victories) for line in lines] == [(0, 0), (-30, 0), (10, 0), (-90, 0)]
    assert [line.forfeited for line in lines] == [True, True, False, False]


def test_two_that_never_loaded_share_the_last_place() -> None:
    forfeits = [Forfeit(2, 0, 0, "crash"), Forfeit(0, 0, 0, "crash")]
    lines = settle([1, 2, 3], [0, 0, 0], (0, 1, 2), forfeits, figures=[1, 2, 3])
    assert [line.rank for line in lines] == [2, 1, 2]


def test_a_side_forfeits_with_its_first_member() -> None:
    forfeits = [Forfeit(1, 2, 1, "crash"), Forfeit(2, 3, 1, "crash"), Forfeit(0, 4, 1, "crash")]
    lines = settle([5, 6], [0, 0], (0, 1, 0, 1), forfeits, figures=[5, 6])
    assert [line.rank for line in lines] == [1, 2]


def test_a_forfeit_is_noted_once_where_it_happened() -> None:
    match = a_match()
    for _ in range(5):
        match.apply(match.legal_actions()[0])
    seat = match.seat_to_act
    match.forfeit(seat, "timeout.cpu")
    match.forfeit(seat, "crash")
    assert match.forfeits == [Forfeit(seat, 1, 6, "timeout.cpu")]
    match.forfeit((seat + 1) % 3, "crash", loading=True)
    assert match.forfeits[1] == Forfeit((seat + 1) % 3, 0, 0, "crash")
    result = play_out(match).result()
    assert result.rank[seat] == 2
    assert result.settled()[seat].victories == 0
    assert result.score == tuple(match.totals)
    match.forfeit((seat + 2) % 3, "crash")
    assert len(match.forfeits) == 2


def test_the_cap_ends_a_match_with_the_scores_so_far() -> None:
    match = a_match("hawaii", 2, rounds=1000)
    play_out(match)
    assert match.moves_total == MAX_MOVES
    assert match.result().end == "cap"
    assert match.result().score == tuple(match.totals)
    assert match.legal_actions() == ()
    assert match.seat_to_act == -1


def test_stop_is_harmless_after_the_end() -> None:
    match = play_out(a_match())
    match.stop("cap")
    assert match.result().end == "complete"


def test_what_a_match_refuses() -> None:
    with pytest.raises(BadSeating):
        Match(ruleset("hawaii", teams="2x2"), 3, bytes(32))
    match = a_match()
    with pytest.raises(EngineError, match="still being played"):
        match.result()
    before = (match.moves_total, match.event_count)
    foreign = next(
        card for card in ("01.1", "02.1", "03.1", "04.1", "05.1", "06.1", "07.1", "08.1") if not_held(match, card)
    )
    with pytest.raises(IllegalAction, match="NOT_IN_HAND"):
        match.apply(play(foreign))
    assert (match.moves_total, match.event_count) == before
    play_out(match)
    with pytest.raises(EngineError, match="has ended"):
        match.apply(play("01.1"))


def not_held(match: Match, card: str) -> bool:
    return all(action.to_json().get("play") != card for action in match.legal_actions())


def test_the_winners_share_the_top() -> None:
    result = play_out(a_match("paradise", 4, teams="2x2")).result()
    assert result.winners == tuple(side for side, rank in enumerate(result.rank) if rank == 1)


@pytest.mark.parametrize(
    ("preset", "seats"), [("oibana", 4), ("nuki88", 4), ("poka5", 2), ("hawaii", 5), ("french", 3)]
)
@pytest.mark.parametrize("winner", [None, 0, 1])
def test_who_deals_next(preset: str, seats: int, winner: int | None) -> None:
    """The winner (rules.md 4.3, 5, 6.5, 7.3), under `rotate` the seat to the right; without a winner who dealt."""
    game = game_of(ruleset(preset).game)
    rotates = preset == "french"
    expected = 1 if rotates else 0 if winner is None else winner
    assert game.next_dealer(ruleset(preset).options, seats, 0, winner) == expected
    assert game.next_dealer(ruleset(preset).options, seats, seats - 1, None) == (0 if rotates else seats - 1)


@pytest.mark.parametrize("preset", ["hawaii", "koikoi_zoo", "oibana", "poka3"])
def test_listed_actions_are_played_one_by_one_as_together(preset: str) -> None:
    rules, seats = ruleset(preset), game_of(ruleset(preset).game).seat_range[0]
    orders = SeedOrders(seed_of("listed", preset), game_of(rules.game).deck)
    checked, quick, dice = Course(rules, seats, orders), Course(rules, seats, orders), Random(1)
    while not checked.is_over:
        action = dice.choice(checked.legal_actions())
        checked.play_deal((action,))
        quick.play_listed(action)
        assert (quick.seat_to_act, quick.legal_actions()) == (checked.seat_to_act, checked.legal_actions())
    assert quick.result() == checked.result()
    assert [(log.seats, log.actions, log.totals) for log in quick.deals] == [
        (log.seats, log.actions, log.totals) for log in checked.deals
    ]
    assert quick.moves_total == checked.moves_total
