"""`manage.py seed_demo`: leagues of house bots, of every preset. A second call finds them there."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from bots.house import PLAYS, house_files
from bots.models import Bot
from bots.services import house_account, install_house_bot
from core.formats import format_of
from core.interchange.tables import EntryRow
from engine.game import game_of
from engine.games import PRESETS, option_table
from tournaments.entries.bots import enter_bot
from tournaments.entries.people import add_people
from tournaments.events.create import create_tournament
from tournaments.lifecycle.event_plan import EventPlan
from tournaments.management.commands.open_ladders import open_one
from tournaments.management.demo_organiser import demo_account, give_own_bot, read_login
from tournaments.models import Tournament
from tournaments.progress.run import open_registration, publish_tournament, start_tournament
from tournaments.registration.set_up import set_up_registration

# House bots and variants by id: the name in the demo, a line about it, and its emblem.
ENTRIES: Final = {
    "sampler": ("Sampler", "samples worlds that fit what it knows and plays them out", ("01.1", "pine")),
    "sampler-guard": ("Sampler Guard", "as Sampler, and spoils the others' yaku", ("03.1", "cherry")),
    "sampler-light": ("Sampler Light", "as Sampler, with fewer worlds", ("02.1", "willow")),
    "yaku": ("Yaku", "completes its own yaku and denies the others theirs", ("08.1", "moon")),
    "yaku-guard": ("Yaku Guard", "denies before it builds", ("11.1", "sky")),
    "yaku-bold": ("Yaku Bold", "builds and hardly denies", ("07.1", "maple")),
    "student": (
        "Student",
        "a small net that learnt Hawaii for two from Sampler; like Yaku elsewhere",
        ("06.1", "indigo"),
    ),
    "greedy": ("Greedy", "takes what is worth most now", ("09.1", "vermilion")),
    "random": ("Random", "any legal action: the yardstick", ("11.4", "ash")),
}

# Without the student, who plays most of these games like `yaku`: it is on the ladders, and can be challenged.
EVERYBODY: Final = tuple(each for each in ENTRIES if each != "student")
PEOPLE: Final = (
    "Aiko Tanaka",
    "Ben Carter",
    "Chiyo Mori",
    "Emi Sato",
    "Goro Watanabe",
    "Hana Ito",
    "Ines Moreau",
    "Jonas Weber",
    "Kimo Kealoha",
    "Lani Akana",
    "Noa Kahale",
)
SIX: Final = ("sampler", "sampler-guard", "yaku", "yaku-bold", "greedy", "random")


@dataclass(frozen=True, slots=True)
class League:
    """An event of the demo and its bots, by id of `ENTRIES`, or people. The first leagues are dealt first."""

    plan: EventPlan
    entries: tuple[str, ...] = EVERYBODY
    people: tuple[str, ...] = ()


# One league of every preset, two that draw each round from the results of the one before, and a ladder.
LEAGUES: Final = (
    League(
        EventPlan(
            name="Hawaii tables",
            preset="hawaii",
            seats=4,
            kind="tables",
            rounds=14,
            tie_breaks=("wins",),
            description="Eight house bots, four at a table, cumulative points: every card counts, every yaku costs.",
        )
    ),
    League(
        EventPlan(
            name="Paradise duels",
            preset="paradise",
            seats=2,
            kind="round_robin",
            legs="cyclic",
            tie_breaks=("h2h",),
            description="Everybody meets everybody, each deal from both seats; who wins more deals wins the match.",
        )
    ),
    League(
        EventPlan(
            name="French pairs",
            preset="french",
            seats=4,
            options={"teams": "2x2"},
            kind="tables",
            rounds=4,
            tie_breaks=("wins",),
            description="Two against two across the table: partners share captures and points, never their hands.",
        )
    ),
    League(
        EventPlan(
            name="Circle of six",
            preset="enwiki2020",
            seats=6,
            kind="tables",
            rounds=6,
            tie_breaks=("wins",),
            description="Six at one table by the rules as they were written down in 2020, with the wild pile.",
        ),
        SIX,
    ),
    League(
        EventPlan(
            name="Oi-bana evening",
            preset="oibana",
            seats=4,
            kind="tables",
            rounds=5,
            tie_breaks=("wins",),
            description="Four bid, two play: who loses pays his bid to the winner.",
        )
    ),
    League(
        EventPlan(
            name="Nuki kan league",
            preset="nuki88",
            seats=3,
            kind="tables",
            rounds=6,
            tie_breaks=("wins",),
            description="Thirty-four cards, at most two play a deal: teyaku, dekiyaku, sage or shoubu, paid in kan.",
        )
    ),
    League(
        EventPlan(
            name="Go-mon sprint",
            preset="poka5",
            seats=2,
            kind="round_robin",
            tie_breaks=("h2h",),
            description="Poka: month after month until a hand is empty. Five points win a match.",
        )
    ),
    League(
        EventPlan(
            name="San-mon quickstep",
            preset="poka3",
            seats=2,
            kind="tables",
            rounds=6,
            tie_breaks=("wins",),
            description="Poka in its short form: three points win a match.",
        )
    ),
    League(
        EventPlan(
            name="Koi-Koi year",
            preset="koikoi_nintendo",
            seats=2,
            kind="round_robin",
            tie_breaks=("h2h",),
            description="Twelve deals, a month each, by Nintendo's rules: one call in a deal, seven points double.",
        )
    ),
    League(
        EventPlan(
            name="Koi-Koi many calls",
            preset="koikoi_fuda",
            seats=2,
            kind="tables",
            rounds=6,
            tie_breaks=("wins",),
            description="By the rules of Fuda Wiki: call again whenever the yaku grow.",
        )
    ),
    League(
        EventPlan(
            name="Koi-Koi stakes",
            preset="koikoi_zoo",
            seats=2,
            kind="tables",
            rounds=6,
            tie_breaks=("wins",),
            description="Thirty points each: what one scores the other loses, and who has none left is out.",
        )
    ),
    League(
        EventPlan(
            name="Hawaii Swiss",
            preset="hawaii",
            seats=2,
            kind="swiss",
            rounds=4,
            scoring="place",
            tie_breaks=("bh", "sb"),
            description="Four rounds: equal scores meet, nobody meets anybody twice.",
        )
    ),
    League(
        EventPlan(
            name="Paradise knock-out",
            preset="paradise",
            seats=2,
            kind="single_elim",
            third_place=True,
            legs="cyclic",
            description="Who loses is out, and the beaten semifinalists meet. Each deal is played from both seats.",
        )
    ),
    League(
        EventPlan(
            name="Hawaii ladder",
            preset="hawaii",
            seats=2,
            kind="ladder",
            rounds=6,
            description="No rounds: whose rating is the least sure plays next, against neighbours.",
        )
    ),
)


# What a newcomer can enter: both wait for the organiser to start them.
OPEN: Final = (
    League(
        EventPlan(
            name="Open Koi-Koi cup",
            preset="koikoi_nintendo",
            seats=2,
            kind="swiss",
            rounds=5,
            entries_per_owner=3,
            tie_breaks=("bh", "sb"),
            description="For every bot that is ready: five rounds in which equal scores meet.",
        ),
        ("yaku", "greedy", "random"),
    ),
    League(
        EventPlan(
            name="Club night",
            preset="hawaii",
            seats=4,
            kind="tables",
            rounds=3,
            who="people",
            venue="Tea house",
            tie_breaks=("wins",),
            description="An evening with real cards, four at a table. Newcomers are welcome.",
        ),
        (),
        PEOPLE,
    ),
)


# Deal sets that each version plays in an official ladder of the demo in a month: with a dozen the intervals of all bots
# overlap, and no rank says anything.
LADDER_SETS: Final = 48


@dataclass(frozen=True, slots=True)
class Size:
    """Part of a league that is played: deals a match, rounds at tables, entries of a round robin. None: all of it."""

    deals: int | None = None
    rounds: int | None = None
    entries: int | None = None


SIZES: Final = {"full": Size(), "short": Size(deals=2, rounds=2, entries=4)}


class Command(BaseCommand):
    help = "Make a demo league of every preset and start them all; existing ones are left alone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--size", choices=[*SIZES, "none"], default=settings.ENVIRONMENT["demo"])
        parser.add_argument("--deals", type=int, help="deals in a match instead of the preset's 12")
        parser.add_argument("--rounds", type=int, help="rounds of the league at tables of four")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["size"] == "none":
            self.stdout.write("No demo was asked for.")
            return
        size = SIZES[options["size"]]
        size = replace(size, deals=options["deals"] or size.deals, rounds=options["rounds"] or size.rounds)
        organiser, house = demo_account(), house_account()
        bots = {strategy: house_bot(house, strategy, *shown) for strategy, shown in ENTRIES.items()}
        for league in LEAGUES:
            self._seed(resized(league, size), organiser, bots)
        if options["size"] == "full":
            for league in OPEN:
                self._seed(dated(league), organiser, bots, starts=False)
            self._open_ladders()
            give_own_bot(organiser)
        self.stdout.write(f"Demo login: {read_login()['username']} / {read_login()['password']}")

    def _seed(self, league: League, organiser: User, bots: Mapping[str, Bot], *, starts: bool = True) -> None:
        event = Tournament.objects.filter(name=league.plan.name, created_by=organiser).first()
        if event is None:
            entered = [bots[strategy] for strategy in league.entries]
            if starts:
                event = run_league(league.plan, organiser, entered)
            else:
                event = open_league(league.plan, organiser, entered, league.people)
        self.stdout.write(f"{event.name}: {event.get_state_display()} at /t/{event.slug}/")

    def _open_ladders(self) -> None:
        """Open the official ladders, a few deal sets a month: a laptop rests when everybody has played theirs."""
        for preset in PRESETS.values():
            stage = open_one(preset.id, game_of(preset.game).seat_range[0], LADDER_SETS)
            self.stdout.write(f"{stage.tournament.name}: open at /t/{stage.tournament.slug}/")


def resized(league: League, size: Size) -> League:
    """Return the league in another size.

    Fewer deals a match (where the game counts them), other rounds at tables, fewer to meet.
    """
    plan, entries = league.plan, league.entries
    counted = any(info.id == "rounds" for info in option_table(PRESETS[plan.preset].game))
    options = {**plan.options, "rounds": size.deals} if size.deals and counted else plan.options
    found = format_of(plan.kind)
    if not (found.meets_everybody or found.ranks_by_bracket):
        return League(replace(plan, options=options, rounds=size.rounds or plan.rounds), entries)
    return League(replace(plan, options=options), entries[:: len(entries) // (size.entries or len(entries))])


def dated(league: League) -> League:
    """Return the league with an evening in a week, where people meet for it."""
    if not league.plan.venue:
        return league
    evening = (timezone.localtime() + timedelta(days=7)).replace(hour=19, minute=0, second=0, microsecond=0)
    return replace(league, plan=replace(league.plan, starts_at=evening))


@transaction.atomic
def run_league(plan: EventPlan, organiser: User, bots: list[Bot]) -> Tournament:
    """Create, open, enter everybody, start."""
    plan = replace(plan, entries_per_owner=len(bots), max_entries=len(bots))
    return start_tournament(tournament=open_league(plan, organiser, bots), by=organiser)


@transaction.atomic
def open_league(plan: EventPlan, organiser: User, bots: list[Bot], people: Sequence[str] = ()) -> Tournament:
    """Create, open, enter these; everybody else may enter a bot, or register, too."""
    event = create_tournament(by=organiser, plan=plan)
    publish_tournament(tournament=event, by=organiser)
    event = open_registration(tournament=event, by=organiser)
    for bot in bots:
        enter_bot(tournament=event, bot=bot, by=bot.owner)
    if event.is_of_people:
        rows = [EntryRow(line=line, name=name) for line, name in enumerate(people, start=1)]
        add_people(tournament=event, by=organiser, rows=rows)
        set_up_registration(tournament=event, by=organiser, changes={"is_on": True})
    return event


def house_bot(house: User, strategy: str, name: str, note: str, emblem: tuple[str, str]) -> Bot:
    """Return one bot of the house, made or found."""
    files = house_files(strategy).files
    return install_house_bot(owner=house, name=name, files=files, plays=PLAYS, note=note, emblem=emblem)
