"""Rules about an event as a whole, what its organiser says, and whom it invites."""

from __future__ import annotations

from collections.abc import Iterator

from activity.domain_events import uuid_or_nothing
from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.models import Invitation, Match, Role, Standing, Tournament
from tournaments.notifications.rules.facts import KIND, Batch, News, NotifiableEvent, source_of
from tournaments.notifications.tables import By, followers, guests_of_event, of_event


def event_changed(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield something that happened to an event as a whole."""
    event, what = batch.events.get(row.channel), row.notification.what
    if event is not None:
        readers, guests = of_event(event), guests_of_event(event)
        yield NotifiableEvent(source_of(row), KIND.EVENT, what, row.created_at, readers, event, guests)


def announced(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield an announced event, to those who follow its organiser, too."""
    event = batch.events.get(row.channel)
    if event is not None:
        # Later ones win: somebody who follows the organiser and is entered is notified because of the entry.
        readers = {user: By("person") for user in followers(person=event.created_by_id)} | of_event(event)
        yield NotifiableEvent(source_of(row), KIND.EVENT, "announced", row.created_at, readers, event)


def finished(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield the end of an event; a person with bots in it hears the place of the best one."""
    event = batch.events.get(row.channel)
    if event is None:
        return
    readers, best = of_event(event), _places(event)
    for user, (rank, bot) in best.items():
        if user in readers:
            one = {user: readers.pop(user)}
            yield NotifiableEvent(
                source_of(row), KIND.EVENT, "finished", row.created_at, one, event, bot=bot, facts={"rank": rank}
            )
    guests = guests_of_event(event)
    yield NotifiableEvent(source_of(row), KIND.EVENT, "finished", row.created_at, readers, event, guests)


def _places(event: Tournament) -> dict[int, tuple[int, int]]:
    """Return, by owner, the best place of their bots in the last stage, and that bot."""
    last = event.stages.order_by("-order").first()
    # From the last place to the first, so that the best one is put in last and stays.
    rows = Standing.objects.filter(stage=last, after_round=0, entry__player__bot__house=False).order_by("-rank", "-row")
    listed = rows.values_list("entry__player__bot__owner", "rank", "entry__player__bot")
    return {owner: (rank, bot) for owner, rank, bot in listed}


def announcement(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield what an organiser tells everybody."""
    event = batch.events.get(row.channel)
    if event is not None:
        data = {"n": row.payload["n"], "text": row.payload["text"]}
        readers, guests = of_event(event), guests_of_event(event)
        yield NotifiableEvent(source_of(row), KIND.SAID, "said", row.created_at, readers, event, guests, facts=data)


def quarantined(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield held matches to those who run the event, once an hour; its page lists all of them."""
    event = batch.events.get(row.channel)
    if event is not None and row.payload.get("state") == Match.State.QUARANTINED:
        roles = Role.objects.filter(tournament=event, role__in=ORGANISERS)
        readers = {user: By("own") for user in roles.values_list("user", flat=True)}
        source = f"{row.channel}/held/{row.created_at:%Y-%m-%dT%H}"
        yield NotifiableEvent(source, KIND.HELD, "match_held", row.created_at, readers, event)


def invited(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield an invitation to the account that it is for; one to an address goes by a mail of its own."""
    event, name = batch.events.get(row.channel), uuid_or_nothing(row.payload["invitation"])
    rows = Invitation.objects.filter(state=Invitation.State.OPEN)
    user = rows.filter(uuid=name).values_list("user", flat=True).first() if event is not None and name else None
    if user is not None:
        readers = {user: By("own")}
        yield NotifiableEvent(source_of(row), KIND.INVITED, "invited", row.created_at, readers, event)
