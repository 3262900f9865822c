"""500 matches through four worker processes, one of which is hurt every few seconds; beside it a calm run of the same.

The event is drawn, then the database is cloned: both runs have the same seeds. Any process may be killed in one of
them, every match finishes exactly once, and records and standings are those of the other, byte by byte.

Minutes long, so it runs with `make test-slow`.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, Final

import psycopg
import pytest
from django.db import connection

from bots.models import AuditEvent
from engine.record import canonical
from tests.builders import events as a
from tests.faults.leagues import check_the_league, finished
from tests.services.elsewhere import connected_to
from tests.services.postgres import Postgres
from tests.services.processes import Project, Started
from tests.services.redis_server import Redis
from tournaments.models import Match, ResultReport, Standing

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]
BOTS: Final = 23
MATCHES: Final = BOTS * (BOTS - 1)
"""Each pair twice, from both seats."""
WORKERS: Final = 4
RESULTS_BETWEEN_KILLS: Final = 10
QUICK: Final = {"HANAMI_LEASE_S": "6"}
# About 10 ms a move, so that a kill finds a match in play; its choice is by chance, of its own seed.
THINKS = (
    b"import random\n"
    b"def choose(obs):\n"
    b"    for _ in range(200000):\n"
    b"        pass\n"
    b"    return random.randrange(len(obs['legal']))\n"
)


class Killer:
    """Hurts one worker after another: the worker itself most often, or something that belongs to it."""

    def __init__(self, project: Project, workers: list[Started], seed: int) -> None:
        self.project = project
        self.workers = workers
        self.rng = Random(seed)
        self.kills: Counter[str] = Counter()

    def strike(self) -> None:
        """`kill -9` of one process by chance, of the first worker by chance that has such a one now.

        A successor that still starts has no pool process yet, and a bot lives no longer than its match: where no worker
        has what chance wants, a worker itself is killed.
        """
        wanted = self.rng.choice(("worker", "worker", "pool process", "fork server", "bot"))
        numbers = self.rng.sample(range(len(self.workers)), len(self.workers))
        hit = next(target for target in (wanted, "worker") if any(self._hit(target, number) for number in numbers))
        self.kills[hit] += 1

    def _hit(self, target: str, number: int) -> bool:
        """Kill such a process of this worker.

        Returns whether it had one. A worker that is gone gets a successor at once.
        """
        worker = self.workers[number]
        if target == "worker":
            worker.kill()
            self.workers[number] = self.project.worker(extra=QUICK, wait=False)
            return True
        found = {"pool process": worker.pool_pids, "fork server": worker.fork_server_pids, "bot": worker.bot_pids}
        for pid in found[target]():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                return True
        return False


def play_hurt(project: Project, wait_until: Callable[..., Any]) -> Counter[str]:
    """Play the league through four workers under kills. What was killed, and how often."""
    project.beat(extra=QUICK)
    killer = Killer(project, [project.worker(extra=QUICK) for _ in range(WORKERS)], seed=20161)
    while not finished():
        aim = ResultReport.objects.count() + RESULTS_BETWEEN_KILLS
        wait_until(lambda aim=aim: ResultReport.objects.count() >= aim or finished(), 240, "further results")
        if not finished():
            killer.strike()
    return killer.kills


def play_calm(project: Project, wait_until: Callable[..., Any]) -> None:
    """Play the league through one worker with two processes that nobody disturbs."""
    project.beat()
    project.worker(concurrency=2)
    wait_until(finished, 600, "the calm league finished")


def records() -> dict[str, bytes]:
    """By match: the part of its record that is hashed, as bytes."""
    reports = ResultReport.objects.filter(state="confirmed").select_related("match", "record")
    return {str(row.match.uuid): canonical(json.loads(row.record.data())["record"]) for row in reports if row.record}


def standings() -> list[tuple[object, ...]]:
    """Every stored table, row by row, with what each row explains."""
    columns = ("after_round", "row", "rank", "entry__uuid", "key", "explanation", "input_hash")
    return list(Standing.objects.order_by("after_round", "row").values_list(*columns))


def clone(server: Postgres, name: str) -> str:
    """A copy of the whole database under another name; its address."""
    connection.close()
    with psycopg.connect(server.url("postgres"), autocommit=True) as connected:
        connected.execute(f"CREATE DATABASE {name} TEMPLATE hanami")
    return server.url(name)


def test_every_match_finishes_once_and_no_standing_differs_from_a_calm_run(
    own_postgres: Postgres, project_on_own_postgres: Project, redis_server: Redis, wait_until: Callable[..., Any]
) -> None:
    hurt = project_on_own_postgres
    a.a_running_event(sources=[THINKS] * BOTS, legs="cyclic", options={"rounds": 1})
    assert Match.objects.count() == MATCHES >= 500
    calm_url = clone(own_postgres, "calm")

    kills = play_hurt(hurt, wait_until)
    hurt.stop()
    check_the_league(MATCHES)
    assert AuditEvent.objects.filter(verb="match.confirm").count() == MATCHES
    assert sum(kills.values()) >= 20, kills
    assert Match.objects.exclude(history=[]).count() >= 5, "hardly a kill met a match in play"
    found = records(), standings()

    places = {"HANAMI_DATABASE_URL": calm_url, "HANAMI_REDIS_URL": redis_server.url()}
    calm = replace(hurt, environment={**hurt.environment, **places})
    with connected_to(calm_url):
        assert not Match.objects.exclude(attempt=0).exists()
        try:
            play_calm(calm, wait_until)
        finally:
            calm.stop()
        check_the_league(MATCHES)
        assert not Match.objects.filter(faults__gt=0).exists()
        assert (records(), standings()) == found
