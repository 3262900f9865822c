"""Record documents: from a file, from standard input, from the service."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from kit.errors import BotFailed

LARGEST: Final = 64 * 2**20
"""Bytes of a document; the longest match there can be is far below."""


def load(path: Path) -> dict[str, Any]:
    """The document in a file, `-` for standard input. Raises BotFailed for what is no JSON object."""
    is_stdin = str(path) == "-"
    data = sys.stdin.buffer.read(LARGEST + 1) if is_stdin else _read(path)
    name = "standard input" if is_stdin else path.name
    if len(data) > LARGEST:
        raise BotFailed(f"{name} is larger than any record: more than {LARGEST // 2**20} MiB.")
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BotFailed(f"{name} is no JSON: {str(error)[:120]}. Download the record again.") from error
    if not isinstance(found, dict):
        raise BotFailed(f"{name} is no record: it should be an object with record, hash and view.")
    return found


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST + 1)


def seed_of(document: dict[str, Any]) -> bytes | None:
    """The seed that the view tells, None if it was not revealed."""
    view = document.get("view")
    text = view.get("seed") if isinstance(view, dict) else None
    try:
        return bytes.fromhex(text) if isinstance(text, str) else None
    except ValueError:
        return None
