"""Scores, winners, victories, the next dealer. Rulings R42-R49."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import ALL, codes, members, parse_cards
from engine.games import ruleset
from engine.games.sakura import SAKURA, scoring
from engine.games.sakura.options import SakuraOptions
from engine.games.sakura.outcome import SakuraOutcome
from engine.games.sakura.rules import options_of
from engine.games.sakura.start import set_up_state
from engine.games.sakura.yaku import YAKU, yaku_in
from tests.engine.worlds import a_world


def options(preset: str = "paradise", *, basa: bool = False, chu: bool = False) -> SakuraOptions:
    return options_of(ruleset(preset, basa=basa, chu=chu))


def test_every_yaku_hurts_every_opponent_in_full() -> None:
    assert scoring.deal_scores([70, 40, 35], [2, 1, 1], 50) == (-30, -110, -115)
    assert scoring.deal_scores([0, 240], [0, 3], 50) == (-150, 240)
    assert scoring.deal_scores([70, 40], [2, 1], 30) == (40, -20)


@given(st.lists(st.tuples(st.integers(0, 240), st.integers(0, 8)), min_size=2, max_size=7), st.integers(0, 100))
def test_the_sum_of_scores(made: list[tuple[int, int]], penalty: int) -> None:
    points, yaku = [own for own, _ in made], [count for _, count in made]
    assert sum(scoring.deal_scores(points, yaku, penalty)) == sum(points) - penalty * (len(made) - 1) * sum(yaku)


@pytest.mark.parametrize(
    ("score", "sides", "dealer", "winner"),
    [
        ((30, 30, 5), (0, 1, 2), 1, 1),
        ((30, 30, 5), (0, 1, 2), 2, 0),
        ((50, -25), (0, 1, 0, 1), 1, 2),
        ((50, 50), (0, 1, 0, 1), 3, 3),
        ((5, 9, 9), (0, 1, 2, 0, 1, 2), 3, 4),
    ],
)
def test_the_winner_is_a_seat(score: tuple[int, ...], sides: tuple[int, ...], dealer: int, winner: int) -> None:
    assert scoring.winner_seat(score, sides, dealer) == winner


@pytest.mark.parametrize(
    ("basa", "chu", "margin", "victories"),
    [
        (False, False, 240, 1), (True, False, 95, 1), (True, False, 100, 2), (False, True, 45, 1), (False, True, 50, 2),
        (False, True, 150, 2), (True, True, 0, 1), (True, True, 49, 1), (True, True, 50, 2), (True, True, 99, 2),
        (True, True, 100, 3),
    ],
)  # fmt: skip
def test_victories(basa: bool, chu: bool, margin: int, victories: int) -> None:
    assert scoring.victories_for(options(basa=basa, chu=chu), margin) == victories


def test_the_margin_is_to_the_best_opponent() -> None:
    assert scoring.margin_of((130, -60, 40), 0) == 90


def test_shira_basa_is_a_name() -> None:
    assert scoring.victory_label(options(basa=True), 120, 0) == "shira_basa"
    assert scoring.victory_label(options(basa=True), 120, 1) is None
    assert scoring.victory_label(options(basa=True), 95, 0) is None
    assert scoring.victory_label(options(chu=True), 120, 0) is None


@pytest.mark.parametrize(
    ("preset", "winner", "dealer"), [("hawaii", 2, 2), ("hawaii", None, 1), ("french", 2, 2), ("french", 0, 2)]
)
def test_the_next_dealer(preset: str, winner: int | None, dealer: int) -> None:
    assert scoring.next_dealer(options(preset), 3, 1, winner) == dealer


def test_lines_explain_the_score() -> None:
    state = a_world(captured={0: "03.1 08.1 09.1 01.1 02.1", 1: "12.1 12.2"})
    scoring.close(state)
    outcome = state.outcome()
    lines = SAKURA.lines(state.rules.options, outcome)
    assert lines == [
        {"side": 0, "code": "cards", "v": 70},
        {"side": 1, "code": "cards", "v": 30},
        {"side": 1, "code": "opp_yaku", "yaku": "I", "by": 0, "v": -50},
        {"side": 1, "code": "opp_yaku", "yaku": "Ro", "by": 0, "v": -50},
    ]
    for side, score in enumerate(outcome.score):
        assert sum(int(str(line["v"])) for line in lines if line["side"] == side) == score


def test_a_running_deal_has_no_outcome() -> None:
    with pytest.raises(ValueError, match="not over"):
        a_world(p0="01.1").outcome()


def closed(captured: dict[int, str], field: str = "", **values: bool) -> SakuraOutcome:
    state = a_world(preset="paradise", options=values, captured=captured, field=field)
    state.gaji_by, state.gaji_month = 1, 3
    scoring.close(state)
    return state.outcome()


FIVE_TENS_AND_MORE = "01.1 08.1 12.1 12.2 01.2 06.2 04.2"
"""Cards worth 100, no yaku among them."""


def test_shira_basa_is_told_from_100_on_if_nobody_has_a_yaku() -> None:
    outcome = closed({0: FIVE_TENS_AND_MORE}, basa=True)
    assert (outcome.margin, outcome.label, outcome.victories) == (100, "shira_basa", (2, 0))
    assert closed({0: FIVE_TENS_AND_MORE, 1: "02.1"}, basa=True).label is None
    assert closed({0: FIVE_TENS_AND_MORE}).label is None
    yaku = closed({0: "01.1 02.1 03.1 08.1"}, basa=True)
    assert (yaku.margin, yaku.label) == (115, None)


def test_the_outcome_says_what_was_claimed_and_what_is_dead() -> None:
    outcome = closed({0: "12.1"}, "03.2 03.4 08.1")
    assert (codes(outcome.claimed), outcome.claimed_side, codes(outcome.dead)) == (["03.2", "03.4"], 1, ["08.1"])
    assert (outcome.reason, outcome.winning_side, outcome.winner, outcome.margin) == ("played", 0, 0, 10)
    assert (outcome.points, outcome.yaku) == ((20, 10), ((), ()))


def test_a_deal_hand_is_a_margin_of_six_without_points_yaku_or_dead_cards() -> None:
    teshi = "02.1 02.2 02.3 02.4 05.1 06.2 09.3 10.4"
    state = a_world(preset="french", p1=teshi, field="01.3 03.4", options={"basa": True, "chu": True})
    assert set_up_state(state)
    outcome = state.outcome()
    assert (outcome.margin, outcome.label, outcome.victories) == (6, None, (0, 1))
    assert (outcome.points, outcome.yaku, outcome.claimed, outcome.dead) == ((0, 0), ((), ()), 0, 0)


def test_a_void_deal_has_no_margin() -> None:
    state = a_world(preset="french", p0="01.1", field="05.1 05.2 05.3 05.4")
    assert set_up_state(state)
    outcome = state.outcome()
    assert (outcome.reason, outcome.margin, outcome.winner, outcome.winning_side) == ("void", 0, None, None)
    assert (outcome.score, outcome.victories, outcome.dead) == ((0, 0), (0, 0), 0)
    assert (outcome.points, outcome.yaku) == ((0, 0), ((), ()))


def test_yaku_are_the_same_however_often_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """rules.md 1.3: ribbons and others apart, together, with chaff between them, asked twice."""
    monkeypatch.setattr("engine.games.sakura.yaku._made", {})
    pile = parse_cards("01.1 02.1 03.1 01.2 02.2 03.2 11.4 06.2 09.2")
    assert yaku_in(pile) == yaku_in(pile) == ("Ro", "Ha")
    for yaku in YAKU:
        assert yaku_in(yaku.cards) == yaku_in(yaku.cards) == (yaku.id,)
        for missing in members(yaku.cards):
            assert yaku_in(yaku.cards & ~(1 << missing)) == ()
    assert yaku_in(ALL) == ("I", "Ro", "Ha", "Ni", "Ho", "He", "To", "Chi")
