"""A file of an event with something odd in one place is read as it stands or refused, never half."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from bots.jobs.process import Process
from core.interchange.documents import event as doc
from core.interchange.documents import read
from core.interchange.errors import InterchangeError
from tests.builders import events as a
from tests.builders.exchanged import LINES, a_finished_event, a_finished_night
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as import_event
from tournaments.models import Round

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
            copy = import_event.write(import_event.validate_event(data), by=a.a_user(), slug=f"copy-{number}")
        except InterchangeError as refused:
            assert refused.code.startswith("event."), data  # noqa: PT017  # either way is right
        else:
            assert event_json(copy) == doc.encode(read.read(data))


CLOCK = {"began": "2026-11-20T18:00:00+00:00", "minutes": 40, "stopped_s": 0.0, "stopped": None, "by_event": False}
NOTICE = {"n": 1, "text": "Dinner at seven.", "at": "2026-11-20T18:00:00+00:00"}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("clock", "notice"),
    [
        ({"stopped_s": 1e300}, {}),
        ({"minutes": 2**31 - 1}, {}),
        ({"began": "9999-12-31T23:59:59+00:00"}, {}),
        ({"began": "0001-01-01T00:00:00+14:00"}, {}),
        ({}, {"at": "0001-01-01T00:00:00+14:00"}),
        ({}, {"at": "9999-12-31T23:59:59-12:00"}),
        ({}, {"text": "a\x00b"}),
        ({}, {"text": "\u202eback"}),
    ],
)
def test_pages_of_a_copy_open_whatever_its_clocks_and_announcements_say(
    clock: dict[str, object], notice: dict[str, object], client: Client
) -> None:
    event = json.loads(event_json(a_finished_night()))
    event["tournament"]["policies"] |= {
        "round_clock": {"minutes": 40, "rounds": {"1/1": {**CLOCK, **clock}, "1/2": {**CLOCK, **clock}}},
        "announcements": {"last": 1, "rows": [{**NOTICE, **notice}]},
    }
    data = json.dumps(event).encode()
    try:
        copy = import_event.write(import_event.validate_event(data), by=a.a_user(), slug="copy")
    except InterchangeError as refused:
        assert refused.code.startswith("event.")  # noqa: PT017  # either way is right
        return
    assert event_json(copy) == doc.encode(read.read(data))
    client.force_login(copy.created_by)
    Round.objects.filter(stage__tournament=copy).update(state="playing")  # as in a file of an event that goes on
    for page in ("", "rounds/", "screen/", "desk/", "feed/"):
        assert client.get(f"/t/copy/{page}").status_code in (200, 404), page
    assert client.get("/api/v1/tournaments/copy").status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_pages_of_a_copy_open_whatever_moments_it_names(moment: str, client: Client) -> None:
    file = event_json(a_finished_night())
    named = {".".join(str(key) for key in place if isinstance(key, str)): place for place in _moments(json.loads(file))}
    assert len(named) > 5
    for number, place in enumerate(named.values()):
        event = json.loads(file)
        holder = event
        for key in place[:-1]:
            holder = holder[key]
        holder[place[-1]] = moment
        try:
            copy = import_event.write(
                import_event.validate_event(json.dumps(event).encode()), by=a.a_user(), slug=f"copy-{number}"
            )
        except InterchangeError as refused:
            assert refused.code.startswith("event."), place  # noqa: PT017  # either way is right
            continue
        client.force_login(copy.created_by)
        for page in ("", "rounds/", "standings/", "entries/", "feed/", "export/event.json"):
            assert client.get(f"/t/copy-{number}/{page}").status_code in (200, 404), (place, page)
        assert client.get("/t/?when=all").status_code == 200, place


def _moments(event: Any) -> Iterator[tuple[Any, ...]]:
    for place in places_of(event):
        value = event
        for key in place:
            value = value[key]
        if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d", value):
            yield place
