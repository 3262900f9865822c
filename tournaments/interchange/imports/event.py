"""Import of an event: read, checked, proven, written, folded again, and compared with the file once more.

A finished event becomes a copy in the archive, unlisted, which is never played on and never rated. (Of any other
`interchange.imports.actions` makes a draft of the same set-up.) Nothing that is there is touched, and either all is
written or nothing.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import msgspec
from django.db import transaction

from accounts.models import User
from accounts.transactions import allow_long_pauses
from activity.journal import audit, publish
from bots.models import Blob
from bots.runner.spec import BOUNDS, CLOCKS, CUSTOM
from core.interchange.documents import check, copies, proof, read
from core.interchange.documents import event as doc
from core.interchange.documents.copies import ids_of, mask_from, translate
from core.interchange.errors import InterchangeError, refusal
from tournaments.domain_events.tournaments import TournamentImported
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import rows as import_rows
from tournaments.interchange.imports import standings
from tournaments.lifecycle.transitions import label
from tournaments.models import Role, Tournament

MASK_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of a file. bytes: unpacked; moves: of all records; rows: of all tables; values: of all."""

    bytes: int = read.MAX_BYTES
    moves: int = proof.MAX_MOVES
    rows: int = 10_000_000
    values: int = read.MAX_VALUES


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that can be imported. records: how many were played again. sha256: of the file's canonical bytes."""

    event: doc.Event
    is_over: bool
    records: int
    sha256: str

    @property
    def entries(self) -> int:
        """Number of entries."""
        return len(self.event.entries)

    @property
    def stages(self) -> int:
        """Number of stages."""
        return len(self.event.stages)

    @property
    def rounds(self) -> int:
        """Number of rounds that were drawn."""
        return sum(len(stage.rounds) for stage in self.event.stages)

    @property
    def matches(self) -> int:
        """Number of matches."""
        return sum(len(stage.matches) for stage in self.event.stages)


def _is_clock(clock: doc.Clock) -> bool:
    """Return whether a stage of bots can have this clock: one of the service's by name, or figures of its own."""
    figures = clock.figures
    is_whole = not figures or (set(figures) == set(BOUNDS) and all(type(each) is int for each in figures.values()))
    return is_whole and (clock.name in CLOCKS or (clock.name == CUSTOM and bool(figures)))


def validate_event(data: bytes, bounds: Bounds | None = None) -> CheckedFile:
    """Read and check a file, everything that needs no row. Raises InterchangeError "event.*" (extra: where)."""
    bounds = bounds or Bounds()
    event = read.read(data, most=bounds.bytes, values=bounds.values)
    check.check(event, is_clock=_is_clock)
    is_over = check.is_over(event)
    for where in check.unfinished(event) if is_over else ():
        message = "At %(where)s something is unfinished, although the event is finished. Export it again."
        raise refusal("event.unfinished", message, where=where)
    # Counted before anything is proven: tables cost time that the size of the file does not show.
    rows = sum(len(stage.standings) * len(stage.entries) for stage in event.stages)
    if rows > bounds.rows:
        message = "The event has more tables than we can calculate here. Import it with `manage.py import_event`."
        raise refusal("event.too_many", message, where="stages", most=bounds.rows)
    records = proof.prove(event, most_moves=bounds.moves)
    return CheckedFile(event, is_over, records, hashlib.sha256(doc.encode(event)).hexdigest())


@transaction.atomic
def write(checked: CheckedFile, *, by: User, slug: str) -> Tournament:
    """Write the copy of an event that is over.

    Raises InterchangeError "event.unfinished", "event.result", "event.standings", "event.not_kept".
    """
    if not checked.is_over:
        raise refusal("event.unfinished", "Only what is over can be kept as a copy.", where="tournament.state")
    # Folding every stage again may take minutes, between two statements of this transaction.
    allow_long_pauses()
    row = _copy(checked, by, slug)
    Role.objects.create(user=by, tournament=row, role=Role.Kind.OWNER)
    after = {"state": row.state, "file": checked.sha256}
    audit(TournamentImported, label(row), actor=by, channel=row.channel, after=after)
    publish(TournamentImported(row.channel))
    return row


def _copy(checked: CheckedFile, by: User, slug: str) -> Tournament:
    """Write the rows of an event that is over, with ids of their own."""
    # Random: the same file imported twice makes two copies whose ids do not meet.
    mask = mask_from(os.urandom(MASK_BYTES))
    carried = Blob.objects.put(copies.taken(checked.event))
    mark = {"copy_mask": mask, "copy_carried": carried}
    row = import_rows.write(_translated(checked.event, mask), checked.event, by=by, slug=slug, mark=mark)
    stages = row.stages.select_related("tournament", "ruleset").order_by("pk")
    for at, (stage, document) in enumerate(zip(stages, checked.event.stages, strict=True)):
        standings.fold(stage, document, where=f"stages[{at}]")
    row.refresh_from_db()
    try:
        stored = event_json(row)
    except InterchangeError:  # a list of another length
        stored = b""
    _compare(doc.encode(checked.event), stored)
    return row


def _translated(event: doc.Event, mask: UUID) -> doc.Event:
    """Return the event with the ids of the copy; records, which prove something with their own ids, are left out."""
    stages = (*event.stages, *event.called_off)
    reports = [each for stage in stages for match in stage.matches for each in match.reports]
    records = [report.record for report in reports]
    # Taken out for a moment and put back in any case: the caller goes on with the same objects.
    try:
        for report in reports:
            report.record = None
        data = doc.encode(event)
    finally:
        for report, record in zip(reports, records, strict=True):
            report.record = record
    return msgspec.json.decode(translate(data, ids_of(event), mask), type=doc.Event)


def _compare(original: bytes, stored: bytes) -> None:
    """Check that what was written gives the same document again."""
    if original != stored:
        at = next(place for place, (one, other) in enumerate(zip(original + b"\0", stored + b"\1")) if one != other)
        where = original[max(0, at - 60) : at + 20].decode("utf-8", "replace")
        message = "The file holds something that a copy would not keep, near “%(where)s”. Nothing was written."
        raise refusal("event.not_kept", message, where=where)
