"""Checks of uploads and matches share the workers: neither starves the other, no matter what is uploaded."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from accounts.models import User
from bots.jobs import checks, claims
from bots.jobs.process import Process
from bots.models import Check, Worker
from bots.services import upload_version
from tests.builders import events as a
from tournaments import tasks
from tournaments.models import Match

pytestmark = pytest.mark.django_db(transaction=True)


def claim(worker: Worker) -> None:
    """One check, as `checks.play_waiting` claims it."""
    rows = Check.objects.select_related("version__bot")
    claims.claim(checks.queue(), rows=rows, worker=worker, limit=1, on_claim=lambda _rows: None, admits=checks._admits)


def sends(owner: User, many: int) -> None:
    """That many uploads of bots of their own."""
    for n in range(many):
        upload_version(owner=owner, filename="bot.py", data=a.FIRST, name=f"{owner.username} {n}")


@pytest.mark.slow
def test_half_of_the_workers_at_most_try_checks(process: Process) -> None:
    """Three accounts send uploads; of four workers two try them, anyone who asks."""
    for _each in range(3):
        sends(a.a_user(), 2)
    others = [Process(a.a_worker(), process.zygote) for _each in range(3)]
    for worker in (others[0].worker, others[1].worker):
        claim(worker)
    assert Check.objects.filter(state="claimed").count() == 2
    assert checks.waiting() == 0
    assert checks.play_waiting(process) == 0
    Check.objects.filter(state="claimed").update(state="done")
    assert checks.waiting() == 2
    assert checks.play_waiting(process) == 1


@pytest.mark.thorough
def test_checks_claimed_in_one_moment_are_half_of_the_workers_too(process: Process) -> None:
    for _each in range(6):
        sends(a.a_user(), 1)
    workers = [a.a_worker() for _each in range(3)]  # with the process four
    start = threading.Barrier(len(workers))

    def at_once(worker: Worker) -> None:
        start.wait()
        claim(worker)
        connection.close()

    threads = [threading.Thread(target=at_once, args=(worker,)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Check.objects.filter(state="claimed").count() == 2


@pytest.mark.slow
def test_after_a_check_a_worker_owes_matches_as_much_time(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """A single one, too: a check of minutes is followed by minutes of matches."""

    def now() -> tuple[int, int]:
        """Checks that wait, matches that were played."""
        waiting = Check.objects.filter(state="queued").count()
        return waiting, Match.objects.filter(state="confirmed").count()

    monkeypatch.setattr(tasks, "here", lambda: process)
    for _each in range(3):
        sends(a.a_user(), 1)
    a.a_running_event(bots=6)
    assert Match.objects.filter(state="queued").count() == 15
    process.seconds = 100.0  # so a batch is one match
    tasks.play()
    assert now() == (2, 0)
    process.owed_s = 1000.0
    for _each in range(3):
        process.seconds = 100.0
        tasks.play()
    assert now() == (2, 3)
    assert 0 < process.owed_s < 1000
    process.owed_s = 0.0
    tasks.play()
    assert now()[0] == 1
