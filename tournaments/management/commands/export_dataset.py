"""`manage.py export_dataset`: bring the published files of decisions up to date, or check them."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.errors import TournamentError
from engine.errors import BadData
from tournaments.dataset import catalogue
from tournaments.dataset.checking import SAMPLE, problems
from tournaments.dataset.export import export


class Command(BaseCommand):
    """Exit code 1 if a check finds something, or another process makes the same files."""

    help = "Write the decisions of all public matches as Parquet, a file a day; days that are done are left alone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, help="where to; left out: the folder that /data/ publishes")
        parser.add_argument("--check", action="store_true", help="write nothing: check hashes, and rows by the records")
        parser.add_argument("--sample", type=int, default=SAMPLE, help=f"matches of a day to check ({SAMPLE})")
        parser.add_argument("--seed", type=int, default=0, help="of the choice of those matches (0)")

    def handle(self, *_args: Any, **options: Any) -> None:
        place = options["folder"] or catalogue.folder()
        try:
            if options["check"]:
                self._check(place, options["sample"], options["seed"])
            else:
                self._export(place)
        except (BadData, TournamentError) as error:
            raise CommandError(f"{error.code}: {error}") from error

    def _export(self, place: Path) -> None:
        done = export(place)
        for day in done.written:
            self.stdout.write(f"{day.name}: {day.matches} matches, {day.decisions} decisions, {day.bytes} bytes")
        sums = catalogue.totals(catalogue.published(place))
        self.stdout.write(
            f"{len(done.written)} days written, {len(done.removed)} removed; "
            f"{sums.days} days, {sums.matches} matches, {sums.decisions} decisions in {place}"
        )

    def _check(self, place: Path, sample: int, seed: int) -> None:
        found = list(problems(place, sample=sample, seed=seed))
        for problem in found:
            self.stdout.write(problem)
        if found:
            raise CommandError(f"{len(found)} problems in {place}")
        sums = catalogue.totals(catalogue.published(place))
        self.stdout.write(f"{sums.days} days, {sums.decisions} decisions: every hash and every sampled match is right")
