"""Settlement between the seats: every line of rules.md 6.5 and the compensation of 6.3. R60, R64-R69."""

from __future__ import annotations

import pytest

from engine.cards import parse_cards
from engine.game import OptionValue
from engine.games.nuki import NUKI
from engine.games.nuki.compensation import compensation
from engine.games.nuki.scoring import NukiOutcome, standing
from engine.games.nuki.settlement import (
    POT,
    Both,
    Ending,
    Line,
    Standing,
    compensation_lines,
    diving,
    escapes,
    mizuten_lines,
    net,
    outcome_lines,
    pot_lines,
    teyaku_lines,
)
from engine.games.nuki.state import NukiState
from engine.games.nuki.teyaku import Claim, Claims
from tests.engine.nuki.tables import a_world

POETRY, BLUE, FOUR = ("poetry_ribbons", 7), ("blue_ribbons", 7), ("four_brights", 10)


def both(first: Standing | None = None, second: Standing | None = None) -> Both:
    return first or Standing(0), second or Standing(1)


def test_net_sums_the_lines_the_pot_is_nobody() -> None:
    lines = [Line("teyaku", 1, 0, 20), Line("dropout", 2, POT, 10), Line("pot", POT, 0, 10)]
    assert net(lines, 3) == (30, -20, -10)


def test_teyaku_of_both_are_due() -> None:
    lines = teyaku_lines(
        both(Standing(0, teyaku=(("triplet", 2), ("red", 2))), Standing(1, teyaku=(("haneken", 8),))), 2
    )
    assert [(line.payee, line.name, line.points) for line in lines] == [
        (0, "triplet", 40), (0, "red", 40), (1, "haneken", 160),
    ]  # fmt: skip
    assert net(lines, 2) == (-80, 80)


@pytest.mark.parametrize(("how", "by", "score"), [("shoubu", 1, (-70, 70)), ("cancel", 0, (85, -85))])
def test_only_the_caller_scores(how: str, by: int, score: tuple[int, int]) -> None:
    players = both(Standing(0, dekiyaku=(FOUR, POETRY)), Standing(1, dekiyaku=(BLUE,)))
    ending = Ending("shoubu" if how == "shoubu" else "cancel", by)
    winner, lines = outcome_lines(players, ending, 1)
    assert (winner, net(lines, 2)) == (by, score)


def test_exhausted_each_is_paid_half_and_the_first_sage_wins() -> None:
    players = both(Standing(0, dekiyaku=(POETRY,)), Standing(1, dekiyaku=(FOUR,)))
    winner, lines = outcome_lines(players, Ending("exhausted", first_sage=0), 2)
    assert (winner, net(lines, 2)) == (0, (-30, 30))
    assert {line.code for line in lines} == {"half_dekiyaku"}


@pytest.mark.parametrize(("chaff", "kan"), [(16, 12), (17, 14), (19, 18)])
@pytest.mark.parametrize("seat", [0, 1])
def test_sixteen_chaff_instead_of_card_points(chaff: int, kan: int, seat: int) -> None:
    players = both(Standing(0, points=200), Standing(1, points=11))
    players = both(*(Standing(own.seat, chaff=chaff * (own.seat == seat), points=own.points) for own in players))
    for mult in (1, 2):
        winner, lines = outcome_lines(players, Ending("exhausted"), mult)
        assert (winner, [(line.code, line.points) for line in lines]) == (seat, [("sixteen_chaff", kan * 10 * mult)])


def test_fifteen_chaff_are_not_enough_and_a_dekiyaku_of_either_side_hides_sixteen() -> None:
    winner, lines = outcome_lines(
        both(Standing(0, chaff=15, points=5), Standing(1, points=206)), Ending("exhausted"), 2
    )
    assert (winner, [(line.code, line.points) for line in lines]) == (1, [("card_points", 402)])
    players = both(Standing(0, dekiyaku=(BLUE,)), Standing(1, chaff=18))
    winner, lines = outcome_lines(players, Ending("exhausted", first_sage=0), 1)
    assert (winner, net(lines, 2)) == (0, (35, -35))


@pytest.mark.parametrize(("first", "second", "score"), [(106, 105, (1, -1)), (97, 114, (-17, 17))])
def test_card_points_pay_the_difference_in_points(first: int, second: int, score: tuple[int, int]) -> None:
    winner, lines = outcome_lines(both(Standing(0, points=first), Standing(1, points=second)), Ending("exhausted"), 1)
    assert (winner, net(lines, 2)) == (int(second > first), score)


def test_diving_and_escape() -> None:
    assert diving(parse_cards("06.1 06.2 06.3 06.4"), 6)
    assert not diving(parse_cards("06.1 06.2 06.3"), 6)
    assert not diving(parse_cards("06.1 06.2 06.3 06.4"), 0)
    assert escapes(106)
    assert not escapes(105)


@pytest.mark.parametrize(("points", "score"), [(106, (60, -20, -20, -20)), (105, (-20, 0, 20, 0))])
def test_mizuten(points: int, score: tuple[int, ...]) -> None:
    assert net(mizuten_lines(0, points, 4, 2, 2), 4) == score


