"""A row of the outbox that a reader cannot digest: it is written down, nothing else waits, operators can retry it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

import pytest
from django.db import DataError, OperationalError, connection, transaction
from django.test import Client
from django.utils import timezone

from activity import consumers
from activity.journal import Note, tell
from bots.models import AuditEvent, Outbox
from config.metrics import Service
from tests.pipeline import builders as a
from tests.pipeline.test_notices import follower_of, told
from tournaments import tasks
from tournaments.floor import announcements
from tournaments.models import Delivery, Hook, Mailing, StuckNews, Tournament
from tournaments.notifications import letters
from tournaments.notifications import mail as mailing
from tournaments.operations.held_matches import requeue_held
from tournaments.progress import derive
from tournaments.webhooks import audience as hooking_audience
from tournaments.webhooks import consumer as hooking
from tournaments.webhooks import event_types, payloads, sender
from tournaments.webhooks.actions import HookPlan, make_hook
from tournaments.webhooks.deliveries import Claim
from tournaments.webhooks.http import Outcome

pytestmark = pytest.mark.django_db(transaction=True)


def news(*topics: str, channel: str = "t:plum") -> None:
    with transaction.atomic():
        tell(*(Note(channel, topic) for topic in topics))


def read(fail: Callable[[Outbox], None]) -> list[str]:
    """What a reader made of what is new, row by row."""
    made: list[str] = []

    def make(rows: Sequence[Outbox]) -> None:
        for row in rows:
            fail(row)
            Tournament.objects.none().update(name="plum")
        made.extend(row.topic for row in rows)

    consumers.advance(consumers.HOOKS, make)
    return made


def refuse(topic: str, error: Exception) -> Callable[[Outbox], None]:
    def fail(row: Outbox) -> None:
        if row.topic == topic:
            raise error

    return fail


def refused_by_the_database(row: Outbox) -> None:
    if row.topic == "bad":
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")


@pytest.fixture
def begun() -> None:
    consumers.advance(consumers.HOOKS, lambda _rows: None)


@pytest.mark.usefixtures("begun")
@pytest.mark.parametrize("fail", [refuse("bad", KeyError("a kind nobody knows")), refused_by_the_database])
def test_a_poison_row_is_written_down_and_the_others_are_read(
    fail: Callable[[Outbox], None], caplog: pytest.LogCaptureFixture
) -> None:
    news("one", "bad", "two")
    assert read(fail) == ["one", "two"]
    stuck = StuckNews.objects.get()
    assert (stuck.reader, stuck.channel, stuck.version, stuck.topic) == ("hooks", "t:plum", 2, "bad")
    assert stuck.error in ("KeyError", f"{DataError.__module__}.DataError")
    assert "outbox.stuck" in caplog.text
    caplog.clear()
    news("three")
    assert read(fail) == ["three"]
    assert StuckNews.objects.get().tries == 1, "it is not tried again by itself"


@pytest.mark.usefixtures("begun")
def test_what_a_database_that_is_away_cannot_do_is_not_held_against_a_row() -> None:
    news("one")
    with pytest.raises(OperationalError):
        read(refuse("one", OperationalError("the connection is lost")))
    assert not StuckNews.objects.exists()
    assert read(refuse("bad", KeyError())) == ["one"]


def test_a_kind_that_one_registry_lacks_stops_no_hook_and_is_sent_after_the_fix(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The next kind somebody adds, forgotten in the audience: its row waits for the fix, others are delivered."""
    event, operator = a.a_running_event(bots=3), a.a_user(is_staff=True)
    hooking.tell_hooks()
    plan = HookPlan(name="Plum", url="https://example.org/plum", kinds=("round.published", "match.finished"))
    hook, _secret = make_hook(user=event.created_by, plan=plan)
    asked = hooking_audience.ASKED.pop("round.published")
    stage = event.stages.get()
    try:
        with transaction.atomic():
            tell(Note(event.channel, "round.publish", {"subject": f"round:{stage.uuid}/1"}))
            tell(Note(event.channel, "match.confirm", {"match": str(stage.matches.earliest("pk").uuid)}))
        tasks.tail()
        assert list(Delivery.objects.filter(hook=hook).values_list("kind", flat=True)) == ["match.finished"]
        assert StuckNews.objects.get().error == "KeyError"
        assert "outbox.stuck" in caplog.text
        caplog.clear()
    finally:
        hooking_audience.ASKED["round.published"] = asked
    assert requeue_held(by=operator) == 1
    assert AuditEvent.objects.filter(verb="news.retry", actor=operator).exists()
    tasks.tail()
    assert set(Delivery.objects.filter(hook=hook).values_list("kind", flat=True)) == {
        "match.finished",
        "round.published",
    }
    assert not StuckNews.objects.exists()


