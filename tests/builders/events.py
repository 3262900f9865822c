"""Builders of rows for the tests of the pipeline: people, bots that are ready, leagues."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from bots.models import Blob, Bot, BotVersion, Check, Worker
from bots.uploads import pack_files, version_hash
from tournaments.entries.bots import enter_bot
from tournaments.events.create import create_tournament
from tournaments.lifecycle import locks
from tournaments.lifecycle.event_plan import AdvancementPlan, EventPlan, StagePlan
from tournaments.models import Entry, Match, Tournament
from tournaments.progress import derive
from tournaments.progress.run import open_registration, publish_tournament, start_tournament

FIRST = b"def choose(obs):\n    return 0\n"
CRASHES = b"def choose(obs):\n    raise ValueError('no idea')\n"
NEVER_LOADS = b"import hanami\nraise SystemExit(3)\n"
WAITS = b"import os\ndef choose(obs):\n    os.read(3, 1)\n    return 0\n"

_number = count(1)


def a_user(name: str = "", *, is_staff: bool = False) -> User:
    """Make a person with an account."""
    name = name or f"person{next(_number)}"
    return User.objects.create_user(name, password="plum-blossom-77", is_staff=is_staff)


def a_bot(owner: User | None = None, *, name: str = "", source: bytes = FIRST, ready: bool = True) -> Bot:
    """Make a bot with one version that passed its check and is active (unless not `ready`)."""
    n = next(_number)
    bot = Bot.objects.create(owner=owner or a_user(), name=name or f"Bot {n}", slug=f"bot-{n}")
    version = a_version(bot, source, ready=ready)
    if ready:
        bot.active_version = version
        bot.save()
    return bot


def a_version(bot: Bot, source: bytes = FIRST, *, ready: bool = True) -> BotVersion:
    """Make one more version of a bot."""
    files = [("bot.py", source + f"# {next(_number)}\n".encode())]
    plays = ["hawaii", "paradise"]
    state = BotVersion.State.READY if ready else BotVersion.State.CHECKING
    version = BotVersion.objects.create(
        bot=bot,
        n=bot.versions.count() + 1,
        hash=version_hash(files, 1, plays),
        plays=plays,
        files=[["bot.py", "", len(source)]],
        source=Blob.objects.put(pack_files(files)),
        state=state,
    )
    done = Check.State.DONE if ready else Check.State.QUEUED
    Check.objects.create(version=version, state=done, queued_at=timezone.now(), result={"ok": ready, "steps": []})
    return version


def a_plan(**changes: object) -> EventPlan:
    """Make a short league of two at a table."""
    wanted: dict[str, object] = {"name": "Plum league", "preset": "hawaii", "seats": 2, "kind": "round_robin"}
    wanted["options"] = {"rounds": 1}
    return EventPlan(**{**wanted, **changes})  # type: ignore[arg-type]  # a test's own words


def an_open_event(**changes: object) -> Tournament:
    """Make an event that takes entries."""
    by = a_user()
    event = create_tournament(by=by, plan=a_plan(**changes))
    publish_tournament(tournament=event, by=by)
    return open_registration(tournament=event, by=by)


def entered(event: Tournament, bots: Iterable[Bot]) -> list[Entry]:
    """Return the entries of bots, each entered by its owner."""
    return [enter_bot(tournament=event, bot=bot, by=bot.owner) for bot in bots]


def a_running_event(*, bots: int = 2, sources: Iterable[bytes] = (), **changes: object) -> Tournament:
    """Make a started event of `bots` bots (or of one bot for each of `sources`)."""
    event = an_open_event(**changes)
    players = [a_bot(source=source) for source in sources] or [a_bot() for _ in range(bots)]
    entered(event, players)
    return start_tournament(tournament=event, by=event.created_by)


def an_event_whose_next_stage_waits(*, bots: int = 3, **changes: object) -> Tournament:
    """Make a chain whose first stage is closed without a result, and whose second one waits for the organiser."""
    then = StagePlan(kind="single_elim", name="Final", waits=True)
    way = AdvancementPlan(source=1, target=2, last=2)
    wanted: dict[str, Any] = {"min_entries": 3, "then": (then,), "ways": (way,), **changes}
    event = a_running_event(bots=bots, **wanted)
    Match.objects.filter(stage__tournament=event).update(state=Match.State.VOID)
    with transaction.atomic():
        locks.lock_standings(event)
        derive.refresh(event)
    event.refresh_from_db()
    return event


def a_worker(name: str = "") -> Worker:
    """Make the row of a worker process whose sandbox held."""
    return Worker.objects.create(name=name or f"worker{next(_number)}", probe_ok=True, seen_at=timezone.now())


def matches_of(event: Tournament) -> list[Match]:
    """Return all matches of an event in the order of the queue."""
    return list(Match.objects.filter(stage__tournament=event).order_by("priority", "id"))
