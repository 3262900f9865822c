"""Pages of programs: the list, one with the form to play against it, and one's own."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from tables.models import LiveTable, Program
from tables.programs.retiring import retire_program
from tests.builders import events as a
from tests.tables.programs.building import a_program

pytestmark = pytest.mark.django_db
AsUser = Callable[[User], Client]
STATED = {
    "name": "Kintaro",
    "presets": ["koikoi_nintendo"],
    "seats_min": "2",
    "seats_max": "2",
    "clocks": ["remote", "casual"],
    "tables_most": "2",
    "takes": "anybody",
    "plays_ladder": "on",
}


def test_a_person_registers_changes_and_retires_a_program(as_user: AsUser) -> None:
    ann = a.a_user("ann")
    client = as_user(ann)
    assert "You have no programs yet" in client.get("/me/programs/").content.decode()
    made = client.post("/me/programs/", STATED)
    assert made.headers["Location"] == "/me/programs/kintaro-remote/"
    program = Program.objects.get()
    assert (program.bot.name, program.presets, program.tables_most) == ("Kintaro (remote)", ["koikoi_nintendo"], 2)
    page = client.get("/me/programs/kintaro-remote/").content.decode()
    assert 'value="Kintaro"' in page
    changed = client.post("/me/programs/kintaro-remote/", {**STATED, "name": "Yamanba", "tables_most": "3"})
    assert changed.status_code == 302
    program.refresh_from_db()
    assert (program.tables_most, Program.objects.get().bot.name) == (3, "Yamanba (remote)")
    client.post("/me/programs/kintaro-remote/retire/")
    assert "retired" in client.get("/me/programs/").content.decode()
    assert as_user(a.a_user("ben")).get("/me/programs/kintaro-remote/").status_code == 404


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": "K"}, "at least 2 characters"),
        ({"presets": []}, "required"),
        ({"seats_min": "4", "seats_max": "3"}, "not less than the fewest"),
        ({"seats_min": "5", "seats_max": "5"}, "another number of players"),
    ],
)
def test_what_cannot_be_is_said_beside_the_field(as_user: AsUser, wrong: dict[str, object], said: str) -> None:
    answer = as_user(a.a_user()).post("/me/programs/", {**STATED, **wrong})
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Program.objects.exists()


def test_a_stranger_plays_against_a_program(client: Client) -> None:
    program = a_program("Kintaro")
    page = client.get("/programs/kintaro-remote/").content.decode()
    assert "Kintaro (remote)" in page
    assert "Play this program" in page
    asked = client.post("/programs/kintaro-remote/play/", {"preset": "koikoi_nintendo", "clock": "casual"})
    table = LiveTable.objects.get()
    assert asked.headers["Location"] == f"/play/{table.uuid}/"
    assert table.challenges.get().program == program
    waiting = client.get(f"/play/{table.uuid}/").content.decode()
    assert "Waiting" in waiting


def test_a_program_that_cannot_be_played_says_why(client: Client) -> None:
    a_program("Away", is_here=False)
    a_program("Shy", takes="programs")
    gone = a_program("Gone")
    retire_program(program=gone, by=gone.bot.owner)
    for slug, said in (("away", "not connected now"), ("shy", "does not play against people"), ("gone", "is retired")):
        assert said in client.get(f"/programs/{slug}-remote/").content.decode()
    refused = client.post("/programs/away-remote/play/", {"preset": "koikoi_nintendo", "clock": "casual"})
    assert refused.status_code == 409
    assert "not connected now" in refused.content.decode()
    assert not LiveTable.objects.exists()


def test_the_list_is_filtered_and_costs_a_few_queries(client: Client) -> None:
    for number in range(12):
        a_program(f"Program {number}", presets=["hawaii"] if number % 2 else ["koikoi_nintendo"])
    a_program("Away", is_here=False, presets=["koikoi_nintendo"])
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/programs/").content.decode()
    assert len(queries) <= 10
    assert page.count("data-row") == 13
    assert client.get("/programs/?preset=hawaii").content.decode().count("data-row") == 6
    assert client.get("/programs/?online=1").content.decode().count("data-row") == 12
    assert "No program found" in client.get("/programs/?q=nobody").content.decode()


def test_the_page_of_the_bot_leads_to_the_program(client: Client) -> None:
    a_program("Kintaro")
    for path in ("/b/kintaro-remote/", "/b/kintaro-remote/versions/", "/b/kintaro-remote/v/1/", "/b/"):
        page = client.get(path).content.decode()
        assert "Kintaro (remote)" in page, path
    assert "/programs/kintaro-remote/" in client.get("/b/kintaro-remote/").content.decode()
