"""Version of an event's file, as one short text that is read without making the file.

Every act changes the number of the event's channel; names of people and bots change without it, and so do the rows
that workers fold. All of them together are in the text: a file that could differ has another one.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.db.models import Count, Max, Sum
from django.utils.translation import get_language

from accounts.models import User
from bots.models import AuditEvent
from tournaments.matches.queue import channel_versions
from tournaments.models import Entry, Match, Standing, Tournament

PACKAGES: Final = ("accounts", "activity", "bots", "core", "engine", "tournaments", "web")
PEOPLE: Final = ("pk", "username", "display_name")


@cache
def code_version() -> str:
    """Return a value that changes whenever a program file does: other code may write other files."""
    root = Path(__file__).resolve().parents[2]
    found = hashlib.sha256()
    for name in PACKAGES:
        for path in sorted((root / name).rglob("*.py")):
            # Size and time of change, which are read without opening a file.
            status = path.stat()
            found.update(f"{path.relative_to(root)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return found.hexdigest()


def version_of(event: Tournament, *asked: str) -> str:
    """Return the key of one file of an event, 40 hex digits.

    asked: the file, and all that its query says. Eight queries.
    """
    return digest([code_version(), get_language(), *asked, _rows_of(event)])


def digest(value: Any) -> str:
    """Return a key for any value that JSON can hold."""
    return hashlib.sha256(json.dumps(value, default=str).encode()).hexdigest()[:40]


def _rows_of(event: Tournament) -> list[Any]:
    bot = ("player__bot__slug", *(f"player__bot__owner__{name}" for name in PEOPLE))
    listed = ("pk", "state", "seed", "player__name", "player__club", "bot_version__n", *bot)
    acts = AuditEvent.objects.filter(channel=event.channel)
    matches = Match.objects.filter(stage__tournament=event)
    times = [Max(name) for name in ("queued_at", "claimed_at", "finished_at")]
    rows = Standing.objects.filter(stage__tournament=event).order_by("stage", "after_round")
    return [
        channel_versions([event.channel]),
        list(Tournament.objects.filter(pk=event.pk).values_list()),
        list(Entry.objects.filter(tournament=event).order_by("pk").values_list(*listed)),
        list(User.objects.filter(pk__in=acts.values("actor")).order_by("pk").values_list(*PEOPLE)),
        acts.aggregate(Max("pk")),
        list(matches.order_by("state").values_list("state").annotate(Count("pk"), Sum("attempt"), *times)),
        matches.aggregate(Count("reports"), Max("reports__pk")),
        list(rows.values_list("stage", "after_round", "input_hash").annotate(Count("pk"))),
    ]
