"""Static checks: useful lines, and bounded work regardless of the source."""

from __future__ import annotations

import tracemalloc

import pytest

from bots.uploads import StaticProblem, check_source
from bots.uploads.limits import PROBLEMS

GOOD = b'''"""A bot."""
import json, random as r
from os.path import join
import numpy as np
import hanami
import helper
try:
    import scipy
except ImportError:
    scipy = None

def choose(obs):
    return {"a": [obs["legal"][0]]}["a"][0]
'''


def problems(source: bytes, path: str = "bot.py") -> list[tuple[int, str]]:
    return [(problem.line, problem.message) for problem in check_source([(path, source)])]


def test_a_good_bot_has_no_problems() -> None:
    assert check_source([("bot.py", GOOD), ("helper.py", b"X = 1\n"), ("a.json", b"{{{")]) == []


@pytest.mark.parametrize(
    ("source", "line", "word"),
    [
        (b"x = (1,\n y\n", 1, "never closed"),
        (b"x = 1)\n", 1, "closes nothing"),
        (b"x = (1]\n", 1, "closes nothing"),
        (b"x = 'abc\n", 1, "not closed"),
        (b"x = 1\ny = '''abc\n", 2, "never closed"),
        (b"if 1:\n    x = 1\n  y = 2\n", 3, "indentation"),
        (b"x = 1\ny = $\n", 2, "not allowed here"),
        (b"# coding: latin-1\n", 1, "UTF-8"),
        (b"import os\nimport torch.nn as nn\n", 2, "torch"),
        (b"from requests import get\n", 1, "requests"),
        (b"import asyncio\n", 1, "asyncio"),
        (b"def choice(obs):\n    return 0\n", 1, "choose"),
        (b"x = 1\n" * 20_001, 20_000, "lines"),
        (b"x = '" + b"a" * 6000 + b"'\n", 1, "longer"),
        (b"#" * 80 + b"\n", 1, "choose"),
        (b"x = 1\ry = (1]\r", 2, "closes nothing"),
        (b"x = 1\r\ny = 2\rz = $\n", 3, "not allowed here"),
    ],
)
def test_problems_name_their_line(source: bytes, line: int, word: str) -> None:
    found = problems(source)
    assert any(at == line and word in message for at, message in found), found


def test_every_kind_of_end_of_line_ends_one() -> None:
    for end in (b"\n", b"\r\n", b"\r"):
        assert problems(GOOD.replace(b"\n", end).replace(b"import helper" + end, b"")) == []


def test_choose_may_come_from_elsewhere() -> None:
    for source in (
        b"from tree import choose\n",
        b"from tree import *\n",
        b"choose = print\n",
        b"if 1:\n def choose(o): pass\n",
    ):
        assert check_source([("bot.py", source), ("tree.py", b"x = 1\n")]) == []


BOMBS = {
    "brackets": b"x = " + b"(" * 4000 + b")" * 4000 + b"\n",
    "brackets over lines": b"x = " + b"(\n" * 15_000,
    "indents": b"".join(b" " * n + b"if 1:\n" for n in range(200)),
    "long": b"x = 1\n" * 200_000,
    "wide": b"x = " + b"1+" * 400_000 + b"1\n",
    "chain over lines": b"x = (\n" + b"-\n" * 19_000 + b"1)\n",
    "tokens": (b"x," * 2000 + b"\n") * 120,
    "text": b"'''" + b"a\n" * 19_000 + b"'''\n",
    "quotes": b'"' * 5000 + b"\n",
    "numbers": b"x = " + b"1_1" * 1600 + b"\n",
    "backslashes": b"x = 'a" + b"\\a" * 2400 + b"\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BOMBS))
def test_source_bombs_cost_little_memory(name: str) -> None:
    tracemalloc.start()
    try:
        check_source([("bot.py", BOMBS[name])])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 32 * 2**20


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("name", ["brackets", "brackets over lines", "indents", "long", "wide", "tokens"])
def test_source_bombs_are_named(name: str) -> None:
    assert problems(BOMBS[name])


@pytest.mark.thorough
def test_the_token_budget_is_one_for_all_files() -> None:
    many = [(f"m{n:02}.py", b"x = [1, 2, 3, 4]\n" * 900) for n in range(30)]
    found = check_source([("bot.py", b"def choose(obs): return 0\n"), *many])
    assert found
    assert all("tokens in all" in problem.message for problem in found)


def test_the_list_is_short_and_reads_well() -> None:
    many = [(f"m{n:02}.py", b"import torch\n") for n in range(50)]
    found = check_source([("bot.py", b"def choose(obs): return 0\n"), *many])
    assert len(found) == PROBLEMS
    assert str(found[0]).startswith("m00.py, line 1: the module torch")
    assert isinstance(found[0], StaticProblem)
