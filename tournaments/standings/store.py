"""Standings from confirmed results: the same rows from the same results, whenever and however often it is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils import timezone

from core.standings.fold import fold
from core.standings.model import MatchResult
from core.standings.table import Row, Table, value_to_json
from tournaments.matches.records.results import spec_for
from tournaments.models import Stage, StageEntry, Standing
from tournaments.pairing import inputs, plans
from tournaments.ratings.ladders import ladder
from tournaments.standings import sequential_test
from tournaments.standings.ledger_cache import Book, results_of

NOW: Final = inputs.NOW
COMPLETE: Final = inputs.COMPLETE


def fold_stage(stage: Stage, after_round: int = NOW, *, results: Sequence[MatchResult] | None = None) -> Table:
    """The table of a stage now, or as it was after a round, from everything: pure in what is stored.

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
    """The table as rows, not saved."""
    return _rows(stage, after_round, table, list(enumerate(table.rows, 1)))


def _rows(stage: Stage, after_round: int, table: Table, numbered: Sequence[tuple[int, Row]]) -> list[Standing]:
    wanted = [row.entry for _number, row in numbered]
    entries = StageEntry.objects.filter(stage=stage, entry__uuid__in=wanted).values_list("entry__uuid", "entry")
    ids = {str(uuid): entry for uuid, entry in entries}
    return [
        Standing(
            stage=stage,
            after_round=after_round,
            entry_id=ids[row.entry],
            rank=row.rank,
            row=number,
            key=[value_to_json(value) for value in row.key],
            explanation=row.to_json()["explanation"],
            input_hash=_hash(table),
        )
        for number, row in numbered
    ]


def _hash(table: Table) -> str:
    return table.input_hash.removeprefix("sha256:")


def store(stage: Stage, after_round: int, table: Table) -> bool:
    """Replace the stored rows if anything they are folded from has changed. Returns whether it had.

    Needs the event's lock: two folds at once would write each row twice.
    """
    known = _stored(stage, after_round)
    if known == (len(table.rows), {_hash(table)}):
        return False
    if known[0]:
        Standing.objects.filter(stage=stage, after_round=after_round).delete()
    Standing.objects.bulk_create(rows_of(stage, after_round, table))
    return True


def store_changes(stage: Stage, table: Table, book: Book) -> bool:
    """Bring the rows of the table as it is now up to date, writing only those that differ. Returns whether any did.

    The rows must be the ones this process stored last; otherwise all are replaced. Needs the event's lock.
    """
    shown, book.shown = book.shown, table
    return _store_over(stage, NOW, shown, table)


def store_past(stage: Stage, after_round: int, table: Table, book: Book) -> bool:
    """The same of the table after a round."""
    return _store_over(stage, after_round, book.keep(after_round, table), table)


def _store_over(stage: Stage, after_round: int, shown: Table | None, table: Table) -> bool:
    if shown is None or _stored(stage, after_round) != (len(shown.rows), {_hash(shown)}):
        return store(stage, after_round, table)
    if shown.input_hash == table.input_hash:
        return False
    before = {row.entry: (number, row) for number, row in enumerate(shown.rows, 1)}
    changed = [(number, row) for number, row in enumerate(table.rows, 1) if before.get(row.entry) != (number, row)]
    stored = Standing.objects.filter(stage=stage, after_round=after_round)
    stored.filter(entry__uuid__in=[row.entry for _number, row in changed]).delete()
    stored.update(input_hash=_hash(table), folded_at=timezone.now())
    Standing.objects.bulk_create(_rows(stage, after_round, table, changed))
    return True


def _stored(stage: Stage, after_round: int) -> tuple[int, set[str]]:
    """How many rows are stored, and from what."""
    hashes = Standing.objects.filter(stage=stage, after_round=after_round).values_list("input_hash", flat=True)
    found = list(hashes)
    return len(found), set(found)


def differences(stage: Stage) -> list[str]:
    """What the stored rows say otherwise than a fold of everything now: empty when all is well."""
    if stage.format.ranks_by_rating:
        return ladder.differences(stage)
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
