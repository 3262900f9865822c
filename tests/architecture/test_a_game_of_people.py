"""A new game through the tables of people: the toy, from the form to the import, without a line for it elsewhere."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from engine import games
from engine.game import GAMES
from tests.architecture.source import modules, name_of
from tests.architecture.toy_game import TOY
from tests.builders import events as a
from tests.builders.clubs import NAMES, tables_of
from tests.builders.keys import Caller
from tests.services.processes import ROOT
from tests.tournaments.pages.events.test_formats_pages import FORM
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as importing
from tournaments.models import Stage, Tournament
from tournaments.simulation import inputs as rehearsing
from tournaments.simulation.actions import Question, read_question
from tournaments.standings import store

pytestmark = pytest.mark.django_db
PLAN = {"name": "Toy night", "preset": "toy2", "who": "people", "kind": "swiss", "seats": 2, "rounds": 2}
KNOWS_THE_GAMES = {
    "core/replay/book.py",
    "tournaments/management/commands/seed_demo.py",
    "tournaments/pages/events/templates.py",
}
"""What is about single games by its nature: the demo, events that are held often, the game replays fall back to."""
PLAY_THE_GAMES = ("bots/house/", "bots/sdk/")
"""Bots that play them well."""


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    """The toy game, registered for one test."""
    games.register(TOY)
    yield
    games.withdraw(TOY)


def started(ann: Caller) -> str:
    """An event of four people by the API, begun, its first round called; its address there."""
    made = ann.post("/api/v1/tournaments", PLAN)
    assert made.status_code == 201, made.content
    here = str(made.headers["Location"])
    for verb in ("publish", "open"):
        assert ann.post(f"{here}:{verb}").status_code == 200
    for name in NAMES[:4]:
        added = ann.post(f"{here}/entries", {"name": name})
        assert ann.patch(added.headers["Location"], {"present": True}).status_code == 200
    assert ann.post(f"{here}:start").json()["state"] == "running"
    assert ann.post(f"{here}/rounds/1:publish").status_code == 200
    return here


def report(ann: Caller, number: int, *totals: int) -> None:
    """Enter the same result at every table of a round."""
    for match in tables_of(Tournament.objects.get(), number):
        sent = ann.post(f"/api/v1/tables/{match.uuid}/reports", {"totals": totals}, Idempotency_Key=uuid4().hex)
        assert sent.json()["state"] == "confirmed", sent.content


def played(ann: Caller) -> str:
    """The whole event, signed."""
    here = started(ann)
    report(ann, 1, 2, 1)
    look = ann.post(f"{here}/stages/1:draw", {"dry_run": True}).json()
    assert ann.post(f"{here}/stages/1:draw", {"seen": look["seen"]}).status_code == 200
    assert ann.post(f"{here}/rounds/2:publish").status_code == 200
    report(ann, 2, 2, 0)
    assert ann.post(f"{here}/stages/1:close").json()["state"] == "finished"
    return here


@pytest.mark.thorough
def test_the_form_offers_it_and_the_rulebook_has_it(client: Client) -> None:
    client.force_login(a.a_user())
    assert 'value="toy2"' in client.get("/t/new/?for=both").content.decode()
    answer = client.post("/t/new/", {**FORM, "preset": "toy2", "kind": "swiss"}, follow=True)
    assert Stage.objects.get().preset == "toy2", answer.content.decode()
    assert "Toy to two" in answer.content.decode()
    rules = client.get(reverse("rules-preset", args=["toy2"]))
    assert rules.status_code == 200
    assert "Two Januaries" in rules.content.decode()
    assert "Points that win" in rules.content.decode()
    assert client.get(reverse("rules")).status_code == 200


@pytest.mark.thorough
def test_it_is_drawn_reported_confirmed_ranked_and_read(client: Client) -> None:
    ann = Caller(a.a_user("ann"))
    here = played(ann)
    event = Tournament.objects.get()
    rows = ann.get(f"{here}/standings").json()["items"]
    assert len(rows) == 4
    assert rows[0]["rank"] == 1
    assert store.differences(event.stages.get()) == []
    for page in ("tournament", "tournament-rounds", "tournament-standings", "tournament-crosstable"):
        assert client.get(reverse(page, args=[event.slug])).status_code == 200
    for match in tables_of(event, 1):
        assert client.get(reverse("match", args=[match.uuid])).status_code == 200


@pytest.mark.thorough
def test_its_own_scoresheet_judges_what_people_report(client: Client) -> None:
    ann = Caller(a.a_user("ann"))
    started(ann)
    match = tables_of(Tournament.objects.get(), 1)[0]
    refused = ann.post(f"/api/v1/tables/{match.uuid}/reports", {"deals": [[3, 0]]}, Idempotency_Key=uuid4().hex)
    assert (refused.status_code, refused.json()["code"]) == (422, "report.points_impossible")
    assert "at most 2 points" in refused.content.decode()
    taken = ann.post(f"/api/v1/tables/{match.uuid}/reports", {"deals": [[1, 0], [0, 2]]}, Idempotency_Key=uuid4().hex)
    assert taken.json()["state"] == "confirmed", taken.content


@pytest.mark.thorough
def test_it_goes_out_as_a_file_and_comes_back_the_same() -> None:
    ann = Caller(a.a_user("ann"))
    played(ann)
    data = event_json(Tournament.objects.get())
    copy = importing.write(importing.validate_event(data), by=a.a_user(), slug="copy")
    assert event_json(copy) == data
    sent = {"file": base64.b64encode(data).decode()}
    answer = ann.post("/api/v1/tournaments:import", sent, Idempotency_Key=uuid4().hex)
    assert answer.status_code == 201, answer.content
    assert [stage["preset"] for stage in json.loads(data)["stages"]] == ["toy2"]


def test_it_can_be_rehearsed() -> None:
    ann = Caller(a.a_user("ann"))
    assert ann.post("/api/v1/tournaments", PLAN).status_code == 201
    event = Tournament.objects.get()
    course = rehearsing.course_of(event, read_question(event, Question(entries=8, match_minutes=20)))
    assert [part.kind for part in course.parts] == ["swiss"]


def test_nothing_outside_the_games_asks_for_one_by_name() -> None:
    """A name in quotes is a branch on it. What people may report of a game is in its `scoresheet.py`."""
    names = "|".join(sorted(set(GAMES) - {TOY.id}))
    quoted = re.compile(rf"""(["'])({names})\1|from engine\.games\.({names})\.""")
    wrong = [
        f"{name}: {found[0]}"
        for path in modules()
        if (name := name_of(path)).split("/")[0] in ("bots", "core", "tournaments", "web", "activity")
        and name not in KNOWS_THE_GAMES
        and not name.startswith(PLAY_THE_GAMES)
        for found in quoted.finditer(path.read_text(encoding="utf-8"))
    ]
    assert not wrong, wrong


def test_contributing_says_what_a_game_takes() -> None:
    """CONTRIBUTING says what this test did: a folder with its scoresheet, and a line that registers it."""
    said = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert (
        "| add a game | new `engine/games/<id>/` with its `scoresheet.py`; a line in `engine/games/__init__.py` |"
        in said
    )
