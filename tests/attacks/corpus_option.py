"""`pytest tests/attacks --corpus PATH`: another folder with a manifest.json in the format of tests/attacks/corpus.

Without it the corpus is played, and by `make test-slow` our own attacks (`own/corpus`), too.
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


@dataclass(frozen=True)
class Attack:
    """One entry of the manifest; `entry` has the keys that corpus/README.md explains."""

    folder: Path
    entry: dict[str, Any]

    @property
    def accepted(self) -> set[str]:
        return {self.entry["expect"], *self.entry["also_ok"]}

    @property
    def path(self) -> Path:
        return self.folder / str(self.entry["file"])


def attacks(folder: Path) -> list[Attack]:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    if manifest["format"] != 1:
        raise pytest.UsageError(f"{folder} has format {manifest['format']}; this harness runs format 1")
    return [Attack(folder, entry) for entry in manifest["attacks"]]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--corpus", metavar="PATH", help="folder of attacks with a manifest.json")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `bot_attack` or `upload_attack` runs once per entry of that kind."""
    for kind in ("bot", "upload"):
        if f"{kind}_attack" in metafunc.fixturenames:
            metafunc.parametrize(f"{kind}_attack", list(_chosen(kind, metafunc.config.getoption("--corpus"))))


def _chosen(kind: str, corpus: str | None) -> Iterator[ParameterSet]:
    folders: dict[Path, tuple[pytest.MarkDecorator, ...]] = {GIVEN: (), OWN: (pytest.mark.slow,)}
    if corpus is not None:
        folders = {Path(corpus): ()}
    for folder, marks in folders.items():
        for each in attacks(folder):
            if each.entry["kind"] == kind:
                yield pytest.param(each, id=each.entry["id"], marks=marks)
