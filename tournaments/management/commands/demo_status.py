"""`manage.py demo_status`: the progress of each event, a line each; as JSON for programs."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Count, Q

from tournaments.models import Match, ResultReport, Tournament


class Command(BaseCommand):
    help = "How many matches of each event are finished, playing, queued, held."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object on one line")

    def handle(self, *_args: Any, **options: Any) -> None:
        found = status()
        if options["json"]:
            self.stdout.write(json.dumps(found, sort_keys=True))
            return
        for slug, figures in found.items():
            states = ", ".join(f"{count} {state}" for state, count in figures["matches"].items())
            self.stdout.write(f"{slug}: {figures['state']}; {states or 'no matches'}")


def status() -> dict[str, dict[str, Any]]:
    """Return by slug: state of the event, matches by state, extra deals among them, confirmed reports, double ones."""
    found: dict[str, dict[str, Any]] = {}
    for event in Tournament.objects.order_by("pk"):
        matches = Match.objects.filter(stage__tournament=event)
        confirmed = Count("reports", filter=Q(reports__state=ResultReport.State.CONFIRMED))
        counted = matches.annotate(confirmed=confirmed)
        found[event.slug] = {
            "state": event.state,
            "matches": dict(matches.order_by("state").values_list("state").annotate(n=Count("pk"))),
            "extra_deals": matches.filter(extra__gt=0).count(),
            "confirmed_once": counted.filter(confirmed=1, state=Match.State.CONFIRMED).count(),
            "doubled": counted.filter(confirmed__gt=1).count(),
            "missing": counted.filter(confirmed=0, state=Match.State.CONFIRMED).count(),
        }
    return found
