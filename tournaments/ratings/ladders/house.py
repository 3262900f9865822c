"""The official ladders: one for each set of rules that the service keeps open, which every ready bot enters on its own.

A ladder ends with its month, so that its decks are shown (tournaments.md section 11), and the next one is opened at
once; each is a season, which `medals.py` ends. A bot that left one by hand stays out of it until the next; an owner's
policy keeps a bot out of all of them.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from accounts.models import User
from activity.journal import audit, publish
from bots.models import Bot, BotVersion
from core.formats import kinds
from engine.games import ruleset
from tournaments.domain_events.entries import BotEntered, BotWithdrawn
from tournaments.domain_events.tournaments import LadderOpened
from tournaments.lifecycle.opening import Opening, open_event
from tournaments.lifecycle.time_limits import clock_of
from tournaments.lifecycle.transitions import label
from tournaments.models import Entry, LadderSeason, Player, Stage, Tournament
from tournaments.ratings.ladders.actions import enter_stage, leave_stage
from tournaments.ratings.ladders.ladder import is_fit
from web.presets import ladder_name

MAX_ENTRIES: Final = 32_000
BATCH_SIZE: Final = 500
ABOUT: Final = gettext_noop("The official ladder: every bot that plays these rules joins as soon as it is ready.")


def open_ladder(by: User, *, preset: str, seats: int, deal_sets: int = 0) -> Stage:
    """Open an official ladder until the end of the month. Needs no transaction."""
    now = timezone.now()
    stem = f"ladder-{preset}-{seats}-{now:%Y-%m}"
    rules, number = ruleset(preset), 1
    while True:
        wanted = Opening(
            name=ladder_name(preset, now),
            slug=stem if number == 1 else f"{stem}-{number}",
            description=ABOUT,
            visibility=Tournament.Visibility.PUBLIC,
            official_deal_sets=deal_sets,
            kind="ladder",
            preset=preset,
            rules=rules,
            seats=seats,
            rounds=deal_sets,
            scoring=_scoring(rules.options.scoring),
            legs=Stage.Legs.CYCLIC if len(set(rules.sides(seats))) == 2 else Stage.Legs.SINGLE,
            max_entries=MAX_ENTRIES,
            entries_per_owner=MAX_ENTRIES,
            ends_at=end_of_month(now),
        )
        # A savepoint: after a refused slug the transaction around it, of `ensure_open`, goes on.
        try:
            with transaction.atomic():
                stage = open_event(by, wanted)
                LadderSeason.objects.create(stage=stage, preset=preset, seats=seats)
                channel = stage.tournament.channel
                audit(LadderOpened, label(stage), actor=by, channel=channel, after={"preset": preset, "seats": seats})
                publish(LadderOpened(channel))
            return stage
        except IntegrityError:  # one of this month has ended before its time
            number += 1


def _scoring(scoring: str) -> str:
    return Stage.Scoring.ROUND_VICTORY if scoring == "victories" else Stage.Scoring.PLACE


def end_of_month(now: datetime) -> datetime:
    """Return the first moment of the next month."""
    first = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return first.replace(year=now.year + now.month // 12, month=now.month % 12 + 1)


def official() -> QuerySet[Stage]:
    """Return the stages of official ladders, of any state."""
    rows = Stage.objects.filter(kind__in=kinds(lambda each: each.is_always_open))
    return rows.filter(tournament__official_deal_sets__isnull=False).select_related("tournament")


def running() -> QuerySet[Stage]:
    """Return those that take bots now."""
    rows = official().filter(state=Stage.State.ACTIVE, tournament__state=Tournament.State.RUNNING)
    return rows.filter(ends_at__gt=timezone.now())


def ensure_open() -> int:
    """Open the next one of every official ladder that is over. Returns how many. One that was called off stays so."""
    opened = 0
    over = official().filter(ends_at__lte=timezone.now()).exclude(tournament__state=Tournament.State.CANCELLED)
    later = official().filter(preset=OuterRef("preset"), seats_pref=OuterRef("seats_pref"), pk__gt=OuterRef("pk"))
    for stage in over.filter(~Exists(later)):
        with transaction.atomic():
            # Under the event's row, and asked again: two sweeps at once open one ladder.
            event = Tournament.objects.select_for_update().get(pk=stage.tournament_id)
            if event.official_deal_sets is None or not over.filter(~Exists(later), pk=stage.pk).exists():
                continue
            by = User.objects.only("pk").get(pk=event.created_by_id)  # a worker reads nothing else of an account
            open_ladder(by, preset=stage.preset, seats=stage.seats_pref, deal_sets=event.official_deal_sets)
            opened += 1
    return opened


def give_up(stage: Stage) -> None:
    """Open no next one after it."""
    stage.tournament.official_deal_sets = None
    stage.tournament.save(update_fields=["official_deal_sets"])


def enter_ready() -> int:
    """Enter every bot that is ready into the official ladders it plays the rules of. Returns how many entries."""
    return sum(_enter_ready(stage) for stage in running())


def _enter_ready(stage: Stage) -> int:
    missing = _missing(stage)
    if not missing:
        return 0
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=stage.tournament_id)
        entries = []
        for bot in missing:
            player, _made = Player.objects.get_or_create(bot=bot, defaults={"name": bot.name, "kind": Player.Kind.BOT})
            who = {"tournament": event, "player": player}
            # The list was read before the lock: its owner may have entered it by hand since.
            entry, made = Entry.objects.get_or_create(**who, defaults={"entered_by_id": bot.owner_id})
            if made:
                entries.append(entry)
                after = {"entry": str(entry.uuid), "bot": bot.name}
                audit(BotEntered, f"entry:{entry.uuid}", actor=None, channel=event.channel, after=after)
        enter_stage(stage, entries)
        if entries:
            publish(BotEntered(event.channel, entries=len(entries)))
    return len(entries)


def _missing(stage: Stage) -> list[Bot]:
    """Return bots that could play here and never were in it, the oldest first, one batch at most."""
    ready = Bot.objects.filter(active_version__state=BotVersion.State.READY, active_version__benched_at=None)
    ready = ready.exclude(policy__in_ladders=False)
    here = Entry.objects.filter(tournament=stage.tournament_id, player__bot=OuterRef("pk"))
    rows = ready.filter(~Exists(here)).select_related("active_version").order_by("pk")
    found, clock = [], clock_of(stage)
    # The games a version plays are JSON, so they are asked in Python, a chunk at a time.
    for bot in rows.iterator(chunk_size=BATCH_SIZE):
        if bot.active_version is not None and is_fit(bot.active_version, stage.preset, clock):
            found.append(bot)
        if len(found) == BATCH_SIZE:
            break
    return found


def take_out(bot: Bot, by: User) -> int:
    """Take a bot out of the official ladders that run. Returns of how many. Needs a transaction."""
    here = Entry.objects.filter(player__bot=bot, tournament__stages__in=running(), state=Entry.State.ACTIVE)
    entries = list(here.select_related("tournament"))
    for entry in entries:
        # The event's row before what changes in it, as every act takes them.
        Tournament.objects.select_for_update().get(pk=entry.tournament_id)
        Entry.objects.filter(pk=entry.pk).update(state=Entry.State.WITHDRAWN)
        leave_stage(entry)
        after = {"entry": str(entry.uuid), "state": Entry.State.WITHDRAWN.value, "promoted": []}
        audit(BotWithdrawn, f"entry:{entry.uuid}", actor=by, channel=entry.tournament.channel, after=after)
    publish(*(BotWithdrawn(entry.tournament.channel) for entry in entries))
    return len(entries)


def ask_back(bot: Bot) -> int:
    """Let a bot that was taken out into the official ladders that run. Returns into how many. Needs a transaction."""
    gone = Entry.objects.filter(player__bot=bot, state=Entry.State.WITHDRAWN)
    back = 0
    for stage in running().filter(tournament__entries__in=gone):
        Tournament.objects.select_for_update().get(pk=stage.tournament_id)
        entries = list(gone.filter(tournament=stage.tournament_id))
        for entry in entries:
            entry.state = Entry.State.ENTERED
        enter_stage(stage, entries)
        back += len(entries)
    return back
