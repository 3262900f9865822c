"""The ledger of a stage: results, byes and adjustments of every entry, kept up to date one change at a time.

A `Ledger` after any sequence of changes gives the same table as `fold` of what is left, in any order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, cast

from core.standings import table
from core.standings.figures import (
    Figure,
    adjustment_term,
    best_of,
    bye_term,
    bye_term_of_first,
    first_figures,
    result_term,
    side_amount,
)
from core.standings.model import Adjustment, AdjustmentKind, Basis, MatchResult, Scoring, Spec, Unplayed
from core.standings.settle import ZERO, Settled, SideScore, settle
from core.standings.table import Term, Value

Total = tuple[Fraction, tuple[Term, ...]]
Account = tuple[Value, tuple[Term, ...]]
DECIDER = AdjustmentKind.DECIDER


class Ledger:
    """A mutable ledger. `spec` and the seeds of `entries` are fixed; results, byes and adjustments come and go.

    Cost of a change: the entries it touches (their totals are added up again when next asked for).
    """

    def __init__(self, spec: Spec, entries: Mapping[str, int] | None = None) -> None:
        self.spec = spec
        self.seeds: dict[str, int] = dict(entries or {})
        self._matches: dict[str, MatchResult] = {}
        self._legs: dict[str, dict[str, MatchResult]] = defaultdict(dict)
        self._settled: dict[str, Settled] = {}
        self._by_entry: dict[str, dict[str, Settled]] = defaultdict(dict)
        self._by_round: dict[int, dict[str, Settled]] = defaultdict(dict)
        self._shapes: Counter[tuple[int, int, int] | None] = Counter()
        self._with_totals: set[str] = set()
        self._unplayed: dict[str, dict[tuple[int, int], Unplayed]] = defaultdict(dict)
        self._sitting: dict[int, set[str]] = defaultdict(set)
        self._walkovers: dict[int, Counter[str]] = defaultdict(Counter)
        self._adjustments: dict[str, Adjustment] = {}
        self._adjusted: dict[str, dict[str, Adjustment]] = defaultdict(dict)
        self._lines: dict[tuple[str, str], str] = {}
        self._totals: dict[tuple[str, Figure], Total] = {}
        self.placement: dict[str, int] | None = None
        """Best place an entry can still have by a bracket or by lives; None where the stage has neither."""
        self.memo: dict[tuple[str, str], Any] = {}
        """Values that depend on other entries; forgotten at every change."""

    def copy(self) -> Ledger:
        """Return another ledger that holds the same: a change in one of them leaves the other alone."""
        other = Ledger(self.spec, self.seeds)
        # Dictionaries of dictionaries: both levels are copied, the frozen values in them are shared.
        for name in ("_legs", "_by_entry", "_by_round", "_unplayed", "_sitting", "_walkovers", "_adjusted"):
            copied: defaultdict[Any, Any] = getattr(other, name)
            copied.update({key: value.copy() for key, value in getattr(self, name).items()})
        for name in ("_matches", "_settled", "_shapes", "_adjustments", "_lines", "_totals", "_with_totals", "memo"):
            getattr(other, name).update(getattr(self, name))
        other.set_placement(self.placement)
        return other

    def add(self, result: MatchResult) -> None:
        """Count a confirmed match; a new version of a match already counted replaces it.

        Raises StandingsError "result.*" and is then unchanged, but for the version it should replace.
        """
        # First out, then in: an entry that the new version no longer names must lose what the old one gave it.
        self.remove(result.match)
        result_id = _result_id(result)
        # Settled before anything is written: a bad leg raises here and is not counted.
        new = None if result.extra else self._settle([*self._legs[result_id].values(), result])
        self._matches[result.match] = result
        self._legs[result_id][result.match] = result
        # The text of the input is kept with it, so that the hash of all inputs needs no second pass over the results.
        self._lines["match", result.match] = table.line("match", result)
        self._replace(result_id, new)

    def remove(self, match: str) -> None:
        """Forget a match (void, or about to be replaced); one that is not here is ignored."""
        result = self._matches.pop(match, None)
        if result is not None:
            result_id = _result_id(result)
            del self._legs[result_id][match]
            del self._lines["match", match]
            left = None if result.extra else self._settle(list(self._legs[result_id].values()))
            self._replace(result_id, left)

    def sit_out(self, unplayed: Unplayed) -> None:
        """Note that an entry (or one of its boards) has no table in a round; a second call replaces the first."""
        self._unplayed[unplayed.entry][unplayed.round, unplayed.board] = unplayed
        self._sitting[unplayed.round].add(unplayed.entry)
        name = _bye_key(unplayed.entry, unplayed.round, unplayed.board)
        self._lines["unplayed", name] = table.line("unplayed", unplayed)
        self._forget([unplayed.entry])

    def sit_down(self, entry: str, round_number: int, board: int = 0) -> None:
        """Undo `sit_out`; a round that was not sat out is ignored."""
        if self._unplayed[entry].pop((round_number, board), None) is not None:
            # Another board of the same entry may still sit out.
            if all(number != round_number for number, _board in self._unplayed[entry]):
                self._sitting[round_number].discard(entry)
            del self._lines["unplayed", _bye_key(entry, round_number, board)]
            self._forget([entry])

    def adjust(self, adjustment: Adjustment) -> None:
        """Add a penalty, an award or what is carried in; the same id again replaces it."""
        self.revoke(adjustment.adjustment)
        self._adjustments[adjustment.adjustment] = adjustment
        self._adjusted[adjustment.entry][adjustment.adjustment] = adjustment
        self._lines["adjustment", adjustment.adjustment] = table.line("adjustment", adjustment)
        self._forget([adjustment.entry])

    def revoke(self, adjustment: str) -> None:
        """Undo `adjust`; an id that is not here is ignored."""
        gone = self._adjustments.pop(adjustment, None)
        if gone is not None:
            del self._adjusted[gone.entry][adjustment]
            del self._lines["adjustment", adjustment]
            self._forget([gone.entry])

    def set_unplayed(self, wanted: Iterable[Unplayed]) -> bool:
        """Make these the rounds sat out, and no others. Returns whether they were not."""
        new = {(item.entry, item.round, item.board): item for item in wanted}
        known = (item for rounds in self._unplayed.values() for item in rounds.values())
        old = {(item.entry, item.round, item.board): item for item in known}
        for entry, number, board in old.keys() - new.keys():
            self.sit_down(entry, number, board)
        for key, item in new.items():
            if old.get(key) != item:
                self.sit_out(item)
        return old != new

    def set_adjustments(self, wanted: Iterable[Adjustment]) -> bool:
        """Make these the adjustments, and no others. Returns whether they were not."""
        new = {item.adjustment: item for item in wanted}
        old = dict(self._adjustments)
        for gone in old.keys() - new.keys():
            self.revoke(gone)
        for name, item in new.items():
            if old.get(name) != item:
                self.adjust(item)
        return old != new

    def set_placement(self, placement: Mapping[str, int] | None) -> None:
        """Keep the places that a bracket (or lives) gives: they rank before everything else."""
        self.placement = None if placement is None else dict(placement)

    def matches_of_rounds(self, first: int, last: int) -> list[MatchResult]:
        """Return every match that was added for these rounds, legs of unfinished deal sets too."""
        return [result for result in self._matches.values() if first <= result.round <= last]

    @property
    def entries(self) -> list[str]:
        """Return everybody with a seed, a result, a bye or an adjustment; by seed, then id."""
        named = {entry for entry, results in self._by_entry.items() if results}
        named |= {entry for entry, rounds in self._unplayed.items() if rounds}
        named |= {entry for entry, items in self._adjusted.items() if items}
        # Seeded entries have a row even before they have a result.
        return sorted(named | self.seeds.keys(), key=lambda entry: (self.seed(entry), entry))

    def seed(self, entry: str) -> int:
        """Return the initial seed; entries without one come after all others."""
        return self.seeds.get(entry, max(self.seeds.values(), default=0) + 1)

    def results(self, entry: str) -> list[Settled]:
        """Return what an entry has played, by round, then match."""
        return sorted(self._by_entry.get(entry, {}).values(), key=lambda result: (result.round, result.match))

    def unplayed(self, entry: str) -> list[Unplayed]:
        """Return the rounds an entry sat out, in order."""
        return sorted(self._unplayed.get(entry, {}).values(), key=lambda item: (item.round, item.board))

    def adjustments(self, entry: str) -> list[Adjustment]:
        """Return the adjustments of an entry, by round, then id."""
        own = self._adjusted.get(entry, {}).values()
        return sorted(own, key=lambda item: (item.round or 0, item.adjustment))

    @property
    def waiting(self) -> tuple[str, ...]:
        """Matches that do not count yet: legs of their deal set are missing."""
        open_sets = (legs for result_id, legs in self._legs.items() if result_id not in self._settled)
        return tuple(sorted(match for legs in open_sets for match, result in legs.items() if not result.extra))

    @property
    def rounds(self) -> int:
        """The last round that has a result or a bye."""
        tables = (self._by_round, self._sitting)
        # `if items`: a round whose last result was removed leaves an empty dictionary behind.
        return max((number for book in tables for number, items in book.items() if items), default=0)

    @property
    def most_sides(self) -> int:
        """Return the sides at the largest table."""
        name = ("most sides", "")
        if name not in self.memo:
            self.memo[name] = max((len(result.sides) for result in self._settled.values()), default=2)
        return cast(int, self.memo[name])

    @property
    def basis(self) -> Basis:
        """RAW or ABOVE_MEAN: AUTO turns to ABOVE_MEAN once table sizes or deal counts differ."""
        if self.spec.basis is not Basis.AUTO:
            return self.spec.basis
        return Basis.ABOVE_MEAN if len(self._shapes.keys() - {None}) > 1 else Basis.RAW

    @property
    def counts_results(self) -> bool:
        """Whether victories are those of whole results: the deals of some are not known, so none are counted.

        Of a stage that goes by victories first every result has them, or counts as the one deal that it was.
        """
        if self.spec.edition < 3 or self.spec.scoring is Scoring.ROUND_VICTORY:
            return False
        return bool(self._with_totals)

    def won(self, side: SideScore) -> Fraction:
        """Return the victories of a side as this stage counts them."""
        return side_amount(side, Figure.VICTORIES, as_one_deal=self.counts_results)

    @property
    def input_hash(self) -> str:
        """'sha256:...' of the rules, the seeds and every input; equal for equal inputs in any order."""
        fixed = [table.line("spec", self.spec)]
        fixed += [table.line("entry", (entry, seed)) for entry, seed in self.seeds.items()]
        fixed += [table.line("placed", pair) for pair in (self.placement or {}).items()]
        return table.digest([*fixed, *self._lines.values()])

    def total(self, entry: str, figure: Figure) -> Total:
        """Return one of the four totals with the amounts it is the sum of."""
        known = self._totals.get((entry, figure))
        if known is None:
            terms = (
                *self._of_rounds(entry, figure),
                *(adjustment_term(item, figure) for item in self.adjustments(entry) if item.kind is not DECIDER),
            )
            counted = sum((term.amount for term in terms if term.counted), ZERO)
            known = self._totals[entry, figure] = (counted, terms)
        return known

    def _of_rounds(self, entry: str, figure: Figure) -> Sequence[Term]:
        """Return what results and byes are worth; where only the best of a round count, the others are there
        and cut.
        """
        if not self.spec.best:
            return self._terms(entry, figure)
        ranked = [self._terms(entry, each) for each in first_figures(self.spec.scoring, self.basis)]
        worth = [tuple(term.amount for term in terms) for terms in zip(*ranked, strict=True)]
        return best_of(self.spec.best, self._terms(entry, figure), worth)

    def _terms(self, entry: str, figure: Figure) -> list[Term]:
        return [
            *(self.result_term(result, entry, figure) for result in self.results(entry)),
            *(self._bye_term(item, figure) for item in self.unplayed(entry)),
        ]

    def result_term(self, result: Settled, entry: str, figure: Figure) -> Term:
        """Return what a result adds to a total of an entry that was to sit there."""
        mean = partial(self._mean, result.round)
        side, one = result.side_of(entry), self.counts_results
        return result_term(result, side, figure, mean, self.spec.walkover, as_one_deal=one)

    def _bye_term(self, item: Unplayed, figure: Figure) -> Term:
        if self.spec.edition == 1:
            return bye_term_of_first(item, figure, self.spec.bye, self.round_mean(item.round, Figure.POINTS))
        return bye_term(item, figure, self.spec.bye, partial(self._mean, item.round))

    def round_mean(self, round_number: int, figure: Figure) -> Fraction:
        """Return the mean of a figure over the sides that played in a round; 0 while it has no result."""
        return self._mean(round_number, figure, False)

    def _mean(self, round_number: int, figure: Figure, of_winners: bool) -> Fraction:
        """Return the mean for byes and walk-overs; of all rounds where nobody played in this one."""
        name = (f"mean of {figure} {of_winners}", str(round_number))
        if name not in self.memo:
            sides = self._measures(round_number) or (self._measures() if self.spec.edition > 1 else [])
            one = self.counts_results
            amounts = [
                side_amount(side, figure, as_one_deal=one) for side in sides if side.place == 1 or not of_winners
            ]
            self.memo[name] = sum(amounts, ZERO) / len(amounts) if amounts else ZERO
        return cast(Fraction, self.memo[name])

    def _is_measured(self, round_number: int) -> bool:
        results = self._by_round.get(round_number, {}).values()
        return any(side.is_measure for result in results for side in result.sides)

    def _measures(self, round_number: int | None = None) -> list[SideScore]:
        """Return the sides whose figures tell what a table brings, in a round or in all of them."""
        results = self._settled if round_number is None else self._by_round.get(round_number, {})
        return [side for result in results.values() for side in result.sides if side.is_measure]

    def _settle(self, legs: list[MatchResult]) -> Settled | None:
        """Settle a deal set, None while legs are missing; a bad leg raises even then."""
        new = settle(legs, self.spec) if legs else None
        return new if new and len(legs) >= max(leg.legs for leg in legs) else None

    def _replace(self, result_id: str, new: Settled | None) -> None:
        """Put a settled result in the place of the old one; either may be missing."""
        old, counted_results = self._settled.pop(result_id, None), self.counts_results
        if old is not None:
            self._with_totals.discard(result_id)
            del self._by_round[old.round][result_id]
            # Counter subtraction drops what falls to zero, so `basis` counts only shapes that are there.
            self._shapes -= Counter([old.shape])
            for entry in _entries(old):
                del self._by_entry[entry][result_id]
            if old.is_by_round:
                self._walkovers[old.round] -= Counter(_entries(old))
        if new is not None:
            self._settled[result_id] = self._by_round[new.round][result_id] = new
            if new.is_totals:
                self._with_totals.add(result_id)
            self._shapes[new.shape] += 1
            for entry in _entries(new):
                self._by_entry[entry][result_id] = new
            if new.is_by_round:
                self._walkovers[new.round] += Counter(_entries(new))
        # Which results are the best may depend on the tables of others, by the basis; victories on what all entered.
        if self.spec.best or counted_results is not self.counts_results:
            self._totals.clear()
        for result in (old, new):
            if result is not None:
                self._forget([*_entries(result), *self._leaning_on(result.round)])

    def _leaning_on(self, round_number: int) -> set[str]:
        """Return who has a bye or a walk-over that is worth the mean of this round, or of all as its own has
        no play.
        """
        # A round without play takes the mean of all rounds, so it leans on every change of every round.
        numbers = {number for number in self._sitting.keys() | self._walkovers.keys() if not self._is_measured(number)}
        return {
            entry
            for number in numbers | {round_number}
            for entry in (*self._sitting.get(number, ()), *self._walkovers.get(number, ()))
        }

    def _forget(self, entries: Iterable[str]) -> None:
        # Everything in it may depend on opponents, and theirs on their opponents: all of it goes, it is quickly made
        # again.
        self.memo.clear()
        for entry in entries:
            for figure in Figure:
                self._totals.pop((entry, figure), None)


def _bye_key(entry: str, round_number: int, board: int) -> str:
    """Return the name of a round sat out."""
    return f"{round_number} {entry}" + (f" {board}" if board else "")


def _result_id(result: MatchResult) -> str:
    return f"set {result.deal_set}" if result.deal_set else f"match {result.match}"


def _entries(result: Settled) -> list[str]:
    return [entry for side in result.sides for entry in side.entries]
