"""The operators' page: what waits and how long, the workers, what is held, recent errors."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from accounts.models import User
from activity import error_log
from activity.account_events import BackupWritten
from activity.journal import QUEUE, SERVICE
from bots.models import AuditEvent, Bot, Channel, Check, Outbox
from bots.selectors.waiting import Amount, amounts
from tournaments import streams
from tournaments.lifecycle.json_lists import Listed
from tournaments.matches.queue import WorkerLine, in_play, resting, waiting, workers
from tournaments.models import Delivery, Mailing, Match, PushMessage, StuckNews

SHOWN: Final = 30
A_DAY: Final = timedelta(days=1)
BACKUP_DUE: Final = timedelta(days=2)
# Below this part of free space a disk counts as nearly full.
MIN_FREE: Final = 0.1


@dataclass(frozen=True, slots=True)
class Line:
    """One kind of work. since: the moment at which the next one began to wait, None if nothing waits."""

    waiting: Amount
    quarantined: Amount
    since: datetime | None


@dataclass(frozen=True, slots=True)
class Disk:
    """The disk of this process's data. free, total: bytes; database: bytes of the database, also on another machine."""

    free: int
    total: int
    database: int

    @property
    def is_short(self) -> bool:
        """True if it is nearly full."""
        return self.free < MIN_FREE * self.total


@dataclass(frozen=True, slots=True)
class Suspended:
    """A person or a bot. name: shown; key: a user name or an address."""

    key: str
    name: str
    since: datetime | None
    reason: str


@dataclass(frozen=True, slots=True)
class Stuck:
    """News that a consumer of the outbox fails at. since: its last failure. is_due: is tried again."""

    reader: str
    channel: str
    topic: str
    error: str
    tries: int
    since: datetime | None
    is_due: bool


@dataclass(frozen=True, slots=True)
class OpsPage:
    """The page. listeners, recent_errors: None while Redis does not answer. backup_at: None if none was ever written.

    unsent: news that nothing has followed from yet. people, bots: suspended ones, the newest first.
    """

    matches: Line
    checks: Line
    paused: Amount
    mails: Amount
    hooks: Amount
    pushes: Amount
    given_up: Amount
    unsent: Amount
    stuck_news: Amount
    stuck: Sequence[Stuck]
    workers: Sequence[WorkerLine]
    quarantined: Sequence[Match]
    quarantined_checks: Sequence[Check]
    disk: Disk
    listeners: int | None
    recent_errors: Sequence[error_log.Mishap] | None
    backup_at: datetime | None
    people: Sequence[Suspended]
    bots: Sequence[Suspended]
    version: int

    @property
    def backup_is_due(self) -> bool:
        """True if the last backup is old, or there is none."""
        return self.backup_at is None or timezone.now() - self.backup_at > BACKUP_DUE


def ops_page(viewer: User) -> OpsPage:
    """Read everything of it, in seven queries of bounded numbers of rows."""
    snapshot = _snapshot(viewer)
    kinds = (
        waiting(),
        _quarantined(Match),
        _queued_checks(),
        _quarantined(Check),
        resting(),
        _mails(),
        _hooks(),
        *_pushes(),
        _unsent(),
    )
    matches, quarantined, checks, quarantined_checks, paused, mails, hooks, pushes, given_up, unsent, stuck = amounts(
        *kinds, StuckNews.objects.all()
    )
    return OpsPage(
        matches=Line(matches, quarantined, snapshot["match_since"]),
        checks=Line(checks, quarantined_checks, snapshot["check_since"]),
        paused=paused,
        mails=mails,
        hooks=hooks,
        pushes=pushes,
        given_up=given_up,
        unsent=unsent,
        stuck_news=stuck,
        stuck=[Stuck(**{**each, "since": parse_datetime(each["since"])}) for each in snapshot["stuck"]],
        workers=workers(in_play(), is_operator=True),
        quarantined=list(_quarantined(Match).select_related("stage__tournament", "round").order_by("id")[:SHOWN]),
        quarantined_checks=list(_quarantined(Check).select_related("version__bot").order_by("id")[:SHOWN]),
        disk=_disk(),
        listeners=streams.open_everywhere(),
        recent_errors=error_log.newest(),
        backup_at=snapshot["backup_at"],
        people=[_suspended(each) for each in snapshot["suspended_people"]],
        bots=[_suspended(each) for each in snapshot["suspended_bots"]],
        version=snapshot["version"],
    )


def _snapshot(viewer: User) -> Mapping[str, Any]:
    """Read single facts, all beside the row of the viewer: one query."""
    backups = AuditEvent.objects.filter(subject=SERVICE, verb=BackupWritten.topic).order_by("-id")
    figures: dict[str, Any] = {
        "match_since": Subquery(waiting().order_by("priority", "id").values("queued_at")[:1]),
        "check_since": Subquery(_queued_checks().order_by("priority", "id").values("queued_at")[:1]),
        "backup_at": Subquery(backups.values("at")[:1]),
        "version": Coalesce(Subquery(Channel.objects.filter(name=QUEUE).values("version")[:1]), 0),
        "stuck": Listed(_listed_stuck()),
        "suspended_people": Listed(_listed(User.objects.all(), key="username", name="username")),
        "suspended_bots": Listed(_listed(Bot.objects.all(), key="slug", name="name")),
    }
    return User.objects.filter(pk=viewer.pk).values(**figures)[0]


def _listed_stuck() -> QuerySet[Any, Any]:
    columns = {name: name for name in ("reader", "channel", "topic", "error", "tries", "is_due")}
    rows = StuckNews.objects.order_by("-failed_at", "-pk")
    return rows.values(it=JSONObject(since="failed_at", **columns))[:SHOWN]


def _listed(rows: QuerySet[Any], **fields: str) -> QuerySet[Any, dict[str, Any]]:
    suspended = rows.filter(suspended_at__isnull=False).order_by("-suspended_at", "-pk")
    return suspended.values(it=JSONObject(since="suspended_at", reason="suspended_reason", **fields))[:SHOWN]


def _suspended(row: Mapping[str, str]) -> Suspended:
    return Suspended(row["key"], row["name"], parse_datetime(row["since"]), row["reason"])


def _quarantined(model: type[Match] | type[Check]) -> QuerySet[Any]:
    return model._default_manager.filter(state="quarantined")


def _queued_checks() -> QuerySet[Check]:
    return Check.objects.filter(state=Check.State.QUEUED)


def _mails() -> QuerySet[Mailing]:
    return Mailing.objects.filter(state=Mailing.State.OPEN)


def _pushes() -> tuple[QuerySet[PushMessage], QuerySet[PushMessage]]:
    """Return the messages to browsers that wait, and those of a day that no push service took."""
    rows = PushMessage.objects.all()
    lately = rows.filter(state=PushMessage.State.FAILED, made_at__gte=timezone.now() - A_DAY)
    return rows.filter(state=PushMessage.State.OPEN), lately


def _hooks() -> QuerySet[Delivery]:
    return Delivery.objects.filter(state=Delivery.State.OPEN)


def _unsent() -> QuerySet[Outbox]:
    return Outbox.objects.filter(sent_at=None)


def _disk() -> Disk:
    room = shutil.disk_usage(settings.DATA_DIR)
    return Disk(room.free, room.total, database_bytes())


def database_bytes() -> int:
    """Return the size of the database in bytes. One query."""
    sql = {
        "postgresql": "SELECT pg_database_size(current_database())",
        "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return int(cursor.fetchone()[0])
