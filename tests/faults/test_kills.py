"""kill -9 of a worker in the middle of a match, and of Redis during a league: nothing is lost, nothing is doubled.

Property 11 of tournaments.md: under kills each match ends confirmed once; no forfeit comes from our own fault.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import redis as redis_client

from bots.services import upload_version
from tests.bots.runner.test_fork_server import is_running
from tests.builders import events as a
from tests.faults.leagues import QUICK, TAKES_ITS_TIME, check_the_league, finished, in_play
from tests.services.processes import Project
from tests.services.redis_server import Redis
from tournaments.models import Match, ResultReport

pytestmark = pytest.mark.timeout(300)


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_of_a_match(project: Project, wait_until: Callable[..., Any]) -> None:
    a.a_running_event(sources=[TAKES_ITS_TIME] * 3, options={"rounds": 6})
    doomed = project.worker(name="doomed", extra=QUICK)
    match = wait_until(in_play, 60, "a claim")
    bots = wait_until(lambda: len(found := doomed.bot_pids()) == 2 and found, 60, "both bots, one of which rests")
    children = doomed.pool_pids()
    doomed.kill()
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in children), 60, "its pool processes are gone")
    wait_until(lambda: not any(is_running(pid) for pid in bots), 60, "its bots are gone, stopped or not")
    assert Match.objects.get(pk=match.pk).state == "claimed"
    project.worker(name="heir", extra=QUICK)
    project.beat(extra=QUICK)
    wait_until(finished, 90, "the league finished")
    check_the_league(3)
    restarted = Match.objects.exclude(history=[]).order_by("pk")[0]
    assert restarted.history[0]["worker"].startswith("doomed@")
    assert restarted.attempt >= 2


@pytest.mark.slow
def test_a_pool_process_killed_in_the_middle_of_a_match(project: Project, wait_until: Callable[..., Any]) -> None:
    a.a_running_event(sources=[TAKES_ITS_TIME] * 4, options={"rounds": 6})
    project.beat(extra=QUICK)
    worker = project.worker(name="hurt", extra=QUICK)
    wait_until(in_play, 60, "a claim")
    for pid in worker.pool_pids():
        os.kill(pid, signal.SIGKILL)
    wait_until(finished, 90, "the league finished")
    assert worker.is_alive
    check_the_league(6)


def reasons() -> list[str]:
    """Return why each attempt that did not count ended."""
    return [entry["reason"] for match in Match.objects.all() for entry in match.history]


@pytest.mark.slow
@pytest.mark.parametrize("target", ["bot", "fork server"])
def test_a_sandbox_process_ended_from_outside_costs_no_bot_its_match(
    target: str, project: Project, wait_until: Callable[..., Any]
) -> None:
    """The kernel short of memory sends SIGKILL, an operator or a service manager SIGTERM; a bot can do neither."""
    a.a_running_event(sources=[TAKES_ITS_TIME] * 3, options={"rounds": 6})
    project.beat(extra=QUICK)
    worker = project.worker(extra=QUICK)
    find = worker.bot_pids if target == "bot" else worker.fork_server_pids
    for number, sent in enumerate((signal.SIGKILL, signal.SIGTERM)):
        wait_until(lambda n=number: ResultReport.objects.count() > n and in_play(), 60, "a result and a match in play")
        wait_until(lambda: len(worker.bot_pids()) == 2, 60, "both bots")
        os.kill(find()[0], sent)
        wait_until(lambda n=number: len(reasons()) > n, 60, "it was given back")
    wait_until(finished, 90, "the league finished")
    check_the_league(3)
    # What was claimed with the match that met it goes back unplayed; it says why the worker rests.
    assert {reason.removeprefix("worker.unwell: ").split(".")[0] for reason in reasons()} == {"sandbox"}


@pytest.mark.slow
def test_redis_killed_and_restarted_during_a_league(
    project_on_own_redis: Project, redis_server: Redis, wait_until: Callable[..., Any]
) -> None:
    project = project_on_own_redis
    a.a_running_event(sources=[TAKES_ITS_TIME] * 5, options={"rounds": 6})
    beat, worker = project.beat(), project.worker(concurrency=2)
    wait_until(lambda: ResultReport.objects.exists(), 60, "a first result")
    redis_server.kill()
    wait_until(lambda: not Match.objects.filter(state="claimed").exists(), 60, "what was in play is recorded")
    assert not Match.objects.filter(faults__gt=0).exists()
    redis_server.start()
    wait_until(finished, 90, "the league finished")
    assert worker.is_alive
    assert beat.is_alive
    check_the_league(10)
    assert set(Match.objects.values_list("attempt", flat=True)) == {1}


@pytest.mark.slow
def test_redis_killed_while_an_upload_waits_and_bells_are_under_way(
    project_on_own_redis: Project, redis_server: Redis, wait_until: Callable[..., Any]
) -> None:
    """Every wake-up that nobody has received is gone with it, received ones are never acknowledged; the rows are the
    queue.
    """
    project = project_on_own_redis
    upload = upload_version(owner=a.a_user(), filename="bot.py", data=a.FIRST, name="Plum")
    a.a_running_event(sources=[TAKES_ITS_TIME] * 4, options={"rounds": 3})
    beat = project.beat()
    wait_until(lambda: _length(redis_server, "derive"), 60, "a sweep that nobody has heard")
    redis_server.kill()
    redis_server.start()
    assert not _length(redis_server, "play")
    worker = project.worker()
    wait_until(in_play, 60, "a match in play, its wake-up received and not acknowledged")
    redis_server.kill()
    redis_server.start()
    wait_until(finished, 90, "the league finished")
    upload.refresh_from_db()
    assert (upload.state, upload.check_run.attempt) == ("ready", 1)
    assert worker.is_alive
    assert beat.is_alive
    check_the_league(6)


def _length(server: Redis, queue: str) -> int:
    with redis_client.Redis.from_url(server.url()) as broker:
        return int(broker.llen(queue))
