"""Forfeits, legs, sides, byes, places: what a result is worth."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.standings.errors import StandingsError
from core.standings.fold import fold, table_of
from core.standings.ledger import Ledger
from core.standings.model import (
    BYE_POLICIES,
    Basis,
    Forfeit,
    MatchResult,
    PlaceBy,
    Scoring,
    SeatResult,
    Spec,
    Unplayed,
    UnplayedKind,
    VictoryOnTie,
)
from core.standings.settle import settle, shares
from core.standings.table import Table
from tests.core.standings.builders import a_match, values

HALF = Fraction(1, 2)
CRASH = Forfeit("crash", deal=4, move=11)


def places(*legs: MatchResult, spec: Spec | None = None) -> dict[str, int]:
    return {side.entries[0]: side.place for side in settle(legs, spec or Spec()).sides}


def test_a_forfeiting_side_is_last_with_no_victories_and_no_positive_points() -> None:
    result = settle(
        [a_match("m", {"A": 90, "B": 40, "C": -10}, {"A": 3, "B": 1, "C": 0}, forfeits={"A": CRASH})], Spec()
    )
    side = result.side_of("A")
    assert side.place == 3
    assert [side.points, side.victories, side.share] == [0, 0, 0]
    assert sum(side.victories for side in result.sides) == 1
    assert places(a_match("m", {"A": 90, "B": 40, "C": -10}, forfeits={"A": CRASH})) == {"A": 3, "B": 1, "C": 2}


def test_a_negative_score_stays_after_a_forfeit() -> None:
    side = settle([a_match("m", {"A": -25, "B": 40}, forfeits={"A": CRASH})], Spec()).side_of("A")
    assert side.points == -25


def test_of_several_forfeits_the_later_ranks_higher() -> None:
    forfeits = {"A": Forfeit("crash", 4, 11), "B": Forfeit("timeout.cpu", 4, 12), "C": Forfeit("crash", 1, 30)}
    points = {"A": 10, "B": 20, "C": 30, "D": -99}
    assert places(a_match("m", points, forfeits=forfeits)) == {"D": 1, "B": 2, "A": 3, "C": 4}


def test_legs_of_a_deal_set_are_one_result() -> None:
    legs = [
        a_match("m0", {"A": 50, "B": 40}, {"A": 2, "B": 1}, deal_set="d", leg=0, legs=2, deals=3),
        a_match("m1", {"B": 70, "A": 20}, {"B": 1, "A": 2}, deal_set="d", leg=1, legs=2, deals=3),
    ]
    table = fold(legs, [], Spec(tie_breaks=("place",)))
    assert [(row.entry, *values(row, "points", "victories", "place")) for row in table.rows] == [
        ("B", 110, 2, 1),
        ("A", 70, 4, 0),
    ]
    assert [row.played for row in table.rows] == [1, 1]
    by_victories = places(*legs, spec=Spec(scoring=Scoring.ROUND_VICTORY))
    assert by_victories == {"A": 1, "B": 2}


def test_a_deal_set_waits_until_all_its_legs_are_there() -> None:
    leg = a_match("m0", {"A": 50, "B": 40}, deal_set="d", leg=0, legs=2)
    table = fold([leg], [], Spec(), entries={"A": 1, "B": 2})
    assert table.waiting == ("m0",)
    assert [(*values(row, "points"), row.played) for row in table.rows] == [(0, 0), (0, 0)]


def test_one_forfeited_leg_counts_nothing_and_the_sums_decide() -> None:
    legs = [
        a_match("m0", {"A": 90, "B": 10}, forfeits={"A": CRASH}, deal_set="d", leg=0, legs=2),
        a_match("m1", {"A": 60, "B": 20}, deal_set="d", leg=1, legs=2),
    ]
    assert places(*legs) == {"A": 1, "B": 2}
    both = [legs[0], a_match("m1", {"A": 60, "B": 20}, forfeits={"A": CRASH}, deal_set="d", leg=1, legs=2)]
    assert places(*both) == {"A": 2, "B": 1}


def test_seats_of_one_side_are_one_result() -> None:
    seats = tuple(SeatResult(entry, seat, seat % 2, (80, 60)[seat % 2], 1) for seat, entry in enumerate("ABAB"))
    table = fold([MatchResult("m", 1, 1, seats)], [], Spec(tie_breaks=("place",)))
    assert [(row.entry, *values(row, "points", "place")) for row in table.rows] == [("A", 80, 1), ("B", 60, 0)]


def test_partners_that_are_ranked_apart_each_get_the_sides_result() -> None:
    seats = tuple(SeatResult(entry, seat, seat % 2, (80, 60)[seat % 2], 1) for seat, entry in enumerate("ABCD"))
    table = fold([MatchResult("m", 1, 1, seats)], [], Spec(tie_breaks=("bh",)))
    assert {row.entry: row.rank for row in table.rows} == {"A": 1, "C": 1, "B": 3, "D": 3}
    assert table.row("A").value("bh") == 60


def test_when_nobody_comes_nobody_has_a_place_share() -> None:
    gone = {"A": Forfeit("no_show"), "B": Forfeit("no_show")}
    result = settle([a_match("m", {"A": 0, "B": 0}, forfeits=gone, is_played=False)], Spec())
    assert [side.share for side in result.sides] == [0, 0]
    came = settle([a_match("m", {"A": 0, "B": 0}, forfeits={"A": Forfeit("no_show")}, is_played=False)], Spec())
    assert came.side_of("B").share == 1


def test_given_places_are_taken_for_a_single_match() -> None:
    seats = (SeatResult("A", 0, 0, 50, 1, place=2), SeatResult("B", 1, 1, 40, 1, place=1))
    assert places(MatchResult("m", 1, 1, seats)) == {"A": 2, "B": 1}


@pytest.mark.parametrize(
    ("rule", "expected"),
    [(VictoryOnTie.SHARE, (HALF, HALF, 0)), (VictoryOnTie.ALL, (1, 1, 0)), (VictoryOnTie.NONE, (0, 0, 0))],
)
def test_a_tie_for_the_victory_of_totals(rule: VictoryOnTie, expected: tuple[Fraction | int, ...]) -> None:
    result = settle([a_match("m", {"A": 50, "B": 50, "C": 40})], Spec(victory_on_tie=rule))
    assert tuple(side.victories for side in result.sides) == expected


def test_basis_turns_to_above_mean_once_tables_differ() -> None:
    even = [a_match("1", {"A": 50, "B": 40}), a_match("2", {"C": 90, "D": 80})]
    assert fold(even, [], Spec()).basis is Basis.RAW
    assert fold(even, [], Spec()).columns == ("points", "victories")
    mixed = [*even, a_match("3", {"E": 90, "F": 30, "G": 0})]
    table = fold(mixed, [], Spec())
    assert table.basis is Basis.ABOVE_MEAN
    assert table.columns == ("above_mean", "victories")
    assert [row.entry for row in table.rows][:2] == ["E", "A"]
    longer = [*even, a_match("3", {"E": 90, "F": 30}, deals=12)]
    assert fold(longer, [], Spec()).basis is Basis.ABOVE_MEAN
    assert fold(mixed, [], Spec(basis=Basis.RAW)).basis is Basis.RAW


def test_a_shortened_match_is_scaled_to_the_nominal_deals() -> None:
    table = fold([a_match("1", {"A": 50, "B": 30}, deals=6)], [], Spec(basis=Basis.ABOVE_MEAN, nominal_deals=12))
    assert table.row("A").value("above_mean") == 20


def _with_bye(policy: str, kind: UnplayedKind = UnplayedKind.BYE) -> Table:
    spec = Spec(bye=BYE_POLICIES[policy], tie_breaks=("place", "above_mean"))
    results = [a_match("1", {"A": 50, "B": 30, "C": -5})]
    return fold(results, [], spec, entries={"D": 4}, unplayed=[Unplayed("D", 1, kind)])


def test_a_bye_is_worth_the_mean_of_the_round() -> None:
    row = _with_bye("half").row("D")
    assert values(row, "points", "place", "above_mean") == (25, HALF, 0)
    assert (row.played, row.byes) == (0, 1)
    assert row.explanation[0].terms[0].note == "bye"
    assert _with_bye("full").row("D").value("place") == 1
    assert _with_bye("zero").row("D").value("points") == 0
    absent = _with_bye("half", UnplayedKind.ABSENT).row("D")
    assert (*values(absent, "points", "place"), absent.byes) == (0, 0, 0)


def test_shares_at_a_table() -> None:
    assert list(shares((1, 2))) == [1, 0]
    assert list(shares((1, 1, 3))) == [Fraction(3, 4), Fraction(3, 4), 0]


def _two(one: SeatResult, other: SeatResult) -> MatchResult:
    return MatchResult("m", 1, 1, (one, other))


@pytest.mark.parametrize(
    ("match", "code"),
    [
        (MatchResult("m", 1, 1, (SeatResult("A", 0, 0, 1),)), "result.seats"),
        (_two(SeatResult("A", 0, 0, 1), SeatResult("A", 1, 1, 1)), "result.seats"),
        (_two(SeatResult("A", 0, 0, 1, place=1), SeatResult("B", 1, 1, 1, place=3)), "result.place"),
        (
            MatchResult("m", 1, 1, (SeatResult("A", 0, 0, 1), SeatResult("B", 1, 0, 2), SeatResult("C", 2, 1, 3))),
            "result.sides_differ",
        ),
    ],
)
def test_impossible_results_are_refused(match: MatchResult, code: str) -> None:
    with pytest.raises(StandingsError) as refused:
        fold([match], [], Spec(place_by=PlaceBy.POINTS))
    assert refused.value.code == code


def test_legs_with_other_sides_are_refused() -> None:
    legs = [a_match(f"m{leg}", {"A": 1, other: 2}, deal_set="d", leg=leg, legs=2) for leg, other in enumerate("BC")]
    with pytest.raises(StandingsError) as refused:
        fold(legs, [], Spec())
    assert refused.value.code == "result.sides"


def test_a_document_that_is_no_table_is_refused() -> None:
    with pytest.raises(StandingsError) as refused:
        Table.from_json({"rows": []})
    assert refused.value.code == "table.format"


DEALS_KNOWN = a_match("1", {"A": 120, "B": 120, "C": 100}, {"A": 1, "B": 4, "C": 1}, deals=6)
TOTALS = a_match("2", {"D": 130, "E": 110, "F": 90}, deals=6)


def test_every_result_counts_as_one_deal_while_the_deals_of_one_are_not_known() -> None:
    """How a table writes its result down gives nobody more victories than the others can have."""
    table = fold([DEALS_KNOWN, TOTALS], [], Spec(tie_breaks=("vshare",)))
    assert {row.entry: values(row, "victories", "vshare") for row in table.rows} == {
        "A": (HALF, HALF),
        "B": (HALF, HALF),
        "C": (0, 0),
        "D": (1, 1),
        "E": (0, 0),
        "F": (0, 0),
    }
    notes = {row.entry: row.explanation[1].terms[0].note for row in table.rows}
    assert notes == {"A": "as_one_deal", "B": "as_one_deal", "C": "as_one_deal", "D": "", "E": "", "F": ""}


@pytest.mark.parametrize("spec", [Spec(scoring=Scoring.ROUND_VICTORY), Spec(edition=2)])
def test_stages_by_victories_and_of_before_count_the_deals_that_are_known(spec: Spec) -> None:
    table = fold([DEALS_KNOWN, TOTALS], [], spec)
    assert [table.row(entry).value("victories") for entry in "ABCD"] == [1, 4, 1, 1]


def test_deals_count_again_once_the_last_result_has_them() -> None:
    ledger = Ledger(Spec())
    ledger.add(DEALS_KNOWN)
    ledger.add(TOTALS)
    assert table_of(ledger).row("B").value("victories") == HALF
    ledger.add(a_match("2", {"D": 130, "E": 110, "F": 90}, {"D": 3, "E": 2, "F": 1}, deals=6))
    assert [table_of(ledger).row(entry).value("victories") for entry in "ABDE"] == [1, 4, 3, 2]


def test_a_table_to_which_nobody_came_does_not_make_results_count_as_one_deal() -> None:
    gone = a_match("2", {"D": 0, "E": 0}, forfeits={"E": Forfeit("no_show")}, is_played=False)
    assert fold([DEALS_KNOWN, gone], [], Spec()).row("B").value("victories") == 4