def test_the_pot() -> None:
    lines = pot_lines({0: 20, 1: 0, 2: 30}, 1)
    assert net(lines, 3) == (-20, 50, -30)
    assert pot_lines({0: 0, 1: 0}, 0) == []


@pytest.mark.parametrize(
    ("hand", "parts"),
    [
        ("06.1 06.3 06.4 01.1 03.2 09.3 02.4", (10, 0, 6)),
        ("01.2 02.2 03.2 06.2 08.3 11.4 12.1", (0, 35, 6)),
        ("01.2 02.2 03.2 06.3 08.3 09.3 11.4", (10, 35, 0)),
        ("01.1 03.1 08.1 12.1 06.1 09.1 10.2", (0, 50, 3)),
        ("01.1 01.2 01.3 02.2 08.3 09.3 10.3", (10, 0, 3)),
        ("02.1 03.1 06.1 08.2 09.1 10.1 11.2", (0, 0, 3)),
        ("08.1 11.1 12.2 01.3 03.3 06.3 09.3", (20, 0, 3)),
        ("01.1 01.2 01.3 03.2 03.3 03.4 11.3", (10, 0, 3)),
        ("01.2 02.2 03.2 06.2 09.2 10.2 01.1", (0, 70, 3)),
    ],
)
def test_compensation(hand: str, parts: tuple[int, int, int]) -> None:
    found = compensation(parse_cards(hand))
    assert (found.half_teyaku, found.half_dekiyaku, found.card_bonus) == parts
    assert found.points == sum(parts)


def test_compensation_is_paid_by_one() -> None:
    assert net(compensation_lines({1: 16, 3: 0}, 2, 2), 4) == (0, 32, -32, 0)


def over(state: NukiState, *, end: str = "exhausted", by: int = -1) -> NukiOutcome:
    state.phase = "over"
    state.end, state.ended_by = ("shoubu" if end == "shoubu" else "exhausted"), by
    return state.outcome()


MAXIMUM = "01.1 03.1 08.1 11.1 02.1 06.1 09.2"
"""Cards worth 105."""


def claimed(name: str, month: int = 0) -> Claim:
    return Claim(name, month, 0)


def test_achievements_of_a_whole_deal() -> None:
    state = a_world(captured={0: MAXIMUM + " 09.3", 1: "12.2"}, multiplier=2)
    state.claims[0] = Claims(claimed("haneken", 6), claimed("one_bright"))
    state.captured[0] |= parse_cards("06.2 06.3 06.4")
    outcome = over(state)
    codes = [(line.code, line.payee, line.points) for line in outcome.lines]
    assert ("diving", 0, 20) in codes
    assert ("escape", 0, 20) in codes
    assert ("teyaku", 0, 160) in codes
    assert sum(outcome.score) == 0


@pytest.mark.parametrize(
    ("scope", "name", "month", "dives"),
    [
        ("contains_triplet", "triplet", 6, True), ("contains_triplet", "haneken", 6, True),
        ("triplet_only", "triplet", 6, True), ("triplet_only", "haneken", 6, False),
        ("contains_triplet", "four_three", 0, False), ("contains_triplet", "one_two_four", 0, False),
    ],
)  # fmt: skip
def test_who_dives(scope: str, name: str, month: int, *, dives: bool) -> None:
    state = a_world(captured={0: "06.1 06.2 06.3 06.4"}, options={"diving_scope": scope})
    state.claims[0] = Claims(claimed(name, month))
    assert any(line.code == "diving" for line in over(state).lines) is dives


def test_a_triplet_that_was_not_claimed_does_not_dive() -> None:
    state = a_world(captured={0: "09.1 09.2 09.3 09.4"})
    state.claims[0] = Claims(claimed("triplet", 6))
    assert not any(line.code == "diving" for line in over(state).lines)


@pytest.mark.parametrize(("extra", "escapes_"), [("", False), (" 12.2", True)])
def test_escape_needs_106_and_a_group_b_claim(extra: str, *, escapes_: bool) -> None:
    state = a_world(captured={0: MAXIMUM + extra})
    assert standing(state, 0).points == 105 + escapes_
    state.claims[0] = Claims(None, claimed("red"))
    assert any(line.code == "escape" for line in over(state).lines) is escapes_
    state.claims[0] = Claims(claimed("three_pairs"))
    assert not any(line.code == "escape" for line in over(state).lines)


def test_early_ends_count_what_is_captured_so_far_and_teyaku_stay_due() -> None:
    state = a_world(captured={0: "06.2 09.2 10.2", 1: MAXIMUM.replace(" 09.2", "")}, multiplier=2)
    state.claims[1] = Claims(claimed("triplet", 6))
    outcome = over(state, end="shoubu", by=0)
    assert (outcome.winner, outcome.score) == (0, (100, -100))


