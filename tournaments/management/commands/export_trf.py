"""`manage.py export_trf`: a two-seat stage as a FIDE tournament report."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.errors import TournamentError
from core.interchange import trf
from tournaments.interchange.reports import trf_of
from tournaments.models import Stage


class Command(BaseCommand):
    """Print the report, or write it to a file once it is whole."""

    help = "Write a two-seat stage as a FIDE tournament report (TRF)"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="address of the event")
        parser.add_argument("--stage", type=int, default=1, help="number of the stage, the first is 1")
        parser.add_argument("--round", type=int, default=0, help="up to this round; 0: all that were drawn")
        parser.add_argument("--output", type=Path, help="where to write; without it the report is printed")

    def handle(self, *_args: Any, **options: Any) -> None:
        found = Stage.objects.filter(tournament__slug=options["slug"], order=options["stage"])
        stage = found.select_related("tournament", "ruleset").first()
        if stage is None:
            raise CommandError(f"There is no stage {options['stage']} of an event with the address {options['slug']}.")
        try:
            report = trf.encode(trf_of(stage, up_to=options["round"]))
        except TournamentError as refused:
            raise CommandError(f"{refused.code}: {refused}") from refused
        path: Path | None = options["output"]
        if path is None:
            sys.stdout.buffer.write(report)
            return
        beside = path.with_name(f"{path.name}.part")
        beside.write_bytes(report)
        os.replace(beside, path)
        self.stdout.write(f"{len(report)} bytes: {path}")
