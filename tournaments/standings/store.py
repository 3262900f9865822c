"""Standings from confirmed results: the same rows from the same results, however often they are calculated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q
from django.utils import timezone

from core.standings.fold import fold
from core.standings.model import MatchResult
from core.standings.table import Row, Table, value_to_json
from tournaments.matches.records.results import spec_for
from tournaments.models import Stage, StageEntry, Standing
from tournaments.pairing import inputs, plans
from tournaments.ratings.ladders import ladder
from tournaments.standings import sequential_test
from tournaments.standings.ledger_cache import LedgerCache, results_of

NOW: Final = inputs.NOW
COMPLETE: Final = inputs.COMPLETE


def fold_stage(stage: Stage, after_round: int = NOW, *, results: Sequence[MatchResult] | None = None) -> Table:
    """Fold the table of a stage now, or as it was after a round, from everything: pure in what is stored.

    results: of the stage, if they are at hand.
    """
    everything = results_of(stage) if results is None else results
    found = [result for result in everything if after_round == NOW or result.round <= after_round]
    return fold(
        found,
        inputs.adjustments(stage, after_round),
        spec_for(stage),
        entries=inputs.seeds_of(stage),
        unplayed=inputs.byes(stage, after_round),
        placement=plans.placement(stage, found, after_round),
        pools=plans.pools_of(stage),
    )


def rows_of(stage: Stage, after_round: int, table: Table) -> list[Standing]:
    """Return the table as rows, not saved."""
    return _rows(stage, [_Change(after_round, table, list(enumerate(table.rows, 1)))])


@dataclass(frozen=True, slots=True)
class _Change:
    """Rows of one table that are to be written, by number.

    over: true if the stored rows that stay have this table, too.
    """

    after_round: int
    table: Table
    numbered: list[tuple[int, Row]]
    over: bool = False


def _rows(stage: Stage, changes: Sequence[_Change]) -> list[Standing]:
    ids = _entries(stage, changes)
    return [
        Standing(
            stage=stage,
            after_round=change.after_round,
            entry_id=ids[row.entry],
            rank=row.rank,
            row=number,
            key=[value_to_json(value) for value in row.key],
            explanation=row.to_json()["explanation"],
            input_hash=_hash(change.table),
        )
        for change in changes
        for number, row in change.numbered
    ]


def _entries(stage: Stage, changes: Sequence[_Change]) -> dict[str, int]:
    wanted = {row.entry for change in changes for _number, row in change.numbered}
    entries = StageEntry.objects.filter(stage=stage, entry__uuid__in=wanted).values_list("entry__uuid", "entry")
    return {str(uuid): entry for uuid, entry in entries}


def _hash(table: Table) -> str:
    return table.input_hash.removeprefix("sha256:")


def store_tables(stage: Stage, tables: Mapping[int, Table], ledgers: LedgerCache) -> bool:
    """Bring the rows of tables up to date, by the round after which each stood. Returns whether any row differed.

    Only rows that differ are written where the stored ones are those that this process stored last; otherwise all of a
    table. All tables together take as many statements as one, for a database may be far away. Needs the event's lock:
    two folds at once would write each row twice.
    """
    before = {number: ledgers.replace_shown(number, table) for number, table in tables.items()}
    stored = _stored(stage, tables)
    found = [_change(number, table, before[number], stored[number]) for number, table in tables.items()]
    changes = [change for change in found if change is not None]
    if changes:
        _write(stage, changes)
    return bool(changes)


def _change(after_round: int, table: Table, shown: Table | None, stored: tuple[int, set[str]]) -> _Change | None:
    """Return what has to be written of a table. shown: the rows that this process stored last."""
    numbered = list(enumerate(table.rows, 1))
    # The hash is of the inputs, and the table follows from them: equal hashes are equal rows.
    if stored == (len(table.rows), {_hash(table)}):
        return None
    # Somebody else has stored since, or rows were lost: no difference can be trusted, so all of the table is written.
    if shown is None or stored != (len(shown.rows), {_hash(shown)}):
        return _Change(after_round, table, numbered)
    before = {row.entry: (number, row) for number, row in enumerate(shown.rows, 1)}
    changed = [(number, row) for number, row in numbered if before.get(row.entry) != (number, row)]
    return _Change(after_round, table, changed, over=True)


def _write(stage: Stage, changes: Sequence[_Change]) -> None:
    # Deleted and inserted again, in two statements for any number of rows.
    rows = _rows(stage, changes)
    stored = Standing.objects.filter(stage=stage)
    gone = Q(after_round__in=[change.after_round for change in changes if not change.over])
    for change in changes:
        if change.over:
            mine = [row.entry_id for row in rows if row.after_round == change.after_round]
            gone |= Q(after_round=change.after_round, entry__in=mine)
    stored.filter(gone).delete()
    # Rows that stay get the new hash, or the next fold would take the table for an old one.
    for change in changes:
        if change.over:
            own = stored.filter(after_round=change.after_round)
            own.update(input_hash=_hash(change.table), folded_at=timezone.now())
    Standing.objects.bulk_create(rows)


def _stored(stage: Stage, rounds: Iterable[int]) -> dict[int, tuple[int, set[str]]]:
    """Return, by round, how many rows are stored, and from what."""
    rows = Standing.objects.filter(stage=stage, after_round__in=rounds).order_by()
    found: dict[int, tuple[int, set[str]]] = {number: (0, set()) for number in rounds}
    for number, input_hash, n in rows.values_list("after_round", "input_hash").annotate(n=Count("pk")):
        total, hashes = found[number]
        found[number] = (total + n, hashes | {input_hash})
    return found


def differences(stage: Stage) -> list[str]:
    """Describe where the stored rows differ from a fold of everything now: empty when all is well."""
    if stage.format.ranks_by_rating:
        return ladder.differences(stage)
    if stage.format.stands_alone:
        return []
    if stage.format.is_experiment:
        return sequential_test.differences(stage)
    found = []
    results = results_of(stage)
    rounds = sorted(set(Standing.objects.filter(stage=stage).values_list("after_round", flat=True)) | {NOW})
    for after_round in rounds:
        wanted = [_figures(row) for row in rows_of(stage, after_round, fold_stage(stage, after_round, results=results))]
        stored = Standing.objects.filter(stage=stage, after_round=after_round).order_by("row")
        if wanted != [_figures(row) for row in stored]:
            found.append(f"{stage.tournament.slug}, {stage}, after round {after_round or 'now'}")
    return found


def _figures(row: Standing) -> tuple[object, ...]:
    return (row.row, row.rank, row.entry_id, row.key, row.explanation, row.input_hash)
