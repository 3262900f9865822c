"""`pytest --golden PATH`: another folder of reference data in the format of tests/data/golden."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent.parent / "data" / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", metavar="PATH", default=str(HERE), help="folder of reference data for tournaments")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "golden_kind(*kinds): the kinds of reference case that a test takes")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `golden_<file>` runs once per case of that file (`@pytest.mark.golden_kind` narrows it)."""
    folder = Path(str(metafunc.config.getoption("--golden")))
    for name in metafunc.fixturenames:
        if name.startswith("golden_"):
            kinds = [mark.args for mark in metafunc.definition.iter_markers("golden_kind")]
            cases = _cases(folder, name.removeprefix("golden_"), kinds[0] if kinds else None)
            metafunc.parametrize(name, [pytest.param(case, id=case["id"]) for case in cases])


def _cases(folder: Path, name: str, kinds: tuple[str, ...] | None) -> list[dict[str, Any]]:
    """The cases of a file, each knowing its folder; none if the folder does not have the file."""
    path = folder / f"{name}.json"
    if not path.exists():
        return []
    document = json.loads(path.read_text(encoding="utf-8"))
    cases = [case for case in document["cases"] if kinds is None or case.get("kind") in kinds]
    return [{**case, "folder": folder} for case in cases]
