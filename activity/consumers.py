"""Readers of the outbox that miss nothing: each has a name and a place in every channel (decisions 0002, 0058).

The ids of outbox rows are given before they are committed, so who has read id 7 may never see id 6. The versions of a
channel are not: its row is locked from the number to the commit. A reader therefore keeps a place per channel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Final

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone

from activity import stuck
from activity.models import Channel, Cursor, CursorPlace, Outbox

BATCH_SIZE: Final = 500
MAX_RETENTION: Final = timedelta(days=7)
"""Longest wait of a row for a reader that does not come; without a bound the outbox would grow for ever."""


@dataclass(frozen=True, slots=True)
class OutboxConsumer:
    """A reader of the outbox: its name, and how the channels begin that it reads ("t:" events, "b:" bots, "m:" matches,
    ..).
    """

    name: str
    channels: tuple[str, ...]


HOOKS: Final = OutboxConsumer("hooks", ("t:", "b:"))
NOTICES: Final = OutboxConsumer("notices", ("t:", "b:", "s:", "d:"))
SEASONS: Final = OutboxConsumer("seasons", ("t:",))
BEGINS_WITH: Final = {"postgresql": ("LIKE", "%"), "sqlite": ("GLOB", "*")}
"""Operator and wildcard that find channels by the index on their names. Every match has a channel, and SQLite's LIKE is
a Python function here (`accounts/searching.py`): it would be called for each row of the outbox.
"""
CONSUMERS: Final = (HOOKS, NOTICES, SEASONS)
"""All readers. The sweep deletes nothing that a reader of this list has not read yet."""


def advance(consumer: OutboxConsumer, make: Callable[[Sequence[Outbox]], None], *, limit: int = BATCH_SIZE) -> int:
    """Give `make` the next rows, and move the reader's place behind them in the same transaction. Returns how many; 0:
    nothing is new.

    The rows come in an order in which no row stands before its cause: the versions of a channel in order, and a writer
    who has seen another's commit behind that one. Two processes take turns. If the process dies, or the database goes
    away, nothing has happened and the rows come again. A row that `make` fails at is written down for operators
    (`stuck`), and the others go on.

    A reader begins with what is published after its first call.
    """
    with transaction.atomic():
        # The lock on the cursor makes two processes take turns; the second then reads behind the first.
        cursor = _locked(consumer)
        rows = _next_rows(cursor, consumer, limit)
        if rows:
            # The same transaction as the cursor: either the rows were handled and the place has moved, or neither.
            stuck.one_by_one(consumer.name, rows, make)
            _go_on(cursor, rows)
    return len(rows)


def _locked(consumer: OutboxConsumer) -> Cursor:
    # Of two processes that begin at once the second waits at the unique name until the first has stored its places.
    cursor, is_new = Cursor.objects.get_or_create(name=consumer.name)
    if is_new:
        versions = Channel.objects.filter(_begins(consumer, "name")).values_list("name", "version")
        _save(cursor, dict(versions))
    return Cursor.objects.select_for_update().get(pk=cursor.pk)


def _next_rows(cursor: Cursor, consumer: OutboxConsumer, limit: int) -> list[Outbox]:
    """Return the oldest unread rows, found by the channels that have news: the outbox itself may hold a million
    rows.
    """
    operator, wildcard = BEGINS_WITH[connection.vendor]
    begins = " OR ".join([f"told.name {operator} %s"] * len(consumer.channels))
    sql = (
        f"SELECT news.* FROM {Channel._meta.db_table} told "  # noqa: S608  # names of tables and placeholders
        f"LEFT JOIN {CursorPlace._meta.db_table} place ON place.cursor_id = %s AND place.channel = told.name "
        # The ids of one channel rise with its versions (both are given under its row lock), so this order keeps them.
        f"JOIN {Outbox._meta.db_table} news ON news.channel = told.name AND news.version > COALESCE(place.version, 0) "
        f"WHERE ({begins}) AND told.version > COALESCE(place.version, 0) ORDER BY news.id LIMIT %s"
    )
    return list(Outbox.objects.raw(sql, [cursor.pk, *(f"{each}{wildcard}" for each in consumer.channels), limit]))


def _go_on(cursor: Cursor, rows: Sequence[Outbox]) -> None:
    _save(cursor, {row.channel: row.version for row in rows})
    Cursor.objects.filter(pk=cursor.pk).update(moved_at=timezone.now())


def _save(cursor: Cursor, versions: dict[str, int]) -> None:
    CursorPlace.objects.bulk_create(
        [CursorPlace(cursor=cursor, channel=channel, version=version) for channel, version in sorted(versions.items())],
        update_conflicts=True,
        unique_fields=["cursor", "channel"],
        update_fields=["version"],
        batch_size=BATCH_SIZE,
    )


def _begins(consumer: OutboxConsumer, column: str) -> Q:
    return reduce(or_, (Q(**{f"{column}__startswith": each}) for each in consumer.channels))


def unread() -> Q:
    """Return outbox rows that a reader has still to see, for `activity.journal.purge_expired_events`."""
    found = Q(pk__in=[])
    for consumer in CONSUMERS:
        read = CursorPlace.objects.filter(
            cursor__name=consumer.name, channel=OuterRef("channel"), version__gte=OuterRef("version")
        )
        # A reader that never began holds nothing back: it starts with what comes after its first call.
        found |= Q(Exists(Cursor.objects.filter(name=consumer.name))) & _begins(consumer, "channel") & ~Q(Exists(read))
    return found & Q(created_at__gte=Now() - MAX_RETENTION)


def has_lag() -> bool:
    """Return whether a reader has something to read, or has not begun yet."""
    begun = {cursor.name: cursor for cursor in Cursor.objects.all()}
    return stuck.are_due() or any(
        consumer.name not in begun or _next_rows(begun[consumer.name], consumer, 1) for consumer in CONSUMERS
    )


def lag_by_consumer() -> dict[str, tuple[int, float]]:
    """Return for each reader how many rows it has still to read, and the age in seconds of the oldest one."""
    found = {}
    for consumer in CONSUMERS:
        cursor = Cursor.objects.filter(name=consumer.name).first()
        # Up to 500 rows, no further: a figure for operators must not read a backlog of a million.
        rows = _next_rows(cursor, consumer, BATCH_SIZE) if cursor else []
        oldest = min((row.created_at for row in rows), default=None)
        age = (timezone.now() - oldest).total_seconds() if oldest else 0.0
        found[consumer.name] = (len(rows), age)
    return found
