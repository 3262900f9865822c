"""Canonical JSON: the bytes that are hashed. Source: site.md 3."""

from __future__ import annotations

import hashlib
import json

from engine.errors import BadRecord


def canonical(value: object) -> bytes:
    """UTF-8 JSON, keys sorted, no spaces; only integers, strings, lists, objects and null.

    Raises BadRecord `record.malformed` for anything else (a float, a boolean, a lone surrogate).

    >>> canonical({"b": [1, None], "a": "é"}).decode()
    '{"a":"é","b":[1,null]}'
    """
    try:
        _check(value, "")
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return text.encode()
    except (RecursionError, ValueError) as error:
        raise BadRecord(f"This cannot be written as JSON: {error}.", code="record.malformed") from error


def record_hash(record: object) -> str:
    """`sha256:` and the hex digest of the canonical JSON of a record. Raises BadRecord."""
    return "sha256:" + hashlib.sha256(canonical(record)).hexdigest()


def _check(value: object, where: str) -> None:
    if value is None or isinstance(value, str) or type(value) is int:
        return
    if isinstance(value, list):
        for index, item in enumerate(value):
            _check(item, f"{where}[{index}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise BadRecord("A key is not a string.", code="record.malformed", where=where)
            _check(item, f"{where}.{key}")
    else:
        message = f"{type(value).__name__} has no place in a record. It holds integers, strings, lists, objects, null."
        raise BadRecord(message, code="record.malformed", where=where.lstrip("."))
