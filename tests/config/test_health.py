"""The probes: answered without host, https or session; honest about each part."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, ClassVar

import psycopg
import pytest
from django.conf import settings as project_settings
from django.test import Client, override_settings
from django.utils import timezone

from bots.models import Worker
from config import health
from config.celery import SWEPT_AT, wake_up_redis
from tests.services.processes import ROOT

pytestmark = pytest.mark.django_db


class SilentHost:
    """Takes connections and never says a word, as a host does whose database hangs."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.taken: list[socket.socket] = []
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        try:
            while True:
                self.taken.append(self.socket.accept()[0])
        except OSError:
            return

    @property
    def port(self) -> int:
        return int(self.socket.getsockname()[1])


@pytest.fixture
def silent_host() -> Iterator[SilentHost]:
    host = SilentHost()
    yield host
    host.socket.close()
    for each in host.taken:
        each.close()


def parts(client: Client) -> tuple[int, dict[str, Any]]:
    response = client.get("/readyz")
    return response.status_code, json.loads(response.content)["parts"]


def a_worker(*, probe_ok: bool = True, silent_s: int = 0) -> Worker:
    seen = timezone.now() - timedelta(seconds=silent_s)
    return Worker.objects.create(name=f"worker{Worker.objects.count()}", probe_ok=probe_ok, seen_at=seen)


def note_sweep(seconds_ago: float) -> None:
    with wake_up_redis() as connected:
        connected.set(SWEPT_AT, str(time.time() - seconds_ago))


def test_healthz_answers_any_host_without_a_query(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        response = client.get("/healthz", HTTP_HOST="10.1.2.3")
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"


@override_settings(SECURE_SSL_REDIRECT=True)
def test_probes_are_not_sent_to_https(client: Client) -> None:
    assert client.get("/healthz").status_code == 200


def test_ready_when_every_part_works(client: Client, redis_url: str) -> None:
    note_sweep(1)
    a_worker()
    status, found = parts(client)
    assert status == 200, found
    assert all(part["ok"] for part in found.values())


def test_not_ready_before_the_first_sweep(client: Client, redis_url: str) -> None:
    a_worker()
    status, found = parts(client)
    assert status == 503
    assert found["sweep"] == {"ok": False, "note": "never yet; start beat and a worker"}


def test_not_ready_when_the_sweep_stopped(client: Client, redis_url: str) -> None:
    a_worker()
    note_sweep(project_settings.SWEEP_S * 10)
    status, found = parts(client)
    assert status == 503
    assert not found["sweep"]["ok"]


def test_a_worker_whose_sandbox_does_not_hold_does_not_count(client: Client, redis_url: str) -> None:
    a_worker(probe_ok=False)
    status, found = parts(client)
    assert status == 503
    assert found["workers"]["note"] == "0 of 1 with a sandbox that holds"


def test_a_silent_worker_does_not_count(client: Client, redis_url: str) -> None:
    a_worker(silent_s=600)
    _, found = parts(client)
    assert found["workers"]["note"].startswith("none")


def test_a_lost_broker_is_named(client: Client, redis_url: str) -> None:
    with override_settings(REDIS_URL="unix:///nowhere/redis.sock"):
        status, found = parts(client)
    assert status == 503
    assert not found["broker"]["ok"]
    assert found["database"] == {"ok": True, "note": "postgresql"}


ASK = """
import django
django.setup()
from config.health import readyz
print(readyz().content.decode())
"""


def ready_parts_with(database: str, redis_url: str, folder: Any) -> dict[str, Any]:
    """Return the parts of a process whose database is at this address."""
    ours = {
        "HANAMI_DATABASE_URL": database,
        "HANAMI_REDIS_URL": redis_url,
        "HANAMI_DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("HANAMI_")}
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=ROOT,
        env=inherited | ours,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])["parts"]
    return found


@pytest.mark.slow
def test_a_silent_database_is_asked_once(silent_host: SilentHost, redis_url: str, tmp_path: Any) -> None:
    """While it is silent: a pool would have waited, and asked again for each part."""
    found = ready_parts_with(f"postgresql://h@127.0.0.1:{silent_host.port}/h", redis_url, tmp_path)
    assert not found["database"]["ok"]
    assert found["migrations"] == found["workers"] == {"ok": False, "note": "unknown: no database"}
    assert found["broker"]["ok"]
    assert len(silent_host.taken) == 1


class Hanging:
    """Stands for psycopg, at a host that is gone: connecting, or the statement, lasts until the test is over."""

    Error = psycopg.Error

    def __init__(self, hangs_at: str) -> None:
        self.hangs_at = hangs_at
        self.asked: list[dict[str, Any]] = []
        self.is_over = threading.Event()

    def connect(self, **asked: Any) -> Any:
        self.asked.append(asked)
        return self._hang_at("connect")

    def execute(self, _statement: str) -> Any:
        return self._hang_at("execute")

    def close(self) -> None:
        pass

    def _hang_at(self, step: str) -> Any:
        if step == self.hangs_at:
            self.is_over.wait()
            raise psycopg.OperationalError("gone")
        return self


class Asking(threading.Thread):
    """A thread that notes how long it is waited for, and is waited for no longer."""

    limits: ClassVar[list[float | None]] = []

    def join(self, timeout: float | None = None) -> None:
        self.limits.append(timeout)


@pytest.mark.parametrize("hangs_at", ["connect", "execute"])
def test_a_database_that_is_gone_is_waited_for_once_and_less_than_two_seconds(
    hangs_at: str, client: Client, redis_url: str, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    gone = Hanging(hangs_at)
    monkeypatch.setattr(Asking, "limits", [])
    monkeypatch.setattr(health, "psycopg", gone)
    monkeypatch.setattr(health, "Thread", Asking)
    with django_assert_num_queries(0):
        status, found = parts(client)
    gone.is_over.set()
    assert (status, found["database"]["ok"]) == (503, False)
    assert found["migrations"] == found["workers"] == {"ok": False, "note": "unknown: no database"}
    assert Asking.limits == [health.PROBE_S]
    assert health.PROBE_S < 2
    [asked] = gone.asked
    assert asked["connect_timeout"] == 2, "what is asked in vain ends, too; libpq knows no less than 2 s"
    assert not asked.keys() & health.OF_DJANGO, "no pool, which would wait for longer"


def test_what_lies_in_a_lost_broker_is_not_asked_for(client: Client) -> None:
    with override_settings(REDIS_URL="unix:///nowhere/redis.sock"):
        found = parts(client)[1]
    assert found["sweep"] == {"ok": False, "note": "unknown: no broker"}
