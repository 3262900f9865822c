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
        # The quick test first; only a value that fails it is searched again for the place to name.
        if not _is_plain(value):
            _check(value, "")
        # sort_keys: the hash must not depend on the order in which an engine happens to write the keys.
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return text.encode()
    except (RecursionError, ValueError) as error:
        raise BadRecord(f"This cannot be written as JSON: {error}.", code="record.malformed") from error


def record_hash(record: object) -> str:
    """`sha256:` and the hex digest of the canonical JSON of a record. Raises BadRecord."""
    return "sha256:" + hashlib.sha256(canonical(record)).hexdigest()


def _is_plain(value: object) -> bool:
    """Return whether it is made of the very types that are allowed: the usual case, without a word on where it
    is not.
    """
    # type() and not isinstance: a bool is an int, and a subclass may write itself differently.
    if value is None or type(value) is str or type(value) is int:
        return True
    if isinstance(value, list):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(type(key) is str for key in value) and all(map(_is_plain, value.values()))
    return False


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
