"""`manage.py rebuild_seasons`: make the tables of seasons again and say where what was stored differed."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from tournaments.models import Season
from tournaments.seasons.updating import differences


class Command(BaseCommand):
    """Exit code 1 if anything differed (it is put right unless --check)."""

    help = (
        "Make the tables of seasons again from the results of all their events and compare them with the stored ones."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("seasons", nargs="*", help="of these addresses; none: all")
        parser.add_argument("--check", action="store_true", help="only compare, change nothing")

    def handle(self, *_args: Any, **options: Any) -> None:
        seasons = Season.objects.order_by("pk")
        if options["seasons"]:
            seasons = seasons.filter(slug__in=options["seasons"])
        found = []
        for season in seasons:
            # A transaction for each: with --check it is rolled back, and no season waits for another.
            with transaction.atomic():
                found += differences(season)
                transaction.set_rollback(options["check"])
        for line in found:
            self.stdout.write(f"differs: {line}")
        self.stdout.write(f"{seasons.count()} seasons made again, {len(found)} rows differed")
        if found:
            raise CommandError("stored tables differed" + ("" if options["check"] else "; they are right now"))
