"""Properties are tried with the same examples in every run, and no clock decides about them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.services.properties import IS_SEARCH

ROOT = Path(__file__).parents[2]


def test_no_property_fails_by_chance_or_by_the_clock() -> None:
    found = settings()
    assert (found.derandomize, found.deadline) == (not IS_SEARCH, None)
    assert HealthCheck.too_slow in found.suppress_health_check


@pytest.mark.thorough
@pytest.mark.parametrize("search", ["", "1"])
def test_who_wants_to_search_says_so(search: str) -> None:
    program = "from tests.services import properties; from hypothesis import settings; print(settings().derandomize)"
    environment = {**os.environ, "HANAMI_SEARCH": search}
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert run.stdout.strip() == str(not search), run.stderr
