"""What was done (audit) and what has to be told (outbox): written in the transaction that causes them.

Rows of one channel are numbered under that channel's row lock, so their order is their commit order. Whoever tells
several channels in one transaction does it in one call at the end: locks are then taken in one order everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import User
from bots import bells
from bots.models import AuditEvent, Outbox

QUEUE: Final = "q:"
SERVICE: Final = "service"
BACKUP: Final = "service.backup"
"""Subject and verb of the audit once a backup was written."""
TAILED: Final = ("t:", "b:")
"""How the channels begin whose news are made into something else, by readers of the outbox."""
FORGOTTEN_AT_ONCE: Final = 5_000


@dataclass(frozen=True, slots=True)
class Note:
    """One thing to tell the listeners of `channel` ("t:<slug>", "m:<uuid>", "b:<slug>", "q:")."""

    channel: str
    topic: str
    payload: Mapping[str, object] = field(default_factory=dict)


def tell(*notes: Note) -> None:
    """Write the notes into the outbox, each with its channel's next version, and wake listeners after the commit.

    Call it once per transaction, last: it holds the channels' row locks until the commit. Several notes for one
    channel are allowed. Raises TransactionManagementError outside a transaction.
    """
    if not notes:
        return
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("an outbox row belongs into the transaction that causes it")
    last = take_versions(Counter(note.channel for note in notes))
    rows = []
    for note in reversed(notes):
        rows.append(
            Outbox(channel=note.channel, version=last[note.channel], topic=note.topic, payload=dict(note.payload))
        )
        last[note.channel] -= 1
    Outbox.objects.bulk_create(reversed(rows))
    transaction.on_commit(bells.wake_listeners)
    if any(note.channel.startswith(TAILED) for note in notes):
        bells.ring_once("tail")


def forget_told(unread: Q | None = None) -> int:
    """Drop rows that were told some time ago, the oldest first, so many at once. Returns how many.

    Listeners need only a channel's newest version; whoever counts on a row that is gone looks at everything.
    unread: rows that somebody has still to see, and that therefore stay.
    """
    told = Outbox.objects.filter(sent_at__lt=Now() - timedelta(seconds=settings.OUTBOX_KEPT_S))
    if unread is not None:
        told = told.exclude(unread)
    oldest = list(told.order_by("pk").values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    gone, _by_model = Outbox.objects.filter(pk__in=oldest).delete()
    return gone


def take_versions(wanted: Mapping[str, int]) -> dict[str, int]:
    """Take so many numbers of each channel; the last one taken of each. Their rows stay locked until the commit.

    One statement, in the order of the names: two transactions never wait for each other crosswise.
    """
    channels = sorted(wanted)
    places = ", ".join(["(%s, %s)"] * len(channels))
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO bots_channel (name, version) VALUES {places} "  # noqa: S608  # only placeholders
            "ON CONFLICT (name) DO UPDATE SET version = bots_channel.version + excluded.version "
            "RETURNING name, version",
            [value for channel in channels for value in (channel, wanted[channel])],
        )
        return {name: int(version) for name, version in cursor.fetchall()}


def audit(
    verb: str,
    subject: str,
    *,
    actor: User | None,
    channel: str = "",
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
) -> AuditEvent:
    """Note that `actor` (None: the system) did `verb` to `subject` ("tournament:<uuid>").

    channel: the live channel whose readers may see it; empty when only operators may.
    """
    return AuditEvent.objects.create(
        verb=verb,
        subject=subject,
        actor=actor,
        channel=channel,
        before=dict(before or {}),
        after=dict(after or {}),
    )


def tell_queue() -> None:
    """Tell the queue's listeners after the commit, in a transaction of its own.

    The queue's channel concerns everybody: its row must never be locked together with an event's.
    """
    transaction.on_commit(_tell_queue_now)


def _tell_queue_now() -> None:
    with transaction.atomic():
        tell(Note(QUEUE, "queue.change"))
