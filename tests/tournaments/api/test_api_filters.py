"""Parameters after the question mark: what the description does not allow is refused, not passed over."""

from __future__ import annotations

import pytest

from tests.builders import events as a
from tests.builders.keys import Caller, problem

pytestmark = pytest.mark.django_db
INVALID = (400, "request.invalid")


@pytest.mark.parametrize(
    "path",
    [
        "matches?state=xyz",
        "tournaments?seats=abc",
        "tournaments?seats=-1",
        "tournaments?when=xyz",
        "tournaments?preset=chess",
        "bots?mine=-144526",
        "challenges?mine=perhaps",
        "bots?limit=abc",
        "bots?limit=0",
        "bots?limit=-5",
        "bots?cursor=nonsense",
        "seasons?state=xyz",
        "records/daily?before=yesterday",
    ],
)
def test_a_value_that_cannot_be_is_refused_and_named(path: str) -> None:
    answer = Caller(None).get(f"/api/v1/{path}")
    assert problem(answer) == INVALID
    name = path.partition("?")[2].partition("=")[0]
    assert [fault["pointer"] for fault in answer.json()["errors"]] == [f"/{name}"]
    assert answer.json()["errors"][0]["detail"]


def test_a_name_that_is_not_there_is_refused_with_those_that_are() -> None:
    answer = Caller(None).get("/api/v1/tournaments?stat=live")
    assert problem(answer) == (400, "request.unknown_field")
    (fault,) = answer.json()["errors"]
    assert fault["pointer"] == "/stat"
    assert "preset, q, seats, when" in fault["detail"]
    assert problem(Caller(None).get("/api/v1/presets?x=1")) == (400, "request.unknown_field")


def test_what_is_described_is_taken() -> None:
    event = a.an_open_event()
    caller = Caller(event.created_by)
    for path in (
        "tournaments?when=mine&preset=hawaii&seats=2&q=plum&limit=5000",
        "tournaments?seats=99999&q=",
        "bots?mine=1&limit=200&q=x",
        f"tournaments/{event.slug}/matches?stage=1&round=99999&state=queued&bot=x",
        f"tournaments/{event.slug}/standings?after=0&explain=1",
        "challenges?mine=true",
    ):
        assert caller.get(f"/api/v1/{path}").status_code == 200, path
    assert caller.get("/api/v1/tournaments?seats=99999").json()["items"] == []
