"""Outbox rows that a reader fails at: written down, shown to operators, tried again once they say so.

One row must not hold up all others, and none is skipped silently. A failure of the database itself is no such failure:
it is raised, and everything comes again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import structlog
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F
from django.utils import timezone

from activity.domain_events import class_of
from activity.models import Outbox, StuckNews

STANDINGS: Final = "standings"
AWAY: Final = (OperationalError, InterfaceError)
"""The database is away, restarting or full, or has ended a deadlock: later it can do what it cannot do now."""
BATCH_SIZE: Final = 100
Make = Callable[[Sequence[Outbox]], None]
log = structlog.get_logger(__name__)


class UnknownTopic(Exception):
    """A stored row has a topic that no class of this version has: an earlier or a later version wrote it."""


def one_by_one(reader: str, rows: Sequence[Outbox], make: Make) -> None:
    """Give `make` the rows: all at once, or where that fails each on its own. Those it fails at are written down.

    So are rows of topics that this version does not know; `make` does not see them. Needs a transaction; of a row that
    fails nothing else is written.
    """
    known = [row for row in rows if class_of(row.topic) is not None]
    for row in rows:
        if class_of(row.topic) is None:
            _record_row(reader, row, UnknownTopic(row.topic))
    if known:
        _one_by_one(reader, known, make)


def _one_by_one(reader: str, rows: Sequence[Outbox], make: Make) -> None:
    try:
        # A savepoint: what `make` wrote of a row before it failed goes with it.
        with transaction.atomic():
            make(rows)
        return
    except AWAY:
        raise
    except Exception as error:  # noqa: BLE001  # any error is recorded and reported
        # All together first: a batch costs one fold; only a batch that fails is worth taking apart.
        if len(rows) == 1:
            _record_row(reader, rows[0], error)
            return
    for row in rows:
        _one_by_one(reader, [row], make)


def _record_row(reader: str, row: Outbox, error: Exception) -> None:
    log.error("outbox.stuck", reader=reader, channel=row.channel, version=row.version, topic=row.topic, exc_info=error)
    _record(reader, row.channel, row.version, error, topic=row.topic, payload=row.payload, told_at=row.created_at)


def record_channel(reader: str, channel: str, error: Exception) -> None:
    """Write down that everything new of a channel is stuck; it is tried again on its own."""
    _record(reader, channel, 0, error)


def _record(reader: str, channel: str, version: int, error: Exception, **fields: object) -> None:
    kind = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")[:120]
    failed = {"error": kind, "failed_at": timezone.now(), "is_due": False}
    known = StuckNews.objects.filter(reader=reader, channel=channel, version=version)
    # Update before insert: nearly always the row is there; of two that insert at once one is ignored.
    if not known.update(tries=F("tries") + 1, **failed):
        StuckNews.objects.bulk_create(
            [StuckNews(reader=reader, channel=channel, version=version, **failed, **fields)], ignore_conflicts=True
        )


def clear_channel(reader: str, channel: str) -> None:
    """Delete what was written down of a channel that works again."""
    StuckNews.objects.filter(reader=reader, channel=channel).delete()


def try_again(reader: str, make: Make) -> None:
    """Give `make` again the rows that an operator released; those that succeed are deleted."""
    due = StuckNews.objects.filter(reader=reader, is_due=True).order_by("pk")
    while news := due.first():
        with transaction.atomic():
            mine = due.select_for_update().filter(pk=news.pk).first()
            if mine is None:
                continue  # another process was first
            StuckNews.objects.filter(pk=mine.pk).update(is_due=False)
            tries = mine.tries
            one_by_one(reader, [_row_of(mine)], make)
            # A failure counted one more try: then the row stays.
            StuckNews.objects.filter(pk=mine.pk, tries=tries).delete()


def _row_of(news: StuckNews) -> Outbox:
    """Return the outbox row as it was; it may be gone from the outbox."""
    created_at = news.told_at or news.failed_at
    return Outbox(
        channel=news.channel, version=news.version, topic=news.topic, payload=news.payload, created_at=created_at
    )


def are_due() -> bool:
    """Return whether an operator released something to be tried again."""
    return StuckNews.objects.filter(is_due=True).exists()
