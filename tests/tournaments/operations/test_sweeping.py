"""The periodic work: a step that fails is told to operators and stops no other. The database itself refuses here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
import redis
from axes.models import AccessAttempt
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection
from django.db.utils import InternalError
from django.test import Client
from django.utils import timezone
from structlog.testing import capture_logs

from accounts.models import User, WaitingLetter
from activity import error_log
from bots.models import Lease, Meter
from tests.builders import events as a
from tests.services.elsewhere import connected_to
from tournaments.models import EntryTally, MatchTally
from tournaments.operations import purge, steps, sweep

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis_url")]


@contextmanager
def refusing(table: str, event: str = "DELETE") -> Iterator[None]:
    """Every statement of this kind on the table fails, as where a disk is broken."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION hanami_test_broken() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'broken'; END $$"
        )
        cursor.execute(
            f"CREATE TRIGGER broken BEFORE {event} ON {table} FOR EACH STATEMENT EXECUTE FUNCTION hanami_test_broken()"
        )
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP FUNCTION hanami_test_broken() CASCADE")


def test_a_step_of_tidying_that_fails_stops_no_other() -> None:
    long_ago = timezone.now() - timedelta(days=9)
    Meter.objects.create(name="old", began_at=long_ago)
    Session.objects.create(session_key="k" * 32, session_data="", expire_date=long_ago)
    AccessAttempt.objects.create(username="kimo", failures_since_start=1)
    AccessAttempt.objects.update(attempt_time=long_ago)
    with refusing("bots_meter"), refusing_also("django_session"), capture_logs() as said:
        purge.tidy()
        purge.tidy()
    told = [(line["work"], line["step"], line["log_level"]) for line in said if line["event"] == "step.broken"]
    assert told == [("tidy", "meters", "error"), ("tidy", "sessions", "error")] * 2
    assert all(line["exc_info"] for line in said if line["event"] == "step.broken")
    assert (Meter.objects.count(), Session.objects.count(), AccessAttempt.objects.count()) == (1, 1, 0)
    assert steps.broken() == ["tidy.meters", "tidy.sessions"]
    shown = [(each.method, each.route, each.kind) for each in error_log.newest() or []]
    assert shown == [("tidy", "sessions", "ProgrammingError"), ("tidy", "meters", "ProgrammingError")], "each once"
    purge.tidy()
    assert (Meter.objects.count(), Session.objects.count()) == (0, 0)
    assert steps.broken() == []


@contextmanager
def refusing_also(table: str) -> Iterator[None]:
    """A second table inside of `refusing`; it ends with the first."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TRIGGER broken BEFORE DELETE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION hanami_test_broken()"
        )
    yield


@pytest.mark.thorough
def test_a_step_of_the_sweep_that_fails_stops_no_other_and_bells_are_rung(redis_url: str) -> None:
    a.a_running_event(bots=4)
    worker = a.a_worker()
    Lease.objects.create(worker=worker, expires_at=timezone.now() - timedelta(hours=1))
    assert EntryTally.objects.filter(is_fresh=True).exists()
    with redis.Redis.from_url(redis_url) as broker, refusing("bots_lease"), capture_logs() as said:
        broker.flushdb()
        swept = sweep.sweep()
        assert swept == sweep.Swept(taken_back=0, leases=0, notified=2)
        assert (broker.llen("play"), broker.llen("derive")) == (1, 1)
    assert [line["step"] for line in said if line["event"] == "step.broken"] == ["leases"]
    assert not MatchTally.objects.filter(is_fresh=True).exists(), "a later step was done"
    assert sweep.sweep().leases == 1


def test_what_is_to_be_asked_for_one_bell_stops_no_other_bell(redis_url: str) -> None:
    """The question whether there is a mail fails; hooks and news get a wake-up."""
    WaitingLetter.objects.create(kind="reset", address="kimo@example.org", user=User.objects.create(username="kimo"))
    with redis.Redis.from_url(redis_url) as broker, refusing("accounts_waitingletter"), capture_logs():
        WaitingLetter.objects.update(asked_at=timezone.now() - timedelta(days=9))
        broker.flushdb()
        purge.tidy()
        assert broker.llen("send") == 1, "the readers of the news have not begun"
    assert steps.broken() == ["tidy.letters"]


def test_operators_see_it_in_the_metrics(metrics: Callable[[], str]) -> None:
    def fails() -> int:
        raise InternalError

    with capture_logs():
        steps.do_all("tidy", {"plum": fails, "kiri": lambda: 3})
    assert 'hanami_step_broken{step="tidy.plum"} 1.0' in metrics()
    assert "kiri" not in metrics()
    assert steps.do_all("tidy", {"plum": lambda: None, "kiri": lambda: 3}) == {"plum": 0, "kiri": 3}
    assert "tidy.plum" not in metrics()


@pytest.fixture
def metrics(settings: Any) -> Callable[[], str]:
    settings.METRICS_TOKEN = "maple-and-deer-in-the-tenth-month"
    client = Client(headers={"Authorization": f"Bearer {settings.METRICS_TOKEN}"})
    return lambda: client.get("/metrics").content.decode()


def test_a_database_that_is_away_is_said_at_once_and_is_no_failure_of_a_step() -> None:
    done = []
    with connected_to("postgresql:///none?host=/nonexistent&user=nobody"), pytest.raises(OperationalError):
        steps.do_all("sweep", {"leases": Lease.objects.count, "later": lambda: done.append(1)})
    assert (done, steps.broken()) == ([], [])


def test_a_deadlock_is_a_failure_of_its_step_alone() -> None:
    done = []

    def fails() -> int:
        raise OperationalError("deadlock detected")

    with capture_logs():
        steps.do_all("sweep", {"tallies": fails, "later": lambda: done.append(1)})
    assert (done, steps.broken()) == ([1], ["sweep.tallies"])
