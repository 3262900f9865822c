"""Absence: the mean of a table is of those who played, and a bye or a walk-over is worth the round's mean."""

from __future__ import annotations

from fractions import Fraction
from typing import get_args, get_type_hints

import pytest

from core.interchange.documents.event import Stage
from core.standings.fold import fold
from core.standings.model import (
    BYE_POLICIES,
    EDITION,
    Basis,
    Forfeit,
    MatchResult,
    Scoring,
    SeatResult,
    Spec,
    Unplayed,
    UnplayedKind,
    bye_policy,
)
from core.standings.settle import settle
from core.standings.table import Table, Term
from tests.core.standings.builders import a_match, values

HALF = Fraction(1, 2)
ABSENT = Forfeit("no_show", 1)
ABOVE = Spec(basis=Basis.ABOVE_MEAN)
BY_VICTORIES = Spec(scoring=Scoring.ROUND_VICTORY, tie_breaks=("place", "above_mean"))


def above(*legs: MatchResult, spec: Spec = ABOVE) -> dict[str, Fraction]:
    return {side.entries[0]: side.above_mean for side in settle(legs, spec).sides}


def test_a_no_show_is_no_part_of_the_tables_mean() -> None:
    table = a_match("m", {"A": 900, "B": 880, "C": 870, "D": 0}, forfeits={"D": ABSENT}, deals=12)
    found = above(table)
    assert [found[entry] for entry in "ABC"] == [Fraction(50, 3), Fraction(-10, 3), Fraction(-40, 3)]
    assert found["D"] == Fraction(-2650, 3)


def test_two_of_four_missing_leave_the_mean_to_the_other_two() -> None:
    found = above(a_match("m", {"A": 0, "B": 700, "C": 500, "D": 0}, forfeits={"A": ABSENT, "D": ABSENT}))
    assert [found["B"], found["C"]] == [100, -100]
    assert found["A"] == found["D"] == -600


def test_a_no_show_gains_nothing_where_those_who_played_lost_points() -> None:
    assert above(a_match("m", {"A": -10, "B": -50, "C": 0}, forfeits={"C": ABSENT})) == {"A": 20, "B": -20, "C": 0}


@pytest.mark.parametrize("fault", [Forfeit("crash", 3, 7), Forfeit("timeout.cpu", 12, 1), ABSENT])
def test_a_forfeit_does_not_hand_its_points_to_the_table(fault: Forfeit) -> None:
    found = above(a_match("m", {"A": 300, "B": 200, "C": 280}, forfeits={"C": fault}))
    assert found == {"A": 50, "B": -50, "C": -250}


def test_each_leg_has_the_mean_of_those_who_played_it() -> None:
    legs = [
        a_match("m0", {"A": 60, "B": 20, "C": 40}, forfeits={"C": Forfeit("crash", 1, 2)}, deal_set="d", leg=0, legs=2),
        a_match("m1", {"A": 30, "B": 30, "C": 90}, deal_set="d", leg=1, legs=2),
    ]
    assert above(*legs) == {"A": 20 - 20, "B": -20 - 20, "C": -40 + 40}


def test_of_a_team_one_who_is_missing_is_the_whole_side() -> None:
    seats = tuple(
        SeatResult(entry, seat, side, (600, 500, 0)[side], forfeit=ABSENT if entry == "F" else None)
        for seat, (entry, side) in enumerate((("A", 0), ("B", 1), ("C", 2), ("D", 0), ("E", 1), ("F", 2)))
    )
    sides = {side.entries: side for side in settle([MatchResult("m", 1, 1, seats)], ABOVE).sides}
    assert [sides[two].above_mean for two in (("A", "D"), ("B", "E"), ("C", "F"))] == [50, -50, -550]
    assert sides["C", "F"].came  # one of them sat there


def test_who_sat_with_the_absentee_does_not_win_by_it() -> None:
    """The full table's winner is first: 84 above its mean, and nobody of the short table is as far above theirs."""
    full = a_match("1", {"A": 880, "B": 796, "C": 760, "D": 748}, deals=12)
    short = a_match("2", {"E": 900, "F": 880, "G": 870, "H": 0}, forfeits={"H": ABSENT}, deals=12)
    five = a_match("3", {"I": 700, "J": 690, "K": 680, "L": 670, "M": 660}, deals=12)
    table = fold([full, short, five], [], Spec())
    assert table.basis is Basis.ABOVE_MEAN
    assert [row.entry for row in table.rows][:2] == ["A", "I"]
    assert table.rows[-1].entry == "H"


