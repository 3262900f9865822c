"""Properties of the fold (tournaments.md section 14, items 6, 7, 8 and 10) and of its explanations."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.standings.fold import fold, table_of
from core.standings.ledger import Ledger
from core.standings.model import Adjustment, MatchResult, SeatResult, Spec, Unplayed
from core.standings.settle import settle, shares
from core.standings.table import Table
from core.standings.tiebreaks import TIE_BREAKS, Combine, Direction, show
from tests.core.standings.builders import ENTRIES, events, specs

Event = tuple[list[MatchResult], list[Unplayed], list[Adjustment]]
SEEDS = {entry: number for number, entry in enumerate(ENTRIES, start=1)}
SOME = settings(max_examples=30, deadline=None)


def full(event: Event, spec: Spec) -> Table:
    results, sat_out, adjustments = event
    return fold(results, adjustments, spec, entries=SEEDS, unplayed=sat_out)


@pytest.mark.thorough
@SOME
@given(events(), specs(), st.randoms(use_true_random=False))
def test_incremental_equals_full_fold_in_any_order(event: Event, spec: Spec, shuffler: Random) -> None:
    """Confirmations, corrections and undos in any order, with a table asked for in between."""
    results, sat_out, adjustments = event
    ledger = Ledger(spec, SEEDS)
    changes: list[MatchResult | Unplayed | Adjustment] = [*results, *sat_out, *adjustments]
    for change in shuffler.sample(changes, len(changes)):
        if isinstance(change, MatchResult):
            ledger.add(replace(change, deals=change.deals + 1))  # a first version, corrected below
            if shuffler.random() < 0.3:
                table_of(ledger)
            ledger.add(change)
        elif isinstance(change, Unplayed):
            ledger.sit_out(change)
        else:
            ledger.adjust(change)
    assert table_of(ledger) == full(event, spec)


@pytest.mark.thorough
@SOME
@given(events(), specs(), st.data())
def test_undoing_a_change_gives_the_table_before_it(event: Event, spec: Spec, data: st.DataObject) -> None:
    results, sat_out, adjustments = event
    ledger = Ledger(spec, SEEDS)
    for result in results:
        ledger.add(result)
    for item in sat_out:
        ledger.sit_out(item)
    for adjustment in adjustments:
        ledger.adjust(adjustment)
    before = table_of(ledger)
    for result in data.draw(st.lists(st.sampled_from(results), max_size=3)) if results else []:
        ledger.remove(result.match)
        table_of(ledger)
        ledger.add(result)
    for item in sat_out[:2]:
        ledger.sit_down(item.entry, item.round)
        table_of(ledger)
        ledger.sit_out(item)
    for adjustment in adjustments[:2]:
        ledger.revoke(adjustment.adjustment)
        table_of(ledger)
        ledger.adjust(adjustment)
    assert table_of(ledger) == before


@pytest.mark.thorough
@SOME
@given(events(), specs())
def test_above_mean_adds_up_to_nothing_and_places_to_half_the_sides(event: Event, spec: Spec) -> None:
    """Of those who played: what a forfeit leaves is no part of the mean, and never above it."""
    for result in event[0]:
        settled = settle([result], spec)
        playing = [side for side in settled.sides if not side.is_forfeit or spec.edition == 1]
        assert sum(side.above_mean for side in playing) == 0
        assert all(side.above_mean <= 0 for side in settled.sides if side not in playing)
        missing = sum(not side.came for side in settled.sides)
        lost = sum(shares([1] * missing)) / (len(settled.sides) - 1) * (missing - 1) if missing > 1 else 0
        if sum(side.share for side in settled.sides):
            assert sum(side.share for side in settled.sides) == Fraction(len(settled.sides), 2) - lost
            assert min(side.place for side in settled.sides) == 1
        else:
            assert all(side.is_forfeit for side in settled.sides)


@pytest.mark.thorough
@SOME
@given(events(), specs(), st.permutations(ENTRIES))
def test_renaming_entries_renames_the_standings(event: Event, spec: Spec, names: list[str]) -> None:
    new = dict(zip(ENTRIES, names, strict=True))
    results, sat_out, adjustments = event
    renamed = fold(
        [replace(r, seats=tuple(replace(s, entry=new[s.entry]) for s in r.seats)) for r in results],
        [replace(a, entry=new[a.entry]) for a in adjustments],
        spec,
        entries={new[entry]: seed for entry, seed in SEEDS.items()},
        unplayed=[replace(item, entry=new[item.entry]) for item in sat_out],
    )
    ranks = {row.entry: (row.rank, row.key, row.played) for row in renamed.rows}
    assert {new[row.entry]: (row.rank, row.key, row.played) for row in full(event, spec).rows} == ranks


@pytest.mark.thorough
@SOME
@given(events(), specs())
def test_every_value_is_what_its_terms_make(event: Event, spec: Spec) -> None:
    for row in full(event, spec).rows:
        for line in row.explanation:
            counted = [term.amount for term in line.terms if term.counted]
            if line.value is None or TIE_BREAKS[line.tie_break].combine is Combine.LIST:
                continue
            if TIE_BREAKS[line.tie_break].combine is Combine.SUM:
                assert sum(counted, Fraction(0)) == line.value, line.tie_break
            else:
                assert sum(counted, Fraction(0)) == line.value * len(counted), line.tie_break
            assert show(line.tie_break, line.value)


@pytest.mark.thorough
@SOME
@given(events(), specs())
def test_ranks_are_shared_by_equal_keys_and_neighbours_are_separated_by_one_line(event: Event, spec: Spec) -> None:
    table = full(event, spec)
    assert [row.entry for row in table.rows if row.rank == 1]
    for number, row in enumerate(table.rows, start=1):
        level = [other for other in table.rows if other.key == row.key]
        assert row.rank == min(table.rows.index(other) + 1 for other in level) <= number
        named = [rival for line in row.explanation for rival in line.decided_against]
        assert len(named) == len(set(named)) <= 2
    for line_of, rival in (
        (row, rival) for row in table.rows for line in row.explanation for rival in line.decided_against
    ):
        column = next(i for i, line in enumerate(line_of.explanation) if rival in line.decided_against)
        mine, theirs = line_of.key, table.row(rival).key
        assert mine[:column] == theirs[:column]
        assert mine[column] != theirs[column]


@pytest.mark.thorough
@SOME
@given(events(), specs())
def test_a_better_value_never_ranks_lower(event: Event, spec: Spec) -> None:
    table = full(event, spec)
    first = TIE_BREAKS[table.columns[0]]
    values = [row.key[0] for row in table.rows]
    assert first.direction is Direction.HIGHER
    assert values == sorted(values, reverse=True)  # type: ignore[type-var]  # the first key always has a value


@pytest.mark.thorough
@SOME
@given(events(), specs())
def test_a_table_survives_json(event: Event, spec: Spec) -> None:
    table = full(event, spec)
    assert Table.from_json(table.to_json()) == table


@pytest.mark.thorough
@SOME
@given(events(), specs(), st.data())
def test_the_input_hash_tells_inputs_apart(event: Event, spec: Spec, data: st.DataObject) -> None:
    results, sat_out, adjustments = event
    known = full(event, spec).input_hash
    assert known.startswith("sha256:")
    if results:
        index = data.draw(st.integers(0, len(results) - 1))
        seat = results[index].seats[0]
        other: SeatResult = replace(seat, points=seat.points + 1)
        changed = replace(results[index], seats=(other, *results[index].seats[1:]))
        assert (
            full(([*results[:index], changed, *results[index + 1 :]], sat_out, adjustments), spec).input_hash != known
        )
    assert full(event, replace(spec, lots_seed="other")).input_hash != known
