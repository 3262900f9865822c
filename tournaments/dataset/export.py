"""Making the files of a dataset: those that are missing or out of date, one day after another.

What is done is never done twice, and a process that dies in the middle leaves whole files: a day is written beside its
place, renamed, and counts once the list names it (`catalogue`).
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

import structlog

from core.errors import TournamentError
from engine.data import hash_of, pyarrow, write
from engine.data_rows import Row, rows_of
from engine.errors import BadRecord
from tournaments.dataset import catalogue, croissant, days
from tournaments.dataset.catalogue import DayFile
from tournaments.models import ResultReport

BATCH_SIZE: Final = 100
"""Records that are in memory at once."""
LOCK: Final = ".lock"
log = structlog.get_logger(__name__)


class Interrupted(Exception):  # not an error: what was asked for
    """The process was asked to end in the middle of a day."""


@dataclass(slots=True)
class Exported:
    """What an export did: days that were written and removed, and how many are published now."""

    written: list[DayFile] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    published: int = 0


@dataclass(slots=True)
class _Counts:
    matches: int = 0
    skipped: int = 0


def _always() -> bool:
    return True


def export(place: Path, *, may_go_on: Callable[[], bool] = _always) -> Exported:
    """Bring the files of a folder up to date with the database.

    may_go_on: asked before every match; once it says no, what is whole stays and the rest is left to the next run.
    Raises BadData `data.pyarrow`, and TournamentError `dataset.busy` while another process does the same.
    """
    pyarrow()
    place.mkdir(parents=True, exist_ok=True)
    with _alone(place):
        for part in place.glob(".*.part"):
            part.unlink()
        return _bring_up_to_date(place, may_go_on)


def _bring_up_to_date(place: Path, may_go_on: Callable[[], bool]) -> Exported:
    wanted, done = days.versions(), Exported()
    known = {day.date: day for day in catalogue.published(place)}
    # First what must not be there any more: an event that was made private does not wait for the days to be made.
    done.removed = _remove(place, known, [day for day in known if day not in wanted])
    try:
        for day in sorted(wanted):
            if not _is_current(place, known.get(day), wanted[day]):
                known[day] = _make(place, day, wanted[day], may_go_on)
                _store(place, known)
                done.written.append(known[day])
    except Interrupted:
        log.info("dataset.interrupted", written=len(done.written))
    if not (place / catalogue.INDEX).exists():
        _store(place, known)
    done.published = len(known)
    return done


def _remove(place: Path, known: dict[date, DayFile], gone: list[date]) -> list[str]:
    """Take days out of the list, then off the disk."""
    files = [known.pop(day) for day in sorted(gone)]
    if files:
        _store(place, known)
    listed = {day.name for day in known.values()}
    # What is not listed goes, also what a process left that died between the two.
    for path in place.glob("????-??-??.parquet"):
        if path.name not in listed:
            path.unlink()
    return [file.day for file in files]


def _is_current(place: Path, known: DayFile | None, version: str) -> bool:
    path = place / known.name if known else None
    return bool(known and known.version == version and path and path.is_file() and path.stat().st_size == known.bytes)


def _make(place: Path, day: date, version: str, may_go_on: Callable[[], bool]) -> DayFile:
    """Write the file of a day."""
    counts = _Counts()
    path = place / f"{day}.parquet"
    decisions = write(path, _matches(day, counts, may_go_on))
    log.info("dataset.written", day=f"{day}", matches=counts.matches, decisions=decisions, skipped=counts.skipped)
    return DayFile(
        day=f"{day}",
        sha256=hash_of(path),
        bytes=path.stat().st_size,
        matches=counts.matches,
        decisions=decisions,
        skipped=counts.skipped,
        version=version,
    )


def _matches(day: date, counts: _Counts, may_go_on: Callable[[], bool]) -> Iterator[list[Row]]:
    """Yield the decisions of each match of a day. A record that does not play again is left out and counted."""
    keys = list(days.matches_of(day).values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH_SIZE):
        for document in documents_of(keys[start : start + BATCH_SIZE]):
            if not may_go_on():
                raise Interrupted
            try:
                rows = rows_of(document)
            except BadRecord as error:
                counts.skipped += 1
                log.warning("dataset.skipped", code=error.code, where=error.where)
            else:
                counts.matches += 1
                yield rows


def documents_of(matches: list[int]) -> Iterator[dict[str, Any]]:
    """Yield the record that counts of each of these matches (their keys), in the order of the keys. One query."""
    reports = ResultReport.objects.filter(match__in=matches, state=ResultReport.State.CONFIRMED)
    for report in reports.select_related("record").order_by("match"):
        if report.record is not None:
            yield json.loads(report.record.data())


def _store(place: Path, known: dict[date, DayFile]) -> None:
    files = list(known.values())
    catalogue.store(place, files, croissant.text(files))


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Hold the folder's lock, which ends with the process however it dies. Raises TournamentError `dataset.busy`."""
    with (place / LOCK).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = "Another process makes the files of this folder right now."
            raise TournamentError(message, code="dataset.busy") from error
        yield
