"""Before the lock everything of ours that a match may need is imported: afterwards nothing can be."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

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


def test_every_module_of_the_engine_and_of_the_sdk_is_preloaded() -> None:
    run = subprocess.run([sys.executable, "-c", LISTING], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    ours = [
        module.name
        for package in (engine, bots.sdk)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    assert len(ours) > 60
    assert set(ours) - loaded == set()