def test_a_table_that_came_one_short_is_no_table_of_that_size() -> None:
    """Three who share the cards of four make more points: raw totals do not compare."""
    tables = [a_match("1", dict.fromkeys("ABCD", 60), deals=12), a_match("2", dict.fromkeys("EFGH", 60), deals=12)]
    assert fold(tables, [], Spec()).basis is Basis.RAW
    short = a_match("2", {"E": 90, "F": 80, "G": 70, "H": 0}, forfeits={"H": ABSENT}, deals=12)
    assert fold([tables[0], short], [], Spec()).basis is Basis.ABOVE_MEAN


def test_a_walk_over_does_not_change_how_an_event_is_ranked() -> None:
    """It has one deal on paper; nobody played it."""
    tables = [a_match("1", {"A": 500, "B": 400}, deals=12), _walk_over("2", "C", "D")]
    assert fold(tables, [], Spec()).basis is Basis.RAW


def test_who_never_came_has_no_place_share_even_if_two_did_not() -> None:
    result = settle([a_match("m", {"A": 5, "B": 4, "C": 0, "D": 0}, forfeits={"C": ABSENT, "D": ABSENT})], ABOVE)
    assert [side.share for side in result.sides] == [1, Fraction(2, 3), 0, 0]


def test_opponents_are_those_who_were_met() -> None:
    """Buchholz, Sonneborn-Berger and head to head leave out who did not come; so does the number of tables played."""
    spec = Spec(scoring=Scoring.PLACE, tie_breaks=("bh", "sb", "aob"))
    results = [
        a_match("1", {"A": 9, "B": 5, "C": 0}, forfeits={"C": ABSENT}),
        a_match("2", {"A": 1, "B": 9, "C": 5}, round_number=2),
    ]
    table = fold(results, [], spec)
    assert values(table.row("A"), "place", "bh", "sb") == (1, Fraction(3, 2) + 1, Fraction(3, 2))
    assert values(table.row("C"), "place", "bh") == (HALF, Fraction(5, 4))
    assert [table.row(entry).played for entry in "ABC"] == [2, 2, 1]


def _walk_over(match: str, came: str, gone: str, number: int = 1) -> MatchResult:
    points = {came: 0, gone: 0}
    return a_match(match, points, points, forfeits={gone: ABSENT}, round_number=number, is_played=False)


def _nine(unplayed: UnplayedKind = UnplayedKind.BYE, policy: str = "half", **changes: str) -> Table:
    spec = Spec(
        scoring=Scoring(changes.get("scoring", Scoring.ROUND_VICTORY)),
        tie_breaks=("points", "victories", "place", "above_mean"),
        bye=BYE_POLICIES[policy],
    )
    played = [
        a_match("1", {"A": 700, "B": 500}, {"A": 8, "B": 4}, deals=12),
        a_match("2", {"C": 650, "D": 550}, {"C": 7, "D": 5}, deals=12),
    ]
    return fold([*played, _walk_over("3", "E", "F")], [], spec, unplayed=[Unplayed("I", 1, unplayed)])


@pytest.mark.parametrize("scoring", Scoring)
@pytest.mark.parametrize(
    ("policy", "worth"),
    [("half", (600, 6, HALF, 0)), ("full", (675, Fraction(15, 2), 1, 75)), ("zero", (0, 0, 0, -600))],
)
def test_a_bye_is_worth_the_same_in_every_unit(scoring: Scoring, policy: str, worth: tuple[Fraction, ...]) -> None:
    """Half: a level result; full: what a win brought on average; zero: nothing."""
    row = _nine(policy=policy, scoring=scoring).row("I")
    assert values(row, "points", "victories", "place", "above_mean") == worth


@pytest.mark.parametrize(
    ("kind", "worth"),
    [
        (UnplayedKind.HALF, (600, 6, HALF, 0)),
        (UnplayedKind.FULL, (675, Fraction(15, 2), 1, 75)),
        (UnplayedKind.ABSENT, (0, 0, 0, -600)),
    ],
)
@pytest.mark.parametrize("policy", BYE_POLICIES)
def test_a_round_sat_out_by_arrangement_is_worth_what_was_arranged(
    kind: UnplayedKind, worth: tuple[Fraction, ...], policy: str
) -> None:
    assert values(_nine(kind, policy).row("I"), "points", "victories", "place", "above_mean") == worth


