"""A process that has faults of our own one after another rests in between, says why, and plays on once it is well."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from bots.errors import InfraFault
from bots.jobs import attempts, claims
from bots.jobs import process as processes
from bots.jobs.claims import Batch
from bots.jobs.process import MAX_PAUSE_S, Process
from bots.models import Worker
from bots.runner.zygote import Zygote
from tests.builders import events as a
from tournaments import tasks
from tournaments.matches import play
from tournaments.models import Match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def process(transactional_db: None, sandbox: Zygote, redis_url: str) -> Process:
    """A worker process of ours."""
    return Process(a.a_worker(), sandbox)


def claimed(process: Process, limit: int) -> Batch[Match]:
    rows = play.in_full(Match.objects.all())
    return claims.claim(play.queue(), rows=rows, worker=process.worker, limit=limit, on_claim=lambda _rows: None)


def failing(error: Exception) -> attempts.WorkKind:
    def fail(*_: object) -> None:
        raise error

    return attempts.WorkKind(play=fail, events=play.events_of)


@pytest.mark.slow
def test_the_rest_of_a_batch_is_given_back_unblamed_and_the_next_batch_is_tried_again(process: Process) -> None:
    a.a_running_event(bots=4)
    broken = failing(InfraFault("sandbox.launch", "no process for a bot"))
    assert attempts.play_rows(claimed(process, 3), broken, process) == 1
    assert sorted(Match.objects.values_list("state", "faults")) == [("queued", 0)] * 5 + [("queued", 1)]
    assert process.fault.startswith("sandbox.launch")
    assert attempts.play_rows(claimed(process, 2), play.WORK_KIND, process) == 2
    assert Match.objects.filter(state="confirmed").count() == 2
    assert (process.fault, process.faults, process.is_paused) == ("", 0, False)


@pytest.mark.slow
def test_each_further_fault_makes_the_rest_longer(process: Process) -> None:
    rests = []
    for _ in range(12):
        process.record_fault("sandbox.launch: no process for a bot")
        rests.append(max(0.0, process.paused_until - time.monotonic()))
    assert rests[0] == 0
    assert 0 < rests[1] <= 1 < rests[2] <= 2 < rests[3] <= 4
    assert MAX_PAUSE_S - 1 < rests[-1] <= MAX_PAUSE_S


@pytest.mark.thorough
def test_a_resting_process_claims_nothing(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    a.a_running_event()
    monkeypatch.setattr(tasks, "here", lambda: process)
    for _ in range(4):
        process.record_fault("OSError: [Errno 28] No space left on device")
    tasks.play()
    assert Match.objects.get().attempt == 0


@pytest.mark.slow
def test_a_database_that_cannot_write_never_counts_against_a_match(process: Process) -> None:
    a.a_running_event()
    broken = failing(OperationalError("could not extend file: No space left on device"))
    for _ in range(6):
        attempts.play_rows(claimed(process, 1), broken, process)
    match = Match.objects.get()
    assert (match.state, match.faults, match.attempt) == ("queued", 0, 6)
    assert "No space left" in match.fault_reason


@pytest.mark.thorough
def test_the_page_of_workers_says_what_ails_a_process_until_it_is_well(
    transactional_db: None, client: Client, wait_until: Callable[..., Any]
) -> None:
    process = processes.begin("plum/1")
    try:
        process.record_fault("OperationalError: could not extend file: No space left on device")
        wait_until(lambda: Worker.objects.get().fault, 60, "the heartbeat tells it")
        assert "The database did not answer." in client.get("/queue/").content.decode()
        client.force_login(a.a_user(is_staff=True))
        assert "No space left on device" in client.get("/queue/").content.decode()
        process.record_success()
        wait_until(lambda: not Worker.objects.get().fault, 60, "the heartbeat takes it back")
    finally:
        processes.end()
