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
from activity.domain_events import DomainEvent, Readers, Subject, class_of
from activity.journal import publish
from bots.models import AuditEvent, Outbox
from config.metrics import Service
from tests.builders import events as a
from tests.tournaments.notifications.test_notices import follower_of, told
from tournaments import tasks
from tournaments.domain_events.matches import ActUndone, MatchConfirmed, MatchVoided
from tournaments.domain_events.stages import RoundPublished
from tournaments.domain_events.tournaments import LadderEnded, LadderOpened, TournamentCreated, TournamentImported
from tournaments.floor import announcements
from tournaments.models import Delivery, Hook, Mailing, StuckNews, Tournament
from tournaments.notifications import letters
from tournaments.notifications import mail as mailing
from tournaments.notifications.rules import dispatch
from tournaments.operations.quarantine import requeue_quarantined
from tournaments.progress import derive
from tournaments.webhooks import audience as hooking_audience
from tournaments.webhooks import consumer as hooking
from tournaments.webhooks import event_types, payloads, sender
from tournaments.webhooks.actions import HookPlan, make_hook
from tournaments.webhooks.deliveries import Claim
from tournaments.webhooks.http import Outcome

pytestmark = pytest.mark.django_db(transaction=True)


ONE, BAD, TWO, THREE = TournamentCreated, LadderOpened, TournamentImported, LadderEnded


def news(*kinds: type[DomainEvent], channel: str = "t:plum") -> None:
    with transaction.atomic():
        publish(*(kind(channel) for kind in kinds))


def read(fail: Callable[[Outbox], None]) -> list[type[DomainEvent] | None]:
    """Return what a reader made of what is new, row by row."""
    made: list[type[DomainEvent] | None] = []

    def make(rows: Sequence[Outbox]) -> None:
        for row in rows:
            fail(row)
            Tournament.objects.none().update(name="plum")
        made.extend(class_of(row.topic) for row in rows)

    consumers.advance(consumers.HOOKS, make)
    return made


def refuse(kind: type[DomainEvent], error: Exception) -> Callable[[Outbox], None]:
    def fail(row: Outbox) -> None:
        if row.topic == kind.topic:
            raise error

    return fail


def refused_by_the_database(row: Outbox) -> None:
    if row.topic == BAD.topic:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")


@pytest.fixture
def begun() -> None:
    consumers.advance(consumers.HOOKS, lambda _rows: None)


@pytest.mark.usefixtures("begun")
@pytest.mark.parametrize("fail", [refuse(BAD, KeyError("a kind nobody knows")), refused_by_the_database])
def test_a_poison_row_is_written_down_and_the_others_are_read(
    fail: Callable[[Outbox], None], caplog: pytest.LogCaptureFixture
) -> None:
    news(ONE, BAD, TWO)
    assert read(fail) == [ONE, TWO]
    stuck = StuckNews.objects.get()
    assert (stuck.reader, stuck.channel, stuck.version, stuck.topic) == ("hooks", "t:plum", 2, BAD.topic)
    assert stuck.error in ("KeyError", f"{DataError.__module__}.DataError")
    assert "outbox.stuck" in caplog.text
    caplog.clear()
    news(THREE)
    assert read(fail) == [THREE]
    assert StuckNews.objects.get().tries == 1, "it is not retried automatically"


@pytest.mark.usefixtures("begun")
def test_what_a_database_that_is_away_cannot_do_is_not_held_against_a_row() -> None:
    news(ONE)
    with pytest.raises(OperationalError):
        read(refuse(ONE, OperationalError("the connection is lost")))
    assert not StuckNews.objects.exists()
    assert read(refuse(BAD, KeyError())) == [ONE]


@pytest.mark.thorough
def test_a_kind_that_one_registry_lacks_stops_no_hook_and_is_sent_after_the_fix(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The next kind somebody adds, forgotten in the audience: its row waits for the fix, others are delivered."""
    event, operator = a.a_running_event(bots=3), a.a_user(is_staff=True)
    hooking.enqueue_deliveries()
    plan = HookPlan(name="Plum", url="https://example.org/plum", kinds=("round.published", "match.finished"))
    hook, _secret = make_hook(user=event.created_by, plan=plan)
    audiences: dict[Subject, Any] = vars(hooking_audience)["ASKED"]
    asked = audiences.pop(Subject.ROUND)
    stage = event.stages.get()
    try:
        with transaction.atomic():
            publish(RoundPublished(event.channel, subject=f"round:{stage.uuid}/1", state="published"))
            publish(MatchConfirmed(event.channel, match=str(stage.matches.earliest("pk").uuid)))
        tasks.tail()
        assert list(Delivery.objects.filter(hook=hook).values_list("kind", flat=True)) == ["match.finished"]
        assert StuckNews.objects.get().error == "KeyError"
        assert "outbox.stuck" in caplog.text
        caplog.clear()
    finally:
        audiences[Subject.ROUND] = asked
    assert requeue_quarantined(by=operator) == 1
    assert AuditEvent.objects.filter(verb="news.retry", actor=operator).exists()
    tasks.tail()
    assert set(Delivery.objects.filter(hook=hook).values_list("kind", flat=True)) == {
        "match.finished",
        "round.published",
    }
    assert not StuckNews.objects.exists()


def test_every_subject_of_webhooks_has_an_audience_and_facts() -> None:
    assert set(Subject) == hooking_audience.ASKED.keys() == payloads.PAYLOADS.keys()
    known = [event_types.subject_of(kind) for kind in (*event_types.webhook_kinds(), event_types.PING)]
    assert None not in known


def test_every_kind_of_readers_has_a_rule() -> None:
    assert set(Readers) == dispatch.RULES.keys()


@pytest.mark.thorough
def test_what_fails_again_stays_and_counts_its_tries(caplog: pytest.LogCaptureFixture) -> None:
    event = a.an_open_event()
    fan = follower_of(tournament=event)
    with transaction.atomic():
        publish(ActUndone(event.channel, act="enter", matches=["m:no uuid"]))
    announcements.announce(tournament=event, by=event.created_by, text="Tea.")
    assert told(fan) == ["said"]
    requeue_quarantined(by=a.a_user(is_staff=True))
    assert told(fan) == ["said"]
    stuck = StuckNews.objects.get()
    assert (stuck.reader, stuck.tries, stuck.is_due) == ("notices", 2, False)
    caplog.clear()


@pytest.mark.thorough
def test_a_fold_that_fails_stops_no_other_event_and_clears_itself(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The events after it are folded, drawn and begun all the same; the fold comes again with the next wake-up."""
    broken, well = a.a_running_event(bots=3, name="Broken"), a.a_running_event(bots=4, kind="swiss", rounds=2)
    for event in (broken, well):
        event.stages.get().matches.update(state="void")
        with transaction.atomic():
            publish(MatchVoided(event.channel, state="void"))
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


@pytest.mark.thorough
def test_operators_see_it_and_nobody_else(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    event = a.an_open_event()
    follower_of(tournament=event)
    with transaction.atomic():
        publish(ActUndone(event.channel, act="enter", matches=["m:no uuid"]))
    tasks.tail()
    client.force_login(a.a_user(is_staff=True))
    shown = client.get("/ops/").content.decode()
    assert "tournament.undo" in shown
    assert "ValidationError" in shown
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
