"""The worked examples A, B and C of tournaments.md section 5, number by number."""

from __future__ import annotations

from fractions import Fraction

from core.standings.fold import fold
from core.standings.model import Basis, Scoring, Spec
from core.standings.settle import settle
from core.standings.table import Table
from tests.core.standings.builders import a_match
from tests.core.standings.team_sums import team_sums


def ranks(table: Table) -> dict[str, int]:
    return {row.entry: row.rank for row in table.rows}


A = a_match("A", {"A": 685, "B": 655}, {"A": 5, "B": 5}, deals=6)
B = a_match("B", {"X": 155, "Y": 215, "Z": 190}, {"X": 1, "Y": 1, "Z": 2}, deals=4)


def test_a_level_on_victories_shares_the_place_and_the_table_ranks_on_points() -> None:
    spec = Spec(scoring=Scoring.ROUND_VICTORY)
    assert [side.share for side in settle([A], spec).sides] == [Fraction(1, 2), Fraction(1, 2)]
    table = fold([A], [], spec)
    assert ranks(table) == {"A": 1, "B": 2}
    assert table.row("A").explanation[1].decided_against == ("B",)
    assert table.row("A").explanation[1].tie_break == "points"


def test_b_one_record_in_both_formats() -> None:
    cumulative = fold([B], [], Spec(scoring=Scoring.CUMULATIVE, tie_breaks=("above_mean",)))
    assert ranks(cumulative) == {"Y": 1, "Z": 2, "X": 3}
    assert {row.entry: row.value("above_mean") for row in cumulative.rows} == {
        "Y": Fraction(85, 3),
        "Z": Fraction(10, 3),
        "X": Fraction(-95, 3),
    }
    by_victories = fold([B], [], Spec(scoring=Scoring.ROUND_VICTORY))
    assert ranks(by_victories) == {"Z": 1, "Y": 2, "X": 3}
    assert by_victories.row("Y").explanation[1].decided_against == ("X",)


C = [
    a_match("1.1", {"a1": 120, "b1": 60, "c1": 60, "d1": -30}),
    a_match("1.2", {"c2": 95, "d2": 70, "a2": 40, "b2": -15}),
    a_match("2.1", {"d2": 110, "a1": 85, "b1": 20, "c2": -25}, round_number=2),
    a_match("2.2", {"c1": 90, "b2": 75, "a2": 55, "d1": -20}, round_number=2),
]
TEAMS = {entry: entry[0].upper() for entry in ("a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2")}


def test_c_places_and_tie_breaks() -> None:
    table = fold(C, [], Spec(scoring=Scoring.PLACE, tie_breaks=("bh", "sb")))
    assert {row.entry: row.value("place") for row in table.rows} == {
        "a1": Fraction(5, 3),
        "d2": Fraction(5, 3),
        "c1": Fraction(3, 2),
        "c2": Fraction(1),
        "b1": Fraction(5, 6),
        "a2": Fraction(2, 3),
        "b2": Fraction(2, 3),
        "d1": Fraction(0),
    }
    assert table.row("a1").value("bh") == table.row("d2").value("bh") == Fraction(35, 18)
    assert table.row("d2").value("sb") == Fraction(29, 18)
    assert table.row("a1").value("sb") == Fraction(25, 18)
    assert [row.entry for row in table.rows][:2] == ["d2", "a1"]
    assert table.row("d2").explanation[2].decided_against == ("a1",)
    assert "d2" in table.row("a1").explanation[2].decided_against


def test_c_the_format_picks_the_winning_team() -> None:
    by_points = team_sums(fold(C, [], Spec(basis=Basis.RAW)), TEAMS, ["points"])
    assert [(team, *totals) for _rank, team, totals in by_points] == [("A", 300), ("C", 220), ("B", 140), ("D", 130)]
    by_place = team_sums(fold(C, [], Spec(scoring=Scoring.PLACE)), TEAMS)
    assert [(team, *totals) for _rank, team, totals in by_place] == [
        ("C", Fraction(5, 2)),
        ("A", Fraction(7, 3)),
        ("D", Fraction(5, 3)),
        ("B", Fraction(3, 2)),
    ]
