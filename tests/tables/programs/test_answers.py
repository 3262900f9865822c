"""What a program posts at a table: answers that count once, nonces, leaving; refusals with stable codes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine.record_fair import nonce_hash
from tables.actions.answering import answer
from tables.actions.leaving import look_after
from tables.actions.opening import TablePlan
from tables.models import Answer, LiveTable
from tables.play.shuffle import of_browser, of_service
from tables.programs.challenges import accept, challenge
from tables.programs.registry import sitter_for
from tests.builders import events as a
from tests.builders.keys import Caller, problem
from tests.services.databases import on_both
from tests.tables.players import folded, guest, nonce_of
from tests.tables.programs.building import a_plan, a_program, a_table_of, asked, caller

pytestmark = [pytest.mark.django_db, on_both]
AROUND = 4
"""Queries around an answer: the token, its use, the limit of requests, the program."""


def answers_of(table: LiveTable) -> str:
    return f"/api/v1/bot/tables/{table.uuid}/answers"


def test_the_same_answer_twice_is_one_and_an_old_turn_is_a_conflict() -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    table = a_table_of(plum, crane)
    assert table.state == "playing"
    program, n, _choices = asked(table, plum, crane)
    one = caller(program)
    for _each in range(2):
        answer = one.post(answers_of(table), {"n": n, "a": 0})
        assert (answer.status_code, answer.json()) == (200, {"n": n, "a": 0, "state": "playing"})
    assert Answer.objects.filter(table=table).count() == 1
    refused = one.post(answers_of(table), {"n": n, "a": 1})
    assert problem(refused) == (409, "table.changed")
    assert refused.json()["n"] == n + 1


@pytest.mark.thorough(keep=1)
def test_refusals_have_codes() -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    table = a_table_of(plum, crane)
    program, n, choices = asked(table, plum, crane)
    other = crane if program is plum else plum
    here = answers_of(table)
    assert problem(caller(program).post(here, {"n": n, "a": choices})) == (422, "table.bad_answer")
    assert problem(caller(other).post(here, {"n": 1, "a": 0})) == (409, "table.not_your_turn")
    assert problem(caller(a_program("Third")).post(here, {"n": 1, "a": 0})) == (403, "table.not_seated")
    assert problem(caller(program).post(here, {"n": 0, "a": 0})) == (400, "request.invalid")
    assert problem(caller(program).post(here, {"n": 1})) == (400, "request.invalid")
    assert problem(caller(program).post(here, {"n": 1, "a": 0, "why": 1})) == (400, "request.unknown_field")
    nowhere = here.replace(str(table.uuid), "00000000-0000-4000-8000-000000000000")
    assert problem(caller(program).post(nowhere, {"n": 1, "a": 0})) == (404, "not_found")
    assert Answer.objects.count() == 0


def test_the_token_says_which_program_answers() -> None:
    owner = a.a_user()
    plum, crane = a_program("Plum", owner), a_program("Crane", owner)
    table = a_table_of(plum, crane)
    program, n, _choices = asked(table, plum, crane)
    whole = Caller(owner, "bot:play")
    here = answers_of(table)
    assert problem(Caller(None).post(here, {"n": n, "a": 0})) == (401, "auth.needed")
    assert problem(Caller(owner, "bot:write").post(here, {"n": n, "a": 0})) == (403, "auth.scope_missing")
    assert problem(whole.post(here, {"n": n, "a": 0})) == (422, "program.not_named")
    assert whole.post(f"{here}?program={program.bot.slug}", {"n": n, "a": 0}).status_code == 200
    assert problem(Caller(a.a_user(), "bot:play").post(here, {"n": n, "a": 0})) == (404, "not_found")
    elsewhere = caller(crane if program is plum else plum)
    assert problem(elsewhere.post(f"{here}?program={program.bot.slug}", {"n": n, "a": 0})) == (404, "not_found")


@pytest.mark.thorough
def test_an_answer_costs_as_many_queries_at_any_length(django_capture_on_commit_callbacks: Any) -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    with django_capture_on_commit_callbacks(execute=True):
        table = a_table_of(plum, crane)
    callers = {program.pk: caller(program) for program in (plum, crane)}
    for each in callers.values():
        # The first use of a token within a minute is written down.
        assert each.get("/api/v1/programs?mine=1").status_code == 200
    counts = []
    for _each in range(30):
        program, n, _choices = asked(table, plum, crane)
        with (
            django_capture_on_commit_callbacks(execute=True),
            CaptureQueriesContext(connection) as queries,
        ):
            assert callers[program.pk].post(answers_of(table), {"n": n, "a": 0}).status_code == 200
        counts.append(len([query for query in queries if "SAVEPOINT" not in query["sql"]]))
    assert max(counts) <= 8 + AROUND, counts
    assert len(set(counts)) == 1, counts


@pytest.mark.thorough(keep=1)
def test_a_program_may_help_to_shuffle() -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    one, other = caller(plum), caller(crane)
    body = {"programs": ["crane-remote"], "preset": "koikoi_nintendo", "nonce_hash": nonce_hash(nonce_of(0))}
    sent = one.post("/api/v1/bot/challenges", body)
    assert sent.status_code == 201, sent.content
    challenge, uuid = sent.json()["challenges"][0], sent.json()["table"]["id"]
    accepted = other.post(f"/api/v1/bot/challenges/{challenge['id']}:accept", {"nonce_hash": nonce_hash(nonce_of(1))})
    assert (accepted.status_code, accepted.json()["state"]) == (200, "accepted"), accepted.content
    table = LiveTable.objects.get(uuid=uuid)
    assert table.state == "dealing"
    here = f"/api/v1/bot/tables/{uuid}/nonce"
    assert problem(one.post(here, {"nonce": nonce_of(7)})) == (422, "table.bad_nonce")
    assert one.post(here, {"nonce": nonce_of(0)}).json()["state"] == "dealing"
    assert other.post(here, {"nonce": nonce_of(1)}).json()["state"] == "playing"
    assert [seat.drawn_by for seat in table.seats.order_by("index")] == ["program", "program"]


def test_a_program_that_does_not_show_its_nonce_in_time_calls_the_table_off() -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    table = challenge(sitter_for(plum), [crane], a_plan(), of_service(), program=plum)
    accept(table.challenges.get().uuid, crane, of_browser(nonce_hash(nonce_of(1)), "program"))
    LiveTable.objects.filter(pk=table.pk).update(deadline_at=timezone.now())
    look_after(table)
    table.refresh_from_db()
    assert (table.state, table.reason, table.seats.count()) == ("aborted", "no_nonce", 1)
    lines = caller(crane).get(f"/api/v1/bot/tables/{table.uuid}/stream")
    assert problem(lines) == (400, "table.not_seated")
    last = json.loads(caller(plum).get(f"/api/v1/bot/tables/{table.uuid}/stream").content.splitlines()[-1])
    assert (last["type"], last["state"], last["reason"]) == ("end", "aborted", "no_nonce")


def test_without_a_nonce_the_service_draws_it_and_the_proof_says_so() -> None:
    table = a_table_of(a_program("Plum"), a_program("Crane"))
    assert [seat.drawn_by for seat in table.seats.all()] == ["service", "service"]


def test_a_program_answers_a_person_without_a_clock() -> None:
    plum, person = a_program("Plum"), guest("Ann")
    plan = TablePlan(preset="koikoi_nintendo", seats=2)
    table = challenge(person, [plum], plan, of_service())
    accept(table.challenges.get().uuid, plum, of_service())
    one, here = caller(plum), f"/api/v1/bot/tables/{table.uuid}"
    table.refresh_from_db()
    while (question := folded(table).question) is not None and question.seat == 0:
        answer(table, person, question.n, 0)
        table.refresh_from_db()
    hello, turn = (json.loads(line) for line in one.get(f"{here}/stream").content.splitlines())
    assert hello["table"]["clock"]["id"] == "casual"
    assert [each["kind"] for each in hello["table"]["players"]] == ["person", "program"]
    assert turn["ms_left"] > 1_000_000
    assert one.post(f"{here}/answers", {"n": turn["n"], "a": 0}).status_code == 200


def test_leaving_forfeits(django_capture_on_commit_callbacks: Any) -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    with django_capture_on_commit_callbacks(execute=True):
        table = a_table_of(plum, crane)
    with django_capture_on_commit_callbacks(execute=True):
        left = caller(plum).post(f"/api/v1/bot/tables/{table.uuid}:leave")
    assert left.json()["state"] == "finished", left.content
    table.refresh_from_db()
    assert table.match is not None
    assert table.match.stage.tournament.rated is False


def test_a_plan_of_other_clocks_is_refused() -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    body = {"programs": [crane.bot.slug], "preset": "hawaii", "clock": {"bank_ms": 500}}
    assert problem(caller(plum).post("/api/v1/bot/challenges", body)) == (400, "request.invalid")
