"""The same faults on SQLite with its one writer, as `make run` has it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.builders import events as a
from tests.faults.echo import Echo
from tests.faults.leagues import QUICK, TAKES_ITS_TIME, check_the_league, finished, in_play
from tests.faults.test_doubled import TWICE
from tests.services.processes import ROOT, Project
from tournaments.models import Match

pytestmark = pytest.mark.timeout(300)


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_of_a_match(embedded: Project, wait_until: Callable[..., Any]) -> None:
    assert connection.vendor == "sqlite"
    a.a_running_event(sources=[TAKES_ITS_TIME] * 4, options={"rounds": 6})
    embedded.beat(extra=QUICK)
    doomed = embedded.worker(name="doomed", extra=QUICK)
    wait_until(in_play, 60, "a match in play")
    doomed.kill()
    embedded.worker(name="heir", extra=QUICK)
    wait_until(finished, 90, "the league finished")
    check_the_league(6)
    assert Match.objects.exclude(history=[]).order_by("pk")[0].history[0]["worker"].startswith("doomed@")


@pytest.mark.slow
def test_every_message_thrice_and_everything_done_twice(embedded: Project, wait_until: Callable[..., Any]) -> None:
    with Echo(embedded.environment["HANAMI_REDIS_URL"]) as echo:
        for _ in range(2):
            embedded.worker(extra={**QUICK, "HANAMI_LOG_LEVEL": "INFO"}, options=TWICE)
        embedded.beat(extra=QUICK)
        a.a_running_event(bots=5, options={"rounds": 2})
        wait_until(finished, 90, "the league finished")
    assert echo.doubled["play"] >= 2
    check_the_league(10)
    assert set(Match.objects.values_list("attempt", "faults")) == {(1, 0)}


@pytest.mark.slow
def test_the_races_of_this_folder_have_one_winner_on_sqlite_too(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HANAMI_", "TEST_", "PYTEST_"))}
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-m",
            "slow or not slow",
            "tests/faults/test_races.py",
        ],
        cwd=ROOT,
        env={**kept, "TEST_DATABASE_URL": f"sqlite:///{tmp_path}/races.sqlite3"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=200,
        check=False,
    )
    output = done.stdout.decode(errors="replace")
    assert done.returncode == 0, output
    assert "6 passed" in output
