"""Record documents: from a file, from standard input, from the service; whole, compact, or by the thousand."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TextIO

import zstandard

from engine.record_compact import expand, read_compact
from kit.errors import BotFailed

MAX_SIZE: Final = 64 * 2**20
"""Bytes of a document; the longest match there can be is far below."""
PACKED: Final = b"\x28\xb5\x2f\xfd"
"""The first bytes of a packed file (zstandard)."""


def load(path: Path) -> dict[str, Any]:
    """The JSON object in a file, `-` for standard input. Raises BotFailed for what is none."""
    is_stdin = str(path) == "-"
    # One byte more than allowed tells too large from just large enough, without reading all of it.
    data = sys.stdin.buffer.read(MAX_SIZE + 1) if is_stdin else _read(path)
    name = "standard input" if is_stdin else path.name
    if len(data) > MAX_SIZE:
        raise BotFailed(f"{name} is larger than any record: more than {MAX_SIZE // 2**20} MiB.")
    return _object(data, name)


def load_record(path: Path) -> dict[str, Any]:
    """The document of a match; a compact one is played again from its seed. Raises BotFailed, BadRecord."""
    return complete(load(path))


def complete(found: dict[str, Any]) -> dict[str, Any]:
    """A document as it is, also out of a line of an archive or a kept failure; of a compact one what its seed and its
    moves give, with that seed. Raises BadRecord.
    """
    inner = found.get("document")
    if isinstance(inner, dict):
        return complete(inner)
    if "compact" not in found:
        return found
    document: dict[str, Any] = dict(expand(found))
    return {**document, "view": {**document["view"], "seed": read_compact(found).seed.hex()}}


def is_archive(path: Path) -> bool:
    """Return whether a file has a record on each line, as the service gives those of an event or of a day.

    By what is in it: a download may have any name.
    """
    if str(path) == "-":
        return False
    with path.open("rb") as file:
        first = file.readline(MAX_SIZE + 1)
        # A single document is one line, or its first line is not a whole object.
        is_listed = first.rstrip().endswith(b"}") and bool(file.read(1))
    return first.startswith(PACKED) or path.suffix == ".jsonl" or is_listed


def lines_of(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (where it stands, document) of every line of an archive, packed or not. Raises BotFailed, BadRecord."""
    is_packed = _starts_with(path, PACKED)
    try:
        with zstandard.open(path, "rt", encoding="utf-8") if is_packed else path.open(encoding="utf-8") as lines:
            yield from _documents(lines, path.name)
    except (zstandard.ZstdError, UnicodeDecodeError) as error:
        raise BotFailed(f"{path.name} is damaged: {error}. Download it again and compare its SHA-256.") from error


def _starts_with(path: Path, mark: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(mark)) == mark


def _documents(lines: TextIO, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    number = 0
    # Bounded, also unpacked: a small .zst can hold a line of many gigabytes.
    while line := lines.readline(MAX_SIZE + 1):
        number += 1
        where = f"{name}, line {number}"
        if len(line) > MAX_SIZE:
            raise BotFailed(f"{where} is longer than any record: more than {MAX_SIZE // 2**20} MiB.")
        if line.strip():
            yield where, _object(line, where)


def _object(data: bytes | str, name: str) -> dict[str, Any]:
    try:
        found = json.loads(data)
    # RecursionError: json descends once for each bracket, and a file may hold a hundred thousand of them.
    except (ValueError, RecursionError) as error:
        raise BotFailed(f"{name} is no JSON: {str(error)[:120]}. Download the record again.") from error
    if not isinstance(found, dict):
        raise BotFailed(f"{name} is no record: it should be an object with record, hash and view.")
    return found


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_SIZE + 1)


def seed_of(document: dict[str, Any]) -> bytes | None:
    """The seed that the view tells, None if it was not revealed."""
    view = document.get("view")
    text = view.get("seed") if isinstance(view, dict) else None
    try:
        return bytes.fromhex(text) if isinstance(text, str) else None
    except ValueError:
        return None
