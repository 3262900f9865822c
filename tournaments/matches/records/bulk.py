"""Records by the thousand: JSON lines, packed with zstd, in parts that fit into memory.

A line is {"match", "event", "stage", "round", "table", "leg", "finished_at", "entries", "document"}: the seating, and
the record as it was written. A finished match does not change any more, so the same part is always the same bytes,
unless a match was taken out of its event.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

import zstandard
from django.db.models import Count, Max, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from tournaments.lifecycle.visibility import named_to
from tournaments.matches.schedule import seats_named
from tournaments.models import Match, ResultReport, Tournament

# Matches in a part, which is some 12 MB packed.
PART: Final = 2_000
# Documents that are in memory at once, however large a part is.
BATCH_SIZE: Final = 200
LEVEL: Final = 9


@dataclass(frozen=True, slots=True)
class Day:
    """A day (UTC) and how many public matches with a record were finished on it."""

    day: date
    matches: int

    @property
    def parts(self) -> int:
        """Number of parts it has."""
        return -(-self.matches // PART)


@dataclass(frozen=True, slots=True)
class Archive:
    """A packed part. records: (SHA-256 of the record, the match's uuid) of every line."""

    packed: bytes
    records: tuple[tuple[str, str], ...]

    @property
    def sha256(self) -> str:
        """SHA-256 of the packed bytes, hex."""
        return hashlib.sha256(self.packed).hexdigest()

    def listed(self, name: str) -> bytes:
        """Write the lines that `sha256sum` reads: the file, then every record in it by its match."""
        rows = [(self.sha256, name), *self.records]
        return "".join(f"{digest}  {what}\n" for digest, what in rows).encode()


def recorded(rows: QuerySet[Match]) -> QuerySet[Match]:
    """Return those of the matches that are finished and have a record."""
    # One filter: it is the report that counts, and no older one, that has the record.
    counts = {"reports__state": ResultReport.State.CONFIRMED, "reports__record__isnull": False}
    return rows.filter(state=Match.State.CONFIRMED, **counts)


def of_event(event: Tournament) -> QuerySet[Match]:
    """Return the recorded matches of an event in the order they were drawn."""
    return recorded(Match.objects.filter(stage__tournament=event)).order_by("pk")


def of_day(day: date) -> QuerySet[Match]:
    """Return the recorded public matches of a day (UTC) in the order they were drawn."""
    begin = datetime.combine(day, time.min, UTC)
    rows = Match.objects.filter(named_to(None, "stage__tournament__"))
    return recorded(rows).filter(finished_at__gte=begin, finished_at__lt=begin + timedelta(days=1)).order_by("pk")


def is_over(day: date) -> bool:
    """Return whether nothing is finished on that day any more."""
    return day < timezone.now().astimezone(UTC).date()


def days(*, limit: int, before: date | None = None) -> list[Day]:
    """Return days that are over and have records, the newest first. One query."""
    today = datetime.combine(before or timezone.now().astimezone(UTC).date(), time.min, UTC)
    rows = recorded(Match.objects.filter(named_to(None, "stage__tournament__"), finished_at__lt=today)).order_by()
    counted = rows.values(day=TruncDate("finished_at", tzinfo=UTC)).annotate(n=Count("pk")).order_by("-day")
    return [Day(row["day"], row["n"]) for row in counted[:limit]]


def version_of(rows: QuerySet[Match]) -> list[object]:
    """Return values that change whenever the archive of these matches would. Two queries."""
    # A match that leaves changes the count and the sum of keys, one that comes the largest; a correction has a new
    # report.
    found = rows.order_by().aggregate(Count("pk"), Max("pk"), Sum("pk"), Max("reports__pk"), Max("finished_at"))
    slugs = rows.order_by("stage__tournament__slug").values_list("stage__tournament__slug", flat=True).distinct()
    return [sorted(found.items()), list(slugs)]


def archive(rows: QuerySet[Match], part: int) -> Archive:
    """Pack the part (from 1) of these matches. Four queries for each two hundred of them."""
    # One compressor over all lines: packed each on its own, every record would repeat what they share.
    packer, packed = zstandard.ZstdCompressor(level=LEVEL).compressobj(), bytearray()
    hashes: list[tuple[str, str]] = []
    first = (part - 1) * PART
    for start in range(first, first + PART, BATCH_SIZE):
        found = list(_read(rows[start : min(start + BATCH_SIZE, first + PART)]))
        for match, digest, line in found:
            packed += packer.compress(line)
            hashes.append((digest, match))
        if len(found) < BATCH_SIZE:
            break
    return Archive(bytes(packed + packer.flush()), tuple(hashes))


def _read(some: QuerySet[Match]) -> Iterator[tuple[str, str, bytes]]:
    """Yield (match, hash of its record, line) of some matches."""
    chosen = list(some.select_related("stage__tournament", "round").prefetch_related(seats_named()))
    reports = ResultReport.objects.filter(match__in=chosen, state=ResultReport.State.CONFIRMED)
    records = {report.match_id: report for report in reports.select_related("record")}
    for match in chosen:
        report = records[match.pk]
        if report.record is not None:
            # The document goes in as the bytes that are stored and hashed; parsed and written again they might differ.
            head = json.dumps(_about(match), ensure_ascii=False, separators=(",", ":"))[:-1].encode()
            line = head + b',"document":' + report.record.data() + b"}\n"
            yield str(match.uuid), report.hash.removeprefix("sha256:"), line


def _about(match: Match) -> dict[str, Any]:
    return {
        "match": str(match.uuid),
        "event": match.stage.tournament.slug,
        "stage": match.stage.order,
        "round": match.round.number if match.round else None,
        "table": match.table_no,
        "leg": match.leg,
        "finished_at": match.finished_at.isoformat() if match.finished_at else None,
        "entries": [str(seat.entry.uuid) if seat.entry else None for seat in match.seats.all()],
    }
