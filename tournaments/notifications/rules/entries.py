"""Rules about one person's place in an event, and what its organisers hear of people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db.models import F

from activity.domain_events import uuid_or_nothing
from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.models import Entry, EntryLink, Registration, Role
from tournaments.notifications.rules.facts import KIND, Batch, News, NotifiableEvent, source_of
from tournaments.notifications.tables import By

# What the words need of a payload; the rest of it is not stored once more.
TOLD: Final = ("worths", "rounds", "substitute", "name")


def person(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a change of somebody's place to themselves: by their account, and by their private link."""
    event = batch.events.get(row.channel)
    if event is None:
        return
    entry = uuid_or_nothing(row.payload.get("left") or row.payload.get("entry", ""))
    rows = Entry.objects.filter(tournament=event, uuid=entry) if entry else Entry.objects.none()
    found = rows.values_list("pk", "player", "player__user").first()
    pk, player, user = found if found is not None else (None, None, None)
    registered = Registration.objects.filter(tournament=event, user__isnull=False)
    uuid = uuid_or_nothing(row.payload.get("registration", ""))
    # The entry of a registration may go on under a substitute's name, who is somebody else.
    mine = (
        registered.filter(entry=pk, name=F("entry__player__name"))
        if pk is not None
        else registered.filter(uuid=uuid)
        if uuid
        else registered.none()
    )
    users = {each for each in (user, *mine.values_list("user", flat=True)) if each is not None}
    links = EntryLink.objects.filter(entry=pk, ended_at=None, push_subscriptions__isnull=False) if pk else ()
    by = By("own", player)
    yield NotifiableEvent(
        source_of(row),
        KIND.PLACE,
        row.notification.what,
        row.created_at,
        dict.fromkeys(users, by),
        event,
        {link.pk: by for link in links},
        facts=_facts(row),
    )


def organisers(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield what people did about an event to those who run it."""
    event = batch.events.get(row.channel)
    if event is not None:
        roles = Role.objects.filter(tournament=event, role__in=ORGANISERS)
        readers = {user: By("own") for user in roles.values_list("user", flat=True)}
        what, facts = row.notification.what, _facts(row)
        yield NotifiableEvent(source_of(row), KIND.RUN, what, row.created_at, readers, event, facts=facts)


def _facts(row: News) -> dict[str, object]:
    return {name: row.payload[name] for name in TOLD if row.payload.get(name)}
