"""Vector files: which one, what is in it, which of its presets the engine has."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

from engine.errors import BadOption
from engine.games import preset

PUBLIC: Final = Path(__file__).parents[2] / "data" / "vectors.json"
Vector = dict[str, Any]


def load(path: Path) -> list[Vector]:
    """The vectors of a file, in order; ids must not repeat."""
    vectors: list[Vector] = json.loads(path.read_text(encoding="utf-8"))
    twice = [name for name, count in Counter(vector["id"] for vector in vectors).items() if count > 1]
    if twice:
        raise ValueError(f"{path}: these ids occur twice: {', '.join(twice)}")
    return vectors


def has_preset(name: str) -> bool:
    """Return whether the engine knows a preset, by its id or an alias."""
    try:
        preset(name)
    except BadOption:
        return False
    return True


def playable(vectors: list[Vector]) -> list[Vector]:
    """Those whose preset the engine has."""
    return [vector for vector in vectors if has_preset(vector["preset"])]


def missing_presets(vectors: list[Vector]) -> dict[str, int]:
    """Preset -> number of vectors, for presets that the engine does not have yet."""
    return dict(Counter(vector["preset"] for vector in vectors if not has_preset(vector["preset"])))
