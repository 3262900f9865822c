"""The read-only API: lists by cursor, explanations, ETags, problem documents, a schema that holds."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.validation import validate_schema

from engine.record import record_hash, verify
from tests.builders.leagues import League

pytestmark = pytest.mark.django_db


def get(client: Client, path: str) -> Any:
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.content)
    assert answer.headers["Content-Type"] == "application/json"
    return answer.json()


@pytest.mark.slow
def test_lists_have_items_next_and_prev(league: League, client: Client) -> None:
    page = get(client, "/api/v1/tournaments?limit=2")
    assert [each["slug"] for each in page["items"]] == [league.open.slug, league.running.slug]
    assert page["prev"] is None
    rest = get(client, page["next"])
    assert [each["slug"] for each in rest["items"]] == [league.finished.slug]
    assert rest["next"] is None
    assert rest["items"][0] | {"state": "finished", "preset": "hawaii", "seats": 2} == rest["items"][0]


@pytest.mark.thorough
def test_a_page_has_at_most_200_items(league: League, client: Client) -> None:
    assert len(get(client, f"/api/v1/tournaments/{league.finished.slug}/matches?limit=5000")["items"]) == 12


def test_matches_name_seats_commitments_and_records(league: League, client: Client) -> None:
    found = get(client, f"/api/v1/tournaments/{league.finished.slug}/matches?limit=1")["items"][0]
    assert found["commit"].startswith("sha256:")
    assert [seat["index"] for seat in found["seats"]] == [0, 1]
    assert [seat["version"] for seat in found["seats"]] == [1, 1]
    assert get(client, f"/api/v1/matches/{found['uuid']}") == found
    document = get(client, found["record"])
    assert document["hash"] == record_hash(document["record"])
    assert verify(document, seed=bytes.fromhex(document["view"]["seed"])).ok


@pytest.mark.slow
def test_standings_explain_every_number(league: League, client: Client) -> None:
    rows = get(client, f"/api/v1/tournaments/{league.finished.slug}/standings?explain=1")["items"]
    assert [row["row"] for row in rows] == [1, 2, 3, 4]
    for row in rows:
        for line, value in zip(row["explanation"], row["key"], strict=True):
            assert line["value"] == value
            if line["tie_break"] == "points":
                assert sum(Fraction(term["amount"]) for term in line["terms"]) == Fraction(value)
    plain = get(client, f"/api/v1/tournaments/{league.finished.slug}/standings")["items"]
    assert "explanation" not in plain[0]


def test_entries_rounds_and_presets(league: League, client: Client) -> None:
    slug = league.finished.slug
    entries = get(client, f"/api/v1/tournaments/{slug}/entries")["items"]
    assert {(each["state"], each["version"]) for each in entries} == {("active", 1)}
    rounds = get(client, f"/api/v1/tournaments/{slug}/rounds")["items"]
    assert [(each["number"], each["matches"], each["done"]) for each in rounds] == [(1, 4, 4), (2, 4, 4), (3, 4, 4)]
    presets = {each["id"]: each for each in get(client, "/api/v1/presets")["items"]}
    assert presets["paradise"]["options"]["scoring"] == "victories"


def test_an_answer_that_the_reader_has_is_not_sent_again(league: League, client: Client) -> None:
    path = f"/api/v1/tournaments/{league.finished.slug}/standings"
    etag = client.get(path).headers["ETag"]
    again = client.get(path, headers={"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("get", "/api/v1/tournaments/none", 404, "not_found"),
        ("get", "/api/v1/nothing/here", 404, "not_found"),
        ("get", "/api/v1/matches/00000000-0000-0000-0000-000000000000", 404, "not_found"),
        ("get", "/api/v1/records/00000000-0000-0000-0000-000000000000", 404, "not_found"),
        ("get", "/api/v1/tournaments?cursor=nonsense", 400, "request.invalid"),
        ("put", "/api/v1/tournaments", 405, "method.not_allowed"),
        ("post", "/api/v1/tournaments", 401, "auth.needed"),
    ],
)
def test_errors_are_problem_documents(client: Client, method: str, path: str, status: int, code: str) -> None:
    answer = getattr(client, method)(path)
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert (body["status"], body["code"], body["type"]) == (status, code, "about:blank")
    assert body["title"]


@pytest.mark.thorough
def test_the_schema_is_valid_and_the_documentation_lists_every_address(client: Client) -> None:
    schema = client.get("/api/schema", headers={"Accept": "application/json"}).json()
    validate: Any = validate_schema
    validate(schema)
    page = client.get("/api/docs/").content.decode()
    assert len(schema["paths"]) > 40
    for path in schema["paths"]:
        assert path in page
    assert re.findall(r'<details class="endpoints"([^>]*)>', page) == [" open", ""]
    assert len(page) < 60_000
    for group in re.findall(r'href="(/api/docs/[a-z-]+/)"', page):
        answer = client.get(group)
        described = answer.content.decode()
        assert answer.status_code == 200, group
        assert len(described) < 60_000, group
        assert described.count('<h2><code><b class="is-') >= 1, group
    assert client.get("/api/docs/nothing/").status_code == 404


@pytest.mark.thorough
def test_files_of_events_are_the_same_as_on_their_pages(league: League, client: Client) -> None:
    slug = league.finished.slug
    for name in ("event.json", "entries.csv", "pairings.csv", "matches.csv", "deals.csv", "standings.csv"):
        answer = client.get(f"/api/v1/tournaments/{slug}/files/{name}")
        assert answer.content == client.get(f"/t/{slug}/files/{name}").content, name
        again = client.get(f"/api/v1/tournaments/{slug}/files/{name}", headers={"If-None-Match": answer["ETag"]})
        assert again.status_code == 304
    report = client.get(f"/api/v1/tournaments/{slug}/files/report.trf?stage=1&round=2")
    assert report.content == client.get(f"/t/{slug}/files/report-1.trf?round=2").content
    assert b"BEGIN:VCALENDAR" in client.get(f"/api/v1/tournaments/{slug}/files/calendar.ics").content


def test_files_that_there_are_not_are_problems(league: League, client: Client) -> None:
    slug = league.finished.slug
    for path, status, code in (
        (f"{slug}/files/source.zip", 404, "not_found"),
        (f"{slug}/files/standings.csv?stage=9", 400, "csv.no_table"),
        (f"{league.private.slug}/files/event.json", 404, "not_found"),
    ):
        answer = client.get(f"/api/v1/tournaments/{path}")
        assert (answer.status_code, answer.json()["code"]) == (status, code)
