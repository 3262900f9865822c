"""A host to attack, and workers to do it through: as the user of the test run and as an ordinary user."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.attacks.corpus_option import Attack
from tests.attacks.host import Host
from tests.attacks.referee import RAW
from tests.bots.runner.unprivileged import ROOT, STEP_DOWN

PROGRAM = "from tests.attacks.referee import main; main()"
PATIENCE_S = 90.0  # of one game: three times what the budgets of the longest attack add up to


class Worker:
    """The referee's process. A hang or a dead worker fails the test: it is none of the outcomes."""

    def __init__(self, host: Host, *, ordinary: bool) -> None:
        arguments = ["-c", STEP_DOWN, PROGRAM] if ordinary and os.geteuid() == 0 else ["-c", PROGRAM]
        self._host = host
        self._process = subprocess.Popen(
            [sys.executable, "-B", *arguments],
            cwd=ROOT,
            env={**os.environ, **host.environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.first = self._line()

    def _line(self, runs: int = 1) -> dict[str, Any]:
        assert self._process.stdout is not None
        assert select.select([self._process.stdout], [], [], PATIENCE_S * runs)[0], "the worker hangs"
        line = self._process.stdout.readline()
        assert line, f"the worker ended with {self._process.wait()}"
        report: dict[str, Any] = json.loads(line)
        return report

    def play(self, attack: Attack, files: Sequence[Sequence[str]] = ()) -> dict[str, Any]:
        """files: (path, bytes as text) of an upload that was accepted; else the attack's file is its bot.py."""
        assert self._process.stdin is not None
        order = {
            "moves": attack.moves,
            "runs": attack.runs,
            "family": attack.entry.get("family", ""),
            "files": list(files) or [["bot.py", attack.path.read_bytes().decode(RAW)]],
            "victim": self._host.victim_source,
            "probe": self._host.probe(),
        }
        print(json.dumps(order), file=self._process.stdin, flush=True)
        return self._line(attack.runs)

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture(scope="session")
def host() -> Iterator[Host]:
    there = Host()
    yield there
    there.close()


@pytest.fixture(scope="session", params=[pytest.param("as_started", marks=pytest.mark.slow), "ordinary_user"])
def worker(request: pytest.FixtureRequest, host: Host) -> Iterator[Worker]:
    running = Worker(host, ordinary=request.param == "ordinary_user")
    assert running.first["probe"], running.first["reason"]
    assert request.param == "as_started" or running.first["uid"] != 0
    yield running
    running.close()
