"""Inside a game no two modules need each other: positions below the rules that read them, worlds above."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from engine.games import GAMES
from tests.services.processes import ROOT


def imports_of(folder: Path) -> dict[str, set[str]]:
    """Of each module of a package the others that it imports: anywhere in it, for its types alone as well."""
    package = ".".join(folder.relative_to(ROOT).parts)
    names = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    return {name: set(_imported(folder / f"{name}.py", package)) & names - {name} for name in names}


def _imported(path: Path, package: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == package:
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{package}."):
            yield str(node.module).removeprefix(f"{package}.")
        elif isinstance(node, ast.Import):
            yield from (alias.name.removeprefix(f"{package}.") for alias in node.names)


def circle_in(imports: Mapping[str, set[str]]) -> list[str]:
    """The modules of a circle, the first twice; empty where there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as found:
        return [str(name) for name in found.args[1]]
    return []


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_has_no_circle(game: str) -> None:
    imports = imports_of(ROOT / "engine" / "games" / game)
    assert len(imports) > 10
    assert circle_in(imports) == []


def test_a_circle_is_found() -> None:
    assert circle_in({"state": {"legal"}, "legal": {"state"}}) == ["state", "legal", "state"]
