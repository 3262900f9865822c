"""The OpenAPI description says in words what everything is; and version 1 only grows."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from scripts.promise_api import PROMISE, Json, description, operations, shape
from tournaments.api.schema.glossary import WORDS
from tournaments.api.schema.glossary_places import PLACES


@pytest.fixture(scope="module")
def described() -> Json:
    return description()


def fields(described: Json) -> Iterator[tuple[str, Json]]:
    """Component and field, and what is said of it."""
    for name, component in described["components"]["schemas"].items():
        for field, part in component.get("properties", {}).items():
            yield f"{name}.{field}", part


@pytest.mark.thorough
def test_every_operation_parameter_and_field_is_described(described: Json) -> None:
    assert [label for label, found in operations(described) if not found.get("description")] == []
    unsaid = [
        f"{label} {each['name']}"
        for label, found in operations(described)
        for each in found.get("parameters", ())
        if not each.get("description")
    ]
    assert unsaid == []
    assert [label for label, part in fields(described) if not part.get("description")] == []


@pytest.mark.thorough
def test_no_word_of_the_glossary_is_left_over(described: Json) -> None:
    said = {part["description"] for _label, part in fields(described)}
    assert [name for name, words in {**WORDS, **PLACES}.items() if words not in said] == []
    assert [place for place, words in PLACES.items() if WORDS.get(place.partition(".")[2]) == words] == []


def lost(kept: Json, now: Json) -> Iterator[str]:
    """Yield what was promised and is no more: gone addresses, parameters, fields, words; and what must be sent only
    now.
    """
    for label, before in kept["operations"].items():
        after = now["operations"].get(label)
        if after is None:
            yield f"{label} is gone"
            continue
        yield from (f"{label}: {each} is gone" for each in set(before["parameters"]) - set(after["parameters"]))
        yield from (f"{label}: {each} must be sent now" for each in set(after["must"]) - set(before["must"]))
        yield from (f"{label}: {each} is answered no more" for each in set(before["answers"]) - set(after["answers"]))
        if before["id"] != after["id"]:
            yield f"{label}: its operationId was {before['id']}"
    for name, before in kept["fields"].items():
        after = now["fields"].get(name, {"all": [], "must": []})
        yield from (f"{name}.{each} is gone" for each in set(before["all"]) - set(after["all"]))
        yield from (f"{name}.{each} must be sent now" for each in set(after["must"]) - set(before["must"]))
    for name, before in kept["words"].items():
        yield from (f"{name}: {each} is gone" for each in set(before) - set(now["words"].get(name, before)))


def test_version_1_only_grows(described: Json) -> None:
    """`tests/data/api-v1.json` is what was promised; once something is new: `python -m scripts.promise_api`."""
    kept = json.loads(PROMISE.read_text(encoding="utf-8"))
    assert sorted(lost(kept, shape(described))) == []
    assert len(kept["operations"]) > 100


def test_what_is_taken_away_is_found() -> None:
    before = {
        "operations": {"GET /a": {"id": "a", "parameters": ["query q"], "must": [], "answers": ["200"]}},
        "fields": {"A": {"all": ["x", "y"], "must": []}, "ARequest": {"all": ["x"], "must": []}},
        "words": {"E": ["one", "two"]},
    }
    after = {
        "operations": {"GET /a": {"id": "b", "parameters": [], "must": ["header Idempotency-Key"], "answers": []}},
        "fields": {"A": {"all": ["x"], "must": []}, "ARequest": {"all": ["x"], "must": ["x"]}},
        "words": {"E": ["one"]},
    }
    assert sorted(lost(before, after)) == [
        "A.y is gone",
        "ARequest.x must be sent now",
        "E: two is gone",
        "GET /a: 200 is answered no more",
        "GET /a: header Idempotency-Key must be sent now",
        "GET /a: its operationId was a",
        "GET /a: query q is gone",
    ]
    assert next(lost(before, {**after, "operations": {}})) == "GET /a is gone"
