"""`pytest --golden PATH`: another folder of reference data in the format of tests/data/golden."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

HERE = Path(__file__).resolve().parent.parent / "data" / "golden"
VERSION: Final = 1
KINDS: Final[Mapping[str, frozenset[str | None]]] = {
    "elimination": frozenset({"single", "double"}),
    "ratings": frozenset(
        {"sprt", "elo_interval", "plackett_luce", "plackett_luce_sequence", "match_win_percentage"}
        | {"opponents_match_win_percentage", "match_win_event", "proportion_interval", "bootstrap_mean"}
    ),
    "round_robin": frozenset({None}),
    "standings": frozenset({"standings", "reduction"}),
    "swiss_pairing": frozenset({"next_round", "check"}),
    "swiss_tiebreaks": frozenset({None}),
    "tables": frozenset(
        {"partition", "bound", "exact_optimum", "design", "social_golfer_max", "whist", "seat_balance"}
    ),
}
"""The kinds of case that the format has, by file; None where cases are of one kind and do not say which."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", metavar="PATH", default=str(HERE), help="folder of reference data for tournaments")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "golden_kind(*kinds): the kinds of reference case that a test takes")
    folder = Path(str(config.getoption("--golden")))
    if not any((folder / f"{name}.json").is_file() for name in KINDS):
        names = ", ".join(f"{name}.json" for name in KINDS)
        raise pytest.UsageError(f"--golden {folder}: no reference data is there; name the folder that holds {names}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `golden_<file>` runs once per case of that file (`@pytest.mark.golden_kind` narrows it)."""
    folder = Path(str(metafunc.config.getoption("--golden")))
    for name in metafunc.fixturenames:
        if name.startswith("golden_"):
            kinds = [mark.args for mark in metafunc.definition.iter_markers("golden_kind")]
            cases = _cases(folder, name.removeprefix("golden_"), kinds[0] if kinds else None)
            metafunc.parametrize(name, [pytest.param(case, id=case["id"]) for case in cases])


def unknown(folder: Path) -> list[str]:
    """Return what no test takes of a folder: files and kinds of case that are not in the format."""
    found = [f"{path.name}: no such file is in the format" for path in folder.glob("*.json") if path.stem not in KINDS]
    for name, kinds in KINDS.items():
        others = {case.get("kind") for case in _cases(folder, name, None)} - kinds if None not in kinds else set()
        found += [f"{name}.json: no such kind of case is in the format: {kind!r}" for kind in sorted(map(str, others))]
    return found


def _cases(folder: Path, name: str, kinds: tuple[str, ...] | None) -> list[dict[str, Any]]:
    """The cases of a file, each knowing its folder; none if the folder does not have the file."""
    path = folder / f"{name}.json"
    if not path.exists():
        return []
    cases = [case for case in _document(path)["cases"] if kinds is None or case.get("kind") in kinds]
    for case in cases:
        if "trf" in case and not (folder / case["trf"]).is_file():
            raise pytest.UsageError(f"{path}, case {case['id']}: the file {case['trf']} is not in that folder")
    return [{**case, "folder": folder} for case in cases]


def _document(path: Path) -> dict[str, Any]:
    """The file, if it is one of the format. Raises UsageError that says what is wrong with it."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise pytest.UsageError(f"{path}: this is no JSON ({error})") from error
    if not isinstance(document, dict) or not isinstance(document.get("cases"), list):
        raise pytest.UsageError(f"{path}: reference data is an object with a list of cases")
    if document.get("format_version") != VERSION:
        said = document.get("format_version")
        raise pytest.UsageError(f"{path}: format_version is {said!r}, and these tests read version {VERSION}")
    nameless = [at for at, case in enumerate(document["cases"], 1) if not isinstance(case, dict) or "id" not in case]
    if nameless:
        raise pytest.UsageError(f"{path}: cases without an id: number {', '.join(map(str, nameless[:5]))}")
    return document
