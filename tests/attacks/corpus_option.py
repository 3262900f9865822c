"""`pytest tests/attacks --corpus PATH`: another folder with a manifest.json in the format of tests/attacks/corpus.

Without it the corpus is played, its longest attacks and our own (`own/corpus`) by `make test-slow`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

HERE = Path(__file__).resolve().parent
GIVEN, OWN = HERE / "corpus", HERE / "own" / "corpus"
KINDS = ("bot", "upload")
MANIFEST = "manifest.json"
MOVES = 6
LONG = ("cpu_match_budget", "cpu_import_loop", "cpu_sleep", "cpu_ignore_signals", "mem_recursion", "mem_slow_growth",
        "fs_self_environ", "fs_read_worker_db", "arc_zip_bomb")  # fmt: skip
"""Ours that use up a budget of seconds: the slow run plays them. Others of their families stay in every run."""


@dataclass(frozen=True)
class Attack:
    """One entry of the manifest; `entry` has the keys of corpus/README.md, of which some have a default here."""

    folder: Path
    entry: dict[str, Any]

    @property
    def accepted(self) -> set[str]:
        """The outcomes that count as contained."""
        return {self.entry["expect"], *self.entry.get("also_ok", ())}

    @property
    def path(self) -> Path:
        """Return the path of its file."""
        return self.folder / str(self.entry["file"])

    @property
    def moves(self) -> int:
        """Decisions to ask for, of an accepted upload too."""
        return int(self.entry.get("moves") or MOVES)

    @property
    def runs(self) -> int:
        """Fresh games to play."""
        return int(self.entry.get("runs") or 1)


def attacks(place: Path) -> list[Attack]:
    """The entries of a corpus; place: its folder, or the manifest in it."""
    folder = place.parent if place.name == MANIFEST else place
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise pytest.UsageError(f"{folder} is no corpus: {error}") from error
    if manifest["format"] != 1:
        raise pytest.UsageError(f"{folder} has format {manifest['format']}; this harness runs format 1")
    found = [Attack(folder, entry) for entry in manifest["attacks"]]
    unknown = [attack.entry["id"] for attack in found if attack.entry["kind"] not in KINDS]
    if unknown:  # left out in silence it would look contained
        raise pytest.UsageError(f"{folder}: the kind of {', '.join(unknown)} is none of {', '.join(KINDS)}")
    return found


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--corpus", metavar="PATH", help="folder of attacks with a manifest.json")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `bot_attack` or `upload_attack` runs once per entry of that kind."""
    for kind in KINDS:
        if f"{kind}_attack" in metafunc.fixturenames:
            metafunc.parametrize(f"{kind}_attack", list(_chosen(kind, metafunc.config.getoption("--corpus"))))


def _chosen(kind: str, corpus: str | None) -> Iterator[ParameterSet]:
    folders: dict[Path, tuple[pytest.MarkDecorator, ...]] = {GIVEN: (), OWN: (pytest.mark.slow,)}
    if corpus is not None:
        folders = {Path(corpus).resolve(): ()}
    for folder, marks in folders.items():
        for each in attacks(folder):
            if each.entry["kind"] == kind:
                is_long = folder == GIVEN and corpus is None and each.entry["id"] in LONG
                yield pytest.param(each, id=each.entry["id"], marks=(pytest.mark.slow,) if is_long else marks)
