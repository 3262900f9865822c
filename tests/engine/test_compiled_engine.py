"""The engine translated to machine code and the engine in plain Python play alike, card for card."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from engine import is_compiled
from engine.compiled import BUILT, HERE, MODULES, SUFFIX, CompiledFinder, fingerprint
from scripts.compile_engine import reason_against

ROOT: Final = HERE.parent
PLAYED: Final = """
import hashlib
from random import Random
from engine import is_compiled
from engine.deck import commitment
from engine.games import PRESETS, ruleset
from engine.match import Match
from engine.record import write

said = hashlib.sha256()
for number, (preset, seats, teams) in enumerate(
    [(preset, seats, teams) for preset in ("hawaii", "paradise", "french", "enwiki2020")
     for seats, teams in ((2, "solo"), (3, "solo"), (4, "2x2"), (5, "solo"), (6, "3x2"), (7, "solo"))]
):
    seed, dice = number.to_bytes(32, "big"), Random(number)
    rules = ruleset(preset, teams=teams, rounds=4, triple_capture=("mandatory", "optional")[number % 2])
    match = Match(rules, seats, seed)
    while not match.is_over:
        obs = match.observation(match.seat_to_act, match_id="m", preset=preset, since=0, ms_left=1)
        said.update(repr(obs).encode())
        match.apply(dice.choice(match.legal_actions()))
    fair = {"stage": "s", "commit": commitment(seed), "deal_set": "d", "leg": 0}
    said.update(write(match, match_id="m", fair=fair, bots=[None] * seats, preset=preset)["hash"].encode())
print(is_compiled(), said.hexdigest())
"""

BATCHED: Final = """
import hashlib
from engine import is_compiled
from engine.batch import Batch
from engine.episode import Episode, seed_bytes
from engine.games import PRESETS, ruleset
from engine.games import GAMES

said = hashlib.sha256()
for preset in PRESETS:
    rules = ruleset(preset)
    seats = GAMES[rules.game].seat_range[1]
    batch = Batch(rules, seats, 3, seed=5)
    episode, tensor = Episode(rules, seats), bytearray(4 * batch.size)
    episode.begin(seed_bytes(preset))
    for number in range(120):
        said.update(batch.observations + batch.masks + batch.rewards + batch.to_act + batch.done)
        batch.step(batch.sample())
        if not episode.is_over:
            episode.write_tensor(episode.seat, tensor)
            rewards = episode.step(list(episode.choices)[number % len(episode.choices)])
            said.update(tensor + repr(rewards).encode())
print(is_compiled(), said.hexdigest())
"""


def run(engine: str, *command: str) -> list[str]:
    """The words that a Python process with this engine prints."""
    environment = {**os.environ, "HANAMI_ENGINE": engine}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.split()


@pytest.mark.thorough
def test_both_play_alike() -> None:
    """`make test` has translated the engine if there is a compiler; without one both are plain Python."""
    compiled, quick = run("auto", "-c", PLAYED)
    pure, slow = run("pure", "-c", PLAYED)
    assert (compiled, pure) == (str((BUILT / fingerprint()).is_dir()), "False")
    assert quick == slow


@pytest.mark.thorough
def test_both_write_the_same_masks_tensors_and_rewards() -> None:
    _compiled, quick = run("auto", "-c", BATCHED)
    _pure, slow = run("pure", "-c", BATCHED)
    assert quick == slow


@pytest.mark.slow
def test_the_vectors_in_plain_python() -> None:
    """The other tests run on whichever engine is the default here."""
    files = ("test_vectors.py", "test_ordinary_plies.py", "test_record.py", "test_compact_records.py", "test_deck.py")
    paths = [f"tests/engine/{name}" for name in files]
    words = run("pure", "-m", "pytest", "-q", "-n", "0", "-m", "not slow", "-p", "no:cacheprovider", *paths)
    found = {word.rstrip(",") for word in words}
    assert "passed" in found
    assert "failed" not in found


def test_a_machine_with_a_compiler_plays_compiled() -> None:
    assert is_compiled() is (reason_against() is None and os.environ.get("HANAMI_ENGINE") != "pure")


@pytest.mark.thorough
def test_what_was_translated_from_other_source_is_not_loaded(tmp_path: Path) -> None:
    """Anyone who edits a module plays by the edit: the copy has the translation, and one line more."""
    copied = tmp_path / "engine"
    shutil.copytree(HERE, copied, ignore=shutil.ignore_patterns("__pycache__"))
    ask = [sys.executable, "-c", "import engine; print(engine.is_compiled(), engine.__file__)"]
    environment = {name: value for name, value in os.environ.items() if name != "HANAMI_ENGINE"} | {
        "PYTHONPATH": str(tmp_path)
    }

    def answer() -> list[str]:
        return subprocess.run(
            ask, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        ).stdout.split()

    built = (copied / "_compiled" / fingerprint()).is_dir()
    assert answer() == [str(built), str(copied / "__init__.py")]
    with (copied / "games" / "sakura" / "legal.py").open("a", encoding="utf-8") as file:
        file.write("\nEDITED = True\n")
    assert answer() == ["False", str(copied / "__init__.py")]


@pytest.mark.thorough
def test_a_machine_without_a_compiler_says_so_and_goes_on(tmp_path: Path) -> None:
    copied = tmp_path / "checkout"
    for folder in ("engine", "scripts"):
        shutil.copytree(ROOT / folder, copied / folder, ignore=shutil.ignore_patterns("__pycache__", "_compiled"))
    command = [sys.executable, "scripts/compile_engine.py"]
    environment = {**os.environ, "PATH": str(tmp_path), "PYTHONPATH": str(copied)}
    done = subprocess.run(command, cwd=copied, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "The engine plays in plain Python: there is no C compiler.")
    assert not (copied / "engine" / "_compiled").exists()


def test_the_finder_finds_the_translated_modules_alone(tmp_path: Path) -> None:
    file = tmp_path / f"cards{SUFFIX}"
    finder = CompiledFinder({"engine.cards": file})
    found = finder.find_spec("engine.cards")
    assert found is not None
    assert found.origin == str(file)
    assert finder.find_spec("engine.match") is None
    assert all((HERE / f"{name}.py").is_file() for name in MODULES)
