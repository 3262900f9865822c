"""Challenges and seeks: who may ask whom, what becomes of it, and the ladder that pairs programs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from bots.services import suspend_bot
from tables.actions.leaving import leave, look_after
from tables.actions.opening import TablePlan, open_table, sit_down
from tables.actions.sitters import Sitter
from tables.api import challenges as api
from tables.errors import TableError
from tables.jobs.sweep import sweep
from tables.models import LiveTable, Program, TableChallenge
from tables.play.clocks import CLOCKS
from tables.play.shuffle import of_service
from tables.programs.challenges import accept, cancel, challenge, decline, rematch_against_programs, state_of
from tables.programs.pairing import pair_programs
from tables.programs.registry import sitter_for
from tables.programs.retiring import retire_program
from tables.programs.seeks import seek
from tests.builders import events as a
from tests.builders.keys import problem
from tests.services.databases import on_both
from tests.tables.players import guest
from tests.tables.programs.building import a_plan, a_program, a_table_of, caller

pytestmark = [pytest.mark.django_db, on_both]
S = LiveTable.State


def asked(by: Program, *others: Program, **more: Any) -> tuple[LiveTable, list[TableChallenge]]:
    plan = a_plan(seats=1 + len(others), **more)
    table = challenge(sitter_for(by), others, plan, of_service(), program=by)
    return table, list(table.challenges.all())


def fresh(row: TableChallenge) -> TableChallenge:
    return TableChallenge.objects.select_related("table").get(pk=row.pk)


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(TableError) as refused:
        act()
    return refused.value.code


def test_a_table_begins_once_everybody_has_accepted() -> None:
    plum, crane, pine = (a_program(name) for name in ("Plum", "Crane", "Pine"))
    table, rows = asked(plum, crane, pine, preset="hawaii")
    accept(rows[0].uuid, crane, of_service())
    assert LiveTable.objects.get(pk=table.pk).state == S.OPEN
    for _each in range(2):
        assert accept(rows[1].uuid, pine, of_service()).state == S.PLAYING
    assert [state_of(fresh(row)) for row in rows] == ["accepted", "accepted"]
    assert [seat.name for seat in table.seats.all()] == ["Plum (remote)", "Crane (remote)", "Pine (remote)"]


def test_one_who_declines_calls_the_table_off() -> None:
    plum, crane, pine = (a_program(name) for name in ("Plum", "Crane", "Pine"))
    table, rows = asked(plum, crane, pine, preset="hawaii")
    for _each in range(2):
        assert decline(rows[0].uuid, crane, "busy").reason == "busy"
    table.refresh_from_db()
    assert (table.state, table.reason) == (S.ABORTED, "declined")
    assert [state_of(fresh(row)) for row in rows] == ["declined", "cancelled"]
    assert refusal(lambda: accept(rows[1].uuid, pine, of_service())) == "challenge.wrong_state"


def test_a_challenge_may_be_taken_back_until_the_table_begins() -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    _table, (row,) = asked(plum, crane)
    for _each in range(2):
        assert state_of(cancel(row.uuid, plum)) == "cancelled"
    _table, (row,) = asked(plum, crane)
    accept(row.uuid, crane, of_service())
    assert refusal(lambda: cancel(row.uuid, plum)) == "challenge.wrong_state"
    assert refusal(lambda: cancel(row.uuid, crane)) == "challenge.unknown"


def test_nobody_who_answers_within_a_minute_ends_it() -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    table, (row,) = asked(plum, crane)
    assert table.deadline_at is not None
    assert timedelta(seconds=50) < table.deadline_at - timezone.now() <= timedelta(seconds=60)
    LiveTable.objects.filter(pk=table.pk).update(deadline_at=timezone.now())
    look_after(table)
    assert state_of(fresh(row)) == "expired"


@pytest.mark.parametrize(
    ("states", "more", "code"),
    [
        ({"presets": ["hawaii"]}, {}, "program.other_rules"),
        ({"presets": ["hawaii"], "seats_min": 3}, {"preset": "hawaii"}, "program.other_rules"),
        ({"clocks": ["casual"]}, {}, "program.other_clock"),
        ({"takes": "nobody"}, {}, "program.takes_nobody"),
        ({"is_here": False}, {}, "program.offline"),
    ],
)
def test_a_program_is_asked_only_for_what_it_states(states: dict[str, Any], more: dict[str, Any], code: str) -> None:
    plum, crane = a_program("Plum"), a_program("Crane", **states)
    assert refusal(lambda: asked(plum, crane, **more)) == code
    assert not LiveTable.objects.exists()


def test_retired_and_suspended_programs_sit_down_nowhere() -> None:
    plum, crane, pine = (a_program(name) for name in ("Plum", "Crane", "Pine"))
    retire_program(program=crane, by=crane.bot.owner)
    crane = Program.objects.select_related("bot__owner", "version").get(pk=crane.pk)
    assert refusal(lambda: asked(plum, crane)) == "program.retired"
    suspend_bot(bot=pine.bot, by=a.a_user(is_staff=True), reason="It shouts.")
    pine = Program.objects.select_related("bot__owner", "version").get(pk=pine.pk)
    assert refusal(lambda: asked(plum, pine)) == "program.suspended"
    assert refusal(lambda: seek(pine, a_plan(), of_service())) == "program.suspended"


def test_a_program_plays_at_as_many_tables_as_it_states() -> None:
    plum, crane = a_program("Plum"), a_program("Crane", tables_most=1)
    _table, (first,) = asked(plum, crane)
    _table, (second,) = asked(plum, crane)
    accept(first.uuid, crane, of_service())
    assert refusal(lambda: accept(second.uuid, crane, of_service())) == "table.too_many"
    assert state_of(fresh(second)) == "open"


def test_two_programs_of_one_person_play_no_rated_match() -> None:
    owner = a.a_user()
    plum, crane = a_program("Plum", owner), a_program("Crane", owner)
    assert refusal(lambda: asked(plum, crane, rated=True)) == "table.same_owner"
    assert a_table_of(plum, crane).state == S.PLAYING
    waiting = seek(plum, a_plan(rated=True), of_service())
    assert refusal(lambda: sit_down(waiting, sitter_for(crane), of_service())) == "table.same_owner"
    assert seek(crane, a_plan(rated=True), of_service()).pk != waiting.pk


def test_people_play_against_programs_with_clocks_of_people(django_capture_on_commit_callbacks: Any) -> None:
    plum = a_program()
    with django_capture_on_commit_callbacks(execute=True):
        plan = TablePlan(preset="koikoi_nintendo", seats=2, clock=CLOCKS["live"])
        table = challenge(guest(), [plum], plan, of_service())
        row = table.challenges.get()
        assert (row.by, row.by_program) == ("Plum", None)
        assert accept(row.uuid, plum, of_service()).state == S.PLAYING
    shy = a_program("Shy", takes="programs")
    owner = Sitter("Owner", user=shy.bot.owner)
    assert refusal(lambda: challenge(guest(), [shy], plan, of_service())) == "program.takes_programs"
    assert challenge(owner, [shy], plan, of_service()).state == S.OPEN
    assert refusal(lambda: challenge(guest(), [plum], a_plan(), of_service())) == "table.bad_clock"


def test_a_rematch_asks_the_program_again(django_capture_on_commit_callbacks: Any) -> None:
    plum, person = a_program(), guest()
    plan = TablePlan(preset="koikoi_nintendo", seats=2, clock=CLOCKS["live"])
    with django_capture_on_commit_callbacks(execute=True):
        table = challenge(person, [plum], plan, of_service())
        accept(table.challenges.get().uuid, plum, of_service())
    with django_capture_on_commit_callbacks(execute=True):
        leave(table, person)
    table.refresh_from_db()
    again = rematch_against_programs(table, person, of_service())
    assert again.challenges.get().program == plum
    assert rematch_against_programs(table, person, of_service()).challenges.count() == 1
    Program.objects.update(seen_at=None)
    assert refusal(lambda: rematch_against_programs(table, person, of_service())) == "program.offline"


def test_people_do_not_sit_down_at_tables_of_programs_nor_programs_at_rated_ones_of_people() -> None:
    plum, person = a_program(), Sitter("Ann", user=a.a_user("ann"))
    waiting = seek(plum, a_plan(), of_service())
    assert refusal(lambda: sit_down(waiting, person, of_service())) == "table.other_kind"
    plan = TablePlan(preset="koikoi_nintendo", seats=2, clock=CLOCKS["live"], rated=True)
    rated = open_table(person, plan, of_service())
    assert refusal(lambda: sit_down(rated, sitter_for(plum), of_service())) == "table.other_kind"


def test_seeks_for_the_same_meet_and_others_wait() -> None:
    plum, crane, pine = (a_program(name) for name in ("Plum", "Crane", "Pine"))
    first = seek(plum, a_plan(), of_service())
    assert (first.state, first.listed) == (S.OPEN, True)
    other = seek(crane, a_plan(rated=True), of_service())
    assert other.pk != first.pk
    assert seek(plum, a_plan(preset="hawaii"), of_service()).state == S.OPEN
    met = seek(pine, a_plan(), of_service())
    assert (met.pk, met.state) == (first.pk, S.PLAYING)


def test_who_seeks_does_not_meet_itself_nor_one_whose_line_is_cut() -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    first = seek(plum, a_plan(), of_service())
    assert seek(plum, a_plan(), of_service()).pk != first.pk
    Program.objects.filter(pk=plum.pk).update(seen_at=timezone.now() - timedelta(minutes=5))
    assert seek(crane, a_plan(), of_service()).state == S.OPEN


def test_the_ladder_asks_those_who_are_free_and_not_the_same_again() -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    for name, more in (("Away", {"is_here": False}), ("No", {"plays_ladder": False}), ("Slow", {"clocks": ["days"]})):
        a_program(name, **more)
    a_program("Same owner", plum.bot.owner, presets=["nuki88"], seats_max=4)
    assert pair_programs() == 1
    rows = list(TableChallenge.objects.all())
    assert {row.program_id for row in rows} == {plum.pk, crane.pk}
    assert {(row.by, row.by_program) for row in rows} == {("", None)}
    assert pair_programs() == 0
    table = LiveTable.objects.get()
    assert (table.rated, table.clock, table.seats_n, table.seats.count()) == (True, "remote", 2, 0)
    accept(rows[0].uuid, rows[0].program, of_service())
    assert accept(rows[1].uuid, rows[1].program, of_service()).state == S.PLAYING


def test_the_ladder_pairs_by_strength_and_the_sweep_does_it() -> None:
    programs = [a_program(f"Program {n}") for n in range(4)]
    assert sweep().paired == 2
    assert TableChallenge.objects.count() == 4
    assert {row.program_id for row in TableChallenge.objects.all()} == {program.pk for program in programs}


@pytest.mark.thorough(keep=1)
def test_challenges_over_the_api() -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    one, other = caller(plum), caller(crane)
    here = "/api/v1/bot/challenges"
    assert problem(one.post(here, {"programs": ["nobody"], "preset": "hawaii"})) == (422, "program.unknown")
    assert problem(one.post(here, {"programs": [plum.bot.slug], "preset": "hawaii"})) == (422, "challenge.twice")
    assert problem(one.post(here, {"programs": [], "preset": "hawaii"})) == (400, "request.invalid")
    body = {"programs": [crane.bot.slug], "preset": "koikoi_nintendo", "options": {"rounds": 6}, "rated": True}
    sent = [one.post(here, body, Idempotency_Key="k") for _each in range(2)]
    assert [each.status_code for each in sent] == [201, 201], sent[0].content
    assert LiveTable.objects.count() == 1
    row = sent[0].json()["challenges"][0]
    assert (row["state"], row["program"], row["from"]["program"]) == ("open", "crane-remote", "plum-remote")
    assert row["table"]["options"]["rounds"] == 6
    act = f"{here}/{row['id']}"
    assert problem(one.post(f"{act}:accept")) == (404, "not_found")
    assert problem(other.post(f"{act}:shrug")) == (404, "not_found")
    assert problem(other.post(f"{act}:decline", {"reason": "whim"})) == (400, "request.invalid")
    declined = other.post(f"{act}:decline", {"reason": "later"}).json()
    assert (declined["state"], declined["reason"]) == ("declined", "later")
    assert one.post(f"{act}:cancel").json()["state"] == "declined"


def test_seeks_over_the_api_are_counted(monkeypatch: Any) -> None:
    monkeypatch.setattr(api, "PER_HOUR", 2)
    plum = caller(a_program("Plum"))
    made = plum.post("/api/v1/bot/seeks", {"preset": "hawaii", "seats": 3})
    assert (made.status_code, made.json()["seats"]) == (201, 3)
    assert plum.post(f"/api/v1/bot/tables/{made.json()['id']}:leave").json()["state"] == "aborted"
    assert plum.post("/api/v1/bot/seeks", {"preset": "hawaii"}).status_code == 201
    refused = plum.post("/api/v1/bot/seeks", {"preset": "hawaii"})
    assert problem(refused) == (429, "program.rate")
    assert int(refused.headers["Retry-After"]) > 3000
