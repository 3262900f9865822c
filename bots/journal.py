"""What was done (audit) and what has to be told (outbox): written in the transaction that causes them.

Rows of one channel are numbered under that channel's row lock, so their order is their commit order. Whoever tells
several channels in one transaction does it in one call at the end: locks are then taken in one order everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from django.db import connection, transaction

from accounts.models import User
from bots import bells
from bots.models import AuditEvent, Outbox

QUEUE: Final = "q:"
NEXT_VERSION: Final = (
    "INSERT INTO bots_channel (name, version) VALUES (%s, 1) "
    "ON CONFLICT (name) DO UPDATE SET version = bots_channel.version + 1 RETURNING version"
)


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
    Outbox.objects.bulk_create(
        Outbox(channel=note.channel, version=next_version(note.channel), topic=note.topic, payload=dict(note.payload))
        for note in sorted(notes, key=lambda note: note.channel)
    )
    transaction.on_commit(bells.wake_listeners)


def next_version(channel: str) -> int:
    """Take the next number of a channel; its row stays locked until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(NEXT_VERSION, [channel])
        return int(cursor.fetchone()[0])


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
