"""Plain words: no riddles in what people and developers read, and no private name for a thing that has a usual one."""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from scripts.compile_messages import LOCALE, entries
from tests.architecture.source import ROOMS, modules, name_of
from tests.services.processes import ROOT

RIDDLES: Final = re.compile(r"\b(whoever|anew|so many|by itself|by themselves|whatever)\b", re.IGNORECASE)
API_KEY: Final = re.compile(r"\banew\b")
"""A key of the API's and the form's draws of partners: version 1 keeps it."""
FOREIGN: Final = ("docs/decisions/", "tests/data/", "tests/engine/mutants.md", "tests/attacks/own/corpus/")
"""Records of their time, data of others, and lists that a program writes."""
THIS: Final = Path(__file__)


def _prose_of(path: Path) -> Iterator[tuple[int, str]]:
    """The comments and the texts with a space of a module that may hold a riddle, by their first line."""
    source = path.read_text(encoding="utf-8")
    if not RIDDLES.search(source):
        return  # cutting every module into tokens takes many times as long
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        is_text = token.type == tokenize.STRING and " " in token.string
        if token.type == tokenize.COMMENT or is_text:
            yield token.start[0], token.string


def _documents() -> Iterator[Path]:
    folders = [ROOT / name for name in (*ROOMS, "docs", "static", "templates")]
    found = [path for folder in folders for path in folder.rglob("*")]
    for path in [*found, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        if path.suffix in (".md", ".html", ".txt", ".js", ".css") and not name_of(path).startswith(FOREIGN):
            yield path


def test_no_riddles_in_messages() -> None:
    found = [entry["msgid"] for entry in entries((LOCALE / "fr/LC_MESSAGES/django.po").read_text(encoding="utf-8"))]
    assert len(found) > 3000
    assert [text for text in found if RIDDLES.search(text)] == []


def test_no_riddles_in_comments_and_docstrings() -> None:
    found = [
        f"{name_of(path)}:{line}"
        for path in modules()
        if path != THIS
        for line, text in _prose_of(path)
        if RIDDLES.search(text)
    ]
    assert found == []


def test_no_riddles_in_pages_and_guides() -> None:
    found = [
        f"{name_of(path)}:{number}"
        for path in _documents()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if RIDDLES.search(API_KEY.sub("", line) if path.suffix == ".html" else line)
    ]
    assert found == []


@pytest.mark.parametrize("text", ["Draw it anew.", "Whoever has it", "It is sent by itself.", "after so many rounds"])
def test_a_riddle_is_found(text: str) -> None:
    assert RIDDLES.search(text)
