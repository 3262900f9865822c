"""Records in bulk: packed lines whose hashes hold, and out of which an event's standings are made again."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
import zstandard
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine.record import record_hash, verify
from tests.builders.keys import Caller, problem
from tests.builders.leagues import League
from tournaments.matches.records import bulk
from tournaments.models import Match, ResultReport, Standing

pytestmark = pytest.mark.django_db


def lines_of(packed: bytes) -> list[dict[str, Any]]:
    """The lines of an archive."""
    text = zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    return [json.loads(line) for line in text.splitlines()]


def sums_of(text: str) -> list[list[str]]:
    """(hash, what) of every line of a list."""
    return [line.split("  ", 1) for line in text.splitlines()]


def test_an_events_records_hold_and_rebuild_its_standings(league: League, client: Client) -> None:
    here = f"/api/v1/tournaments/{league.finished.slug}/records"
    packed = client.get(f"{here}/records.jsonl.zst")
    assert packed.headers["Content-Type"] == "application/zstd"
    lines = lines_of(packed.content)
    assert len(lines) == 12
    points: Counter[str] = Counter()
    for line in lines:
        assert verify(line["document"]).ok
        sides = [seat["side"] for seat in line["document"]["record"]["seats"]]
        score = line["document"]["record"]["result"]["score"]
        for entry, side in zip(line["entries"], sides, strict=True):
            points[entry] += score[side]
    stored = Standing.objects.filter(stage__tournament=league.finished, after_round=0)
    forfeits = any(line["document"]["record"]["forfeits"] for line in lines)
    for row in stored.select_related("entry"):
        figure = next(item for item in row.explanation if item["tie_break"] == "points")
        assert forfeits or Fraction(figure["value"]) == points[str(row.entry.uuid)]
    sums = sums_of(client.get(f"{here}/records.sha256").content.decode())
    assert sums[0][0] == hashlib.sha256(packed.content).hexdigest()
    hashes = {line["match"]: record_hash(line["document"]["record"]).removeprefix("sha256:") for line in lines}
    assert {match: digest for digest, match in sums[1:]} == hashes
    again = client.get(f"{here}/records.jsonl.zst", headers={"If-None-Match": packed.headers["ETag"]})
    assert again.status_code == 304


def test_a_day_has_all_public_matches_that_were_finished_on_it_once_it_is_over(league: League, client: Client) -> None:
    today = timezone.now().date()
    assert problem(client.get(f"/api/v1/records/daily/{today}/records.jsonl.zst")) == (404, "not_found")
    Match.objects.update(finished_at=timezone.now() - timedelta(days=2))
    (day,) = client.get("/api/v1/records/daily").json()["items"]
    public = bulk.recorded(Match.objects.filter(stage__tournament__visibility="public"))
    assert (day["day"], day["matches"], day["parts"]) == (str(today - timedelta(days=2)), public.count(), 1)
    lines = lines_of(client.get(day["url"]).content)
    assert {line["match"] for line in lines} == {str(uuid) for uuid in public.values_list("uuid", flat=True)}
    assert len(sums_of(client.get(day["sha256"]).content.decode())) == len(lines) + 1
    for wrong in ("2026-13-45/records.jsonl.zst", f"{day['day']}/x.zip", f"{day['day']}/records.sha256?part=2"):
        assert problem(client.get(f"/api/v1/records/daily/{wrong}")) == (404, "not_found")


def test_a_match_whose_counting_report_has_no_record_is_not_listed(league: League) -> None:
    match = bulk.of_event(league.finished).first()
    assert match is not None
    old = match.reports.get(state=ResultReport.State.CONFIRMED)
    ResultReport.objects.filter(pk=old.pk).update(state=ResultReport.State.SUPERSEDED)
    match.reports.create(version=old.version + 1, source=old.source, state=ResultReport.State.CONFIRMED, hash="sha256:")
    assert match not in bulk.of_event(league.finished)


@pytest.mark.parametrize("part", ["000000001" + "9" * 30, "9" * 30, "000000001" + "9" * 5000, "-1", "x"])
def test_a_part_that_cannot_be_is_refused(league: League, client: Client, part: str) -> None:
    answer = client.get(f"/api/v1/tournaments/{league.finished.slug}/records/records.jsonl.zst?part={part}")
    assert problem(answer) == (400, "request.invalid")


@pytest.mark.parametrize("part", ["0", "99999"])
def test_a_part_that_is_not_there_is_not_found(league: League, client: Client, part: str) -> None:
    answer = client.get(f"/api/v1/tournaments/{league.finished.slug}/records/records.jsonl.zst?part={part}")
    assert problem(answer) == (404, "not_found")


def test_private_records_are_their_peoples(league: League) -> None:
    here = f"/api/v1/tournaments/{league.private.slug}/records/records.jsonl.zst"
    assert problem(Caller(None).get(here)) == (404, "not_found")
    assert Caller(league.organiser).get(here).status_code == 200


@pytest.mark.thorough
def test_parts_are_cut_and_queries_do_not_grow(league: League, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    here, counts = f"/api/v1/tournaments/{league.finished.slug}/records/records.jsonl.zst", []
    whole = {line["match"] for line in lines_of(client.get(here).content)}
    for size in (3, 9):
        monkeypatch.setattr(bulk, "PART", size)
        with CaptureQueriesContext(connection) as seen:
            parts = [lines_of(client.get(f"{here}?part={part}").content) for part in range(1, -(-12 // size) + 1)]
        counts.append(len(seen) / len(parts))
        assert len(parts[0]) == min(size, 12)
        assert {line["match"] for part in parts for line in part} == whole
    assert counts[1] <= counts[0] <= 20  # nine of them for what the file depends on, before it is made
