"""Facts that people are notified of, and the rows of the outbox that say them, read with their subjects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from activity.domain_events import Notification, Readers, class_of
from bots.models import Outbox
from tournaments.models import Match, Notice, Tournament
from tournaments.notifications.tables import By, Tables, tables_of

KIND: Final = Notice.Kind
OF_TABLES: Final = (
    Readers.CALLED,
    Readers.RESULT,
    Readers.RESEATED,
    Readers.AWAITED,
    Readers.DISPUTED,
    Readers.TURN,
)
"""Rules that need the tables of a batch."""


@dataclass(frozen=True, slots=True)
class NotifiableEvent:
    """A fact for some people. source: names it, for each reader once. readers: by their id, the reason.

    guests: by the id of their private link, people without an account whose browsers asked to be told.

    facts: what the words need besides the rows it names.
    """

    source: str
    kind: str
    what: str
    at: datetime
    readers: Mapping[int, By]
    event: Tournament | None = None
    guests: Mapping[int, By] = field(default_factory=dict)
    round: int | None = None
    match: int | None = None
    bot: int | None = None
    version: int | None = None
    challenge: int | None = None
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class News:
    """A row of the outbox that people are notified of. payload: whole, no matter what version wrote it."""

    channel: str
    version: int
    created_at: datetime
    payload: Mapping[str, Any]
    notification: Notification


@dataclass(frozen=True, slots=True)
class Batch:
    """The subjects of rows of the outbox, read at once. events: by channel; tables: by the match's uuid."""

    rows: Sequence[News]
    events: Mapping[str, Tournament]
    tables: Tables


def is_news(row: Outbox) -> bool:
    """Return whether people are notified of such rows."""
    found = class_of(row.topic)
    return found is not None and found.notification is not None


def _news_of(row: Outbox) -> Iterator[News]:
    found = class_of(row.topic)
    if found is not None and found.notification is not None:
        payload = found.read(row.channel, row.payload).payload()
        yield News(row.channel, row.version, row.created_at, payload, found.notification)


def batch_of(rows: Sequence[Outbox]) -> Batch:
    """Read what these rows are about: a few queries, however many they are."""
    wanted = [news for row in rows for news in _news_of(row)]
    slugs = {news.channel.removeprefix("t:") for news in wanted if news.channel.startswith("t:")}
    events = {event.channel: event for event in Tournament.objects.filter(slug__in=slugs)} if slugs else {}
    named = {uuid for news in wanted if news.notification.readers in OF_TABLES and (uuid := match_of(news))}
    undone = [news for news in wanted if news.notification.readers is Readers.UNDONE]
    named |= {str(each).removeprefix("m:") for news in undone for each in news.payload["matches"]}
    return Batch(wanted, events, tables_of(Match.objects.filter(uuid__in=named)) if named else Tables())


def source_of(row: News, *about: object) -> str:
    """Name the fact of a row, or the part of it about something."""
    return "/".join([f"{row.channel}@{row.version}", *map(str, about)])


def match_of(row: News) -> str:
    """Return the uuid of the match that a row is about, "" of none."""
    subject = str(row.payload.get("subject", ""))
    return subject.removeprefix("match:") if subject.startswith("match:") else str(row.payload.get("match", ""))
