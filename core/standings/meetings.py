"""Meetings of two teams whose members sit apart: who made more of the boards of a round wins the meeting."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction

from core.standings.ledger import Account, Ledger
from core.standings.model import UnplayedKind
from core.standings.settle import HALF, ZERO, Settled
from core.standings.table import Term


def meetings_won(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """1 for every meeting won by board points (place shares of its boards), 1/2 for a level one; a bye by its policy.

    A board that nobody came to is worth what the result says: nothing to who was not there.
    """
    terms = (*_met(entry, ledger), *_byes(entry, ledger))
    ordered = tuple(sorted(terms, key=lambda term: (term.round, term.match)))
    return sum((term.amount for term in ordered), ZERO), ordered


def _met(entry: str, ledger: Ledger) -> Iterator[Term]:
    met: dict[tuple[int, tuple[str, ...]], list[Settled]] = defaultdict(list)
    for result in ledger.results(entry):
        met[result.round, tuple(sorted(each for side in result.sides for each in side.entries))].append(result)
    for (number, _both), results in sorted(met.items()):
        own = sum((result.side_of(entry).share for result in results), ZERO)
        every = sum((side.share for result in results for side in result.sides), ZERO)
        sides = max(len(result.sides) for result in results)
        mean = (every - own) / (sides - 1)
        amount = HALF if own == mean else Fraction(own > mean)
        if not every:
            amount = ZERO  # nobody came at all
        note = "" if any(result.is_played for result in results) else "unplayed"
        yield Term(round=number, match=results[0].match, amount=amount, note=note)


def _byes(entry: str, ledger: Ledger) -> Iterator[Term]:
    """A team sits out as a whole: one bye, however many boards it has."""
    kinds = {item.round: item.kind for item in ledger.unplayed(entry)}
    worth = {UnplayedKind.BYE: Fraction(ledger.spec.bye.place), UnplayedKind.FULL: Fraction(1), UnplayedKind.HALF: HALF}
    for number, kind in sorted(kinds.items()):
        yield Term(round=number, match="", amount=worth.get(kind, ZERO), note=kind.value)
