"""Clocks that are set while matches are played: nothing is doubled, nothing waits for an hour, the sweeps go on."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from bots.models import Lease
from tests.builders import events as a
from tests.faults.clocks import HOUR, Clock, build
from tests.faults.leagues import QUICK, TAKES_ITS_TIME, check_the_league, finished, in_play
from tests.services.postgres import Postgres
from tests.services.processes import Project
from tournaments.models import Match, ResultReport

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture
def clock_of() -> Iterator[Callable[[str], Clock]]:
    """A maker of clocks by name."""
    folder = Path(tempfile.mkdtemp(prefix="hanami-"))
    folder.chmod(0o755)
    library = build(folder)
    yield lambda name: Clock(library, folder / name)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def database_clock(own_postgres: Postgres, clock_of: Callable[[str], Clock]) -> Clock:
    """The wall clock of the test's own PostgreSQL, which is started again with it."""
    clock = clock_of("database")
    own_postgres.shut_down("fast")
    own_postgres.environment = clock.environment
    own_postgres.start()
    connection.close()
    return clock


def claimed_ahead() -> bool:
    """Return whether a match is in play under a lease that lasts beyond what the true clock allows."""
    soon = timezone.now() + timedelta(seconds=HOUR / 2)
    return in_play() is not None and Lease.objects.filter(expires_at__gt=soon).exists()


def test_a_lease_given_while_the_database_was_an_hour_ahead_is_not_kept_for_an_hour(
    database_clock: Clock, project_on_own_postgres: Project, wait_until: Callable[..., Any]
) -> None:
    project = project_on_own_postgres
    a.a_running_event(sources=[TAKES_ITS_TIME] * 5, options={"rounds": 6})
    project.beat(extra=QUICK)
    doomed = project.worker(name="doomed", extra=QUICK)
    wait_until(lambda: ResultReport.objects.exists() and in_play(), 60, "a first result, and a match in play")
    database_clock.set_ahead(HOUR)  # the lease of the match in play is over, and the match goes back to the queue
    wait_until(claimed_ahead, 60, "a match claimed an hour ahead")
    doomed.kill()
    database_clock.set_ahead(0)
    project.worker(name="heir", extra=QUICK)
    wait_until(finished, 90, "the league finished")
    check_the_league(10)
    assert not Match.objects.filter(faults__gte=3).exists()


def test_sweeps_go_on_when_clocks_are_put_back_and_workers_disagree_with_beat(
    clock_of: Callable[[str], Clock], project_on_own_redis: Project, wait_until: Callable[..., Any]
) -> None:
    project = project_on_own_redis
    beat_clock, worker_clock = clock_of("beat"), clock_of("worker")
    beat_clock.set_ahead(HOUR)
    beat = project.beat(extra={**QUICK, **beat_clock.environment})
    worker = project.worker(extra={**QUICK, **worker_clock.environment})
    beat.wait_for_line("Sending due task sweep")
    beat_clock.set_ahead(0)
    worker_clock.set_ahead(2 * HOUR)
    a.a_running_event(sources=[TAKES_ITS_TIME] * 4, options={"rounds": 6})
    wait_until(lambda: ResultReport.objects.exists() and in_play(), 60, "a first result, and a match in play")
    worker_clock.set_ahead(-HOUR)
    worker.kill()
    project.worker(name="heir", extra={**QUICK, **worker_clock.environment})
    wait_until(finished, 90, "the league finished")
    check_the_league(6)
    assert not Match.objects.filter(faults__gt=1).exists()
