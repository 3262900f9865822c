"""On a terminal: a progress bar, and Ctrl-C that keeps what was played. Elsewhere: nothing but the result."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from tests.kit.conftest import Type
from tests.services.processes import ROOT, end

pytestmark = pytest.mark.slow
DEADLINE_S: Final = 90.0
COUNT: Final = re.compile(r"(\d+)/5000")


def read_until(terminal: int, wanted: int) -> str:
    """Return what stands on the terminal once the bar says that that many deal sets were played."""
    said, last = "", time.monotonic() + DEADLINE_S
    while max((int(found) for found in COUNT.findall(said)), default=0) < wanted:
        assert time.monotonic() < last, said[-500:]
        if select.select([terminal], [], [], 1.0)[0]:
            said += os.read(terminal, 4096).decode(errors="replace")
    return said


def rest(terminal: int) -> str:
    """Return what was written before the last one there has gone."""
    said = b""
    with contextlib.suppress(OSError):  # EIO: nobody has it open any more
        while part := os.read(terminal, 4096):
            said += part
    return said.decode(errors="replace")


def with_interrupts() -> None:
    """A terminal's program hears Ctrl-C, also if anyone who started these tests in the background made them
    deaf to it.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_bar_moves_and_ctrl_c_keeps_what_was_played(at_home: Path, jobs: str) -> None:
    ours, theirs = pty.openpty()
    words = ("play", "house:random", "house:greedy", "--deals", "5000", "--jobs", jobs, "--json")
    process = subprocess.Popen(
        [sys.executable, "-m", "kit", *words], cwd=at_home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=theirs, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "TERM": "xterm", "COLUMNS": "100"},
        start_new_session=True, preexec_fn=with_interrupts,
    )  # fmt: skip
    os.close(theirs)
    try:
        assert "━" in read_until(ours, 3)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: everybody in the group gets it
        out, _ = process.communicate(timeout=DEADLINE_S)
        found = json.loads(out)
        assert process.returncode == 0
        assert found["stopped"] is True
        assert 3 <= found["results"][0]["deal_sets"] < 5000
    finally:
        end(process)
        os.close(ours)


def test_elsewhere_there_is_no_bar(type_in: Type) -> None:
    found = type_in("play", "house:random", "house:greedy", "--deals", "3", "--json")
    assert found.err == ""
    assert len(found.out.splitlines()) == 1


def test_the_token_is_asked_for_without_showing_it(at_home: Path) -> None:
    """It is asked on the terminal; the service is not there, so nothing is kept."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "kit", "login", "http://127.0.0.1:9"], cwd=at_home, stdin=theirs, stdout=theirs,
        stderr=theirs, start_new_session=True,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HANAMI_CONFIG": str(at_home / "config")},
    )  # fmt: skip
    os.close(theirs)
    try:
        said, last = "", time.monotonic() + DEADLINE_S
        while "/me/tokens/" not in said:
            assert time.monotonic() < last
            said += os.read(ours, 4096).decode()
        os.write(ours, b"hf_secret\n")
        assert process.wait(DEADLINE_S) == 3
        said += rest(ours)
        assert "cannot be reached" in said
        assert "hf_secret" not in said
        assert not (at_home / "config").exists()
    finally:
        end(process)
        os.close(ours)
