"""The guide for authors: each bot in it is played, its home runner is run, and the reference names every field."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bots.house import house_files
from bots.protocol.messages import Fault
from bots.runner.inprocess import InProcessLauncher
from bots.runner.spec import STANDARD
from bots.runner.table import play
from bots.sdk import Session, View
from engine.games import ruleset
from engine.match import Match
from tests.bots.matches import a_bot, a_spec

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs" / "02-write-your-first-bot.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "06-bot-reference.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(# [\w.]+)\n(.*?)```", GUIDE, re.DOTALL)
BOTS = [source for name, source in BLOCKS if name == "# bot.py"]


def test_the_guide_has_its_bots() -> None:
    assert len(BOTS) == 4
    assert len(BLOCKS) == 5


@pytest.mark.parametrize("source", BOTS)
@pytest.mark.parametrize("preset", ["hawaii", "paradise"])
def test_each_bot_of_the_guide_plays(source: str, preset: str) -> None:
    opponents = [house_files("greedy"), house_files("random")]
    played = play(a_spec(a_bot(source), *opponents, preset=preset, rounds=2), InProcessLauncher())
    assert played.forfeits == (), played.seats[0].log.decode()


def test_the_home_runner_runs(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOTS[2], encoding="utf-8")
    script = next(source for name, source in BLOCKS if name == "# try_it.py")
    (tmp_path / "try_it.py").write_text(script, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "try_it.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert re.search(r"won \d+ of 12", run.stdout)
    assert "Forfeit" not in run.stdout


def test_the_reference_names_every_field() -> None:
    obs = Match(ruleset("hawaii"), 3, bytes(16)).observation(0, match_id="m", preset="hawaii", since=0, ms_left=1)
    fields = {*obs, *(fault.value for fault in Fault)}
    assert {name for name in fields if f"`{name}`" not in REFERENCE} == set()
    view = next(line for line in REFERENCE.split("\n\n") if line.startswith("`view = hanami.read(obs)`"))
    seen = Session().read(obs)
    public = {name for name in {*vars(View), *vars(seen)} if not name.startswith("_")}
    assert len(public) > 25
    assert {name for name in public if name not in view and f"view.{name}(" not in REFERENCE} == set()


def test_the_example_of_the_reference_is_json_with_the_right_keys() -> None:
    found = re.search(r"```json\n(.*?)```", REFERENCE, re.DOTALL)
    assert found is not None
    example = json.loads(found[1])
    obs = Match(ruleset("hawaii"), 3, bytes(16)).observation(0, match_id="m", preset="hawaii", since=0, ms_left=1)
    assert list(example) == list(obs)


def test_the_limits_are_those_of_the_standard_clock() -> None:
    assert (STANDARD.load_ms, STANDARD.move_ms, STANDARD.bank_ms, STANDARD.match_ms) == (1000, 100, 1000, 60_000)
    assert STANDARD.memory_mib == 256
