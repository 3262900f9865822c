"""A file of an event with something odd in one place is read as it stands or refused, never half."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID

import pytest

from bots.jobs.process import Process
from core.interchange.documents import event as doc
from core.interchange.documents import read
from core.interchange.errors import InterchangeError
from tests.builders import events as a
from tests.builders.exchanged import LINES, a_finished_event
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as import_event

pytestmark = pytest.mark.django_db(transaction=True)

OTHER = str(UUID(int=7))
_FILE: list[bytes] = []


@pytest.fixture
def file(process: Process) -> bytes:
    """An event that is over, as a file; played once for all tests of this module."""
    if not _FILE:
        _FILE.append(event_json(a_finished_event(process, *LINES[0])))
    return _FILE[0]


def places_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places_of(each, (*path, key))


ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**31,
    10**30,
    1.5,
    "",
    "plum",
    OTHER,
    [],
    {},
    [[]],
    {"x": 1},
    "9" * 50,
    "\ud7ff",
)


def spoilt(file: bytes, random: Random) -> bytes:
    """The file with something odd in one place, or without it."""
    event = json.loads(file)
    *path, last = random.choice([place for place in places_of(event) if place])
    holder = event
    for key in path:
        holder = holder[key]
    if random.random() < 0.2:
        del holder[last]
    else:
        holder[last] = random.choice(ODD)
    return json.dumps(event).encode()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_whatever_stands_anywhere_is_kept_or_refused(seed: int, file: bytes) -> None:
    random = Random(seed)
    for number in range(12):
        data = spoilt(file, random)
        try:
            copy = import_event.write(import_event.judge(data), by=a.a_user(), slug=f"copy-{number}")
        except InterchangeError as refused:
            assert refused.code.startswith("event."), data  # noqa: PT017  # either way is right
        else:
            assert event_json(copy) == doc.encode(read.read(data))
