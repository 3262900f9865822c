"""The ids of an event and of its copies: a copy has ids of its own, each a fixed step from the original.

The step is a random mask (XOR), kept with the copy. So every id leads both ways without a table, a copy never meets
its original, and what proves something (records, decks, lots) is checked with the ids that it was made with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from uuid import UUID

from core.interchange.event import Event, Stage

TEXT: Final = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
MARK: Final = "imported"
"""The key of `Tournament.policies` that says an event is a copy: {"mask": hex, "carried": SHA-256 of a blob}."""


def mask_from(random_bytes: bytes) -> UUID:
    """A mask from 16 random bytes; ids stay well-formed under it."""
    version = 0xF << 76
    variant = 0x3 << 62
    return UUID(int=int.from_bytes(random_bytes[:16], "big") & ~(version | variant))


def mask_of(policies: Mapping[str, Any]) -> UUID | None:
    """The mask of an imported event, from its policies; None for one that was played here."""
    found = policies.get(MARK)
    return UUID(found["mask"]) if found else None


def other(uuid: UUID, mask: UUID | None) -> UUID:
    """The id on the other side: original -> copy, and copy -> original."""
    return uuid if mask is None else UUID(int=uuid.int ^ mask.int)


def original(uuid: UUID, policies: Mapping[str, Any]) -> UUID:
    """The id that something had where it was played: what seeds and records were made with."""
    return other(uuid, mask_of(policies))


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
    """Whether keys of a free object are ids: they are sorted otherwise on the other side."""
    if not isinstance(value, Mapping):
        return False
    return any(TEXT.fullmatch(str(key).encode()) or named_by_ids(own) for key, own in value.items())


def translate(data: bytes, ids: Iterable[UUID], mask: UUID) -> bytes:
    """The same text with each of these ids, wherever it stands, in place of it the one on the other side."""
    known = {str(uuid).encode(): str(other(uuid, mask)).encode() for uuid in ids}
    return TEXT.sub(lambda found: known.get(found.group(), found.group()), data)
