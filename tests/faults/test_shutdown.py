"""Workers that are told to stop, that stand still for longer than a lease, that are renewed, that play too long."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest

from bots.models import Lease
from tests.bots.runner.test_fork_server import is_running
from tests.builders import events as a
from tests.faults.leagues import QUICK, TAKES_ITS_TIME, check_the_league, finished, in_play
from tests.services.processes import Project, children_of
from tournaments.models import Match, ResultReport

pytestmark = pytest.mark.timeout(300)
LONG = b"def choose(obs):\n    for _ in range(1500000):\n        pass\n    return 0\n"


@pytest.mark.slow
def test_a_match_that_outlasts_the_grace_of_a_stopping_worker_is_given_back_at_once(
    project: Project, wait_until: Callable[..., Any]
) -> None:
    """About a minute long; the worker ends within seconds, nothing waits for a lease, nothing counts as a fault."""
    a.a_running_event(sources=[LONG] * 2, options={"rounds": 40})
    worker = project.worker(extra={"HANAMI_STOP_S": "1"})
    wait_until(in_play, 60, "a match in play")
    bots = wait_until(lambda: len(found := worker.bot_pids()) == 2 and found, 60, "both bots, one of which rests")
    worker.process.send_signal(signal.SIGTERM)
    assert worker.process.wait(40) == 0
    wait_until(lambda: not any(is_running(pid) for pid in bots), 60, "nobody stays behind, stopped for ever")
    match = Match.objects.get()
    assert (match.state, match.faults, match.attempt) == ("queued", 0, 1)
    assert match.history[0]["reason"] == "worker.stopped"
    assert not Lease.objects.exists()


@pytest.mark.slow
def test_a_worker_that_stood_still_for_longer_than_its_lease_writes_nothing(
    project: Project, wait_until: Callable[..., Any]
) -> None:
    a.a_running_event(sources=[TAKES_ITS_TIME] * 4, options={"rounds": 6})
    project.beat(extra=QUICK)
    frozen = project.worker(name="frozen", extra=QUICK)
    match = wait_until(in_play, 60, "a match in play")
    pool = frozen.pool_pids()
    for pid in (frozen.pid, *pool):
        os.kill(pid, signal.SIGSTOP)
    project.worker(name="heir", extra=QUICK)
    wait_until(finished, 120, "the league finished without it")
    before = list(ResultReport.objects.order_by("pk").values_list("match", "attempt", "hash"))
    for pid in (frozen.pid, *pool):
        os.kill(pid, signal.SIGCONT)
    frozen.wait_for_line("claim.lost")
    wait_until(lambda: not any(children_of(server) for server in frozen.fork_server_pids()), 60, "its bots are gone")
    assert list(ResultReport.objects.order_by("pk").values_list("match", "attempt", "hash")) == before
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert match.history[0]["worker"].startswith("frozen@")
    check_the_league(6)
    assert frozen.is_alive


@pytest.mark.slow
def test_pool_processes_are_renewed_between_matches_and_lose_none(
    project: Project, wait_until: Callable[..., Any]
) -> None:
    worker = project.worker(extra=QUICK, options=("--max-tasks-per-child", "3"))
    first = worker.pool_pids()
    project.beat(extra=QUICK)
    a.a_running_event(sources=[TAKES_ITS_TIME] * 4, options={"rounds": 2})
    wait_until(finished, 90, "the league finished")
    wait_until(lambda: worker.pool_pids() and worker.pool_pids() != first, 60, "another pool process")
    check_the_league(6)
    assert set(Match.objects.values_list("attempt", "faults")) == {(1, 0)}
    wait_until(lambda: len(worker.fork_server_pids()) == 1, 60, "one sandbox for one process, the others are gone")


@pytest.mark.slow
def test_a_match_beyond_the_time_limit_is_held_in_the_end_and_nobody_forfeits(
    project: Project, wait_until: Callable[..., Any]
) -> None:
    a.a_running_event(sources=[LONG] * 2, options={"rounds": 40})
    project.worker(options=("--soft-time-limit", "2", "--time-limit", "60"))
    project.beat()
    match = wait_until(lambda: Match.objects.filter(state="quarantined").first(), 120, "the match was held")
    assert [entry["attempt"] for entry in match.history] == [1, 2, 3, 4]
    assert {entry["reason"].split(":")[0] for entry in match.history} == {"SoftTimeLimitExceeded"}
    assert not match.seats.filter(outcome="forfeit").exists()
    assert not ResultReport.objects.exists()
