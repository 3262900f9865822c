"""Builders and strategies for standings tests."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from core.standings.model import (
    EDITION,
    Adjustment,
    AdjustmentKind,
    Basis,
    ByePolicy,
    Forfeit,
    MatchResult,
    Scoring,
    SeatResult,
    Spec,
    Unplayed,
    UnplayedKind,
    UnplayedRule,
    VictoryOnTie,
)
from core.standings.table import Row
from core.standings.tiebreaks import TIE_BREAKS

ENTRIES = [f"e{number}" for number in range(9)]


def a_match(
    match: str,
    points: dict[str, int],
    victories: dict[str, int] | None = None,
    *,
    forfeits: dict[str, Forfeit] | None = None,
    round_number: int = 1,
    deals: int = 1,
    deal_set: str = "",
    leg: int = 0,
    legs: int = 1,
    is_played: bool = True,
    first_dealer: str = "",
) -> MatchResult:
    """Every entry a side of its own, seated in the order given."""
    seats = tuple(
        SeatResult(
            entry,
            seat,
            seat,
            amount,
            victories=None if victories is None else victories[entry],
            forfeit=(forfeits or {}).get(entry),
            first_dealer=entry == first_dealer,
        )
        for seat, (entry, amount) in enumerate(points.items())
    )
    return MatchResult(match, round_number, 1, seats, deal_set, leg, legs, deals, is_played)


def values(row: Row, *tie_breaks: str) -> tuple[Any, ...]:
    """Values of a row, to be compared with whole numbers as well as fractions."""
    return tuple(row.value(tie_break) for tie_break in tie_breaks)


FORFEITS = st.builds(Forfeit, st.just("crash"), st.integers(0, 3), st.integers(0, 3)) | st.just(Forfeit("no_show", 1))


@st.composite
def seats(draw: st.DrawFn, entries: list[str]) -> tuple[SeatResult, ...]:
    as_totals = draw(st.booleans())
    return tuple(
        SeatResult(
            entry,
            seat,
            seat,
            draw(st.integers(-60, 200)),
            victories=None if as_totals else draw(st.integers(0, 4)),
            forfeit=draw(st.none() | st.none() | FORFEITS),
            first_dealer=seat == 0,
        )
        for seat, entry in enumerate(entries)
    )


@st.composite
def deal_sets(draw: st.DrawFn, name: str, entries: list[str], round_number: int) -> list[MatchResult]:
    """One match, or the legs of a deal set (perhaps not all of them)."""
    legs, deals = draw(st.sampled_from([1, 1, 2, 3])), draw(st.integers(1, 3))
    here = draw(st.integers(1, legs))
    deal_set = name if legs > 1 else ""
    return [
        MatchResult(f"{name}.{leg}", round_number, 1, own, deal_set, leg, legs, deals, is_played=came > 1)
        for leg in range(here)
        for own in [draw(seats(entries))]
        for came in [sum(seat.forfeit is None or seat.forfeit.code != "no_show" for seat in own)]
    ]


@st.composite
def events(draw: st.DrawFn) -> tuple[list[MatchResult], list[Unplayed], list[Adjustment]]:
    """A few rounds at tables of two to five; who has no table sits out."""
    results: list[MatchResult] = []
    sat_out: list[Unplayed] = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        order = list(draw(st.permutations(ENTRIES)))
        while len(order) > 1 and draw(st.integers(0, 5)):
            size = draw(st.integers(2, min(5, len(order))))
            table, order = order[:size], order[size:]
            results += draw(deal_sets(f"{number}.{len(order)}", table, number))
        sat_out += [Unplayed(entry, number, draw(st.sampled_from(UnplayedKind))) for entry in order]
    adjustments = [
        Adjustment(
            f"a{index}",
            draw(st.sampled_from(ENTRIES)),
            points=draw(st.integers(-30, 30)),
            victories=draw(st.integers(-1, 1)),
            place=Fraction(draw(st.integers(-2, 2)), 2),
            round=draw(st.none() | st.integers(1, 3)),
            kind=draw(st.sampled_from(AdjustmentKind)),
            decider=draw(st.integers(0, 2)),
        )
        for index in range(draw(st.integers(0, 3)))
    ]
    return results, sat_out, adjustments


@st.composite
def specs(draw: st.DrawFn) -> Spec:
    """Any rules, all tie-breaks but `seed` in any order."""
    others = [tie_break for tie_break in TIE_BREAKS if tie_break not in ("seed", "lots")]
    return Spec(
        scoring=draw(st.sampled_from(Scoring)),
        basis=draw(st.sampled_from(Basis)),
        tie_breaks=tuple(draw(st.permutations(others))),
        bye=ByePolicy(
            points=draw(st.none() | st.integers(0, 50)),
            victories=draw(st.none() | st.integers(0, 1)),
            place=Fraction(1, 2),
            as_won=draw(st.booleans()),
        ),
        victory_on_tie=draw(st.sampled_from(VictoryOnTie)),
        unplayed=draw(st.sampled_from(UnplayedRule)),
        nominal_deals=draw(st.none() | st.just(3)),
        edition=draw(st.sampled_from((1, EDITION, EDITION))),
    )
