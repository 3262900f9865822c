"""Standings of a copy: folded again from its rows, as they were folded where it was played, and compared.

Lots and hashes are made of ids, so the fold gets the ids of the original; the rows get those of the copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec

from core.formats.pools import Course
from core.interchange.documents import event as doc
from core.interchange.documents.copies import ids_of_stage, other, translate
from core.interchange.errors import InterchangeError, refusal
from core.interchange.progress import ends_of
from core.standings.fold import fold as fold_table
from core.standings.model import MatchResult
from core.standings.table import Table, value_to_json
from engine.errors import DomainError
from tournaments.interchange.imports.rows import BROKEN
from tournaments.matches.records.results import spec_for
from tournaments.models import Adjustment, Stage, StageEntry, Standing
from tournaments.pairing import inputs, plans
from tournaments.ratings.ladders import ladder
from tournaments.standings import ledger_cache

T = TypeVar("T")
Names = Mapping[str, str]
CHUNK: Final = 500


def fold(stage: Stage, document: doc.Stage, *, where: str) -> None:
    """Fold every table that the file has and write it. Raises InterchangeError "event.standings".

    document: the stage with the ids of the original.
    """
    mask = stage.tournament.copy_mask
    if stage.format.ranks_by_rating:
        _fold_ladder(stage, _translated(document.standings, list(ids_of_stage(document)), mask), where)
        return
    names = {str(other(uuid, mask)): str(uuid) for uuid in ids_of_stage(document)}
    for at, table in enumerate(document.standings):
        here = f"{where}.standings[{at}]"
        if table.after_round not in {inputs.NOW, *inputs.complete_rounds(stage)}:
            raise _differs(here, "that round is not complete")
        try:
            folded = _folded(stage, table.after_round, names, _keys(stage, document))
        except BROKEN as wrong:
            raise _differs(here, str(wrong) if isinstance(wrong, DomainError) else "it cannot be folded") from wrong
        _compare(folded, table, here)
    own = _translated(document.standings, list(ids_of_stage(document)), mask)
    Standing.objects.bulk_create(_rows(stage, own), batch_size=CHUNK)


def _fold_ladder(stage: Stage, document: list[doc.Table], where: str) -> None:
    """Fold a ladder as it is here: ratings know no ids."""
    try:
        ladder.fold(stage, everything=True)
    except BROKEN as wrong:
        raise _differs(where, "it cannot be folded") from wrong
    rows = (
        Standing.objects.filter(stage=stage)
        .order_by("row")
        .values_list("entry__uuid", "rank", "row", "key", "explanation", "input_hash")
    )
    computed = [
        (row.entry, row.rank, row.row, row.key, row.explanation, table.input_hash)
        for table in document
        for row in table.rows
    ]
    if len(document) > 1 or (document and list(rows) != computed):
        raise _differs(f"{where}.standings", "its ratings are others")
    # A file without tables: the copy has none either, or its export would not be the file again.
    if not document:
        Standing.objects.filter(stage=stage).delete()


def _differs(where: str, why: str) -> InterchangeError:
    message = "At %(where)s the standings do not follow from the results: %(why)s."
    return refusal("event.standings", message, where=where, why=why[:200])


def _keys(stage: Stage, document: doc.Stage) -> dict[str, str]:
    """Return the names of adjustments, here and where they were made."""
    own = StageEntry.objects.filter(stage=stage).order_by("pk").values_list("pk", flat=True)
    given = Adjustment.objects.filter(stage_entry__stage=stage).order_by("pk").values_list("pk", flat=True)
    named = [each.id for item in document.entries for each in item.adjustments]
    # By their order, which the file keeps: keys differ from one installation to the next.
    keys = {f"carry {pk}": f"carry {item.id}" for pk, item in zip(own, document.entries, strict=True)}
    return keys | {str(pk): name for pk, name in zip(given, named, strict=True)}


def _folded(stage: Stage, after_round: int, names: Names, keys: Mapping[str, str]) -> Table:
    """Fold as `standings.store.fold_stage` does, with the ids of the original."""
    found = [each for each in ledger_cache.results_of(stage) if after_round == inputs.NOW or each.round <= after_round]
    given = [_renamed(each, names) for each in inputs.adjustments(stage, after_round)]
    results = [_renamed(each, names) for each in found]
    return fold_table(
        results,
        [replace(each, adjustment=keys[each.adjustment]) for each in given],
        _renamed(spec_for(stage), names),
        entries={names[entry]: seed for entry, seed in inputs.seeds_of(stage).items()},
        unplayed=[_renamed(each, names) for each in inputs.byes(stage, after_round)],
        placement=_placement(stage, after_round, names, results),
        pools=_renamed(plans.pools_of(stage), names),
    )


def _placement(stage: Stage, after_round: int, names: Names, results: list[MatchResult]) -> dict[str, int] | None:
    """Return the places as `pairing.plans.placement` does, with the ids of the original."""
    history = _renamed(plans.history_of(stage, after_round), names)
    if not stage.format.ranks_by_bracket or not history:
        return None
    entrants = _renamed(plans.entrants_of(stage, {}, after_round), names)
    pools, constraints = _renamed(plans.pools_of(stage), names), _renamed(plans.constraints_of(stage), names)
    finished = tuple(ends_of(history, results, spec_for(stage)))
    return plans.placed(stage, Course(entrants, history, finished, pools, constraints, plans.unfinished_tables(stage)))


def _renamed(value: T, names: Names) -> T:
    """Return the same plain values with the ids of the original."""
    renamed: Any = value
    if isinstance(value, str):
        renamed = names.get(value, value)
    elif isinstance(value, tuple):
        renamed = tuple(_renamed(each, names) for each in value)
    elif is_dataclass(value) and not isinstance(value, type):
        renamed = replace(value, **{each.name: _renamed(getattr(value, each.name), names) for each in fields(value)})
    result: T = renamed
    return result


def _compare(folded: Table, document: doc.Table, where: str) -> None:
    if folded.input_hash.removeprefix("sha256:") != document.input_hash:
        raise _differs(where, "they were folded from something else")
    if len(folded.rows) != len(document.rows):
        raise _differs(where, f"there are {len(folded.rows)} entries")
    for number, (row, claimed) in enumerate(zip(folded.rows, document.rows, strict=True), 1):
        key = [value_to_json(value) for value in row.key]
        computed = (row.entry, row.rank, number, key, row.to_json()["explanation"])
        if computed != (str(claimed.entry), claimed.rank, claimed.row, claimed.key, claimed.explanation):
            raise _differs(f"{where}.rows[{number - 1}]", f"rank {row.rank} is of {row.entry}")


def _translated(tables: list[doc.Table], ids: list[UUID], mask: UUID | None) -> list[doc.Table]:
    """Return the tables with the ids of the copy in all they say."""
    data = msgspec.json.encode(tables)
    return msgspec.json.decode(translate(data, ids, mask) if mask else data, type=list[doc.Table])


def _rows(stage: Stage, tables: list[doc.Table]) -> Iterator[Standing]:
    entries = dict(StageEntry.objects.filter(stage=stage).values_list("entry__uuid", "entry"))
    for table in tables:
        for row in table.rows:
            yield Standing(
                stage=stage,
                after_round=table.after_round,
                entry_id=entries[row.entry],
                rank=row.rank,
                row=row.row,
                key=row.key,
                explanation=row.explanation,
                input_hash=table.input_hash,
            )
