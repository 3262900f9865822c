"""The guide for authors: each bot in it is played, and the reference names every field. Its commands: tests/kit."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bots.house import house_files
from bots.protocol.messages import Fault, hello_packet
from bots.runner.inprocess import InProcessLauncher
from bots.runner.seat import hello
from bots.runner.spec import STANDARD
from bots.runner.table import play
from bots.sdk import Session, View
from engine.games import ruleset
from engine.match import Match
from tests.bots.matches import a_bot, a_spec
from tests.docs.tables import rows

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs" / "02-write-your-first-bot.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "06-bot-reference.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(# [\w.]+)\n(.*?)```", GUIDE, re.DOTALL)
BOTS = [source for name, source in BLOCKS if name == "# bot.py"]


def test_the_guide_has_its_bots() -> None:
    assert len(BOTS) == 4
    assert len(BLOCKS) == 4


@pytest.mark.parametrize("source", BOTS)
@pytest.mark.parametrize("preset", ["hawaii", "paradise"])
def test_each_bot_of_the_guide_plays(source: str, preset: str) -> None:
    opponents = [house_files("greedy"), house_files("random")]
    played = play(a_spec(a_bot(source), *opponents, preset=preset, rounds=2), InProcessLauncher())
    assert played.forfeits == (), played.seats[0].log.decode()


def test_the_reference_names_every_field() -> None:
    obs = Match(ruleset("hawaii"), 3, bytes(16)).observation(0, match_id="m", preset="hawaii", since=0, ms_left=1)
    fields = {*obs, *(fault.value for fault in Fault)}
    assert {name for name in fields if f"`{name}`" not in REFERENCE} == set()
    view = next(line for line in REFERENCE.split("\n\n") if line.startswith("`view = hanami.read(obs)`"))
    seen = Session().read(obs)
    public = {name for name in {*vars(View), *vars(seen)} if not name.startswith("_")}
    assert len(public) > 25
    assert {name for name in public if name not in view and f"view.{name}(" not in REFERENCE} == set()


def test_the_reference_has_a_row_for_every_field_of_the_hello() -> None:
    spec = a_spec(*[house_files("random")] * 2)
    made = hello(spec, Match(spec.ruleset, spec.seats, bytes(16)), 0)
    sent = json.loads(hello_packet(made, spec.bots[0].files))["hello"]
    table = rows(REFERENCE, "| field of `hello` |")
    assert [name for name, _meaning in table] == [f"`{name}`" for name in sent]
    (clock,) = (meaning for name, meaning in table if name == "`clock`")
    assert clock == ", ".join(f"`{name}`" for name in sent["clock"])


def test_no_line_of_the_example_runs_out_of_its_box() -> None:
    found = re.search(r"```json\n(.*?)```", REFERENCE, re.DOTALL)
    assert found is not None
    assert max(map(len, found[1].splitlines())) <= 80


def test_the_example_of_the_reference_is_json_with_the_right_keys() -> None:
    found = re.search(r"```json\n(.*?)```", REFERENCE, re.DOTALL)
    assert found is not None
    example = json.loads(found[1])
    obs = Match(ruleset("hawaii"), 3, bytes(16)).observation(0, match_id="m", preset="hawaii", since=0, ms_left=1)
    assert list(example) == list(obs)


def test_the_limits_are_those_of_the_standard_clock() -> None:
    assert (STANDARD.load_ms, STANDARD.move_ms, STANDARD.bank_ms, STANDARD.match_ms) == (1000, 100, 1000, 60_000)
    assert STANDARD.memory_mib == 256
