"""A format describes itself: no code outside `core/formats` asks which one it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from core.formats import FORMATS
from tests.architecture.source import modules, name_of
from tests.services.processes import ROOT

CHOOSES: Final = {
    "tables/actions/recording.py": "writes the event that holds the match of a table",
    "tournaments/comparisons/actions.py": "opens a comparison",
    "tournaments/events/proposals/candidates.py": "proposes formats for a number of people",
    "tournaments/interchange/imports/trf_actions.py": "says as what a FIDE report is read",
    "tournaments/lifecycle/event_plan.py": "says what an event is that says nothing",
    "tournaments/management/commands/seed_demo.py": "makes the events of the demo",
    "tournaments/pages/events/chains_form.py": "offers a Swiss before a knock-out",
    "tournaments/pages/events/stages_form.py": "adds a knock-out as the next stage",
    "tournaments/pages/events/templates.py": "fills the form for well-known events",
    "tournaments/ratings/ladders/house.py": "opens the official ladders",
}
"""Modules that choose a format, and for what. They may name it where they write it down, never where they ask."""
ELSEWHERE: Final = {"tables", "pods", "ladder"}
"""Words that are also something else in the project: they count only as a `kind`."""
IN_TEMPLATE: Final = re.compile(r"\bkind\s*(?:==|!=|in)\s*\"(\w+)\"")


def code() -> Iterator[Path]:
    """Return what may not branch on a name: every module but the formats' own, tests and benchmarks."""
    for path in modules():
        inside = path.relative_to(ROOT).parts
        if inside[0] not in ("tests", "benchmarks") and inside[:2] != ("core", "formats"):
            yield path


def asked(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Comparisons and `match` patterns with the name of a format: (line, name)."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare | ast.MatchValue):
            continue
        parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node.value]
        is_kind = any("kind" in ast.unparse(part) for part in parts)
        for part in parts:
            for word in _names_in(part):
                if is_kind or word not in ELSEWHERE:
                    yield node.lineno, word


def named(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every other mention: (line, name)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in FORMATS and node.value not in ELSEWHERE:
            yield node.lineno, str(node.value)
        if isinstance(node, ast.keyword) and node.arg and "kind" in node.arg:
            yield from ((node.value.lineno, word) for word in _names_in(node.value))


def _names_in(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and each.value in FORMATS:
            yield str(each.value)


def found_by(search: object, text: str) -> list[str]:
    assert callable(search)
    return [word for _line, word in search(ast.parse(text))]


def test_the_searches_find_what_they_look_for() -> None:
    assert found_by(asked, "stage.kind == 'ladder'\nkind in ('swiss', 'tables')") == ["ladder", "swiss", "tables"]
    assert found_by(asked, "part == 'tables'\nform in ('ladder',)") == []
    assert found_by(named, "BRACKETS = ('single_elim',)\nrows.filter(stage__kind='ladder')") == [
        "single_elim",
        "ladder",
    ]
    assert IN_TEMPLATE.findall('{% if stage.kind == "ladder" %}') == ["ladder"]


@pytest.mark.thorough
def test_nothing_asks_for_a_format_by_name() -> None:
    wrong = [
        f"{name_of(path)}:{line} {word}"
        for path in code()
        for line, word in asked(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not wrong, wrong


@pytest.mark.thorough
def test_only_those_that_choose_a_format_name_one() -> None:
    found = {
        name_of(path): [f"{line} {word}" for line, word in named(ast.parse(path.read_text(encoding="utf-8")))]
        for path in code()
    }
    naming = {path: lines for path, lines in found.items() if lines}
    assert naming.keys() <= CHOOSES.keys(), {path: naming[path] for path in naming.keys() - CHOOSES.keys()}


def test_no_template_asks_for_a_format_by_name() -> None:
    pages = {name_of(path): IN_TEMPLATE.findall(path.read_text()) for path in (ROOT / "templates").rglob("*.html")}
    wrong = {page: words for page, words in pages.items() if FORMATS.keys() & set(words)}
    assert not wrong, wrong