def test_a_walk_over_is_worth_the_rounds_mean_and_a_win() -> None:
    table = _nine()
    assert values(table.row("E"), "points", "victories", "place", "above_mean") == (600, 6, 1, 0)
    assert values(table.row("F"), "points", "victories", "place", "above_mean") == (0, 0, 0, -600)
    ranks = {row.entry: row.rank for row in table.rows}
    assert ranks["D"] > ranks["E"]  # who lost 7-5 is not better off
    line = next(line for line in table.row("E").explanation if line.tie_break == "victories")
    assert line.terms == (Term(1, "3", Fraction(6), "unplayed"),)


def test_nobody_who_did_not_come_gets_anything() -> None:
    gone = a_match(
        "2", {"C": 0, "D": 0}, {"C": 0, "D": 0}, forfeits={"C": ABSENT, "D": ABSENT}, is_played=False, round_number=1
    )
    table = fold([a_match("1", {"A": 9, "B": 3}, {"A": 2, "B": 0}), gone], [], BY_VICTORIES)
    assert values(table.row("C"), "victories", "place") == values(table.row("D"), "victories", "place") == (0, 0)
    assert [term.amount for term in table.row("C").explanation[0].terms] == [0]


def test_where_nobody_played_in_a_round_the_mean_is_that_of_the_others() -> None:
    played = a_match("1", {"A": 700, "B": 500}, {"A": 9, "B": 3}, deals=12)
    rests = [Unplayed("C", 1), Unplayed("B", 2)]
    table = fold([played, _walk_over("2", "A", "C", 2)], [], BY_VICTORIES, unplayed=rests)
    assert {row.entry: row.value("victories") for row in table.rows} == {"A": 9 + 6, "B": 3 + 6, "C": 6}


def test_a_walk_over_of_one_at_a_table_of_four() -> None:
    came = {"E": 0, "F": 0, "G": 0, "H": 0}
    alone = a_match("2", came, came, forfeits=dict.fromkeys("FGH", ABSENT), is_played=False)
    full = a_match("1", {"A": 60, "B": 40, "C": 30, "D": 10}, {"A": 2, "B": 1, "C": 1, "D": 0}, deals=4)
    table = fold([full, alone], [], BY_VICTORIES)
    assert values(table.row("E"), "victories", "place", "above_mean") == (1, 1, 0)
    assert values(table.row("G"), "victories", "place", "above_mean") == (0, 0, -35)


def test_a_no_show_is_no_part_of_the_rounds_mean() -> None:
    short = a_match("1", {"A": 90, "B": 60, "C": 0}, {"A": 3, "B": 1, "C": 0}, forfeits={"C": ABSENT})
    table = fold([short], [], BY_VICTORIES, unplayed=[Unplayed("D", 1)])
    assert values(table.row("D"), "victories", "points") == (2, 75)


def test_files_know_every_edition() -> None:
    known = get_args(get_type_hints(Stage)["edition"])
    assert known == tuple(range(1, EDITION + 1))


def test_a_stage_of_before_counts_as_it_did() -> None:
    """Edition 1: tables that were signed then, and files of them, come to the same figures and the same hash."""
    spec = Spec(scoring=Scoring.ROUND_VICTORY, basis=Basis.ABOVE_MEAN, bye=bye_policy("half", 1), edition=1)
    short = a_match("1", {"A": 90, "B": 60, "C": 0}, {"A": 3, "B": 1, "C": 0}, forfeits={"C": ABSENT})
    table = fold([short, _walk_over("2", "D", "E")], [], spec, unplayed=[Unplayed("F", 1)])
    assert {row.entry: values(row, "victories", "above_mean") for row in table.rows} == {
        "A": (3, 40),
        "B": (1, 10),
        "C": (0, -50),
        "D": (0, 0),
        "E": (0, 0),
        "F": (0, 0),
    }
    assert table.input_hash == "sha256:50c02a0fdac9fe1931b50e2ccb7377377353b00fa8a50bb2c7483aacf78b2900"
    assert fold([short], [], Spec(edition=1)).input_hash != fold([short], [], Spec()).input_hash
