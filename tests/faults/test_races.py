"""Two at once: sweeps, folds, and a sweep against the worker that is just finishing. On PostgreSQL and on SQLite."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from bots.jobs import claims
from bots.jobs.process import Process
from bots.models import AuditEvent, Lease, Worker
from bots.runner.table import Played
from bots.runner.zygote import Zygote
from bots.selectors import live_workers
from tests.builders import events as a
from tests.tournaments.matches.test_playing import played_by_hand
from tournaments.matches import play
from tournaments.matches.records.record import Recorded, record_result
from tournaments.models import Match, ResultReport, Standing, Tournament
from tournaments.operations import sweep
from tournaments.progress import derive

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def process(transactional_db: None, sandbox: Zygote, redis_url: str) -> Process:
    """A worker process of ours."""
    return Process(a.a_worker(), sandbox)


def at_once(*jobs: Callable[[], Any]) -> list[Any]:
    """Every job in a thread of its own, all let go together; their results in order."""
    start = threading.Barrier(len(jobs))

    def run(job: Callable[[], Any]) -> Any:
        connection.ensure_connection()
        start.wait(20)
        try:
            return job()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def lease_of(match: Match) -> QuerySet[Lease]:
    assert match.lease_id is not None
    return Lease.objects.filter(pk=match.lease_id)


def expire(match: Match) -> None:
    lease_of(match).update(expires_at=timezone.now() - timedelta(seconds=1))


@pytest.mark.slow
def test_four_whole_sweeps_at_once_take_each_row_back_once(process: Process) -> None:
    a.a_running_event(bots=4)
    for _ in range(3):
        match, _spec, _played = played_by_hand(process)
        expire(match)
    swept = at_once(*[sweep.sweep] * 4)
    assert sum(each.taken_back for each in swept) == 3
    assert sorted(Match.objects.values_list("state", "faults")) == [("queued", 0)] * 3 + [("queued", 1)] * 3
    assert all(len(match.history) == match.faults for match in Match.objects.all())
    assert not Lease.objects.exists()


@pytest.mark.slow
def test_a_sweep_against_a_finishing_worker_has_one_winner(process: Process) -> None:
    """Ten times: either the result counts and nothing is taken back, or it is taken back and the result is dropped."""
    a.a_running_event(bots=5)
    seen = set()
    for _ in range(10):
        match, spec, played = played_by_hand(process)
        expire(match)
        recorded, swept = at_once(_recording(match, spec, played), sweep.sweep)
        now = Match.objects.get(pk=match.pk)
        assert (recorded, swept.taken_back, now.state) in {
            (Recorded.CONFIRMED, 0, "confirmed"),
            (Recorded.STALE, 1, "queued"),
        }
        assert ResultReport.objects.filter(match=match).count() == (recorded is Recorded.CONFIRMED)
        assert AuditEvent.objects.filter(verb="match.confirm", subject=f"match:{match.uuid}").count() <= 1
        seen.add(recorded)
        if now.state == "queued":  # it would be held after the fourth
            Match.objects.filter(pk=match.pk).update(faults=0)
    assert seen


def _recording(match: Match, spec: Any, played: Played) -> Callable[[], Recorded]:
    return lambda: record_result(match, spec, played)


@pytest.mark.thorough
def test_the_same_result_from_four_at_once_counts_once(process: Process) -> None:
    a.a_running_event()
    match, spec, played = played_by_hand(process)
    found = at_once(*[_recording(match, spec, played)] * 4)
    assert sorted(found) == ["confirmed", "repeated", "repeated", "repeated"]
    assert ResultReport.objects.count() == 1


@pytest.mark.thorough
def test_four_folds_at_once_write_each_row_once_and_close_the_event_once(process: Process) -> None:
    a.a_running_event(bots=4)
    while play.play_batch(process):
        pass
    at_once(*[derive.derive_waiting] * 4)
    assert Tournament.objects.get().state == "finished"
    assert Standing.objects.filter(after_round=0).count() == 4
    for verb in ("stage.settle", "stage.close", "tournament.finish"):
        assert AuditEvent.objects.filter(verb=verb).count() == 1, verb


@pytest.mark.thorough
def test_a_lease_from_a_clock_that_was_ahead_is_cut_and_one_that_runs_is_not(
    process: Process, settings: LazySettings
) -> None:
    a.a_running_event(bots=3)
    ahead, _spec, _played = played_by_hand(process)
    fresh, _spec, _played = played_by_hand(process)
    lease_of(ahead).update(expires_at=timezone.now() + timedelta(hours=1))
    runs_until = lease_of(fresh).get().expires_at
    assert sweep.sweep().taken_back == 0
    soon = timezone.now() + timedelta(seconds=settings.LEASE_S)
    assert lease_of(ahead).get().expires_at <= soon
    assert lease_of(fresh).get().expires_at == runs_until
    assert claims.owned(ahead).exists()


def test_a_worker_heard_of_in_the_future_is_not_alive() -> None:
    worker = a.a_worker()
    assert live_workers().get() == worker
    Worker.objects.update(seen_at=timezone.now() + timedelta(hours=1))
    assert not live_workers().exists()
