"""Vector files: which ones, what is in them, which of their presets the engine has."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from engine.errors import BadOption
from engine.games import preset

PUBLIC: Final = Path(__file__).parents[2] / "data" / "vectors.json"
KOIKOI: Final = PUBLIC.with_name("koikoi.json")
Vector = dict[str, Any]


def load(*paths: Path) -> list[Vector]:
    """The vectors of some files, in order; ids must not repeat."""
    vectors: list[Vector] = [vector for path in paths for vector in json.loads(path.read_text(encoding="utf-8"))]
    twice = [name for name, count in Counter(vector["id"] for vector in vectors).items() if count > 1]
    if twice:
        raise ValueError(f"{', '.join(map(str, paths))}: these ids occur twice: {', '.join(twice)}")
    return vectors


def has_preset(name: str) -> bool:
    """Return whether the engine knows a preset, by its id or an alias."""
    try:
        preset(name)
    except BadOption:
        return False
    return True


def playable(vectors: Iterable[Vector]) -> list[Vector]:
    """Those whose preset the engine has."""
    return [vector for vector in vectors if has_preset(vector["preset"])]


def missing_presets(vectors: Iterable[Vector]) -> dict[str, int]:
    """Preset -> number of vectors, for presets that the engine does not have yet."""
    return dict(Counter(vector["preset"] for vector in vectors if not has_preset(vector["preset"])))
