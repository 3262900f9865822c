"""The project's own source files, for the tests of the house rules."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from tests.services.processes import ROOT

_APPS: Final = ("accounts", "activity", "bots", "config", "core", "engine", "guides", "kit", "packages", "tables",
                "tournaments", "web")  # fmt: skip
ROOMS: Final = (*_APPS, "benchmarks", "scripts", "tests")
TEXTS: Final = (".py", ".md", ".html", ".css", ".js", ".toml", ".yml", ".yaml", ".txt", ".json", ".sh", ".cfg", "")
NOT_OURS: Final = {".git", ".venv", "var", "node_modules", ".mypy_cache", ".ruff_cache", ".hypothesis", ".pytest_cache",
                   "__pycache__", ".import_linter_cache"}  # fmt: skip
WORD: Final = re.compile(r"\w+")


def name_of(path: Path) -> str:
    """The path as a person types it."""
    return str(path.relative_to(ROOT))


@cache
def modules() -> tuple[Path, ...]:
    """Every module but migrations (generated) and the hostile corpus (data)."""
    found = [ROOT / "manage.py"]
    for room in ROOMS:
        found += sorted((ROOT / room).rglob("*.py"))
    left_out = NOT_OURS | {"migrations", "corpus", "data"}
    return tuple(path for path in found if not left_out & set(path.relative_to(ROOT).parts))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method of a module, nested ones too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def trees_with(paths: Iterable[Path], is_name: Callable[[str], object]) -> Iterator[tuple[Path, ast.Module]]:
    """The modules in whose text such a word stands, parsed: no name is in a tree that is not in its text."""
    for path in paths:
        text = path.read_text(encoding="utf-8")
        if any(is_name(word) for word in set(WORD.findall(text))):
            yield path, ast.parse(text)


def texts() -> Iterator[Path]:
    """Every text file of the project but the hostile bots, which go for the machine they find."""
    for path in ROOT.rglob("*"):
        inside = path.relative_to(ROOT)
        if not (NOT_OURS | {"corpus"}) & set(inside.parts) and path.suffix in TEXTS and path.is_file():
            yield path
