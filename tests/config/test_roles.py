"""Workers have no secret key and do all their work; a process that signs does not start without one. Real processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import connection

from bots.models import Worker
from bots.services import upload_version
from config.celery import SENDING
from tests.builders import events as a
from tests.builders.ladders import a_ladder
from tests.services.commands import said
from tests.services.plugin import WORKER
from tests.services.processes import ROOT, Project
from tests.tournaments.simulation.test_rehearsing import a_draft, asked_of, told_of
from tests.tournaments.standings.test_level_bots import MIRROR
from tournaments.models import Entry, Match, Stage, Tournament

pytestmark = pytest.mark.timeout(300)
PRODUCTION: Final = {"HANAMI_MODE": "production", "HANAMI_ALLOWED_HOSTS": "hanami.example.org"}
KEY: Final = {"HANAMI_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz-0123456789-abcdefgh"}
SIGN: Final = "from django.core import signing; print(signing.dumps(1))"
WORKER_OF: Final = ("-m", "celery", "-A", "config", "worker", "--pool", "solo", "--without-gossip", "--without-mingle")


def environment_of(pid: int) -> Mapping[str, str]:
    """Return the environment that a process was started with (Linux)."""
    parts = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    return dict(part.split("=", 1) for part in parts if "=" in part)


def sessions() -> dict[int, str]:
    """Return the account of every other session of this test's database, by the session's process id."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid, usename FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return dict(cursor.fetchall())


@pytest.mark.slow
def test_a_worker_without_key_and_with_its_own_account_does_everything_that_workers_do(
    project: Project, wait_until: Callable[..., Any]
) -> None:
    """Production mode: an upload's check, a league, a knock-out that ends level, ladders, a rehearsal, the sweep."""
    earlier = sessions()  # a thread of an earlier test in this process may still be connected
    worker = project.worker(extra=PRODUCTION)
    project.beat(extra={**PRODUCTION, **project.of_workers})
    told = environment_of(worker.pid)
    assert (told["HANAMI_ROLE"], told["HANAMI_MODE"]) == ("worker", "production")
    assert "HANAMI_SECRET_KEY" not in told
    wait_until(lambda: Worker.objects.filter(probe_ok=True).exists(), 60, "the sandbox held")
    version = upload_version(owner=a.a_user(), filename="bot.py", data=a.FIRST, name="Plum")
    project.manage("open_ladders", "hawaii", "--deal-sets", "1")
    a.a_running_event(bots=3)
    a.a_running_event(bots=2, sources=[MIRROR, MIRROR], kind="single_elim", rounds=1, legs="cyclic")
    a_ladder(bots=3, rounds=1)
    draft = a_draft()
    asked_of(draft)
    events = Tournament.objects.exclude(pk=draft.pk).filter(official_deal_sets=None)
    wait_until(lambda: not events.exclude(state="finished").exists(), 120, "all three events")
    wait_until(lambda: told_of(draft).state == "done", 60, "the rehearsal")
    version.refresh_from_db()
    assert version.state == "ready"
    assert Match.objects.filter(extra=4).exists(), "it stayed level"
    official = Entry.objects.filter(tournament__official_deal_sets__isnull=False, player__bot=version.bot)
    wait_until(official.exists, 60, "the sweep entered the new bot")
    assert not Match.objects.exclude(faults=0).exists()
    assert {account for pid, account in sessions().items() if pid not in earlier} == {WORKER}
    worker.stop(30)
    for trouble in ("permission denied", "step.broken", "SECRET_KEY", "Traceback"):
        assert trouble not in worker.log()
    # Of what is over: the official ladder goes on, and was stopped somewhere.
    assert "0 tables differed" in said("refold", "--check", *events.values_list("slug", flat=True))
    assert not Stage.objects.filter(kind="single_elim").exclude(state="closed").exists()


@pytest.mark.slow
def test_who_tries_to_sign_without_a_key_fails_loudly(project: Project) -> None:
    with pytest.raises(AssertionError, match="SECRET_KEY setting must not be empty"):
        project.manage("shell", "--no-imports", "--command", SIGN, extra=project.of_workers)
    assert project.manage("shell", "--no-imports", "--command", SIGN)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "role", "words"),
    [
        ((*WORKER_OF, "--queues", SENDING), {}, "HANAMI_SECRET_KEY must be set in production mode"),
        ((*WORKER_OF, "--queues", SENDING), {"HANAMI_ROLE": "worker"}, "cannot serve the queue 'send'"),
        (WORKER_OF, {"HANAMI_ROLE": "worker"}, "cannot serve the queue 'send'"),
        (("-m", "uvicorn", "config.asgi:application"), {}, "HANAMI_SECRET_KEY must be set in production mode"),
        (("-m", "uvicorn", "config.asgi:application"), {"HANAMI_ROLE": "worker"}, "serves no page"),
        ((*WORKER_OF, "--queues", "play"), {"HANAMI_ROLE": "worker", **KEY}, "HANAMI_SECRET_KEY must not be given"),
    ],
)
def test_what_signs_does_not_start_without_a_key(
    project: Project, program: tuple[str, ...], role: dict[str, str], words: str
) -> None:
    done = subprocess.run(
        [sys.executable, *program], cwd=ROOT, env=project.environ({**PRODUCTION, **role}), timeout=100,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True,
    )  # fmt: skip
    assert done.returncode != 0
    assert words in done.stdout
