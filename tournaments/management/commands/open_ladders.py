"""`manage.py open_ladders`: the official ladders.

The service keeps them open, and every ready bot enters them on its own.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from bots.services import house_account
from engine.errors import EngineError
from engine.game import game_of
from engine.games import PRESETS, ruleset
from tournaments.models import Stage
from tournaments.ratings.ladders import house


class Command(BaseCommand):
    help = (
        "Open an official ladder of each of these presets (all of them, if none is named); open ones stay as they are."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("presets", nargs="*", help=f"of: {', '.join(PRESETS)}")
        parser.add_argument("--seats", type=int, help="at a table; the fewest that the game allows, if not said")
        parser.add_argument("--deal-sets", type=int, default=0, help="for each bot in a month; 0: any number")
        parser.add_argument("--stop", action="store_true", help="open no next one: those that run end with the month")

    def handle(self, *_args: Any, **options: Any) -> None:
        for preset in options["presets"] or PRESETS:
            if preset not in PRESETS:
                raise CommandError(f"There is no preset {preset}. Known: {', '.join(PRESETS)}.")
            self.stdout.write(self._handle(preset, options))

    def _handle(self, preset: str, options: dict[str, Any]) -> str:
        seats = options["seats"] or game_of(PRESETS[preset].game).seat_range[0]
        if options["stop"]:
            return stop(preset, options["seats"])
        try:
            ruleset(preset).sides(seats)
        except EngineError as wrong:
            raise CommandError(str(wrong)) from wrong
        found = open_one(preset, seats, options["deal_sets"])
        return f"{found.tournament.name}: open at /t/{found.tournament.slug}/"


def open_one(preset: str, seats: int, deal_sets: int) -> Stage:
    """Return the official ladder of these rules, opened now if there is none. Ready bots are entered at once."""
    found = house.running().filter(preset=preset, seats_pref=seats).first()
    if found is None:
        found = house.open_ladder(house_account(), preset=preset, seats=seats, deal_sets=deal_sets)
    house.enter_ready()
    return found


def stop(preset: str, seats: int | None) -> str:
    """Open no next ladder of these rules."""
    stages = house.official().filter(preset=preset)
    if seats:
        stages = stages.filter(seats_pref=seats)
    for stage in stages:
        house.give_up(stage)
    return f"{preset}: no next official ladder."