def test_mizuten_and_the_forced_out_at_a_table_of_three() -> None:
    options: dict[str, OptionValue] = {"mizuten": True, "forced_out_compensation": "hachi"}
    state = a_world(seats=3, captured={0: MAXIMUM + " 12.2", 1: "10.1"}, options=options, multiplier=2)
    state.mizuten, state.answers = True, [(0, "play"), (1, "play")]
    state.returned[2] = parse_cards("06.1 06.3 06.4 01.1 03.2 09.3 02.4")
    outcome = over(state)
    assert [(line.code, line.payer, line.points) for line in outcome.lines] == [
        ("card_points", 1, (106 - 10) * 2), ("mizuten", 1, 20), ("mizuten", 2, 20), ("forced_out", 1, 32),
    ]  # fmt: skip
    assert outcome.score == (192 + 40, -192 - 20 - 32, 32 - 20)


def test_without_the_option_nobody_is_compensated() -> None:
    state = a_world(seats=3, captured={0: "12.2"})
    state.answers = [(0, "play"), (1, "play")]
    state.returned[2] = parse_cards("06.1 06.3 06.4 01.1 03.2 09.3 02.4")
    assert over(state).score[2] == 0


def test_score_lines_sum_up_to_the_score() -> None:
    state = a_world(seats=3, captured={0: "06.2 09.2 10.2 12.1", 1: "12.2"})
    state.paid = [0, 0, 10]
    state.first_sage, state.claims[1] = 0, Claims(claimed("triplet", 6), claimed("red"))
    outcome = over(state)
    lines = NUKI.lines(state.rules.options, outcome)
    for side in range(3):
        assert sum(int(str(line["v"])) for line in lines if line["side"] == side) == outcome.score[side]
    assert lines == [
        {"side": 0, "code": "teyaku", "yaku": "triplet", "by": 1, "v": -20},
        {"side": 0, "code": "teyaku", "yaku": "red", "by": 1, "v": -20},
        {"side": 0, "code": "half_dekiyaku", "yaku": "blue_ribbons", "v": 35},
        {"side": 0, "code": "pot", "v": 10},
        {"side": 1, "code": "teyaku", "yaku": "triplet", "v": 20},
        {"side": 1, "code": "teyaku", "yaku": "red", "v": 20},
        {"side": 1, "code": "half_dekiyaku", "yaku": "blue_ribbons", "by": 0, "v": -35},
        {"side": 2, "code": "dropout", "v": -10},
    ]


def test_what_an_outcome_holds() -> None:
    outcome = over(a_world(captured={0: "06.1 12.2", 1: "12.1"}, multiplier=2))
    assert (outcome.reason, outcome.winner, outcome.winning_side, outcome.victories) == ("exhausted", 1, 1, (0, 1))
    assert (outcome.score, outcome.multiplier, outcome.carry) == ((-18, 18), 2, {"carry": 0})
    assert [(held.seat, held.points, held.chaff) for held in outcome.standings] == [(0, 11, 1), (1, 20, 0)]


def test_without_a_game_there_are_no_standings() -> None:
    state = a_world(seats=3)
    state.phase, state.end, state.ended_by, state.paid = "over", "no_game", 2, [10, 15, 0]
    outcome = state.outcome()
    assert (outcome.reason, outcome.winner, outcome.winning_side, outcome.standings) == ("no_game", 2, 2, ())
    assert outcome.score == (-10, -15, 25)


def test_a_hand_whose_teyaku_nobody_knows_yet_has_none() -> None:
    state = a_world(captured={0: "12.1"})
    state.claims[0] = None
    assert standing(state, 0) == Standing(0, (), (), 0, 20)


def test_both_players_can_dive_and_escape_goes_with_it() -> None:
    """Each achievement is a line of its own, anyone who else has one (R69)."""
    state = a_world(captured={0: MAXIMUM + " 12.1", 1: "02.1 02.2 02.3 02.4"})
    state.captured[0] |= parse_cards("06.2 06.3 06.4")
    state.claims[0] = Claims(claimed("triplet", 6), claimed("red"))
    state.claims[1] = Claims(claimed("triplet", 2))
    told = [(line.code, line.payer, line.payee) for line in over(state).lines if line.code in ("diving", "escape")]
    assert told == [("diving", 1, 0), ("escape", 1, 0), ("diving", 0, 1)]


def test_january_can_dive_too_and_no_month_cannot() -> None:
    january = parse_cards("01.1 01.2 01.3 01.4")
    assert diving(january, 1)
    assert not diving(january, 0)
    assert not diving((1 << 48) - 1, 0)


@pytest.mark.parametrize(("dealer", "active", "payee"), [(0, (0, 1), 0), (1, (0, 1), 1), (1, (1, 0), 1)])
def test_mizuten_belongs_to_the_dealer_and_adds_to_the_rest(dealer: int, active: tuple[int, ...], payee: int) -> None:
    """With 105 points and less he pays his opponent; lines that were there before stay."""
    state = a_world(dealer=dealer, captured={0: "06.1 06.2 06.3 06.4", 1: "01.1"}, options={"mizuten": True})
    state.active, state.leader, state.mizuten = active, active[0], True
    state.claims[0] = Claims(claimed("triplet", 6))
    told = [(line.code, line.payer, line.payee) for line in over(state).lines if line.code in ("diving", "mizuten")]
    assert told == [("diving", 1, 0), ("mizuten", payee, 1 - payee)]
