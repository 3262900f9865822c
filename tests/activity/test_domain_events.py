"""A webhook event is one class: a toy event goes the whole way; rows of other versions stop nobody."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client

from activity import stuck
from activity.domain_events import (
    DomainEvent,
    Effect,
    Notification,
    Readers,
    WebhookType,
    class_of,
    register,
    withdraw,
)
from activity.journal import audit, publish, take_versions
from bots.models import AuditEvent, Outbox
from tests.architecture.source import modules
from tests.builders import events as a
from tests.builders.clubs import a_called_night
from tests.builders.keys import Caller
from tests.builders.receivers import Receiver, a_hook, told_and_sent
from tests.services.processes import ROOT
from tests.tournaments.notifications.test_notices import follower_of, told, words
from tournaments import tasks
from tournaments.domain_events.tournaments import AnnouncementMade
from tournaments.floor import announcements
from tournaments.lifecycle.transitions import label
from tournaments.models import Delivery, Standing, StuckNews, Tournament
from tournaments.operations.quarantine import requeue_quarantined
from tournaments.progress import derive

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True, kw_only=True)
class PlumBloomed(DomainEvent):
    """The toy: nothing else in the tree knows of it."""

    topic = "plum.bloom"
    words = "saw the plum bloom"
    effect = Effect.NONE
    notification = Notification(Readers.EVENT, "bloomed", "%(event)s: the plum blooms.")
    webhook_types = (WebhookType("plum.bloomed", "a plum blooms"),)

    branch: str
    blossoms: int


@pytest.fixture
def toy() -> Iterator[None]:
    """The toy event, registered for one test."""
    register(PlumBloomed)
    yield
    withdraw(PlumBloomed)


def bloom(event: Tournament) -> None:
    with transaction.atomic():
        audit(PlumBloomed, label(event), actor=event.created_by, channel=event.channel, after={"blossoms": 5})
        publish(PlumBloomed(event.channel, branch="south", blossoms=5))


def test_contributing_names_one_class_for_a_webhook_event() -> None:
    promised = (
        "| add a webhook event | its class in `tournaments/domain_events/` (of a bot: `bots/domain_events.py`); "
        "`publish(…)` where it happens | webhooks, notifications, log, pages, API |"
    )
    assert promised in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = [path for path in modules() if "plum.bloomed" in path.read_text(encoding="utf-8")]
    assert named == [Path(__file__)], "nothing but the class knows of the toy"


@pytest.mark.thorough
@pytest.mark.usefixtures("toy")
def test_a_toy_webhook_event_is_one_class(client: Client, receiver: Receiver) -> None:
    event = a.an_open_event()
    organiser = event.created_by
    fan = follower_of(tournament=event)
    client.force_login(organiser)
    chosen_on = [client.get(path).content.decode() for path in ("/me/hooks/", "/api/docs/")]
    assert all("plum.bloomed" in page and "a plum blooms" in page for page in chosen_on)
    wanted = {"name": "plum", "url": receiver.url, "kinds": ["plum.bloomed"], "watch": "mine"}
    made = Caller(organiser).post("/api/v1/hooks", wanted, Idempotency_Key="plum")
    assert (made.status_code, made.json()["kinds"]) == (201, ["plum.bloomed"])
    told_and_sent()

    bloom(event)
    stored = Outbox.objects.get(topic="plum.bloom")
    assert (stored.channel, stored.payload) == (event.channel, {"branch": "south", "blossoms": 5})
    assert told_and_sent() == 1
    assert receiver.sent[0].body["kind"] == "plum.bloomed"
    assert receiver.sent[0].body["what"] == {
        "event": event.slug, "name": event.name, "branch": "south", "blossoms": 5,
    }  # fmt: skip
    assert receiver.sent[0].body["url"].endswith(f"/api/v1/tournaments/{event.slug}")
    for page in (f"/t/{event.slug}/feed/", f"/t/{event.slug}/audit/"):
        assert "saw the plum bloom" in client.get(page).content.decode()
    assert told(fan) == ["bloomed"]
    assert words(fan) == [f"{event.name}: the plum blooms."]
    assert not StuckNews.objects.exists()


@pytest.mark.thorough
@pytest.mark.usefixtures("toy")
def test_nobody_hears_of_a_private_event_by_a_toy(receiver: Receiver) -> None:
    event = a.an_open_event(visibility="private")
    stranger = a.a_user()
    a_hook(stranger, receiver.url, "plum.bloomed")
    bloom(event)
    assert told_and_sent() == 0


def test_an_event_without_a_registered_class_is_not_written() -> None:
    event = a.an_open_event()
    with pytest.raises(LookupError, match="not registered"):
        bloom(event)
    assert not AuditEvent.objects.filter(verb="plum.bloom").exists()
    assert not Outbox.objects.filter(topic="plum.bloom").exists()


def from_another_version(event: Tournament, topic: str, payload: dict[str, object]) -> None:
    """A row that no class of this version would write."""
    with transaction.atomic():
        version = take_versions({event.channel: 1})[event.channel]
        Outbox.objects.create(channel=event.channel, version=version, topic=topic, payload=payload)


@pytest.mark.thorough
def test_an_unknown_topic_is_skipped_and_reported_and_read_once_it_is_known(
    client: Client, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    event = a_called_night()
    operator, fan = a.a_user(is_staff=True), follower_of(tournament=event)
    a_hook(event.created_by, receiver.url, "match.finished")
    from_another_version(event, "plum.bloom", {"branch": "south", "blossoms": 5})
    announcements.announce(tournament=event, by=event.created_by, text="Tea.")
    tasks.tail()
    assert told(fan) == ["said"], "what comes after it is read"
    assert {(row.reader, row.topic, row.error) for row in StuckNews.objects.all()} == {
        (reader, "plum.bloom", f"{stuck.UnknownTopic.__module__}.UnknownTopic") for reader in ("hooks", "notices")
    }
    assert "outbox.stuck" in caplog.text
    caplog.clear()
    client.force_login(operator)
    assert "plum.bloom" in client.get("/ops/").content.decode()
    requeue_quarantined(by=operator)
    tasks.tail()
    assert StuckNews.objects.count() == 2, "it is not known yet"
    caplog.clear()
    register(PlumBloomed)
    try:
        requeue_quarantined(by=operator)
        tasks.tail()
        assert not StuckNews.objects.exists()
        assert sorted(told(fan)) == ["bloomed", "said"]
    finally:
        withdraw(PlumBloomed)
    assert words(fan)[-1] == event.name, "a notice of a class that is gone names its event"


@pytest.mark.thorough
def test_standings_follow_although_an_unknown_topic_stands_between(caplog: pytest.LogCaptureFixture) -> None:
    event = a_called_night()
    stage = event.stages.get()
    from_another_version(event, "plum.bloom", {})
    from_another_version(event, "match.confirm", {})  # of a version that did not name the match
    derive.derive_waiting()
    assert Standing.objects.filter(stage=stage, after_round=0).exists()
    assert not Outbox.objects.filter(sent_at=None).exists()
    assert not StuckNews.objects.exists()
    caplog.clear()


def test_a_row_of_an_earlier_version_that_lacks_a_field_is_read() -> None:
    event = a.an_open_event()
    fan = follower_of(tournament=event)
    from_another_version(event, "announcement.make", {"n": 1, "colour": "red"})
    assert told(fan) == ["said"]
    assert AnnouncementMade.read(event.channel, {"n": 1, "colour": "red"}) == AnnouncementMade(
        event.channel, n=1, text=""
    )
    assert not StuckNews.objects.exists()


def test_the_log_shows_an_act_of_another_version_by_its_verb(client: Client) -> None:
    event = a.an_open_event()
    register(PlumBloomed)
    try:
        bloom(event)
    finally:
        withdraw(PlumBloomed)
    assert class_of("plum.bloom") is None
    client.force_login(event.created_by)
    assert "plum bloom" in client.get(f"/t/{event.slug}/feed/").content.decode()


def test_a_delivery_of_a_type_that_is_gone_is_closed(receiver: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    event = a.an_open_event()
    register(PlumBloomed)
    try:
        a_hook(event.created_by, receiver.url, "plum.bloomed")
        bloom(event)
        tasks.tail()
    finally:
        withdraw(PlumBloomed)
    assert Delivery.objects.filter(state=Delivery.State.OPEN).count() == 1
    assert told_and_sent() == 0
    assert not Delivery.objects.filter(state=Delivery.State.OPEN).exists()
    assert receiver.sent == []
    caplog.clear()
