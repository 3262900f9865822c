"""`manage.py rebuild_ratings`: fold the ratings of all events again and say where what was stored differed."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from accounts.transactions import allow_long_pauses
from tournaments.models import RatingPool
from tournaments.ratings import fold as rating
from tournaments.ratings import pools as rating_pools


class Command(BaseCommand):
    """Exit code 1 if anything differed (it is put right unless --check). Ladders' own ratings: `refold`."""

    help = "Fold the leaderboards' ratings again from all confirmed results and compare them with the stored ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("presets", nargs="*", help="of these presets; none: all")
        parser.add_argument("--check", action="store_true", help="only compare, change nothing")

    def handle(self, *_args: Any, **options: Any) -> None:
        pools = RatingPool.objects.filter(stage=None).order_by("pk")
        if options["presets"]:
            pools = pools.filter(preset__in=options["presets"])
        found = [
            line for pool in pools for line in (compare(pool) if options["check"] else rating_pools.rebuild(pool.pk))
        ]
        for line in found:
            self.stdout.write(f"differs: {line}")
        self.stdout.write(f"{pools.count()} boards folded again, {len(found)} ratings differed")
        if found:
            raise CommandError("stored ratings differed" + ("" if options["check"] else "; they are right now"))


@transaction.atomic
def compare(pool: RatingPool) -> list[str]:
    """Return the differences once everything finished is folded in; the fold is rolled back."""
    allow_long_pauses()
    locked = RatingPool.objects.select_for_update().get(pk=pool.pk)
    rating.update_ratings(locked)
    found = rating.differences(locked)
    transaction.set_rollback(True)
    return found
