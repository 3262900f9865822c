"""200 live tables while web server, worker and Redis are killed and PostgreSQL restarts: no answer lost, none doubled.

People are scripts over HTTP that send an answer again until a reply says that it counts, as the page does; half of the
tables are against a bot that the worker asks in the sandbox.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from django.db import connection

from benchmarks.ladder import an_address
from bots.services.house import house_account, install_house_bot
from engine.record import verify
from tables.actions.opening import TablePlan
from tables.models import Answer, LiveTable
from tables.play.clocks import CLOCKS
from tests.services.postgres import Postgres
from tests.services.processes import Project, Started
from tests.services.redis_server import Redis
from tests.tables.over_http import HttpSeat, a_table_over_http

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]
TABLES: Final = 200
THREADS: Final = 12
ROWS_BETWEEN_STRIKES: Final = 300
REST_S: Final = 0.2
FORGIVEN_MS: Final = 1000
FIRST: Final = b"def choose(obs):\n    return 0\n"
PLAN: Final = TablePlan(preset="koikoi_nintendo", seats=2, options={"rounds": 1}, clock=CLOCKS["live"])


class House:
    """The processes, each of which may be struck. site: where the web server is now."""

    def __init__(self, project: Project, redis: Redis, postgres: Postgres) -> None:
        self.project, self.redis, self.postgres = project, redis, postgres
        self.site, self.web = self._a_web_server()
        self.worker = project.worker()
        project.beat()
        self.strikes: Counter[str] = Counter()

    def _a_web_server(self) -> tuple[str, Started]:
        site, pid = an_address(self.project)
        return site, next(one for one in self.project.started if one.pid == pid)

    def strike(self, what: str) -> None:
        """Kill one and start its successor; PostgreSQL is stopped as by a power cut."""
        if what == "web":
            self.web.kill()
            self.site, self.web = self._a_web_server()
        elif what == "worker":
            self.worker.kill()
            self.worker = self.project.worker(wait=False)
        elif what == "redis":
            self.redis.kill()
            self.redis.start()
        else:
            self.postgres.shut_down("immediate")
            self.postgres.start()
            connection.close()
        self.strikes[what] += 1


class People(threading.Thread):
    """Everybody at some of the tables: each looks at theirs in turn, and answers where they are asked."""

    def __init__(self, seats: list[HttpSeat], seed: int) -> None:
        super().__init__(daemon=True)
        self.seats, self.rng = seats, Random(seed)
        self.failed = ""
        self.rest = threading.Event()

    def run(self) -> None:
        waiting = list(self.seats)
        try:
            while waiting:
                told = sum(len(seat.counted) for seat in waiting)
                waiting = [seat for seat in waiting if not self._look(seat)]
                if sum(len(seat.counted) for seat in waiting) == told:
                    self.rest.wait(REST_S)  # the bots have their turn: leave them the processors
        except AssertionError as wrong:
            self.failed = repr(wrong)

    def _look(self, seat: HttpSeat) -> bool:
        """Answer as long as one is asked. Returns whether the match is over."""
        view = seat.until_it_is_there(seat.view)
        assert view.status in (200, 304), (view.status, view.body)
        body = view.body
        while body is not None and body["state"] == "playing" and "legal" in (body["turn"] or {}):
            n, a = body["turn"]["n"], self.rng.randrange(len(body["turn"]["legal"]))
            reply = seat.until_it_is_there(partial(seat.answer, n, a))
            assert reply.status == 200, (reply.status, reply.body)
            body = reply.body
        return body is not None and body["state"] in ("finished", "aborted")


@pytest.fixture
def house(
    project_on_own_postgres: Project, redis_server: Redis, own_postgres: Postgres, collected_static: Path
) -> Iterator[House]:
    project = project_on_own_postgres
    # A view names the file with the cards' drawings.
    more = {"HANAMI_REDIS_URL": redis_server.url(), "HANAMI_STATIC_DIR": str(collected_static)}
    project.environment = {**project.environment, **more}
    install_house_bot(owner=house_account(), name="House 1", files=[("bot.py", FIRST)], plays=["koikoi_nintendo"])
    yield House(project, redis_server, own_postgres)
    project.stop()


def rows() -> int:
    """Return how many answers are kept; none can be counted while PostgreSQL is away."""
    return Answer.objects.count()


def test_no_answer_is_lost_and_none_doubled(house: House, wait_until: Callable[..., Any]) -> None:
    version = house_account().bots.get(name="House 1").versions.get()
    played = []
    for number in range(TABLES):
        plan = PLAN if number % 2 else replace(PLAN, bots=[version])
        played.append(a_table_over_http(lambda: house.site, plan))
    people = [
        People([seat for _table, seats in played[number::THREADS] for seat in seats], number)
        for number in range(THREADS)
    ]
    for each in people:
        each.start()
    for what in ("web", "worker", "redis", "postgres", "worker", "web", "redis", "postgres"):
        aim = rows() + ROWS_BETWEEN_STRIKES
        wait_until(lambda aim=aim: rows() >= aim or not is_going_on(), 240, f"further answers before {what} is struck")
        house.strike(what)
    for each in people:
        each.join(300)
    assert [each.failed for each in people if each.failed or each.is_alive()] == []
    assert house.strikes == {"web": 2, "worker": 2, "redis": 2, "postgres": 2}
    wait_until(lambda: not LiveTable.objects.filter(match__isnull=True).exists(), 120, "every table recorded")
    for table, seats in played:
        check(LiveTable.objects.get(pk=table.pk), seats)


def is_going_on() -> bool:
    return LiveTable.objects.exclude(state__in=("finished", "aborted")).exists()


def check(table: LiveTable, seats: list[HttpSeat]) -> None:
    """A table that is over: its rows are what its people were told that counts, its clocks are right, and it proves."""
    assert (table.state, table.reason) == ("finished", "")
    kept = list(table.answers.order_by("n"))
    assert [row.n for row in kept] == list(range(table.answered))
    assert all(row.index is not None for row in kept), [row.code for row in kept if row.code]
    for seat in seats:
        own = [row.index for row in kept if row.seat == seat.seat]
        # What was sent again after a lost receipt is the same row: told once at least, kept once.
        told = dict(seat.counted)
        assert list(told) == sorted(told)
        assert own == list(told.values())
    asked_at = table.dealt_at
    assert asked_at is not None
    for row in kept:
        if row.seat in {seat.seat for seat in seats}:
            passed = (row.at - asked_at).total_seconds() * 1000
            assert -1 <= passed - row.took_ms <= FORGIVEN_MS
        asked_at = row.at
    report = table.match.reports.get()  # type: ignore[union-attr]
    assert report.record is not None
    assert verify(json.loads(report.record.data())).ok
