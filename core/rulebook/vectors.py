"""The rules as examples: positions, what is done there, what has to come of it. The engine's tests play them all."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

FILES: Final = {name: Path(__file__).with_name(file) for name, file in
                {"vectors.json": "vectors.json", "koikoi.json": "vectors_koikoi.json"}.items()}  # fmt: skip
"""The files that the engine's tests read, by their name in tests/data; a test holds them equal."""


@cache
def vectors() -> tuple[dict[str, Any], ...]:
    """Every vector: {"id", "title", "preset", "given", "action", "expect", "why", "source"}."""
    return tuple(each for file in FILES.values() for each in json.loads(file.read_text(encoding="utf-8")))
