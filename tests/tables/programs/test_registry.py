"""Programs: registered, changed, retired; their name says that they are remote wherever it stands."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from bots.errors import BotError
from bots.models import BotVersion
from bots.runner.spec import STANDARD
from bots.services import publish_source, rename_bot, upload_version
from engine.errors import DomainError
from tables.errors import TableError
from tables.models import Program
from tables.programs.registry import MAX_PROGRAMS, ProgramPlan, change, plan_of, register
from tables.programs.retiring import retire_program
from tests.builders import events as a
from tests.builders.keys import Caller, problem
from tests.services.databases import on_both
from tests.tables.programs.building import a_program
from tournaments.entries.bots import enter_bot
from tournaments.ratings.ladders.ladder import is_fit

pytestmark = [pytest.mark.django_db, on_both]


def test_the_name_of_a_program_carries_its_mark_and_keeps_it() -> None:
    program = a_program("Kintaro")
    assert program.bot.name == "Kintaro (remote)"
    assert program.bot.slug == "kintaro-remote"
    bot = rename_bot(bot=program.bot, by=program.bot.owner, name="Yamanba")
    assert (bot.name, bot.slug) == ("Yamanba (remote)", "kintaro-remote")
    assert rename_bot(bot=bot, by=bot.owner, name="Yamanba (remote)").name == "Yamanba (remote)"


@pytest.mark.parametrize("name", ["", "K", "(remote)", "x" * 52])
def test_a_name_must_be_more_than_its_mark(name: str) -> None:
    with pytest.raises(BotError) as refused:
        a_program(name)
    assert refused.value.code == "bot.name_invalid"


def test_nothing_plays_a_program_here_and_nothing_is_uploaded_for_it() -> None:
    program = a_program()
    owner = program.bot.owner
    version = program.version
    assert version.state == BotVersion.State.REMOTE
    with pytest.raises(BotError) as refused:
        upload_version(owner=owner, bot=program.bot, filename="bot.py", data=a.FIRST)
    assert refused.value.code == "bot.remote"
    with pytest.raises(BotError) as refused:
        upload_version(owner=owner, name=program.bot.name, filename="bot.py", data=a.FIRST)
    assert refused.value.code == "bot.remote"
    with pytest.raises(BotError):
        publish_source(version=version, by=owner, licence="MIT")
    with pytest.raises(DomainError):
        enter_bot(tournament=a.an_open_event(), bot=program.bot, by=owner)


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        ({"presets": []}, "program.bad_presets"),
        ({"presets": ["chess"]}, "program.bad_presets"),
        ({"seats_min": 3, "seats_max": 2}, "program.bad_seats"),
        ({"seats_max": 8}, "program.bad_seats"),
        ({"presets": ["koikoi_nintendo"], "seats_min": 4, "seats_max": 4}, "program.bad_seats"),
        ({"clocks": ["hourglass"]}, "program.bad_clocks"),
        ({"tables_most": 0}, "program.bad_tables"),
        ({"takes": "all"}, "program.bad_takes"),
    ],
)
def test_what_a_program_states_must_be_possible(plan: dict[str, Any], code: str) -> None:
    with pytest.raises(TableError) as refused:
        a_program(**plan)
    assert refused.value.code == code
    assert not Program.objects.exists()


def test_a_person_has_at_most_ten_programs_and_a_retired_one_makes_room() -> None:
    owner = a.a_user()
    made = [a_program(f"Plum {n}", owner) for n in range(MAX_PROGRAMS)]
    with pytest.raises(TableError) as refused:
        a_program("One more", owner)
    assert refused.value.code == "program.limit"
    retire_program(program=made[0], by=owner)
    retire_program(program=made[0], by=owner)
    a_program("One more", owner)


def test_only_the_owner_changes_a_program() -> None:
    program = a_program()
    with pytest.raises(BotError) as refused:
        change(program=program, by=a.a_user(), plan=plan_of(program))
    assert refused.value.code == "bot.not_owner"
    changed = change(program=program, by=program.bot.owner, plan=ProgramPlan(presets=["hawaii"]), name="Crane")
    assert (changed.bot.name, changed.presets, changed.seats_max) == ("Crane (remote)", ["hawaii"], 2)


@pytest.mark.thorough(keep=1)
def test_programs_over_the_api() -> None:
    owner = a.a_user("ann")
    ann, nobody = Caller(owner, "bot:write"), Client()
    made = ann.post("/api/v1/programs", {"name": "Kintaro", "presets": ["koikoi_nintendo"]})
    assert made.status_code == 201, made.content
    assert made.json()["name"] == "Kintaro (remote)"
    here = made.headers["Location"]
    assert nobody.get(here).json() == made.json()
    changed = ann.patch(here, {"tables_most": 3})
    assert (changed.json()["tables_most"], changed.json()["name"]) == (3, "Kintaro (remote)")
    assert problem(ann.patch(here, {"tables_most": 13}))[0] == 400
    assert problem(Caller(a.a_user("ben"), "bot:write").patch(here, {"tables_most": 2})) == (404, "not_found")
    assert [each["slug"] for each in nobody.get("/api/v1/programs").json()["items"]] == ["kintaro-remote"]
    assert nobody.get("/api/v1/programs?preset=hawaii").json()["items"] == []
    assert len(nobody.get("/api/v1/programs?preset=koikoi_nintendo").json()["items"]) == 1
    assert nobody.get("/api/v1/programs?online=1").json()["items"] == []
    assert ann.post(f"{here}:retire").json()["retired"] is True
    assert nobody.get("/api/v1/programs").json()["items"] == []
    assert len(Caller(owner, "read").get("/api/v1/programs?mine=1").json()["items"]) == 1


def test_two_registrations_with_one_key_are_one_program() -> None:
    ann = Caller(a.a_user(), "bot:write")
    body = {"name": "Kintaro", "presets": ["hawaii"]}
    answers = [ann.post("/api/v1/programs", body, Idempotency_Key="k1") for _each in range(2)]
    assert [each.status_code for each in answers] == [201, 201]
    assert Program.objects.count() == 1
    assert problem(ann.post("/api/v1/programs", body)) == (422, "bot.name_taken")


def test_a_registration_that_is_refused_leaves_no_bot() -> None:
    owner = a.a_user()
    register(by=owner, name="Plum", plan=ProgramPlan(presets=["hawaii"]))
    with pytest.raises(BotError):
        register(by=owner, name="Plum", plan=ProgramPlan(presets=["hawaii"]))
    assert owner.bots.count() == 1


def test_a_ladder_of_uploaded_bots_never_draws_a_program() -> None:
    program = a_program()
    assert program.bot.active_version is None
    assert not is_fit(program.version, "hawaii", STANDARD)
