"""An event and its copies: the ids of a copy, and what its rows have no place for.

A copy has ids of its own, each a fixed step from the original: a random mask (XOR), kept with the copy. So every id
leads both ways without a table, a copy never meets its original, and what proves something (records, decks, lots) is
checked with the ids that it was made with. Other people's names, moments and the event's first
address it keeps as one blob, in the order of the document, and its export puts it back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final, get_type_hints
from uuid import UUID

import msgspec

from core.interchange.documents import event as shape
from core.interchange.documents.event import Event, Stage
from core.interchange.documents.parts import Part
from core.interchange.documents.teams import PartnerDraw
from core.interchange.errors import refusal

TEXT: Final = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
MARK: Final = "imported"
"""The key of an event's policies that no file has: once it said which events are copies."""


def mask_from(random_bytes: bytes) -> UUID:
    """A mask from 16 random bytes; ids stay well-formed under it."""
    version = 0xF << 76
    variant = 0x3 << 62
    # The bits of version and variant are left as they are: programs that look at them take the copy's ids for UUIDs,
    # too.
    return UUID(int=int.from_bytes(random_bytes[:16], "big") & ~(version | variant))


def other(uuid: UUID, mask: UUID | None) -> UUID:
    """Return the id on the other side: original -> copy, and copy -> original. mask None: of what was played here."""
    return uuid if mask is None else UUID(int=uuid.int ^ mask.int)


def ids_of(event: Event) -> Iterator[UUID]:
    """Every id that the document gives to something."""
    yield event.tournament.uuid
    yield from (entry.uuid for entry in event.entries)
    for stage in (*event.stages, *event.called_off):
        yield stage.uuid
        yield from (deal_set.uuid for deal_set in stage.deal_sets)
        yield from (match.uuid for match in stage.matches)


def ids_of_stage(stage: Stage) -> Iterator[UUID]:
    """The ids that the tables of a stage are made with: entries, deal sets, matches."""
    yield from (item.entry for item in stage.entries)
    yield from (deal_set.uuid for deal_set in stage.deal_sets)
    yield from (match.uuid for match in stage.matches)


def named_by_ids(value: object) -> bool:
    """Return whether keys of a free object are ids: they are sorted otherwise on the other side."""
    if not isinstance(value, Mapping):
        return False
    return any(TEXT.fullmatch(str(key).encode()) or named_by_ids(own) for key, own in value.items())


def translate(data: bytes, ids: Iterable[UUID], mask: UUID) -> bytes:
    """The same text with each of these ids, wherever it stands, in place of it the one on the other side."""
    # Only ids of this event: other texts that look like one (of a bot's file, say) are not touched.
    known = {str(uuid).encode(): str(other(uuid, mask)).encode() for uuid in ids}
    return TEXT.sub(lambda found: known.get(found.group(), found.group()), data)


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
    """Return what has to be kept beside the rows."""
    values = [getattr(part, name) for part in _parts(event) for name in _carried(part)]
    return msgspec.json.encode(values)


def put_back(event: Event, carried: bytes) -> None:
    """Put it into the document made of the rows. Raises InterchangeError "event.changed" if rows came or went."""
    values = iter(msgspec.json.decode(carried))
    try:
        for part in list(_parts(event)):
            for name in _carried(part):
                setattr(part, name, msgspec.convert(next(values), _hints(type(part))[name]))
    except (StopIteration, msgspec.ValidationError) as wrong:
        raise _changed() from wrong
    if next(values, values) is not values:
        raise _changed()


def _carried(part: Part) -> tuple[str, ...]:
    """Return what is carried of it: of a seat its version, in a ladder alone."""
    if isinstance(part, shape.Seat) and part.version is None:
        return ()
    return CARRIED.get(type(part), ())


def _changed() -> Exception:
    message = "This copy of an event has changed since the import. Import the file again."
    return refusal("event.changed", message, where="")


def _parts(part: Part) -> Iterator[Part]:
    """Yield a part and everything in it, in the order of the document; the log is one value."""
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
