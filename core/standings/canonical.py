"""The input hash of a fold: SHA-256 over one canonical line per input, sorted, so that order does not matter."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import Field, fields
from enum import Enum
from fractions import Fraction
from typing import Any


def line(kind: str, value: object) -> str:
    """One input as text: its kind, a space, its JSON with sorted keys and exact amounts as text."""
    return f"{kind} {json.dumps(plain(value), sort_keys=True, separators=(',', ':'), ensure_ascii=True)}"


def digest(lines: Iterable[str]) -> str:
    """'sha256:' + hex of the sorted lines, each ended by a line feed, after the version line."""
    text = "standings/1\n" + "".join(f"{item}\n" for item in sorted(lines))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def is_default(value: Any, part: Field[Any]) -> bool:
    """Whether a field of a dataclass has the value that is not told: its default, or what it is marked with."""
    return bool(getattr(value, part.name) == part.metadata.get("at", part.default))


def plain(value: Any) -> object:
    """JSON form of a frozen value: dataclasses as objects, fractions and integers as exact text.

    A field of a dataclass that is marked (`model.QUIET`) is left out where it has its default: tables in which it means
    nothing keep their hash.
    """
    if hasattr(value, "__dataclass_fields__"):
        parts = [part for part in fields(value) if not (part.metadata and is_default(value, part))]
        return {part.name: plain(getattr(value, part.name)) for part in parts}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, Fraction | int):
        return str(Fraction(value))
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return str(value)
