"""Adding a stage format is a module and its line in the registry: a toy format runs from the form to the import."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from core import formats
from core.errors import TournamentError
from core.simulation import rehearse
from tests.architecture.toy_format import BESIDE, Neighbours
from tests.builders import events as a
from tests.builders.clubs import NAMES, tables_of
from tests.builders.keys import Caller
from tests.services.processes import ROOT
from tests.tournaments.pages.events.test_formats_pages import FORM
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as importing
from tournaments.interchange.reports import trf_of
from tournaments.models import Stage, Tournament
from tournaments.simulation import inputs as rehearsing
from tournaments.simulation.actions import Question, read_question
from tournaments.standings import store

pytestmark = pytest.mark.django_db
TOY = Neighbours()
PLAN = {"name": "Toy night", "preset": "hawaii", "who": "people", "kind": TOY.id, "seats": 2, "rounds": 2}
PEOPLE = 5


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    """The toy format, registered for one test."""
    formats.register(TOY)
    yield
    formats.withdraw(TOY)


def started(ann: Caller) -> str:
    """An event of five people by the API, begun; its address there."""
    made = ann.post("/api/v1/tournaments", {**PLAN, "options": {"rounds": 1}})
    assert made.status_code == 201, made.content
    here = str(made.headers["Location"])
    for verb in ("publish", "open"):
        assert ann.post(f"{here}:{verb}").status_code == 200
    for name in NAMES[:PEOPLE]:
        added = ann.post(f"{here}/entries", {"name": name})
        assert ann.patch(added.headers["Location"], {"present": True}).status_code == 200
    assert ann.post(f"{here}:start").json()["state"] == "running"
    return here


def play_round(ann: Caller, here: str, number: int) -> None:
    """Call a round and enter every table: who sits first wins."""
    assert ann.post(f"{here}/rounds/{number}:publish").status_code == 200
    for match in tables_of(Tournament.objects.get(), number):
        body = {"totals": [100, 60]}
        sent = ann.post(f"/api/v1/tables/{match.uuid}/reports", body, Idempotency_Key=uuid4().hex)
        assert sent.json()["state"] == "confirmed", sent.content


def draw_next(ann: Caller, here: str) -> dict[str, Any]:
    """The next round, looked at and published; its plan."""
    look = ann.post(f"{here}/stages/1:draw", {"dry_run": True}).json()
    assert ann.post(f"{here}/stages/1:draw", {"seen": look["seen"]}).status_code == 200
    plan: dict[str, Any] = look["plan"]
    return plan


def played(ann: Caller) -> str:
    """The whole event, signed."""
    here = started(ann)
    play_round(ann, here, 1)
    draw_next(ann, here)
    play_round(ann, here, 2)
    assert ann.post(f"{here}/stages/1:close").json()["state"] == "finished"
    return here


@pytest.mark.thorough
def test_the_form_offers_it_and_the_page_of_the_event_says_it(client: Client) -> None:
    client.force_login(a.a_user())
    assert f'<option value="{TOY.id}">{TOY.label}</option>' in client.get("/t/new/?for=both").content.decode()
    answer = client.post("/t/new/", {**FORM, "kind": TOY.id}, follow=True)
    assert Stage.objects.get().kind == TOY.id, answer.content.decode()
    assert "3 toy rounds of neighbours" in answer.content.decode()
    refused = client.post("/t/new/", {**FORM, "name": "Third", "kind": TOY.id, "third_place": "on"})
    assert TOY.label in refused.content.decode()


@pytest.mark.thorough
def test_it_is_drawn_played_ranked_and_read() -> None:
    ann = Caller(a.a_user("ann"))
    here = started(ann)
    event = Tournament.objects.get()
    play_round(ann, here, 1)
    rows = [row["name"] for row in ann.get(f"{here}/standings").json()["items"]]
    plan = draw_next(ann, here)
    names = {str(entry.uuid): entry.player.name for entry in event.entries.select_related("player")}
    assert [[names[entry] for entry in pod["seats"]] for pod in plan["pods"]] == [rows[0:2], rows[2:4]]
    assert [names[entry] for entry in plan["byes"]] == rows[4:]
    play_round(ann, here, 2)
    assert ann.post(f"{here}/stages/1:close").json()["state"] == "finished"
    assert ann.get(f"{here}/stages").json()["items"][0]["kind"] == TOY.id
    assert store.differences(event.stages.get()) == []
    for page in ("tournament", "tournament-rounds", "tournament-standings", "tournament-crosstable"):
        assert Client().get(reverse(page, args=[event.slug])).status_code == 200
    rounds = Client().get(reverse("tournament-rounds", args=[event.slug])).content.decode()
    assert BESIDE in rounds


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
    assert [stage["kind"] for stage in json.loads(data)["stages"]] == [TOY.id]
    with pytest.raises(TournamentError, match=TOY.label):
        trf_of(Stage.objects.get(tournament__slug="copy"))


def test_it_can_be_rehearsed_and_come_before_a_knock_out() -> None:
    ann = Caller(a.a_user("ann"))
    then = {"then": [{"kind": "single_elim"}], "ways": [{"source": 1, "target": 2, "last": 2}], "min_entries": 4}
    made = ann.post("/api/v1/tournaments", {**PLAN, **then})
    assert made.status_code == 201, made.content
    event = Tournament.objects.get()
    course = rehearsing.course_of(event, read_question(event, Question(entries=8, match_minutes=20)))
    assert [part.kind for part in course.parts] == [TOY.id, "single_elim"]
    assert rehearse(course, runs=2).parts[0].rounds == (2, 2.0, 2)


def test_a_format_is_registered_once() -> None:
    with pytest.raises(ValueError, match="registered already"):
        formats.register(TOY)


def test_contributing_says_what_a_format_takes() -> None:
    """CONTRIBUTING says what this test did: a module, and a line that registers it."""
    said = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert "| add a stage format | new `core/formats/<id>.py`: a `Format`; a line in its `__init__.py` |" in said
