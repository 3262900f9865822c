"""`manage.py verify_records`: play every stored record again and say how many verify."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet

from engine.deck import match_seed
from engine.record import verify
from tournaments.models import DealSet, ResultReport, Stage


class Command(BaseCommand):
    """Exit code 1 if one does not verify."""

    help = "Play every stored record again; with its seed where that is revealed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slugs", nargs="*", help="addresses of events; none: all")

    def handle(self, *_args: Any, **options: Any) -> None:
        total = good = with_seed = 0
        for report in reports(options["slugs"]).iterator(chunk_size=200):
            problem, seeded = problem_of(report)
            total, good, with_seed = total + 1, good + (not problem), with_seed + seeded
            if problem:
                self.stdout.write(f"match {report.match.uuid}, report {report.version}: {problem}")
        self.stdout.write(f"{good} of {total} records verify ({with_seed} with their revealed seed)")
        if good != total:
            raise CommandError(f"{total - good} records do not verify")


def reports(slugs: list[str]) -> QuerySet[ResultReport]:
    """The reports that carry a record."""
    found = ResultReport.objects.filter(source=ResultReport.Source.RECORD).order_by("pk")
    if slugs:
        found = found.filter(match__stage__tournament__slug__in=slugs)
    return found.select_related("match__deal_set", "match__stage", "record")


def problem_of(report: ResultReport) -> tuple[str, bool]:
    """What is wrong with a stored record ("" if nothing), and whether its seed was looked at."""
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
    """The seed of a revealed deal set."""
    return match_seed(bytes(stage.secret or b""), bytes(stage.mix or b""), deal_set.uuid.bytes)
