"""Fields that an operation does not take are refused, at every address that writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.builders import events as a
from tests.builders.clubs import a_club_night
from tests.builders.keys import Caller, problem
from tournaments.models import Tournament
from web import throttles
from web.throttles import HOUR, MINUTE, Policy

pytestmark = pytest.mark.django_db
WRITING: Final = ("post", "put", "patch", "delete")
NUMBERS: Final = ("order", "number", "n", "side", "stage", "id")
"""Parts of addresses that can be no text."""
GAP: Final = re.compile(r"\{(\w+)\}")
UUIDS: Final = ("uuid", "one", "other")
Json = dict[str, Any]


@pytest.fixture
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """More requests than anybody may send in a minute: limits have tests of their own."""
    policies = {name: Policy(name, 10**9, MINUTE) for name in ("read", "write")}
    monkeypatch.setattr(throttles, "TOKEN", policies)
    monkeypatch.setattr(throttles, "UPLOAD", Policy("upload", 10**9, HOUR))


def description() -> Json:
    """The OpenAPI document."""
    found: Json = Client().get("/api/schema").json()
    return found


def writing(schema: Json) -> Iterator[tuple[str, str, Json]]:
    """Yield every operation that writes: method, address with something in its gaps, what is said of it."""
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            if method in WRITING:
                filled = {name: _filled(name, operation) for name in GAP.findall(path)}
                yield method.upper(), path.format(**filled), operation


def _filled(name: str, operation: Json) -> str:
    if name in UUIDS:
        return str(uuid4())
    said = [part["schema"] for part in operation.get("parameters", ()) if part["name"] == name]
    kind = said[0].get("type") if said else ""
    if said and said[0].get("enum"):
        return str(said[0]["enum"][0])
    if said and said[0].get("format") == "uuid":
        return str(uuid4())
    return "1" if kind == "integer" or name in NUMBERS else "nothing"


def bodies(operation: Json) -> dict[str, Json]:
    """The schema of the body by its media type."""
    content = operation.get("requestBody", {}).get("content", {})
    return {kind: body["schema"] for kind, body in content.items()}


def resolved(schema: Json, part: Json) -> Json:
    """Behind the reference."""
    return schema["components"]["schemas"][part["$ref"].rpartition("/")[2]] if "$ref" in part else part


def send(caller: Caller, method: str, path: str, operation: Json, body: Json) -> Any:
    """A request as its operation takes it."""
    if "multipart/form-data" in bodies(operation):
        file = {"file": SimpleUploadedFile("bot.py", b"")}
        return caller.client.post(path, {**file, **body}, headers=caller.headers({"Idempotency-Key": uuid4().hex}))
    return caller.send(method, path, body, Idempotency_Key=uuid4().hex)


@pytest.mark.thorough
def test_every_operation_that_writes_refuses_a_field_that_it_does_not_know(no_limits: None) -> None:
    caller, schema, seen = Caller(a.a_user(is_staff=True), *SCOPES), description(), 0
    for method, path, operation in writing(schema):
        answer = send(caller, method, path, operation, {"no_such_field": 1})
        assert problem(answer) == (400, "request.unknown_field"), (method, path, answer.content)
        body = answer.json()
        fault = body["errors"][0]
        assert (fault["pointer"], fault["code"]) == ("/no_such_field", "request.unknown_field")
        assert "no_such_field" in fault["detail"]
        taken = {name for part in bodies(operation).values() for name in resolved(schema, part)["properties"]}
        assert set(body["allowed"]) == taken, (method, path)
        assert all(name in fault["detail"] for name in taken)
        seen += 1
    assert seen > 60


@pytest.mark.thorough
def test_every_field_that_an_answer_alone_has_is_refused_as_fixed(no_limits: None) -> None:
    caller, schema, seen = Caller(a.a_user(is_staff=True), *SCOPES), description(), 0
    for method, path, operation in writing(schema):
        for name in answered(schema, operation):
            answer = send(caller, method, path, operation, {name: "x"})
            assert problem(answer) == (400, "request.fixed_field"), (method, path, name, answer.content)
            detail = answer.json()["errors"][0]["detail"]
            assert f"“{name}”" in detail
            assert detail.count(".") > 1, "it says why"
            seen += 1
    assert seen > 300


SCOPES: Final = ("read", "bot:write", "bot:logs", "event:write", "report:write", "admin")


def answered(schema: Json, operation: Json) -> set[str]:
    """Names of fields of its answer that its body has not."""
    ok = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
    parts = [resolved(schema, body["schema"]) for body in ok[0].get("content", {}).values()] if ok else []
    sent = {name for part in bodies(operation).values() for name in resolved(schema, part)["properties"]}
    return {name for part in parts for name in part.get("properties", {})} - sent


@pytest.mark.thorough
def test_every_object_in_a_body_is_described_as_closed() -> None:
    schema, seen = description(), 0
    for _method, path, operation in writing(schema):
        for part in bodies(operation).values():
            assert resolved(schema, part)["additionalProperties"] is False, path
            seen += 1
    assert seen > 40
    assert schema["components"]["schemas"]["StagePlanRequest"]["additionalProperties"] is False
    assert schema["components"]["schemas"]["Tournament"].get("additionalProperties") is None


def test_a_patch_of_an_event_says_what_is_fixed_and_since_when_and_changes_nothing() -> None:
    event = a_club_night()
    caller, here = Caller(event.created_by), f"/api/v1/tournaments/{event.slug}"
    before = caller.get(here).json()
    for name, value, why in (
        ("rounds", 6, "PUT to the event's plan"),
        ("preset", "paradise", "PUT to the event's plan"),
        ("state", "running", ":start"),
        ("slug", "other", "The service sets this"),
        ("row_version", 9, "The service sets this"),
    ):
        answer = caller.patch(here, {"venue": "Hall", name: value})
        assert problem(answer) == (400, "request.fixed_field")
        assert why in answer.json()["title"]
        assert answer.json()["errors"][0]["pointer"] == f"/{name}"
    answer = caller.patch(here, {"venue": "Hall", "Name": "Other", "state": "running"})
    assert problem(answer) == (400, "request.unknown_field")
    assert [each["code"] for each in answer.json()["errors"]] == ["request.unknown_field", "request.fixed_field"]
    assert "venue" in answer.json()["allowed"]
    assert caller.get(here).json() == before


def test_fields_of_parts_within_are_looked_at_too() -> None:
    caller = Caller(a.a_user())
    plan = {"name": "Night", "preset": "hawaii", "kind": "swiss", "then": [{"kind": "single_elim", "round": 3}]}
    answer = caller.post("/api/v1/tournaments", plan)
    assert problem(answer) == (400, "request.unknown_field")
    assert [each["pointer"] for each in answer.json()["errors"]] == ["/then/0/round"]
    assert not Tournament.objects.exists()
    many = caller.post("/api/v1/tournaments", {f"{'x' * 500}/{n}": n for n in range(5_000)})
    assert problem(many) == (400, "request.unknown_field")
    assert len(many.content) < 20_000


def test_whoever_may_not_write_is_told_no_more_than_before() -> None:
    event = a_club_night()
    here = f"/api/v1/tournaments/{event.slug}"
    for caller in (Caller(None), Caller(a.a_user("stranger"))):
        known = [problem(caller.patch(path, {"no_such": 1})) for path in (here, "/api/v1/tournaments/nothing")]
        assert known[0] == known[1]