def test_every_registry_of_hooks_knows_every_kind() -> None:
    kinds = {*event_types.KINDS, event_types.PING}
    assert kinds == hooking_audience.ASKED.keys() == payloads.WORDS.keys()


def test_what_fails_again_stays_and_counts_its_tries(caplog: pytest.LogCaptureFixture) -> None:
    event = a.an_open_event()
    fan = follower_of(tournament=event)
    with transaction.atomic():
        tell(Note(event.channel, "announcement.make", {"n": 1}))  # without its text
    announcements.announce(tournament=event, by=event.created_by, text="Tea.")
    assert told(fan) == ["said"]
    requeue_held(by=a.a_user(is_staff=True))
    assert told(fan) == ["said"]
    stuck = StuckNews.objects.get()
    assert (stuck.reader, stuck.tries, stuck.is_due) == ("notices", 2, False)
    caplog.clear()


def test_a_fold_that_fails_stops_no_other_event_and_clears_itself(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The events after it are folded, drawn and begun all the same; the fold comes again with the next bell."""
    broken, well = a.a_running_event(bots=3, name="Broken"), a.a_running_event(bots=4, kind="swiss", rounds=2)
    for event in (broken, well):
        event.stages.get().matches.update(state="void")
        with transaction.atomic():
            tell(Note(event.channel, "match.void"))
    refresh = derive.refresh

    def fail(tournament: Tournament, matches: Any = None) -> bool:
        if tournament == broken:
            raise KeyError("a fold of ours")
        return refresh(tournament, matches)

    with monkeypatch.context() as patched:
        patched.setattr(derive, "refresh", fail)
        with pytest.raises(KeyError):
            tasks.derive()
    assert well.stages.get().rounds.count() == 2, "the other event goes on"
    stuck = StuckNews.objects.get()
    assert (stuck.reader, stuck.channel) == ("standings", broken.channel)
    caplog.clear()
    tasks.derive()
    broken.refresh_from_db()
    assert broken.state == "finished"
    assert not StuckNews.objects.exists()


def test_operators_see_it_and_nobody_else(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    event = a.an_open_event()
    follower_of(tournament=event)
    with transaction.atomic():
        tell(Note(event.channel, "announcement.make", {"n": 1}))
    tasks.tail()
    client.force_login(a.a_user(is_staff=True))
    shown = client.get("/ops/").content.decode()
    assert "announcement.make" in shown
    assert "KeyError" in shown
    figures = {
        (sample.name, sample.labels.get("reader")): sample.value
        for metric in Service().collect()
        for sample in metric.samples
    }
    assert figures["hanami_outbox_stuck", "notices"] == 1
    assert figures["hanami_outbox_stuck", "hooks"] == 0
    assert client.post("/ops/requeue/").status_code == 302
    assert StuckNews.objects.get().is_due
    caplog.clear()


def test_a_mail_that_cannot_be_written_stops_no_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        Mailing.objects.create(reader=a.a_user(), source="plum", due_at=timezone.now())
    first = Mailing.objects.earliest("pk")

    def fail(mail: Mailing) -> Any:
        if mail == first:
            raise KeyError("a template of ours")
        return letters.letter_of(mail)

    monkeypatch.setattr(mailing, "letter_of", fail)
    mailing.send_waiting()
    assert not Mailing.objects.exclude(pk=first.pk).filter(state=Mailing.State.OPEN, attempts=0).exists()
    first.refresh_from_db()
    assert (first.state, first.error) == (Mailing.State.OPEN, "server.error")
    caplog.clear()


def test_a_sending_that_breaks_counts_as_failed() -> None:
    broken: Future[Outcome] = Future()
    broken.set_exception(KeyError("a wire of ours"))
    hook = Hook(url="https://example.org")
    claim = Claim(Delivery(hook=hook), 1)
    assert sender._outcome(claim, broken).error == "server.error"
