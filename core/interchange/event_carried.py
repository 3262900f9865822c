"""What an event says that the rows of a copy have no place for: other people's names, moments, its first address.

A copy keeps it as one blob, in the order of the document, and its export puts it back.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final, get_type_hints

import msgspec

from core.interchange import event as shape
from core.interchange.errors import refusal
from core.interchange.event import Event
from core.interchange.event_teams import PartnerDraw
from core.interchange.event_words import Part

CARRIED: Final[dict[type[Part], tuple[str, ...]]] = {
    shape.Event: ("log",),
    shape.Tournament: ("slug", "visibility", "created_by", "created_at"),
    shape.Player: ("kind", "owner", "bot"),
    shape.Entry: ("version", "entered_by", "created_at"),
    shape.StageEntry: ("id",),
    PartnerDraw: ("created_at", "drawn_by", "undone_by"),
    shape.Adjustment: ("id", "by", "revoked_by", "created_at"),
    shape.DealSet: ("created_at", "seed"),
    shape.Report: ("by", "created_at"),
    shape.Seat: ("version",),
}


def taken(event: Event) -> bytes:
    """What has to be kept beside the rows."""
    values = [getattr(part, name) for part in _parts(event) for name in _carried(part)]
    return msgspec.json.encode(values)


def put_back(event: Event, kept: bytes) -> None:
    """Put it into the document made of the rows. Raises InterchangeError "event.changed" if rows came or went."""
    values = iter(msgspec.json.decode(kept))
    try:
        for part in list(_parts(event)):
            for name in _carried(part):
                setattr(part, name, msgspec.convert(next(values), _hints(type(part))[name]))
    except (StopIteration, msgspec.ValidationError) as wrong:
        raise _changed() from wrong
    if next(values, values) is not values:
        raise _changed()


def _carried(part: Part) -> tuple[str, ...]:
    """What is carried of it: of a seat its version, in a ladder alone."""
    if isinstance(part, shape.Seat) and part.version is None:
        return ()
    return CARRIED.get(type(part), ())


def _changed() -> Exception:
    message = "This copy of an event is no longer as it was imported. Import the file again."
    return refusal("event.changed", message, where="")


def _parts(part: Part) -> Iterator[Part]:
    """It and everything in it, in the order of the document; the log is one value."""
    yield part
    for name in part.__struct_fields__:
        value = getattr(part, name)
        if isinstance(value, Part):
            yield from _parts(value)
        elif isinstance(value, list) and name != "log":
            for each in value:
                if isinstance(each, Part):
                    yield from _parts(each)


@cache
def _hints(kind: type[Part]) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)
