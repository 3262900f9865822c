"""Teams whose members sit apart are entries with several results in a round: sums, the best of them, meetings won."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.standings import table as canonical
from core.standings.fold import fold, table_of
from core.standings.ledger import Ledger
from core.standings.model import Adjustment, Basis, MatchResult, Scoring, Spec, Unplayed
from core.standings.table import Table
from tests.core.standings.builders import a_match
from tests.core.standings.team_sums import team_sums
from tests.core.standings.test_worked_examples import TEAMS, C

SOME = settings(deadline=None, max_examples=60)
NAMES = "ABCDE"


def by_team(result: MatchResult) -> MatchResult:
    """The same match with the team of everybody (the first letter of their name) as the entry."""
    return replace(result, seats=tuple(replace(seat, entry=seat.entry[0].upper()) for seat in result.seats))


def first(table: Table) -> dict[str, Fraction]:
    """The first figure of every row."""
    return {row.entry: value for row in table.rows if isinstance(value := row.key[0], Fraction)}


@st.composite
def rounds_of_boards(draw: st.DrawFn) -> list[MatchResult]:
    """Some rounds of teams with as many boards, nobody at a table with somebody of their own team."""
    count, boards = draw(st.integers(2, 5)), draw(st.integers(1, 4))
    found = []
    for number in range(1, draw(st.integers(1, 3)) + 1):
        for board in range(1, boards + 1):
            points = {f"{team.lower()}{board}": draw(st.integers(-50, 200)) for team in NAMES[:count]}
            found.append(a_match(f"{number}.{board}", points, round_number=number))
    return found


def test_example_c_with_teams_as_entries() -> None:
    results = [by_team(result) for result in C]
    assert first(fold(results, [], Spec(basis=Basis.RAW))) == {"A": 300, "C": 220, "B": 140, "D": 130}
    table = fold(results, [], Spec(scoring=Scoring.PLACE))
    assert [row.entry for row in table.rows] == ["C", "A", "D", "B"]
    assert first(table) == {"C": Fraction(5, 2), "A": Fraction(7, 3), "D": Fraction(5, 3), "B": Fraction(3, 2)}
    assert [(term.round, term.match) for term in table.row("A").explanation[0].terms] == [
        (1, "1.1"),
        (1, "1.2"),
        (2, "2.1"),
        (2, "2.2"),
    ]


def test_example_c_by_the_best_board_of_each_round() -> None:
    table = fold([by_team(result) for result in C], [], Spec(basis=Basis.RAW, best=1))
    assert first(table) == {"A": 120 + 85, "B": 60 + 75, "C": 95 + 90, "D": 70 + 110}
    line = table.row("A").explanation[0]
    assert [(int(term.amount), term.counted, term.note) for term in line.terms] == [
        (120, True, ""),
        (40, False, "cut"),
        (85, True, ""),
        (55, False, "cut"),
    ]
    assert table.row("A").explanation[1].terms[1].counted is False  # the same boards count in every total


@pytest.mark.thorough
@SOME
@given(rounds_of_boards(), st.sampled_from(list(Scoring)))
def test_a_team_s_totals_are_the_sums_of_its_members(results: list[MatchResult], scoring: Scoring) -> None:
    spec = Spec(scoring=scoring)
    team_of = {seat.entry: seat.entry[0].upper() for result in results for seat in result.seats}
    summed = {team: totals for _rank, team, totals in team_sums(fold(results, [], spec), team_of)}
    table = fold([by_team(result) for result in results], [], spec)
    columns = [column for column in table.columns if column != "vshare"]
    assert {row.entry: tuple(row.value(column) for column in columns) for row in table.rows} == summed
    assert TEAMS["a1"] == "A"


@pytest.mark.thorough
@SOME
@given(rounds_of_boards(), st.sampled_from(list(Scoring)), st.integers(1, 3))
def test_the_best_boards_are_the_best_sum_that_so_many_give(
    results: list[MatchResult], scoring: Scoring, best: int
) -> None:
    teams = [by_team(result) for result in results]
    table = fold(teams, [], Spec(scoring=scoring, best=best))
    whole = fold(teams, [], Spec(scoring=scoring))
    for row in whole.rows:
        amounts: dict[int, list[Fraction]] = {}
        for term in row.explanation[0].terms:
            amounts.setdefault(term.round, []).append(term.amount)
        most = sum(max(sum(some) for some in combinations(own, min(best, len(own)))) for own in amounts.values())
        line = table.row(row.entry).explanation[0]
        assert line.value == most == sum(term.amount for term in line.terms if term.counted)


@pytest.mark.thorough
@SOME
@given(rounds_of_boards(), st.sampled_from(list(Scoring)), st.integers(0, 2))
def test_the_best_of_any_order_of_confirming_are_the_same(
    results: list[MatchResult], scoring: Scoring, best: int
) -> None:
    spec = Spec(scoring=scoring, best=best, keys=("meetings", "place") if scoring is Scoring.PLACE else ())
    teams = [by_team(result) for result in results]
    rests = [Unplayed("E", 1, board=board) for board in (1, 2)]
    ledger = Ledger(spec)
    for result in reversed(teams):
        ledger.add(result)
        table_of(ledger)
    ledger.set_unplayed(rests)
    ledger.remove(teams[0].match)
    table_of(ledger)
    ledger.add(teams[0])
    assert table_of(ledger) == fold(teams, [], spec, unplayed=rests)


def test_meetings_go_by_board_points_and_a_bye_is_one_meeting() -> None:
    results = [
        a_match("1", {"A": 100, "B": 50}),
        a_match("2", {"B": 10, "A": 20}),
        a_match("3", {"A": 0, "B": 200}),
        a_match("4", {"A": 70, "C": 70}, round_number=2),
        a_match("5", {"C": 70, "A": 70}, round_number=2),
        a_match("6", {"A": 70, "C": 70}, round_number=2),
    ]
    rests = [Unplayed("C", 1, board=board) for board in (1, 2, 3)]
    table = fold(results, [], Spec(scoring=Scoring.PLACE, keys=("meetings", "place")), unplayed=rests)
    half = Fraction(1, 2)
    assert {row.entry: row.key for row in table.rows} == {
        "A": (Fraction(3, 2), Fraction(7, 2)),
        "C": (Fraction(1), Fraction(3)),
        "B": (Fraction(0), Fraction(1)),
    }
    assert [(term.round, term.match, term.amount, term.note) for term in table.row("C").explanation[0].terms] == [
        (1, "", half, "bye"),
        (2, "4", half, ""),
    ]


def test_what_means_nothing_elsewhere_is_no_part_of_a_hash() -> None:
    assert "board" not in canonical.line("unplayed", Unplayed("A", 1))
    assert '"board":"2"' in canonical.line("unplayed", Unplayed("A", 1, board=2))
    assert "best" not in canonical.line("spec", Spec())
    assert '"best":"2"' in canonical.line("spec", Spec(best=2))


def test_units_by_hand_count_beside_the_best_boards() -> None:
    given_units = Adjustment("x", "A", points=-50, reason="late")
    table = fold([by_team(result) for result in C], [given_units], Spec(basis=Basis.RAW, best=1))
    assert first(table)["A"] == 120 + 85 - 50
