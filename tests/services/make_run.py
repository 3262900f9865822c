"""Journeys on what `make run` starts: its web server, its worker, its SQLite file, its embedded broker.

A test is marked with `as_run_too`; `live_site` and `project` are then those of the installation.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings

from tests.demo.running import Running
from tests.services.emptying import KEPT
from tests.services.processes import Project

MAKE_RUN: Final = "make run"
as_run_too: Final = pytest.mark.parametrize(
    "database", ["postgresql", pytest.param(MAKE_RUN, marks=pytest.mark.slow)], indirect=True, scope="module"
)
"""A test with processes on PostgreSQL and Redis, as deployed, and in the slow run on `make run`, too."""


@pytest.fixture(scope="module")
def make_run(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Provide one installation for a module, without demo leagues, with one worker and the tests' secret key."""
    found = Running(
        tmp_path_factory.mktemp("installation"),
        {"HANAMI_DEMO": "none", "HANAMI_WORKERS": "1", "HANAMI_SWEEP_S": "5"},
    )
    found.data.mkdir(mode=0o700)
    shutil.copy(migrated_sqlite / found.database.name, found.data)
    # Sessions and links that a test makes in its own process open pages of the installation.
    (found.data / "secret_key").write_text(settings.SECRET_KEY, encoding="ascii")
    found.start()
    from bots.models import Worker  # no model may be imported before Django is set up

    KEPT.add(Worker._meta.db_table)  # its worker notes itself once, as it begins
    yield found
    KEPT.clear()
    found.end()


@dataclass
class WorkerOfMakeRun(Project):
    """The installation as `project`: its worker waits until the test starts one."""

    pid: int = 0

    def hold(self) -> None:
        """Let the worker do nothing."""
        os.kill(self.pid, signal.SIGSTOP)

    def worker(self, **_wishes: Any) -> Any:
        """Let the installation's own worker go on."""
        os.kill(self.pid, signal.SIGCONT)

    def stop(self) -> None:
        """End what the test started; the installation goes on."""
        self.worker()
        super().stop()


def held(running: Running) -> WorkerOfMakeRun:
    """Return the installation with its worker held."""
    found = WorkerOfMakeRun(running.settings(), running.folder, pid=running.pid_of("worker1@"))
    found.hold()
    return found
