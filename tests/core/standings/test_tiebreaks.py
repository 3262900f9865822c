"""Each tie-break on an example small enough to check by hand, and the registry's promises."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import Any

import pytest

from core.standings.errors import StandingsError
from core.standings.fold import fold
from core.standings.model import Adjustment, AdjustmentKind, Basis, Scoring, Spec
from core.standings.table import Table, Value
from core.standings.tiebreaks import TIE_BREAKS, show, tie_break
from tests.core.standings.builders import a_match
from tests.core.standings.builders import values as values_of

TRIO = [
    a_match("1", {"A": 30, "B": 20, "C": 10}, first_dealer="A"),
    a_match("2", {"A": 10, "B": 20, "C": 30}, round_number=2, first_dealer="A"),
    a_match("3", {"A": 15, "B": 20, "C": 15}, round_number=3, first_dealer="B"),
]


def table(*ids: str, **rules: object) -> Table:
    return fold(TRIO, [], Spec(keys=ids, **rules), entries={"A": 2, "B": 1, "C": 3})  # type: ignore[arg-type]  # any rule


def values(tie_break_id: str, **rules: object) -> dict[str, Any]:
    return {row.entry: row.value(tie_break_id) for row in table(tie_break_id, **rules).rows}


def test_totals() -> None:
    assert values("points") == {"A": 55, "B": 60, "C": 55}
    assert values("victories") == {"A": 1, "B": 1, "C": 1}
    assert values("place") == {"A": Fraction(5, 4), "B": 2, "C": Fraction(5, 4)}
    assert values("above_mean") == {"A": Fraction(-5, 3), "B": Fraction(10, 3), "C": Fraction(-5, 3)}
    assert values("vshare") == {"A": Fraction(1, 3), "B": Fraction(1, 3), "C": Fraction(1, 3)}


def test_tables_won_and_places() -> None:
    assert values("wins") == {"A": 1, "B": 1, "C": 1}
    assert values("places") == {"A": (1, 1, 1), "B": (1, 2, 0), "C": (1, 1, 1)}
    assert show("places", values("places")["B"]) == "1-2-0"


def test_opponents() -> None:
    assert values("bh", score="points")["A"] == Fraction(3 * 115, 2)
    assert values("bhc1", score="points")["A"] == 115
    assert values("bhm", score="points")["A"] == Fraction(115, 2)
    assert values("sb", score="points")["A"] == Fraction(60 + 55, 2) + 0 + Fraction(55, 4)
    bh: dict[str, Fraction] = {"A": Fraction(345, 2), "B": Fraction(165), "C": Fraction(345, 2)}
    assert values("aob", score="points") == {
        "A": (bh["B"] + bh["C"]) / 2,
        "B": bh["A"],
        "C": (bh["A"] + bh["B"]) / 2,
    }


def test_running_scores_and_best_match() -> None:
    assert values("ps", score="points") == {"A": 30 + 40 + 55, "B": 20 + 40 + 60, "C": 10 + 40 + 55}
    assert values("best_match") == {"A": 30, "B": 20, "C": 30}
    assert values("best_match", basis=Basis.ABOVE_MEAN)["B"] == Fraction(10, 3)


def test_lower_is_better() -> None:
    assert [row.entry for row in table("seat_balance", "seed").rows] == ["C", "B", "A"]
    assert values("seat_balance") == {"A": 2, "B": 1, "C": 0}
    assert [row.entry for row in table("seed").rows] == ["B", "A", "C"]


def test_head_to_head_counts_the_tied_only() -> None:
    """A and C are level on points; B is not among them. Between them: one each, one tie."""
    rows = table("points", "h2h").rows
    assert [(row.rank, row.entry, row.value("h2h")) for row in rows] == [
        (1, "B", None),
        (2, "A", Fraction(3, 2)),
        (2, "C", Fraction(3, 2)),
    ]
    results = [
        a_match("1", {"A": 9, "B": 5}),
        a_match("2", {"B": 9, "A": 5, "C": 0}),
        a_match("3", {"C": 1, "A": 0}),
    ]
    three = fold(results, [], Spec(keys=("wins", "h2h")))
    assert {row.entry: row.value("h2h") for row in three.rows} == {"A": (Fraction(3, 2), 0), "B": (1, 1), "C": (1, 0)}


def test_head_to_head_does_not_apply_unless_all_have_met() -> None:
    results = [a_match("1", {"A": 9, "B": 5}), a_match("2", {"C": 9, "D": 5})]
    rows = fold(results, [], Spec(keys=("points", "h2h"))).rows
    assert [row.value("h2h") for row in rows] == [None] * 4
    assert [row.rank for row in rows] == [1, 1, 3, 3]


def test_a_decider_counts_in_no_total_and_only_where_it_is_asked() -> None:
    """A and C are level on points; C won the extra deal 35 : 20."""
    extra = [
        Adjustment("1", "A", kind=AdjustmentKind.DECIDER, decider=20, reason="extra deal"),
        Adjustment("2", "C", kind=AdjustmentKind.DECIDER, decider=35, reason="extra deal", round=3),
    ]
    rows = fold(TRIO, extra, Spec(keys=("points", "decider", "penalties"))).rows
    assert [(row.rank, row.entry, *values_of(row, "points", "decider", "penalties")) for row in rows] == [
        (1, "B", 60, 0, 0),
        (2, "C", 55, 35, 0),
        (3, "A", 55, 20, 0),
    ]
    told = rows[1].explanation[1].terms
    assert [(term.round, term.amount, term.note) for term in told] == [(3, Fraction(35), "decider")]
    assert rows[1].explanation[1].decided_against == ("A",)
    assert len(rows[1].explanation[0].terms) == 3, "in points it is no line at all"


def test_performance_is_the_opponents_rating_and_what_was_made_of_them() -> None:
    """One table of three each round; A has 30, B 24.5, C none (25). Beating all of them is worth 12 more."""
    rules = {"strengths": (("A", Fraction(30)), ("B", Fraction(49, 2)))}
    found = values("perf", **rules)
    against = {"A": Fraction(99, 4), "B": Fraction(55, 2), "C": Fraction(109, 4)}
    shares = {"A": Fraction(5, 4), "B": Fraction(2), "C": Fraction(5, 4)}
    for entry, own in shares.items():
        assert found[entry] == against[entry] + 12 * (2 * own / 3 - 1)
    assert table("perf").rows[0].value("perf") == 25 + 12 * Fraction(1, 3), "without ratings everybody begins alike"
    assert fold([], [], Spec(keys=("perf",)), entries={"A": 1}).rows[0].value("perf") is None


def test_penalties() -> None:
    adjustments = [
        Adjustment("1", "A", points=-5),
        Adjustment("2", "A", points=5, kind=AdjustmentKind.AWARD),
        Adjustment("3", "C", points=0, kind=AdjustmentKind.CARRY),
    ]
    rows = fold(TRIO, adjustments, Spec(keys=("points", "penalties"))).rows
    assert [(row.entry, *values_of(row, "penalties")) for row in rows] == [("B", 0), ("C", 0), ("A", 1)]
    assert rows[2].explanation[0].terms[-1].note == "award"


def test_lots_can_be_drawn_again_by_anybody_and_leave_no_shared_rank() -> None:
    results = [a_match("1", {"A": 5, "B": 5, "C": 5})]
    rows = fold(results, [], Spec(tie_breaks=("lots",), lots_seed="public")).rows
    expected = sorted("ABC", key=lambda entry: hashlib.sha256(f"public {entry}".encode()).hexdigest())
    assert [row.entry for row in rows] == expected
    assert [row.rank for row in rows] == [1, 2, 3]
    assert show("lots", rows[0].value("lots")) == hashlib.sha256(f"public {expected[0]}".encode()).hexdigest()[:8]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(85, 3), "28 1/3"),
        (Fraction(-95, 3), "-31 2/3"),
        (Fraction(-1, 2), "-1/2"),
        (Fraction(7), "7"),
        (None, "–"),
    ],
)
def test_values_as_people_read_them(value: Value, text: str) -> None:
    assert show("points", value) == text


def test_an_unknown_tie_break_is_refused() -> None:
    with pytest.raises(StandingsError) as refused:
        fold([], [], Spec(tie_breaks=("goals",)))
    assert refused.value.code == "spec.tie_break"


@pytest.mark.parametrize("tie_break_id", list(TIE_BREAKS))
def test_every_tie_break_says_what_it_is(tie_break_id: str) -> None:
    item = tie_break(tie_break_id)
    assert item.id == tie_break_id
    assert item.name
    assert item.description
    assert 1 <= len(item.abbreviation) <= 5
    assert len({other.abbreviation for other in TIE_BREAKS.values()}) == len(TIE_BREAKS)


@pytest.mark.parametrize("tie_break_id", list(TIE_BREAKS))
def test_every_tie_break_stands_alone(tie_break_id: str) -> None:
    """As the only key, on an empty stage and on one with results."""
    assert fold([], [], Spec(keys=(tie_break_id,)), entries={"A": 1}).rows[0].rank == 1
    assert len(fold(TRIO, [], Spec(scoring=Scoring.PLACE, keys=(tie_break_id,))).rows) == 3
