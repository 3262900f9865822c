"""The wheels of the engine: what is in them, that anyone gets the same bytes, and that they play as the engine does."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

from engine.compiled import MODULES, SUFFIX
from engine.games import PRESETS
from guides.reading import markdown
from packages.wheels import PROJECTS
from scripts.distributions.rewriting import Roots, rewrite
from scripts.distributions.rooms import CODES, DISTRIBUTIONS, ENGINE, RENAMED, ROOT, modules
from scripts.distributions.staging import version
from scripts.distributions.wheels import compiled_wheel, pure_wheels, reason_against_compiled
from tests.engine.test_compiled_engine import PLAYED
from tests.engine.test_compiled_engine import run as run_here
from tests.kit.installed import install, run, shown_tops

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
PROVEN: Final = ("test_vectors.py", "test_ordinary_plies.py", "test_record.py", "test_compact_records.py",
                 "test_deck.py", "test_game_tables.py", "test_koikoi_records.py")  # fmt: skip
"""Tests of the engine that are run on its wheels."""
BY_PIP: Final = ("pytest", "hypothesis", "zstandard")
"""What those tests need besides it."""
ROOTS: Final = Roots(RENAMED, modules(), CODES)


@pytest.fixture(scope="module")
def pure(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pure")
    pure_wheels(folder)
    return folder


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert reason_against_compiled() is None
    folder = tmp_path_factory.mktemp("compiled")
    compiled_wheel(folder)
    return folder


@pytest.fixture(scope="module")
def quick(compiled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the compiled wheel."""
    return install(tmp_path_factory.mktemp("quick") / "venv", compiled, "hanafuda", also=BY_PIP)


@pytest.fixture(scope="module")
def alone(pure: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the pure wheel and nothing else at all."""
    return install(tmp_path_factory.mktemp("alone") / "venv", pure, "hanafuda")


@pytest.fixture(scope="module")
def engine_tests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The engine's own tests, about `hanafuda`: a folder without a checkout."""
    folder = tmp_path_factory.mktemp("tests")
    for path in (ROOT / "tests" / "engine").rglob("*.py"):
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        source = path.read_text(encoding="utf-8")
        copy.write_text(rewrite(source, path.name, ROOTS).source if imports_engine(source) else source)
    (folder / "tests" / "__init__.py").touch()
    shutil.copytree(ROOT / "tests" / "data", folder / "tests" / "data")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    slow: long\n    thorough(keep=0): a second\n")
    return folder


def imports_engine(source: str) -> bool:
    return re.search(r"^ *(from|import) engine\b", source, re.MULTILINE) is not None


def test_the_names_are_those_that_the_site_offers(pure: Path) -> None:
    assert {each.name for each in DISTRIBUTIONS} == set(PROJECTS)
    assert sorted(path.name for path in pure.glob("*.whl")) == [
        f"{name}-{version()}-py3-none-any.whl" for name in ("hanafuda", "hanami_kit")
    ]


def test_anyone_gets_the_same_bytes(pure: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    again = pure_wheels(tmp_path)
    assert {path.name: digest(path) for path in again} == {path.name: digest(path) for path in pure.glob("*.whl")}


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_compiled_wheel_has_every_source_of_the_pure_one_and_the_hot_modules(pure: Path, compiled: Path) -> None:
    (wheel,), (plain,) = compiled.glob("*.whl"), pure.glob("hanafuda-*.whl")
    assert re.search(r"-cp3\d+-cp3\d+-manylinux_2_\d+_(x86_64|aarch64)\.whl$", wheel.name)
    with ZipFile(wheel) as found, ZipFile(plain) as sources:
        names = set(found.namelist())
        for name in sources.namelist():
            if ".dist-info/" not in name:
                assert found.read(name) == sources.read(name), name
    translated = {name for name in names if name.endswith(SUFFIX)}
    (folder,) = {"/".join(name.split("/")[:3]) for name in translated}
    assert {f"{folder}/hanafuda/{name}{SUFFIX}" for name in MODULES} <= translated
    assert all(name.split("/")[0] in ("hanafuda", f"hanafuda-{version()}.dist-info") for name in names)


def test_it_needs_nothing_and_leaves_one_name(alone: Path, quick: Path, tmp_path: Path) -> None:
    code = "import hanafuda; print(hanafuda.is_compiled())"
    for python in (alone, quick):
        assert shown_tops(python, "hanafuda") == {"hanafuda"}
        assert run(python, "-c", code, cwd=tmp_path).stdout.strip() == str(python == quick)
    assert run(quick, "-c", code, cwd=tmp_path, HANAMI_ENGINE="pure").stdout.strip() == "False"


def test_both_wheels_and_the_checkout_play_alike(alone: Path, quick: Path, tmp_path: Path) -> None:
    program = rewrite(PLAYED, "played", ROOTS).source
    here = run_here("auto", "-c", PLAYED)[1]
    assert run(alone, "-c", program, cwd=tmp_path).stdout.split() == ["False", here]
    assert run(quick, "-c", program, cwd=tmp_path).stdout.split() == ["True", here]


@pytest.mark.parametrize("engine", ["auto", "pure"])
def test_the_vectors_hold_on_the_wheels(quick: Path, engine_tests: Path, engine: str) -> None:
    """The compiled wheel, and with HANAMI_ENGINE=pure the sources in it, which are those of the pure one."""
    files = [f"tests/engine/{name}" for name in PROVEN]
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.engine.vector_option", "-m", "not slow")
    said = run(quick, *words, *files, cwd=engine_tests, HANAMI_ENGINE=engine, PYTHONDONTWRITEBYTECODE="1").stdout
    assert int(re.findall(r"(\d+) passed", said)[0]) > 300, said
    assert "failed" not in said


def front_page(name: str) -> str:
    return (ROOT / "scripts" / "distributions" / name / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [each.name for each in DISTRIBUTIONS])
def test_the_front_page_is_in_the_wheel_and_has_no_relative_link(pure: Path, name: str) -> None:
    (wheel,) = pure.glob(f"{name.replace('-', '_')}-*.whl")
    with ZipFile(wheel) as opened:
        (metadata,) = (each for each in opened.namelist() if each.endswith("/METADATA"))
        assert front_page(name) in opened.read(metadata).decode()
    links = [
        str(inside.attrs.get("href") or inside.attrs.get("src"))
        for token in markdown().parse(front_page(name))
        for inside in token.children or ()
        if inside.type in ("link_open", "image")
    ]
    assert [link for link in links if not link.startswith(("https://", "#"))] == []


def test_the_lines_of_the_front_page_run(alone: Path, tmp_path: Path) -> None:
    """Each block is a program of its own."""
    blocks = [token for token in markdown().parse(front_page("hanafuda")) if token.type == "fence"]
    programs = [each.content for each in blocks if each.info == "python"]
    assert programs
    for program in programs:
        run(alone, "-c", program, cwd=tmp_path)


def test_the_engine_is_whole(alone: Path, tmp_path: Path) -> None:
    code = """
import pkgutil, importlib, hanafuda
for each in pkgutil.walk_packages(hanafuda.__path__, "hanafuda."):
    if not each.name.startswith("hanafuda.environments"):
        importlib.import_module(each.name)
from hanafuda.games import PRESETS
print(len(PRESETS))
"""
    assert int(run(alone, "-c", code, cwd=tmp_path).stdout) == len(PRESETS)
    assert ENGINE.tops == ("hanafuda",)
