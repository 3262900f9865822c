"""`manage.py seed_demo`: two leagues of house bots, ready to be watched. A second call finds them there."""

from __future__ import annotations

import json
import os
import secrets
from argparse import ArgumentParser
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction

from accounts.models import User
from bots.house import house_files
from bots.models import Bot
from bots.services import install_house_bot
from tournaments.models import Tournament
from tournaments.services import (
    EventPlan,
    create_tournament,
    enter_bot,
    open_registration,
    publish_tournament,
    start_tournament,
)

PLAYS: Final = ("hawaii", "paradise")


@dataclass(frozen=True, slots=True)
class HouseBot:
    """One entry of the demo: a strategy of the house, with weights of its own if `params` says so."""

    name: str
    strategy: str
    note: str
    params: tuple[tuple[str, float], ...] = ()

    def files(self) -> list[tuple[str, bytes]]:
        """Its source, and its weights beside it."""
        source = [file for file in house_files(self.strategy).files if file[0] != "params.json"]
        weights = json.dumps(dict(self.params), sort_keys=True).encode()
        return [*source, ("params.json", weights)] if self.params else source


ENTRIES: Final = (
    HouseBot("Sampler", "sampler", "samples worlds that fit what it knows and plays them out"),
    HouseBot("Yaku", "yaku", "completes its own yaku and denies the others theirs"),
    HouseBot("Greedy", "greedy", "takes what is worth most now"),
    HouseBot("Random", "random", "any legal action: the yardstick"),
    HouseBot("Yaku, jealous", "yaku", "denies before it builds", (("deny", 1.4), ("threat", 0.9))),
    HouseBot("Yaku, dreamer", "yaku", "builds and hardly denies", (("deny", 0.2), ("hope", 0.6))),
    HouseBot("Yaku, cautious", "yaku", "leaves nothing on the field for others", (("threat", 1.2), ("hope", 0.1))),
    HouseBot("Yaku, plain", "yaku", "cards first, yaku by the way", (("step0", 1.0), ("step1", 5.0), ("step2", 25.0))),
)

LEAGUES: Final = (
    EventPlan(
        name="Hawaii tables",
        preset="hawaii",
        seats=4,
        kind="tables",
        rounds=7,
        tie_breaks=("wins", "seed"),
        description="Eight house bots, four at a table, cumulative points: every card counts, every yaku costs.",
    ),
    EventPlan(
        name="Paradise duels",
        preset="paradise",
        seats=2,
        kind="round_robin",
        legs="cyclic",
        tie_breaks=("h2h", "seed"),
        description="Everybody meets everybody, each deal from both seats; who wins more deals wins the match.",
    ),
)

SIZES: Final[dict[str, dict[str, int | None]]] = {
    "full": {"deals": None, "rounds": None},
    "short": {"deals": 2, "rounds": 2},
}


class Command(BaseCommand):
    help = "Make two demo leagues of house bots and start them; existing ones are left alone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--size", choices=[*SIZES, "none"], default=settings.ENVIRONMENT["demo"])
        parser.add_argument("--deals", type=int, help="deals in a match instead of the preset's 12")
        parser.add_argument("--rounds", type=int, help="rounds of the league at tables of four")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["size"] == "none":
            self.stdout.write("No demo was asked for.")
            return
        size = SIZES[options["size"]]
        organiser, house = demo_account(), house_account()
        bots = [house_bot(house, each) for each in ENTRIES]
        for plan in LEAGUES:
            event = Tournament.objects.filter(name=plan.name, created_by=organiser).first()
            if event is None:
                sized = resized(plan, options["deals"] or size["deals"], options["rounds"] or size["rounds"])
                event = run_league(sized, organiser, bots)
            self.stdout.write(f"{event.name}: {event.get_state_display()} at /t/{event.slug}/")
        self.stdout.write(f"Demo login: {read_login()['username']} / {read_login()['password']}")


def resized(plan: EventPlan, deals: int | None, rounds: int | None) -> EventPlan:
    """The plan with fewer deals a match, or (at tables) other rounds."""
    options = {**plan.options, "rounds": deals} if deals else dict(plan.options)
    return replace(plan, options=options, rounds=rounds if rounds and plan.kind == "tables" else plan.rounds)


@transaction.atomic
def run_league(plan: EventPlan, organiser: User, bots: list[Bot]) -> Tournament:
    """Create, open, enter everybody, start."""
    plan = replace(plan, entries_per_owner=len(bots), max_entries=len(bots))
    event = create_tournament(by=organiser, plan=plan)
    publish_tournament(tournament=event, by=organiser)
    open_registration(tournament=event, by=organiser)
    for bot in bots:
        enter_bot(tournament=event, bot=bot, by=bot.owner)
    return start_tournament(tournament=event, by=organiser)


def house_bot(house: User, entry: HouseBot) -> Bot:
    """One bot of the house, made or found."""
    return install_house_bot(owner=house, name=entry.name, files=entry.files(), plays=PLAYS, note=entry.note)


def house_account() -> User:
    """The account that owns the house's bots; nobody can log in with it."""
    user, made = User.objects.get_or_create(username="house", defaults={"display_name": "The house"})
    if made:
        user.set_unusable_password()
        user.save()
    return user


def demo_account() -> User:
    """The organiser of the demo, with a password of its own that stands in the data folder."""
    user, made = User.objects.get_or_create(username="demo", defaults={"display_name": "Demo organiser"})
    if made or not login_path().exists():
        password = secrets.token_urlsafe(9)
        user.set_password(password)
        user.save()
        write_login({"username": user.username, "password": password})
    return user


def login_path() -> Path:
    """Where the demo's login is kept, for `make run` to print."""
    return Path(settings.DATA_DIR) / "demo-login.json"


def write_login(login: dict[str, str]) -> None:
    """Keep it readable for this user alone."""
    login_path().parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(login_path(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(login, file)


def read_login() -> dict[str, str]:
    """The demo's login."""
    found: dict[str, str] = json.loads(login_path().read_text(encoding="utf-8"))
    return found
