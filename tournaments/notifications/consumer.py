"""Notices from the outbox: events written down, once, for everybody whom they concern and who may know of them.

Driven by the outbox through a cursor (`activity.consumers`): rows are read in order, and the cursor goes on in the
transaction that writes the notices and the mails they ask for. A worker that dies has written nothing and the rows
come again; two take turns. The unique row per reader and source holds even if a row came twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from activity import consumers, stuck, wake_ups
from activity.journal import take_versions
from bots.models import Channel, Outbox
from tournaments.models import EntryLink, Mailing, Notice
from tournaments.notifications.plans_query import has_push, how_of
from tournaments.notifications.push.queue import enqueue
from tournaments.notifications.rules.dispatch import notifiable_events
from tournaments.notifications.rules.facts import NotifiableEvent, batch_of, is_news
from tournaments.notifications.seen import INDIRECT, who_may_know
from tournaments.notifications.tables import By

BATCH_SIZE: Final = 100
READERS_AT_ONCE: Final = 1_000
FORGOTTEN_AT_ONCE: Final = 5_000
RETENTION: Final = timedelta(days=180)
Item = TypeVar("Item")


def channel_of(user: UUID) -> str:
    """Return the live channel of a person's notices."""
    return f"n:{user}"


def notice_news() -> int:
    """Write notices of what is new. Returns how many rows of the outbox were read."""
    # Rows that failed before are tried once more; new ones do not wait for them.
    stuck.try_again(consumers.NOTICES.name, _notify)
    read = 0
    while some := consumers.advance(consumers.NOTICES, _notify, limit=BATCH_SIZE):
        read += some
    return read


def _notify(rows: Sequence[Outbox]) -> None:
    """Write the notices of these rows and wake the pages of those who look at theirs."""
    if not any(map(is_news, rows)):
        return
    batch, notified = batch_of(rows), set[UUID]()
    for news in batch.rows:
        notified |= {user for notifiable in notifiable_events(news, batch) for user in _write_all(notifiable)}
    # Last, once for all rows: versions lock the channels of people until the commit.
    wake(notified)


def wake(users: set[UUID]) -> None:
    """Give the channels of these people their next version. Pages that nobody looks at cost a row, no more.

    In the order of the names, as everybody takes versions; no row of the outbox: nobody reads these by cursor.
    """
    for names in _parts(sorted(map(channel_of, users))):
        take_versions(dict.fromkeys(names, 1))
    if users:
        transaction.on_commit(wake_ups.wake_listeners)


def _write_all(notifiable: NotifiableEvent) -> set[UUID]:
    """Write one fact for all its readers. Returns the readers of new notices."""
    notified: set[UUID] = set()
    for readers in _parts(sorted(_allowed(notifiable))):
        notified |= _write(notifiable, readers)
    for links in _parts(sorted(notifiable.guests)):
        _write_to_guests(notifiable, links)
    return notified


def _parts(many: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Split into parts of the size that one statement takes."""
    return (many[start : start + READERS_AT_ONCE] for start in range(0, len(many), READERS_AT_ONCE))


def _allowed(notifiable: NotifiableEvent) -> set[int]:
    """Return the readers who may know of it now."""
    if notifiable.event is None:
        return set(notifiable.readers)
    indirect = {user for user, by in notifiable.readers.items() if by.via in INDIRECT}
    others = set(notifiable.readers) - indirect
    return who_may_know(notifiable.event, indirect, indirect=True) | who_may_know(
        notifiable.event, others, indirect=False
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    """A reader of a fact. has_mail: true if an address is confirmed."""

    pk: int
    uuid: UUID
    has_mail: bool
    choices: Mapping[str, str]
    push: Mapping[str, object]


def _readers(users: Sequence[int], source: str) -> list[_Reader]:
    """Return those of them who have an account in use and have no notice of this yet."""
    known = Notice.objects.filter(source=source, reader__in=users).values("reader")
    rows = User.objects.filter(pk__in=users, is_active=True).exclude(pk__in=known)
    columns = ("pk", "uuid", "email", "email_confirmed_at", "notice_plan__choices", "notice_plan__push")
    return [
        _Reader(pk, uuid, bool(email and confirmed), choices or {}, push or {})
        for pk, uuid, email, confirmed, choices, push in rows.values_list(*columns)
    ]


def _write(notifiable: NotifiableEvent, users: Sequence[int]) -> set[UUID]:
    readers = _readers(users, notifiable.source)
    # Without a confirmed address nothing is mailed, no matter what was chosen.
    how = {each.pk: how_of(each.choices, notifiable.kind) if each.has_mail else Notice.How.PAGE for each in readers}
    now = timezone.now()
    at_once = [user for user, chosen in how.items() if chosen == Notice.How.INSTANT]
    mails = Mailing.objects.bulk_create(
        Mailing(reader_id=user, source=notifiable.source, due_at=now) for user in at_once
    )
    by_reader = {mail.reader_id: mail for mail in mails}
    notices = Notice.objects.bulk_create(
        _notice(notifiable, notifiable.readers[user], reader_id=user, how=chosen, mailing=by_reader.get(user))
        for user, chosen in how.items()
    )
    wants_push = {each.pk for each in readers if has_push(each.push, notifiable.kind, notifiable.what)}
    enqueue([row for row in notices if row.reader_id in wants_push])
    # Added in the database: a page that marks notices as read counts them again under the row's lock.
    User.objects.filter(pk__in=how).update(unread_news=F("unread_news") + 1)
    if mails:
        wake_ups.notify_once("mail")
    return {each.uuid for each in readers}


def _write_to_guests(notifiable: NotifiableEvent, links: Sequence[int]) -> None:
    """Write the fact for people who are notified by their private link; their page shows it anyway."""
    if not has_push({}, notifiable.kind, notifiable.what):
        return
    known = Notice.objects.filter(source=notifiable.source, link__in=links).values("link")
    rows = EntryLink.objects.filter(pk__in=links, ended_at=None).exclude(pk__in=known)
    found = [_notice(notifiable, notifiable.guests[link], link_id=link) for link in rows.values_list("pk", flat=True)]
    enqueue(Notice.objects.bulk_create(found))


def _notice(notifiable: NotifiableEvent, by: By, **to: Any) -> Notice:
    return Notice(
        source=notifiable.source,
        kind=notifiable.kind,
        what=notifiable.what,
        via=by.via,
        tournament=notifiable.event,
        round_id=notifiable.round,
        match_id=notifiable.match,
        player_id=by.player,
        bot_id=notifiable.bot,
        version_id=notifiable.version,
        challenge_id=notifiable.challenge,
        facts=dict(notifiable.facts),
        at=notifiable.at,
        **to,
    )


def version_of(user: User) -> int:
    """Return the newest version of a person's channel. One query."""
    return Channel.objects.filter(name=channel_of(user.uuid)).values_list("version", flat=True).first() or 0


def purge_expired_notifications() -> int:
    """Drop notices of half a year ago, one batch at once. Returns how many."""
    old = Notice.objects.filter(at__lt=timezone.now() - RETENTION).order_by("at")
    oldest = list(old.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    gone, _by_model = Notice.objects.filter(pk__in=oldest).delete() if oldest else (0, {})
    return gone
