"""Random play of every preset at every number of seats: the fold is the rows, and the record proves itself."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from core.replay.proof import prove
from engine.record import record_hash, verify
from tables.actions.answering import answer
from tables.models import Answer, LiveTable
from tables.play.clocks import CLOCKS
from tests.services.databases import on_both
from tests.tables.players import ALL, FEW, a_table, again, at_random, folded, guest, nonce_of, play_on
from tournaments.models import Match, ResultReport

pytestmark = [pytest.mark.django_db, on_both]
ENOUGH = 8
"""Queries of one answer, at most."""


def document_of(match: Match) -> dict[str, Any]:
    report = ResultReport.objects.select_related("record").get(match=match)
    assert report.record is not None
    document: dict[str, Any] = json.loads(report.record.data())
    return document


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("preset", "seats"), [one if one in FEW else pytest.param(*one, marks=pytest.mark.slow) for one in ALL]
)
def test_random_play_ends_in_a_record_that_verifies(
    preset: str, seats: int, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        table, people = a_table(preset, [guest(f"Guest {number}") for number in range(seats)])
    with django_capture_on_commit_callbacks(execute=True):
        table = play_quickly(table, people, f"{preset} {seats}")
    match = again(table).match
    assert match is not None
    document = document_of(match)
    assert verify(document).ok
    assert document["record"]["match"] == str(table.uuid)
    assert [row["nonce"] for row in document["record"]["fair"]["nonces"]] == [nonce_of(n) for n in range(seats)]
    assert folded(table).match.result().score == tuple(document["record"]["result"]["score"])
    call_command("verify_records", f"table-{table.uuid}")


def play_quickly(table: LiveTable, people: list[Any], seed: str) -> LiveTable:
    """Play to the end with one fold of this test's own beside the site's."""
    choose, fold = at_random(seed), folded(table)
    while (question := fold.question) is not None:
        answer(table, people[question.seat], question.n, choose(question))
        fold.take(Answer.objects.filter(table=table, n__gte=fold.rows))
    return again(table)


@pytest.mark.thorough(keep=1)
def test_the_fold_is_the_same_however_the_rows_came(django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        table, people = a_table("hawaii", [guest(), guest(), guest()])
        table = play_on(table, people, at_random("same"), moves=20)
    one, two = folded(table), folded(table)
    two_rows = list(Answer.objects.filter(table=table).order_by("n"))
    assert one.rows == table.answered == 20 == len(two_rows)
    assert one.match.observation(0, match_id="", preset="", since=0, ms_left=0) == two.match.observation(
        0, match_id="", preset="", since=0, ms_left=0
    )


@pytest.mark.thorough
def test_an_answer_costs_eight_queries_at_any_length(django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        table, people = a_table("koikoi_nintendo")
    counts = []
    for _each in range(40):
        question = folded(again(table)).question
        assert question is not None
        with (
            django_capture_on_commit_callbacks(execute=True),
            CaptureQueriesContext(
                connection,
            ) as asked,
        ):
            answer(table, people[question.seat], question.n, 0)
        counts.append(len([query for query in asked if "SAVEPOINT" not in query["sql"]]))
    assert max(counts) <= ENOUGH, counts
    assert len(set(counts)) == 1, counts


@pytest.mark.thorough(keep=1)
def test_a_changed_nonce_is_named(django_capture_on_commit_callbacks: Any, client: Client) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        table, people = a_table("koikoi_nintendo", options={"rounds": 1})
        play_on(table, people, at_random(1))
    match = again(table).match
    assert match is not None
    good = document_of(match)
    seed = bytes.fromhex(client.get(f"/m/{table.uuid}/record.json").json()["view"]["seed"])
    assert all(check.state == "ok" for check in prove(good, seed))
    for seat in (0, 1):
        bad = deepcopy(good)
        nonce = bad["record"]["fair"]["nonces"][seat]["nonce"]
        bad["record"]["fair"]["nonces"][seat]["nonce"] = nonce[:-1] + chr(ord(nonce[-1]) ^ 1)
        wrong = [(check.key, check.details) for check in prove(bad, seed) if check.key == "nonces"]
        assert wrong == [("nonces", {"seat": seat + 1})]
        bad["hash"] = record_hash(bad["record"])
        found = verify(bad)
        assert (found.code, found.where) == ("record.nonce", f"fair.nonces[{seat}]")


@pytest.mark.thorough
def test_the_match_is_a_match_like_any_other(django_capture_on_commit_callbacks: Any, client: Client) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        table, people = a_table("poka3", [guest("Plum"), guest("Crane")])
        play_on(table, people, at_random(2))
    html = client.get(f"/m/{table.uuid}/").content.decode()
    assert "Plum" in html
    assert "Crane" in html
    assert client.get(f"/m/{table.uuid}/verify/?check=server").content.decode().count('<li class="bad">') == 0
    assert client.get(f"/m/{table.uuid}/record.compact.json").status_code == 200
    assert client.get(f"/t/table-{table.uuid}/").headers["Location"] == f"/m/{table.uuid}/"
    assert "Plum" not in client.get("/t/").content.decode()


def test_forfeits_end_a_match_of_two(django_capture_on_commit_callbacks: Any) -> None:
    from tables.actions.leaving import leave

    with django_capture_on_commit_callbacks(execute=True):
        table, people = a_table("koikoi_nintendo", clock=CLOCKS["live"])
        play_on(table, people, at_random(3), moves=5)
        leave(table, people[1])
    match = again(table).match
    assert match is not None
    record = document_of(match)["record"]
    assert record["result"]["end"] == "forfeit"
    assert record["result"]["rank"] == [1, 2]
    assert [seat.outcome for seat in match.seats.order_by("index")] == ["played", "forfeit"]
    call_command("verify_records", f"table-{table.uuid}")
