"""`pip install` of the project's wheel in a clean place gives the command `hanami`, without the service."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import engine
from kit.documents import load
from tests.kit.conftest import Type
from tests.kit.installed import NOT_THERE, build_wheel, install, run
from tests.services.processes import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(wheel, tmp_path_factory.mktemp("author") / "venv")


def test_the_wheel_holds_the_kit_and_nothing_of_the_service(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    modules = {name for name in names if name.endswith(".py")}
    for wanted in ("hanami/__init__.py", "kit/cli.py", "bots/__init__.py", "bots/errors.py", "bots/trials/running.py",
                   "bots/house/greedy.py", "engine/games/poka/__init__.py", "core/replay/words.py",
                   "core/errors.py", "bots/runner/sandbox/landlock.py"):  # fmt: skip
        assert wanted in modules, wanted
    assert "kit/templates/bot.py.txt" in names
    first = {tuple(name.split("/")[:2]) for name in modules}
    assert {part for top, part in first if top == "bots"} == {
        "__init__.py", "errors.py", "house", "protocol", "runner", "localization.py", "sdk", "trials", "uploads",
    }  # fmt: skip
    assert {part for top, part in first if top == "core"} == {
        "__init__.py", "errors.py", "printable.py", "replay", "statistics",
    }  # fmt: skip
    missing = [
        str(path.relative_to(ROOT))
        for room in ("engine", "kit", "bots/sdk", "bots/runner", "bots/trials", "core/replay")
        for path in (ROOT / room).rglob("*.py")
        if str(path.relative_to(ROOT)) not in modules and "_compiled" not in path.parts and "hanami" not in path.parts
    ]
    assert not missing, missing


def test_an_author_s_first_minutes(python: Path, tmp_path: Path) -> None:
    hanami = python.parent / "hanami"
    for name in NOT_THERE:
        code = f"import importlib.util as u; assert u.find_spec({name!r}) is None"
        run(python, "-c", code, cwd=tmp_path)
    assert "engine" in run(hanami, "--version", cwd=tmp_path).stdout
    run(hanami, "new", "mybot", "--preset", "hawaii", cwd=tmp_path)
    home = tmp_path / "mybot"
    tested = json.loads(run(hanami, "test", "--json", cwd=home).stdout)
    assert (tested["ok"], tested["unsafe"]) == (True, False)
    run(python, "-m", "unittest", "-q", cwd=home)
    played = json.loads(run(hanami, "play", "--deals", "40", "--duplicate", "--jobs", "2", "--json", cwd=home).stdout)
    assert played["results"][0]["matches"] == 80
    assert "Not decided" in run_any(hanami, "ab", ".", "house:yaku", "--deals", "2", cwd=home)


def run_any(*command: str | Path, cwd: Path) -> str:
    """A command that ends with 1; its output."""
    code = "import subprocess, sys; d = subprocess.run(sys.argv[1:]); sys.exit(d.returncode != 1)"
    return run(sys.executable, "-c", code, *command, cwd=cwd).stdout


def test_installed_compiled_and_here_give_the_same_records(python: Path, tmp_path: Path, type_in: Type) -> None:
    """Here the engine is translated where there is a compiler; in the wheel it is plain until somebody does that."""
    words = ("play", "house:sampler", "house:yaku", "--deals", "2", "--seed", "s", "--jobs", "1", "--records")
    assert type_in(*words, "here").code == 0
    hanami = python.parent / "hanami"
    run(hanami, *words, "plain", cwd=tmp_path)
    site = run(python, "-c", "import engine; print(engine.__path__[0], engine.is_compiled())", cwd=tmp_path).stdout
    folder, is_compiled = site.split()
    assert is_compiled == "False"
    built = ROOT / "engine" / "_compiled"
    (Path(folder) / "_compiled").symlink_to(built)
    said = run(python, "-c", "import engine; print(engine.is_compiled())", cwd=tmp_path).stdout
    assert said.strip() == str(engine.is_compiled()), "what serves the sources here serves the same ones there"
    run(hanami, *words, "compiled", cwd=tmp_path)
    for name in ("s-1-1.json", "s-2-1.json"):
        hashes = {load(tmp_path / where / name)["hash"] for where in ("here", "plain", "compiled")}
        assert len(hashes) == 1
