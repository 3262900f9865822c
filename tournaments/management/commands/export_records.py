"""`manage.py export_records`: the records of an event as one file that anybody can verify with the engine alone."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import zstandard
from django.core.management.base import BaseCommand, CommandError

from engine.record_compact import compact
from tournaments.management.commands.verify_records import reports, seed_of
from tournaments.models import ResultReport, Tournament

LEVEL = 12


class Command(BaseCommand):
    """A line per confirmed match: the compact record where the seed is revealed, the whole document before that."""

    help = "Write the records of an event as zstd JSON lines; check them with: verify_records --file FILE"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="address of the event")
        parser.add_argument("file", type=Path, help="where to write; an existing file is replaced once all is written")

    def handle(self, *_args: Any, **options: Any) -> None:
        slug, path = options["slug"], options["file"]
        if not Tournament.objects.filter(slug=slug).exists():
            raise CommandError(f"There is no event with the address {slug}.")
        found = reports([slug]).filter(state=ResultReport.State.CONFIRMED, record__isnull=False)
        beside, count = path.with_name(f"{path.name}.part"), 0
        with zstandard.open(beside, "wt", cctx=zstandard.ZstdCompressor(level=LEVEL), encoding="utf-8") as lines:
            for report in found.iterator(chunk_size=200):
                lines.write(line_of(report) + "\n")
                count += 1
        os.replace(beside, path)
        self.stdout.write(f"{count} records, {path.stat().st_size} bytes: {path}")


def line_of(report: ResultReport) -> str:
    """Return a record as it is exported."""
    assert report.record is not None
    document = json.loads(report.record.data())
    deal_set = report.match.deal_set
    if deal_set is not None and deal_set.revealed_at:
        document = compact(document, seed_of(report.match.stage, deal_set))
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
