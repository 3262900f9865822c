"""`pip install hanami-kit` in a clean place gives the command `hanami`, without the service and without a checkout."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from kit.documents import load
from scripts.distributions.rooms import KIT
from scripts.distributions.staging import version
from scripts.distributions.wheels import pure_wheels
from tests.docs.blocks import blocks
from tests.kit.conftest import Type
from tests.kit.installed import NOT_THERE, install, run, shown_tops, site_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    pure_wheels(folder)
    return folder


@pytest.fixture(scope="module")
def python(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("author") / "venv", wheels, "hanami-kit", "hanafuda")


def test_it_brings_the_promised_names_and_no_others(python: Path, tmp_path: Path) -> None:
    assert shown_tops(python, "hanami-kit") == set(KIT.tops)
    assert shown_tops(python, "hanafuda") == {"hanafuda"}
    gone = ("engine", "bots", "kit", "core", "tournaments", "scripts", *NOT_THERE)
    code = f"import importlib.util as u; print([name for name in {gone!r} if u.find_spec(name)])"
    assert run(python, "-c", code, cwd=tmp_path).stdout.strip() == "[]"


def test_every_module_of_it_can_be_imported(python: Path, tmp_path: Path) -> None:
    code = """
import pkgutil, importlib, hanami, hanami_kit
names = [each.name for each in pkgutil.walk_packages(hanami_kit.__path__, "hanami_kit.")]
for name in names:
    name.endswith("__main__") or ".bots.house." in name or importlib.import_module(name)
print(len(names))
"""
    assert int(run(python, "-c", code, cwd=tmp_path).stdout) > 100


def test_an_author_s_first_minutes(python: Path, tmp_path: Path) -> None:
    hanami = python.parent / "hanami"
    said = run(hanami, "--version", cwd=tmp_path).stdout
    assert said.startswith(f"hanami, version {version()}, engine ")
    run(hanami, "new", "mybot", "--preset", "koikoi_nintendo", cwd=tmp_path)
    home = tmp_path / "mybot"
    tested = json.loads(run(hanami, "test", "--json", cwd=home).stdout)
    assert (tested["ok"], tested["unsafe"]) == (True, False)
    run(python, "-m", "unittest", "-q", cwd=home)
    played = json.loads(run(hanami, "play", "--deals", "20", "--duplicate", "--jobs", "2", "--json", cwd=home).stdout)
    assert played["results"][0]["matches"] == 40
    assert "Not decided" in run_any(hanami, "ab", ".", "house:yaku", "--deals", "2", cwd=home)


def test_the_other_commands_without_a_service(python: Path, tmp_path: Path) -> None:
    hanami = python.parent / "hanami"
    bots = ("house:greedy", "house:random")
    run(hanami, "play", *bots, "--deals", "1", "--seed", "s", "--records", "games", cwd=tmp_path)
    assert "Every deal, sum and card checks out." in run(hanami, "verify", "games/s-1-1.json", cwd=tmp_path).stdout
    assert "house:greedy" in run(hanami, "replay", "games/s-1-1.json#d1m3", cwd=tmp_path).stdout
    run(hanami, "play", *bots, "--like", "games/s-1-1.json", cwd=tmp_path)
    code = """
from hanami_kit.browsing import _static
shelf = _static()
assert {"/table/replay.js", "/site/site.css", "/cards/classic.svg"} <= set(shelf), sorted(shelf)
"""
    run(python, "-c", code, cwd=tmp_path)
    said = run(python, "-m", "hanami_kit", "--help", cwd=tmp_path).stdout
    assert "submit" in said


def run_any(*command: str | Path, cwd: Path) -> str:
    """A command that ends with 1; its output."""
    code = "import subprocess, sys; d = subprocess.run(sys.argv[1:]); sys.exit(d.returncode != 1)"
    return run(sys.executable, "-c", code, *command, cwd=cwd).stdout


def test_a_bot_that_imports_the_engine_plays_in_its_sandbox(python: Path, tmp_path: Path) -> None:
    for name in ("engine", "hanafuda"):
        (tmp_path / f"{name}bot.py").write_text(
            f"import {name}\nfrom {name}.cards import CODES\ndef choose(obs): return len(CODES) // 49\n"
        )
        run(python.parent / "hanami", "play", f"{name}bot.py", "house:random", "--deals", "1", cwd=tmp_path)


def test_installed_and_here_give_the_same_records(python: Path, tmp_path: Path, type_in: Type) -> None:
    """Here the engine is compiled where there is a compiler; the packages are pure."""
    words = ("play", "house:sampler", "house:yaku", "--deals", "2", "--seed", "s", "--jobs", "1", "--records")
    assert type_in(*words, "here").code == 0
    run(python.parent / "hanami", *words, "there", cwd=tmp_path)
    for name in ("s-1-1.json", "s-2-1.json"):
        assert load(tmp_path / "here" / name)["hash"] == load(tmp_path / "there" / name)["hash"]


@pytest.mark.django_db(transaction=True)
def test_the_line_of_the_guide_installs_it_from_the_site(
    wheels: Path, live_server: Any, tmp_path: Path, settings: Any
) -> None:
    settings.KIT_DIR = wheels
    line, _engine = sorted(
        {
            line.removeprefix("$ ")
            for block in blocks()
            for line in block.content.splitlines()
            if line.startswith("$ pip install")
        },
        key=lambda line: "hanami-kit" not in line,
    )
    words = shlex.split(line.replace("https://hanami.example.org", live_server.url))
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    # What they need is of no concern here, and would be fetched from elsewhere.
    run(python, "-m", *words, "hanafuda", "--no-deps", "--quiet", cwd=tmp_path)
    assert (site_of(python) / "hanami_kit").is_dir()
    assert (site_of(python) / "hanafuda").is_dir()
