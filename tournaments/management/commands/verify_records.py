"""`manage.py verify_records`: play every stored record again, or those of a file, and say how many verify."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zstandard
from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet

from core.interchange.documents.copies import other
from engine.errors import EngineError
from engine.record import verify
from engine.record_compact import expand, read_compact
from tournaments.matches.deal_sets import seed_of_deals
from tournaments.models import DealSet, ResultReport, Stage


class Command(BaseCommand):
    """Exit code 1 if one does not verify."""

    help = "Play every stored record again; with its seed where that is revealed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slugs", nargs="*", help="addresses of events; none: all")
        parser.add_argument("--file", type=Path, help="records written by export_records, instead of the stored")

    def handle(self, *_args: Any, **options: Any) -> None:
        total = good = with_seed = 0
        for name, problem, seeded in of_file(options["file"]) if options["file"] else stored(options["slugs"]):
            total, good, with_seed = total + 1, good + (not problem), with_seed + seeded
            if problem:
                self.stdout.write(f"{name}: {problem}")
        self.stdout.write(f"{good} of {total} records verify ({with_seed} with their revealed seed)")
        if good != total:
            raise CommandError(f"{total - good} records do not verify")


def stored(slugs: list[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield name, problem and whether the seed was looked at, of every stored record."""
    for report in reports(slugs).iterator(chunk_size=200):
        yield f"match {report.match.uuid}, report {report.version}", *problem_of(report)


def of_file(path: Path) -> Iterator[tuple[str, str, bool]]:
    """Yield the same of the lines of a file, zstd or plain. Raises CommandError if it cannot be read."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(4) == zstandard.MAGIC_NUMBER.to_bytes(4, "little")
        with zstandard.open(path, "rt", encoding="utf-8") if packed else path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                yield f"line {number}", *problem_in(line)
    except (OSError, UnicodeDecodeError, zstandard.ZstdError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from error


def problem_in(line: str) -> tuple[str, bool]:
    """Return what is wrong with a document or compact record ("" if nothing), and whether it has its seed."""
    seed = None
    try:
        document = json.loads(line)
        if isinstance(document, dict) and "compact" in document:
            seed = read_compact(document).seed
            document = expand(document)
    except json.JSONDecodeError as error:
        return f"record.malformed: {error}", False
    except EngineError as error:
        return f"{error.code}: {error}", seed is not None
    verdict = verify(document, seed=seed)
    return ("" if verdict.ok else f"{verdict.code} at {verdict.where}: {verdict.message}"), seed is not None


def reports(slugs: list[str]) -> QuerySet[ResultReport]:
    """Return the reports that carry a record."""
    found = ResultReport.objects.filter(source=ResultReport.Source.RECORD).order_by("pk")
    if slugs:
        found = found.filter(match__stage__tournament__slug__in=slugs)
    return found.select_related("match__deal_set", "match__stage__tournament", "record")


def problem_of(report: ResultReport) -> tuple[str, bool]:
    """Return what is wrong with a stored record ("" if nothing), and whether its seed was looked at."""
    if report.record is None:
        return "record.missing: there is no stored record", False
    document = json.loads(report.record.data())
    if document.get("hash") != report.hash:
        return "record.hash: the report names another hash", False
    deal_set = report.match.deal_set
    seed = seed_of(report.match.stage, deal_set) if deal_set is not None and deal_set.revealed_at else None
    verdict = verify(document, seed=seed)
    return ("" if verdict.ok else f"{verdict.code} at {verdict.where}: {verdict.message}"), seed is not None


def seed_of(stage: Stage, deal_set: DealSet) -> bytes:
    """Return the seed of a revealed deal set."""
    uuid = other(deal_set.uuid, stage.tournament.copy_mask)
    return seed_of_deals(stage, deal_set, uuid)
