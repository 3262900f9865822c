"""Crosstable of meetings: at two seats the classic one, at n seats how often each finished above the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from core.standings.ledger import Ledger
from core.standings.model import MatchResult, Spec
from core.standings.settle import Settled


@dataclass(frozen=True, slots=True)
class Cell:
    """One entry (row) against another (column), over all results in which both sat on different sides.

    above, level, below: how often the row's entry finished so; points, victories: (own, theirs) summed over those
    results. matches: ids of the results, in order.
    """

    above: int = 0
    level: int = 0
    below: int = 0
    points: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    victories: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    matches: tuple[str, ...] = ()

    @property
    def met(self) -> int:
        """Return how many results there are."""
        return self.above + self.level + self.below

    @property
    def share(self) -> Fraction:
        """Sum up 1 for finishing above and half for level: at two seats the score of the encounter."""
        return self.above + Fraction(self.level, 2)


@dataclass(frozen=True, slots=True)
class Crosstable:
    """A crosstable. entries: those seen, sorted by name (order them by rank to show). cells: only pairs that met."""

    entries: tuple[str, ...]
    cells: dict[tuple[str, str], Cell]

    def cell(self, row: str, column: str) -> Cell:
        """Return the cell of a pair; an empty one if it never met."""
        return self.cells.get((row, column), Cell())


def crosstable(results: Iterable[MatchResult], spec: Spec | None = None) -> Crosstable:
    """Tabulate every pair that met. Legs of a deal set are one result; unfinished deal sets are left out."""
    ledger = Ledger(spec or Spec())
    for result in results:
        ledger.add(result)
    cells: dict[tuple[str, str], Cell] = {}
    for entry in ledger.entries:
        for settled in ledger.results(entry):
            _count(cells, entry, settled)
    return Crosstable(tuple(sorted(ledger.entries)), cells)


def _count(cells: dict[tuple[str, str], Cell], entry: str, result: Settled) -> None:
    """Add one result to the row of one entry."""
    own = result.side_of(entry)
    for side in result.sides:
        for rival in side.entries if side is not own else ():
            old = cells.get((entry, rival), Cell())
            cells[entry, rival] = Cell(
                above=old.above + (own.place < side.place),
                level=old.level + (own.place == side.place),
                below=old.below + (own.place > side.place),
                points=(old.points[0] + own.points, old.points[1] + side.points),
                victories=(old.victories[0] + own.victories, old.victories[1] + side.victories),
                matches=(*old.matches, result.match),
            )
