"""The examples in the docstrings of the engine are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import engine

MODULES = sorted(module.name for module in pkgutil.walk_packages(engine.__path__, "engine."))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    assert sum(len(doctest.DocTestFinder().find(importlib.import_module(name))) for name in MODULES) > 0
