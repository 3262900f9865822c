"""Audit (what was done) and outbox (what happened), written in the transaction that causes them.

Both are of classes of domain events (`domain_events.py`). Rows of one channel are numbered under that channel's row
lock, so their order is their commit order. A transaction that publishes to several channels does it in one call at the
end: locks are then taken in one order everywhere.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from activity import wake_ups
from activity.account_events import QueueChanged
from activity.domain_events import DomainEvent, is_registered
from activity.models import AuditEvent, Outbox
from activity.round_trips import insert, insertion, one_round_trip

QUEUE: Final = "q:"
SERVICE: Final = "service"
"""The subject of what concerns the service as a whole."""
CONSUMED: Final = ("t:", "b:")
"""Beginnings of the channels that readers of the outbox turn into notifications and webhooks."""
# So few that the transaction is short: a sweep that died in the middle loses little, and locks nothing for long.
FORGOTTEN_AT_ONCE: Final = 5_000


def publish(*events: DomainEvent, audited: AuditEvent | None = None, is_counted: bool = False) -> dict[str, int]:
    """Write the events into the outbox, each with its channel's next version, and wake listeners after the commit.

    Call it once per transaction, last: it holds the channels' row locks until the commit. Several events for one
    channel are allowed. audited: an `audit_event` to be written beside them. is_counted: return the last version of
    each channel, which costs a round trip inside `one_round_trip`; else nothing is returned.
    Raises TransactionManagementError outside a transaction, LookupError for an event that is not registered.
    """
    if not events:
        insert([] if audited is None else [audited])
        return {}
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("an outbox row belongs into the transaction that causes it")
    if unknown := [event for event in events if not is_registered(type(event))]:
        raise LookupError(f"nobody could read {unknown[0]!r}: its class is not registered")
    # SQLite runs in this process: a statement costs no round trip, and its UPSERT cannot stand inside a WITH.
    if connection.vendor == "postgresql":
        versions = _write_at_once(events, audited, is_counted)
    else:
        insert([] if audited is None else [audited])
        versions = _write_in_turn(events)
    if is_counted:
        transaction.on_commit(partial(wake_ups.wake_listeners, versions))
    else:
        wake_ups.wake_listeners_on_commit()
    # A channel that no reader follows needs no worker: only open pages hear of it.
    if any(event.channel.startswith(CONSUMED) for event in events):
        wake_ups.notify_once("tail")
    return versions if is_counted else {}


def _write_in_turn(events: Sequence[DomainEvent]) -> dict[str, int]:
    """Take the versions, then write the rows, statement by statement. Returns the last version of each channel."""
    last = take_versions(Counter(event.channel for event in events))
    versions, rows = dict(last), []
    # `last` holds the last number taken of each channel, so numbers are given from the end.
    for event in reversed(events):
        version = last[event.channel]
        rows.append(Outbox(channel=event.channel, version=version, topic=event.topic, payload=event.payload()))
        last[event.channel] -= 1
    Outbox.objects.bulk_create(reversed(rows))
    return versions


def _write_at_once(events: Sequence[DomainEvent], audited: AuditEvent | None, is_counted: bool) -> dict[str, int]:
    """Write everything in one statement, so that a channel stays locked for no round trip but the commit's.

    `left`: how many rows of the same channel follow. Rows are sorted before their ids are given.
    """
    wanted = Counter(event.channel for event in events)
    left, rows = Counter(wanted), []
    for place, event in enumerate(events):
        # Taking the versions returns the last one only: each row counts back from it.
        left[event.channel] -= 1
        rows.append((place, event.channel, left[event.channel], event.topic, json.dumps(event.payload())))
    values = ", ".join(["(%s, %s, %s, %s, %s)"] * len(rows))
    audit_sql, audit_values = insertion([audited]) if audited else ("SELECT 1", ())
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH audited AS ({audit_sql}), taken AS ({_take(len(wanted))}) "  # noqa: S608  # only placeholders
            "INSERT INTO bots_outbox (channel, version, topic, payload, created_at) "
            "SELECT note.channel, taken.version - note.behind, note.topic, note.payload::jsonb, %s "
            f"FROM (VALUES {values}) AS note (place, channel, behind, topic, payload) "
            "JOIN taken ON taken.name = note.channel ORDER BY note.place RETURNING channel, version",
            [*audit_values, *_in_order(wanted), timezone.now(), *(value for row in rows for value in row)],
        )
        return dict(sorted(cursor.fetchall())) if is_counted else {}


def _take(channels: int) -> str:
    """Return the statement that takes versions of `channels` channels, whose rows stay locked until the commit."""
    places = ", ".join(["(%s, %s)"] * channels)
    return (
        f"INSERT INTO bots_channel (name, version) VALUES {places} "  # noqa: S608  # only placeholders
        "ON CONFLICT (name) DO UPDATE SET version = bots_channel.version + excluded.version "
        "RETURNING name, version"
    )


def _in_order(wanted: Mapping[str, int]) -> list[str | int]:
    """Return its values in the order of the names: two transactions never wait for each other crosswise."""
    return [value for channel in sorted(wanted) for value in (channel, wanted[channel])]


def purge_expired_events(unread: Q | None = None) -> int:
    """Delete rows that were sent some time ago, the oldest first, at most FORGOTTEN_AT_ONCE. Returns how many.

    Listeners need only a channel's newest version; anyone who counts on a row that is gone looks at everything.
    unread: rows that somebody has still to see, and that therefore stay.
    """
    sent = Outbox.objects.filter(sent_at__lt=Now() - timedelta(seconds=settings.OUTBOX_KEPT_S))
    if unread is not None:
        sent = sent.exclude(unread)
    # Keys first: PostgreSQL has no DELETE with a LIMIT.
    oldest = list(sent.order_by("pk").values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    gone, _by_model = Outbox.objects.filter(pk__in=oldest).delete()
    return gone


def take_versions(wanted: Mapping[str, int]) -> dict[str, int]:
    """Take `wanted` numbers of each channel; returns the last one taken of each. Their rows stay locked until the
    commit.

    One statement, in the order of the names.
    """
    with connection.cursor() as cursor:
        cursor.execute(_take(len(wanted)), _in_order(wanted))
        return {name: int(version) for name, version in cursor.fetchall()}


def audit(
    verb: type[DomainEvent],
    subject: str,
    *,
    actor: User | None,
    channel: str = "",
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
) -> None:
    """Note that `actor` (None: the system) did `verb`, a class of events, to `subject` ("tournament:<uuid>").

    channel: the live channel whose readers may see it; empty when only operators may.
    """
    insert([audit_event(verb, subject, actor=actor, channel=channel, before=before, after=after)])


def audit_event(
    verb: type[DomainEvent],
    subject: str,
    *,
    actor: User | None,
    channel: str = "",
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
) -> AuditEvent:
    """Return the same as a row that is not written yet: for many at once by `activity.round_trips.insert`."""
    return AuditEvent(
        verb=verb.topic,
        subject=subject,
        actor=actor,
        channel=channel,
        before=dict(before or {}),
        after=dict(after or {}),
    )


def publish_queue_change() -> None:
    """Notify the queue's listeners after the commit, in a transaction of its own.

    The queue's channel concerns everybody: its row must never be locked together with an event's.
    """
    transaction.on_commit(partial(wake_ups.together.later, _publish_queue_change_now))


def _publish_queue_change_now() -> None:
    with one_round_trip():
        publish(QueueChanged(QUEUE))
