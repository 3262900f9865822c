"""The rules as examples: positions, what is done there, what has to come of it. The engine's tests play them all."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("vectors.json")
"""The same file as the engine's tests read (tests/data/vectors.json); a test holds them equal."""


@cache
def vectors() -> tuple[dict[str, Any], ...]:
    """Every vector: {"id", "title", "preset", "given", "action", "expect", "why", "source"}."""
    return tuple(json.loads(FILE.read_text(encoding="utf-8")))
