"""Head to head: the results of those who are tied at the tables at which they met one another.

At two seats this is FIDE's direct encounter (Handbook C.07 article 6), checked against the gacrux library: anyone who
is told apart leaves the group, and the others are looked at again among themselves. Of two teams whose members sit
apart, who made more of the boards of a round wins the meeting.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import cast

from core.standings.ledger import Account, Ledger
from core.standings.model import UnplayedKind
from core.standings.opponents import mean, rivals
from core.standings.settle import HALF, ZERO, Settled
from core.standings.table import Term

Looks = dict[str, tuple[Fraction, ...]]
"""Value of an entry in each look at the group; the first look is at all who are tied."""


@dataclass(frozen=True, slots=True)
class _Met:
    """Score of an entry against the others. met: how many of them it has met at a table."""

    score: Fraction
    met: int


def head_to_head(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Sum up place shares among the tied only; one number per look where it took several.

    If not each has met each: how many of them it stays ahead of, however the missing tables would end. None if
    that is nobody for everybody.
    """
    if len(tied) < 2:
        return None, ()
    looks = _looks_at(tied, ledger)
    if looks is None:
        return None, ()
    own, group = looks[entry], set(looks)
    terms = [
        Term(result.round, result.match, mean(_scores_among(entry, result, group)))
        for result in _tables(entry, group, ledger)
    ]
    return (own[0] if len(own) == 1 else own), tuple(terms)


def _looks_at(tied: Sequence[str], ledger: Ledger) -> Looks | None:
    """Return the looks at a group; worked out once for all its members, who are asked about one after the other."""
    name = ("h2h", tied[0])
    known = cast("tuple[Sequence[str], Looks | None] | None", ledger.memo.get(name))
    # `is`: the fold passes the same list for all of a group, so the entries need not be compared.
    if known is None or known[0] is not tied:
        known = ledger.memo[name] = (tied, _looks(sorted(set(tied)), ledger))
    return known[1]


def _looks(group: Sequence[str], ledger: Ledger) -> Looks | None:
    """Return all looks at a group, as many for each; None if the first says nothing."""
    first = _look(group, ledger)
    if first is None:
        return None
    found: Looks = {entry: (value,) for entry, value in first.items()}
    # Only a group that has become smaller is looked at again: otherwise the same look would repeat for ever.
    parts = [part for part in _parts(first) if 1 < len(part) < len(group)]
    deeper = [looks for part in parts if (looks := _looks(part, ledger)) is not None and _separates(looks)]
    more = max((len(own) for looks in deeper for own in looks.values()), default=0)
    inner = {entry: own for looks in deeper for entry, own in looks.items()}
    return {entry: _padded((*own, *inner.get(entry, ())), 1 + more) for entry, own in found.items()}


def _look(group: Sequence[str], ledger: Ledger) -> dict[str, Fraction] | None:
    """Look once at a group: the scores where each has met each, else how many each is sure to stay ahead of.

    None if the latter is nobody for everybody.
    """
    members = set(group)
    met = {entry: _met(entry, members, ledger) for entry in group}
    others = len(group) - 1
    if all(own.met == others for own in met.values()):
        return {entry: own.score for entry, own in met.items()}
    order = sorted(group, key=lambda entry: (-met[entry].score, met[entry].met - others, entry))
    # The most that each can still reach: every missing table won.
    best = [met[entry].score + others - met[entry].met for entry in order]
    ahead = dict.fromkeys(group, ZERO)
    for at, entry in enumerate(order[:-1]):
        # From here on somebody behind could still catch up, so nobody further down is sure of a place.
        if met[entry].score <= max(best[at + 1 :]):
            break
        ahead[entry] = Fraction(others - at)
    return ahead if any(ahead.values()) else None


def _met(entry: str, group: set[str], ledger: Ledger) -> _Met:
    tables = _tables(entry, group, ledger)
    others = {rival for result in tables for rival, _ in rivals(entry, result) if rival in group}
    return _Met(sum((mean(_scores_among(entry, result, group)) for result in tables), ZERO), len(others))


def _tables(entry: str, group: set[str], ledger: Ledger) -> list[Settled]:
    """Return the tables at which an entry met others of the group."""
    return [result for result in ledger.results(entry) if _scores_among(entry, result, group)]


def _scores_among(entry: str, result: Settled, group: set[str]) -> list[Fraction]:
    """Return 1, 1/2 or 0 against each of the group met at this table; empty if none."""
    return [against for rival, against in rivals(entry, result) if rival in group] if result.is_played_by(entry) else []


def _parts(values: dict[str, Fraction]) -> list[list[str]]:
    ordered = sorted(values, key=lambda entry: (-values[entry], entry))
    return [list(level) for _, level in groupby(ordered, key=lambda entry: values[entry])]


def _separates(looks: Looks) -> bool:
    return len(set(looks.values())) > 1


def _padded(own: tuple[Fraction, ...], length: int) -> tuple[Fraction, ...]:
    return own + (ZERO,) * (length - len(own))


def meetings_won(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Count 1 for every meeting won by board points (place shares of its boards), 1/2 for a level one; byes as given.

    A board that nobody came to is worth what the result says: nothing to who was not there.
    """
    terms = (*_boards_met(entry, ledger), *_byes(entry, ledger))
    ordered = tuple(sorted(terms, key=lambda term: (term.round, term.match)))
    return sum((term.amount for term in ordered), ZERO), ordered


def _boards_met(entry: str, ledger: Ledger) -> Iterator[Term]:
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
    """Yield the byes of a team, which sits out as a whole: one bye, however many boards it has."""
    kinds = {item.round: item.kind for item in ledger.unplayed(entry)}
    worth = {UnplayedKind.BYE: Fraction(ledger.spec.bye.place), UnplayedKind.FULL: Fraction(1), UnplayedKind.HALF: HALF}
    for number, kind in sorted(kinds.items()):
        yield Term(round=number, match="", amount=worth.get(kind, ZERO), note=kind.value)
