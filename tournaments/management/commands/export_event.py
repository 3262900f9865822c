"""`manage.py export_event`: a whole event as one JSON file that can be checked, read and imported again."""

from __future__ import annotations

import gzip
import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import zstandard
from django.core.management.base import BaseCommand, CommandError

from tournaments.interchange.export import event_json
from tournaments.models import Tournament

PACKED = {".gz": lambda data: gzip.compress(data, mtime=0), ".zst": zstandard.ZstdCompressor(level=12).compress}


class Command(BaseCommand):
    """Print the event, or write it to a file once it is whole; a name that ends in .gz or .zst is packed."""

    help = "Write an event as hanafuda-tournament/1 (JSON); read it with: import_event FILE"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="address of the event")
        parser.add_argument("--output", type=Path, help="where to write; without it the event is printed")

    def handle(self, *_args: Any, **options: Any) -> None:
        event = Tournament.objects.filter(slug=options["slug"]).first()
        if event is None:
            raise CommandError(f"There is no event with the address {options['slug']}.")
        data = event_json(event)
        path: Path | None = options["output"]
        if path is None:
            sys.stdout.buffer.write(data)
            return
        packed = PACKED[path.suffix](data) if path.suffix in PACKED else data
        # Written beside it and renamed: a reader finds the old file or the whole new one, also after a crash.
        beside = path.with_name(f"{path.name}.part")
        beside.write_bytes(packed)
        os.replace(beside, path)
        self.stdout.write(f"{len(packed)} bytes: {path}")
