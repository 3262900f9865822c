"""House rules that a machine can check: sizes, names, READMEs, no trace of anybody's machine."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.architecture.source import functions, modules, name_of, texts, trees_with
from tests.services.processes import ROOT

MAX_FUNCTION_LINES = 40
MAX_MODULE_LINES = 400
MIN_ROOM, MAX_ROOM = 3, 14
NOT_CAPABILITIES = {"api", "management", "migrations", "models", "pages", "templatetags"}
SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers", "base"}
NEEDS_NO_README = {"migrations", "management", "commands", "templatetags"}


def test_the_rules_look_at_something() -> None:
    assert len(modules()) > 100


@pytest.mark.thorough
def test_functions_are_short() -> None:
    long = [
        f"{name_of(path)}:{node.lineno} {node.name} ({node.end_lineno - node.lineno + 1} lines)"
        for path in modules()
        for node in functions(path)
        if node.end_lineno and node.end_lineno - node.lineno + 1 > MAX_FUNCTION_LINES
    ]
    assert not long, long


def test_modules_are_short() -> None:
    long = {name_of(path): count for path in modules() if (count := path.read_text().count("\n")) > MAX_MODULE_LINES}
    assert not long, long


def rooms() -> list[Path]:
    """The capabilities of tournaments and the parts of the core, with the rooms inside them."""
    inside = [*(ROOT / "tournaments").rglob("__init__.py"), *(ROOT / "core").rglob("__init__.py")]
    found = (path.parent for path in inside if path.parent.parent != ROOT)
    return sorted(room for room in found if not NOT_CAPABILITIES & set(room.relative_to(ROOT).parts))


def test_a_room_holds_three_to_fourteen_modules() -> None:
    """More is a room inside that is not named yet; fewer is a part of another room."""
    counts = {room: len([*room.glob("*.py")]) - 1 for room in rooms()}
    assert len(counts) > 25
    wrong = {name_of(room): n for room, n in counts.items() if not MIN_ROOM <= n <= MAX_ROOM}
    assert not wrong, wrong


def test_module_names_say_something() -> None:
    vague = [name_of(path) for path in modules() if {path.stem, path.parent.name} & SAY_NOTHING]
    assert not vague, vague


def test_every_package_has_a_readme_of_a_page() -> None:
    rooms = {path.parent for path in modules() if path.name == "__init__.py" and path.parent != ROOT}
    rooms = {room for room in rooms if not NEEDS_NO_README & set(room.relative_to(ROOT).parts)}
    top = {
        room
        for room in rooms
        if room.parent == ROOT or room.relative_to(ROOT).parts[0] in ("bots", "core", "tournaments")
    }
    top = {room for room in top if room.parent.name not in ("pages", "api")}  # the capability's own README
    without = sorted(name_of(room) for room in top if "tests" not in room.parts and not (room / "README.md").exists())
    assert not without, without
    long = [name_of(readme) for room in rooms if (readme := room / "README.md").exists() and _lines(readme) > 80]
    assert not long, long


def _lines(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


def test_apps_import_nothing_by_being_named() -> None:
    for app in ("bots", "tournaments", "tables"):
        assert (ROOT / app / "__init__.py").read_text(encoding="utf-8") == ""


@pytest.mark.thorough
def test_nothing_names_the_machine_it_was_written_on() -> None:
    trace = re.compile("|".join([re.escape(str(ROOT)), r"/home/[a-z]\w+/", r"/Users/\w+/"]))
    named = [name_of(path) for path in texts() if trace.search(path.read_text(encoding="utf-8", errors="replace"))]
    assert not named, named


@pytest.mark.thorough
def test_no_app_reads_the_environment() -> None:
    """A setting is a line in config/env.py and arrives through Django's settings."""
    wrong = [
        f"{name_of(path)}:{node.lineno}"
        for path, tree in trees_with(modules(), {"getenv", "environ"}.__contains__)
        if path.relative_to(ROOT).parts[0] in ("accounts", "activity", "core", "engine", "tables", "tournaments", "web")
        and path != ROOT / "engine" / "compiled.py"  # which engine to import is known before Django is
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ("getenv", "environ")
    ]
    assert not wrong, wrong


@pytest.mark.thorough
def test_no_test_sleeps_mocks_or_skips() -> None:
    forbidden = {"time.sleep", "pytest.skip", "pytest.xfail", "pytest.mark.skip", "pytest.mark.skipif",
                 "pytest.mark.xfail", "mock.patch"}  # fmt: skip
    last = {name.rpartition(".")[2] for name in forbidden}
    wrong = [
        f"{name_of(path)}:{node.lineno} {ast.unparse(node)}"
        for path, tree in trees_with(modules(), lambda word: word in last or "mock" in word)
        if path.relative_to(ROOT).parts[0] == "tests"
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and ast.unparse(node) in forbidden)
        or (isinstance(node, ast.ImportFrom | ast.Import) and "mock" in ast.unparse(node))
    ]
    assert not wrong, wrong


def _class_codes(path: Path) -> list[str]:
    """The codes that the classes of a module fix: `code = "entry.closed"`."""
    return [
        str(node.value.value)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "code" for target in node.targets)
        and isinstance(node.value, ast.Constant)
        and node.value.value
    ]


def test_error_codes_are_stable_words() -> None:
    """`entry.closed`, or the rules' upper case in the engine; no two classes share one."""
    codes = Counter(code for path in modules() if path.stem == "errors" for code in _class_codes(path))
    assert codes
    assert [code for code in codes if not re.fullmatch(r"[a-z_]+(\.[a-z_]+)*|[A-Z_]+", code)] == []
    assert [code for code, times in codes.items() if times > 1] == []


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "manage.py"])
def test_the_front_door_is_complete(name: str) -> None:
    assert (ROOT / name).stat().st_size > 200
