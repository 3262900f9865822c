"""Moments in rows that PostgreSQL has copied out in its binary format, and in models: moved on in time.

The format: a header, then each row as the number of its fields and per field its length and its bytes.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db.models import Model

HEADER: Final = 19
EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""A moment is stored as the microseconds since then, in eight bytes."""
MICROSECOND: Final = timedelta(microseconds=1)


def moments_in(copied: bytes, columns: Collection[int], first: datetime, last: datetime) -> list[int]:
    """Return where in the bytes of a table the moments of these columns stand that lie in this time."""
    start, end = ((moment - EPOCH) // MICROSECOND for moment in (first, last))
    found, at = [], HEADER
    while (fields := _number(copied, at, 2)) != -1:
        at += 2
        for column in range(fields):
            size = _number(copied, at, 4)
            at += 4
            if column in columns and size == 8 and start <= _number(copied, at, 8) <= end:
                found.append(at)
            at += max(size, 0)
    return found


def at_moments(copied: bytes, places: Collection[int], age: timedelta) -> bytes:
    """Return the bytes of a table, with the moments at these places so much later."""
    changed, more = bytearray(copied), age // MICROSECOND
    for at in places:
        changed[at : at + 8] = (_number(copied, at, 8) + more).to_bytes(8, "big", signed=True)
    return bytes(changed)


def move_on(built: object, first: datetime, last: datetime, age: timedelta) -> None:
    """Let the moments in models, as far as they lie in this time, be so much later; also in models they have read.

    built: a model, or a collection of such.
    """
    if isinstance(built, Model):
        for field in built._meta.concrete_fields:
            moment = built.__dict__.get(field.attname)
            if isinstance(moment, datetime) and first <= moment <= last:
                setattr(built, field.attname, moment + age)
        move_on(built._state.fields_cache, first, last, age)
    elif isinstance(built, (dict, list, tuple)):
        for each in built.values() if isinstance(built, dict) else built:
            move_on(each, first, last, age)


def _number(copied: bytes, at: int, size: int) -> int:
    return int.from_bytes(copied[at : at + size], "big", signed=True)
