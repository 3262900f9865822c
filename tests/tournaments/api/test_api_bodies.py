"""Bodies that programs send to break the service: each is refused, anyone who sends it, and nothing of ours breaks."""

from __future__ import annotations

import zlib
from uuid import uuid4

import pytest
from django.test import Client

from bots.models import Bot
from tests.builders import events as a
from tests.builders.clubs import a_called_night, tables_of
from tests.builders.keys import Caller, problem

pytestmark = pytest.mark.django_db
BODIES = {
    "a list in a list in a list": b"[" * 200_000,
    "an object in an object": b'{"a":' * 100_000,
    "a number of a thousand digits": b'{"name": ' + b"9" * 5_000 + b"}",
    "no number": b'{"name": NaN}',
    "half a character": b'{"name": "\\ud800", "slip": "\\ud800:x"}',
    "half a character as a name": b'{"\\uDFFF": 1}',
    "bytes that are no text": b'{"name": "\xff\xfe"}',
    "cut off": b'{"name": "a',
    "packed": zlib.compress(b'{"name": "a"}'),
    "nothing": b"\0",
}


@pytest.mark.thorough
def test_a_body_that_cannot_be_read_is_a_problem_of_who_sent_it() -> None:
    caller, event = Caller(a.a_user()), a_called_night(people=2)
    reports = f"/api/v1/tables/{tables_of(event)[0].uuid}/reports"
    for what, body in BODIES.items():
        for path in ("/api/v1/bots", reports):
            headers = caller.headers({"Idempotency-Key": uuid4().hex})
            answer = caller.client.generic("POST", path, body, content_type="application/json", headers=headers)
            assert problem(answer) == (400, "request.bad"), (what, path)
        stranger = Client().generic("POST", reports, body, content_type="application/json")
        assert stranger.status_code == 400, what
    assert not Bot.objects.exists()


def test_whole_characters_may_be_written_in_halves() -> None:
    body = b'{"name": "\\ud83c\\udfb4 Matsu"}'
    caller = Caller(a.a_user())
    headers = caller.headers()
    answer = caller.client.generic("POST", "/api/v1/bots", body, content_type="application/json", headers=headers)
    assert answer.status_code == 201, answer.content
    assert Bot.objects.get().name == "\U0001f3b4 Matsu"
