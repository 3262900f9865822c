"""`manage.py refold`: fold every standing again, count everything again, and say where what was stored differed."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from tournaments.lifecycle import locks
from tournaments.matches import counters
from tournaments.models import Stage
from tournaments.progress import derive
from tournaments.standings import store


class Command(BaseCommand):
    """Exit code 1 if anything differed (it is put right unless --check)."""

    help = "Fold all standings again from the confirmed results and compare them with the stored ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slugs", nargs="*", help="addresses of events; none: all")
        parser.add_argument("--check", action="store_true", help="only compare, change nothing")

    def handle(self, *_args: Any, **options: Any) -> None:
        stages = Stage.played.select_related("tournament", "ruleset").exclude(state=Stage.State.PLANNED)
        stages = stages.filter(tournament__copy_mask=None)  # a copy's lots are drawn with its original's ids
        if options["slugs"]:
            stages = stages.filter(tournament__slug__in=options["slugs"])
        found = [line for stage in stages.order_by("pk") for line in compare(stage, repair=not options["check"])]
        sums = [] if options["slugs"] else recount(repair=not options["check"])
        for line in [*found, *sums]:
            self.stdout.write(f"differs: {line}")
        self.stdout.write(f"{stages.count()} stages recalculated, {len(found)} tables differed, {len(sums)} sums")
        if found or sums:
            raise CommandError("what was stored differed" + ("" if options["check"] else "; they are right now"))


def recount(*, repair: bool) -> list[str]:
    """Return the sums of matches and entries by state that differ from counting, counted again if asked for."""
    found = list(counters.differences())
    if found and repair:
        counters.recount()
    return found


def compare(stage: Stage, *, repair: bool) -> list[str]:
    """Return the tables of a stage that differ from a fold of everything, folded again if asked for."""
    with transaction.atomic():
        locks.lock_standings(stage.tournament)
        found = store.differences(stage)
        if found and repair:
            stage.standings.all().delete()
            derive.refold(stage, everything=True)
    return found
