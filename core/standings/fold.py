"""The fold: confirmed results, byes and adjustments in, an ordered and explained table out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise

from core.standings.ledger import Account, Ledger
from core.standings.model import Adjustment, MatchResult, Spec, Unplayed, UnplayedKind
from core.standings.opponents import keys_of
from core.standings.table import Line, Row, Table, Value
from core.standings.tiebreaks import Direction, TieBreak, tie_break

Accounts = dict[str, list[Account]]


def fold(
    results: Iterable[MatchResult],
    adjustments: Iterable[Adjustment],
    spec: Spec,
    *,
    entries: Mapping[str, int] | None = None,
    unplayed: Iterable[Unplayed] = (),
    placement: Mapping[str, int] | None = None,
    pools: Sequence[Sequence[str]] = (),
) -> Table:
    """Fold the standings of a stage. Pure; the order of the inputs changes nothing.

    results: confirmed matches, raw. entries: initial seed by entry, so that those without a result have a row.
    unplayed: rounds in which an entry sits at no table. placement: best place still possible by a bracket or by lives,
    which ranks first. pools: as of `table_of`. Raises StandingsError "result.*" or "spec.*".
    """
    ledger = Ledger(spec, entries)
    for result in results:
        ledger.add(result)
    for adjustment in adjustments:
        ledger.adjust(adjustment)
    for item in unplayed:
        ledger.sit_out(item)
    ledger.set_placement(placement)
    return table_of(ledger, pools)


def columns_of(ledger: Ledger) -> tuple[str, ...]:
    """Return tie-break ids in order of comparison, each once. Raises StandingsError "spec.tie_break"."""
    wanted = (*keys_of(ledger), *ledger.spec.tie_breaks)
    return tuple(tie_break(tie_break_id).id for tie_break_id in dict.fromkeys(wanted))


def table_of(ledger: Ledger, pools: Sequence[Sequence[str]] = ()) -> Table:
    """Return the table of what is in the ledger now.

    pools: groups that are ranked each for itself; their rows follow each other in this order, each from rank 1.
    """
    columns = columns_of(ledger)
    parts = [_rows_of(ledger, columns, members) for members in pools] if pools else [_rows_of(ledger, columns)]
    rows = tuple(row for part in parts for row in part)
    return Table(columns, ledger.basis, rows, ledger.input_hash, ledger.waiting)


def _rows_of(ledger: Ledger, columns: Sequence[str], members: Sequence[str] | None = None) -> list[Row]:
    """Return the rows of everybody in the ledger, or of these among each other."""
    wanted = None if members is None else set(members)
    accounts: Accounts = {entry: [] for entry in ledger.entries if wanted is None or entry in wanted}
    groups = _order(ledger, [tie_break(column) for column in columns], accounts)
    deciders = _deciders(groups, accounts)
    rows: list[Row] = []
    for group in groups:
        # Level entries share the rank of the first of them: 1, 1, 3.
        rank = len(rows) + 1
        rows += [_row(rank, entry, columns, accounts[entry], deciders.get(entry, {}), ledger) for entry in group]
    return rows


def _order(ledger: Ledger, keys: Sequence[TieBreak], accounts: Accounts) -> list[list[str]]:
    """Order entries into groups of level ones, best first; fill in `accounts` on the way.

    Each key splits the groups that the keys before it left, because some (`h2h`) look at who is still tied.
    """
    # In the ledger's order, by seed and id: entries that no key separates stay in it.
    groups = [list(accounts)] if accounts else []
    for key in keys:
        split: list[list[str]] = []
        for group in groups:
            for entry in group:
                accounts[entry].append(key.compute(entry, group, ledger))
            split += _split(group, accounts, key.direction)
        groups = split
    return groups


def _split(group: list[str], accounts: Accounts, direction: Direction) -> list[list[str]]:
    """Split a group by its latest values, best first; level entries keep their order."""

    def value(entry: str) -> tuple[bool, Value]:
        latest = accounts[entry][-1][0]
        # None does not apply and decides nothing among those who have it, but ranks behind every value.
        return (latest is not None, 0 if latest is None else latest)  # type: ignore[return-value]  # one key, one kind

    ordered = sorted(group, key=value, reverse=direction is Direction.HIGHER)
    return [list(level) for _, level in groupby(ordered, key=value)]


def _deciders(groups: list[list[str]], accounts: Accounts) -> dict[str, dict[int, list[str]]]:
    """Return for each entry: column index -> neighbours from whom that column separates it."""
    found: dict[str, dict[int, list[str]]] = {}
    for above, below in pairwise(groups):
        # Any two will do: within a group all values are equal, and one column separates the two groups.
        first, second = above[-1], below[0]
        level = next(
            index
            for index, (one, other) in enumerate(zip(accounts[first], accounts[second], strict=True))
            if one[0] != other[0]
        )
        for group, neighbour in ((above, second), (below, first)):
            for entry in group:
                found.setdefault(entry, {}).setdefault(level, []).append(neighbour)
    return found


def _row(
    rank: int,
    entry: str,
    columns: Sequence[str],
    accounts: Sequence[Account],
    deciders: Mapping[int, Sequence[str]],
    ledger: Ledger,
) -> Row:
    lines = tuple(
        Line(column, value, terms, tuple(deciders.get(index, ())))
        for index, (column, (value, terms)) in enumerate(zip(columns, accounts, strict=True))
    )
    return Row(
        rank=rank,
        entry=entry,
        explanation=lines,
        played=sum(result.is_played_by(entry) for result in ledger.results(entry)),
        byes=sum(item.kind is UnplayedKind.BYE for item in ledger.unplayed(entry)),
    )
