"""`watch`: test and play when a file is saved, and only then."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.kit.conftest import Type
from tests.services.processes import ROOT, end
from tests.services.waiting import wait_until

GOOD = "def choose(obs):\n    return 0\n"
BAD = "def choose(obs):\n    return 1 / 0\n"


@pytest.mark.slow
def test_one_round(type_in: Type, my_bot: Callable[..., Path]) -> None:
    my_bot(GOOD)
    found = type_in("watch", "mine", "--times", "1", "--deals", "2", "--seed", "s")
    assert found.code == 0
    assert "ok    states" in found.out
    assert "house:greedy" in found.out


@pytest.mark.slow
def test_every_change_is_tested(my_bot: Callable[..., Path], at_home: Path) -> None:
    folder = my_bot(GOOD)
    log = at_home / "log"
    command = [sys.executable, "-m", "kit", "watch", "mine", "--times", "3", "--deals", "0", "--json"]
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, cwd=at_home, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}, stdin=subprocess.DEVNULL,
            stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    try:
        for number, following in enumerate((BAD, GOOD, None), start=1):
            wait_until(partial(has_rounds, log, number), 60, f"round {number}")
            (folder / "README.md").write_text(f"round {number}", encoding="utf-8")  # no part of the bot
            if following is not None:
                (folder / "bot.py").write_text(following, encoding="utf-8")
        assert process.wait(60) == 0
    finally:
        end(process)
    assert [one["ok"] for one in said(log)] == [True, False, True]


def has_rounds(log: Path, number: int) -> bool:
    """Return whether that many were played."""
    return len(said(log)) >= number


def said(log: Path) -> list[Any]:
    """The rounds so far."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines() if line.startswith("{")]
