"""Before the lock everything of ours that a match may need is imported: afterwards nothing can be."""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import bots.sdk
import engine

LISTING = """
import sys
from importlib import import_module
from bots.runner.control import SERVE
from bots.runner.preload import load_everything
load_everything()
import_module(SERVE.partition(":")[0])
print("\\n".join(sorted(sys.modules)))
"""


@pytest.mark.thorough
def test_every_module_of_the_engine_and_of_the_sdk_is_preloaded() -> None:
    run = subprocess.run([sys.executable, "-c", LISTING], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    ours = [
        module.name
        for package in (engine, bots.sdk)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not module.name.startswith("engine.environments")
    ]
    assert len(ours) > 60
    assert set(ours) - loaded == set()


TRACES = """
import sys
from bots.runner.preload import forget_paths, load_everything
load_everything()
forget_paths()
rooms = sys.stdin.read().split()
said = {
    name: f"{getattr(module, '__file__', '')} {getattr(module, '__path__', '')} {getattr(module, '__spec__', '')}"
    for name, module in sys.modules.items()
}
print(*(name for name, words in said.items() if any(room in words for room in rooms)))
"""


@pytest.mark.thorough
def test_no_module_tells_where_the_project_lies() -> None:
    """A translated engine has a library of its own beside its modules; that one keeps quiet too."""
    root = Path(engine.__file__).resolve().parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root)}
    rooms = f"{root / 'engine'} {root / 'bots'}"
    run = subprocess.run(
        [sys.executable, "-c", TRACES], input=rooms, capture_output=True, text=True, check=True, env=environment
    )
    assert run.stdout.split() == []
