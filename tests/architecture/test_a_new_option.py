"""Adding an option to a game is one declaration: form, API, refusals, rulebook and file have it then."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from engine.game import GAMES
from tests.builders import events as a
from tests.builders.clubs import NAMES, tables_of
from tests.builders.keys import Caller
from tests.engine.test_added_option import PETALS, STORM, WithOptions
from tests.services.processes import ROOT
from tests.tournaments.pages.events.test_formats_pages import FORM
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as importing
from tournaments.models import Ruleset, Tournament

pytestmark = pytest.mark.django_db
PLAN = {"name": "Stormy night", "preset": "french", "who": "people", "kind": "round_robin", "seats": 2}
CHOSEN = {"petals": "stay", "storm": True, "rounds": 1}


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sakura with a choice and a flag more, for one test."""
    monkeypatch.setitem(GAMES, "sakura", WithOptions(GAMES["sakura"]))


@pytest.mark.thorough
def test_the_form_asks_for_it_and_the_event_has_it(client: Client) -> None:
    client.force_login(a.a_user())
    page = client.get("/t/new/?for=both").content.decode()
    for info in (PETALS, STORM):
        assert f'name="option_{info.id}"' in page
        assert info.meaning in page
    assert "they stay" in page
    sent = {**FORM, "preset": "french", "option_petals": "stay", "option_storm": "1"}
    answer = client.post("/t/new/", sent, follow=True)
    assert answer.status_code == 200
    options = json.loads(Ruleset.objects.get().canonical)["options"]
    assert (options["petals"], options["storm"]) == ("stay", 1)


def test_the_api_takes_it_and_says_what_it_allows(client: Client) -> None:
    told = client.get("/api/v1/rules/french").json()
    shown = {option["id"]: option for option in told["options"]}
    assert (shown["petals"]["value"], shown["petals"]["allowed"]) == ("fall", ["fall", "stay"])
    ann = Caller(a.a_user("ann"))
    refused = ann.post("/api/v1/tournaments", {**PLAN, "options": {"petals": "dance"}})
    assert (refused.status_code, refused.json()["code"]) == (422, "tournament.bad_option")
    assert "they fall" in refused.content.decode()
    made = ann.post("/api/v1/tournaments", {**PLAN, "options": CHOSEN})
    assert made.status_code == 201, made.content
    assert Tournament.objects.get().stages.get().preset == "french"


def test_the_rulebook_explains_it(client: Client) -> None:
    page = client.get(reverse("rules-preset", args=["french"])).content.decode()
    assert PETALS.meaning in page
    assert "they fall" in page
    assert client.get(reverse("rules-compare")).status_code == 200


@pytest.mark.thorough
def test_an_event_by_it_is_played_and_goes_out_as_a_file() -> None:
    ann = Caller(a.a_user("ann"))
    here = str(ann.post("/api/v1/tournaments", {**PLAN, "options": CHOSEN}).headers["Location"])
    for verb in ("publish", "open"):
        assert ann.post(f"{here}:{verb}").status_code == 200
    for name in NAMES[:2]:
        added = ann.post(f"{here}/entries", {"name": name})
        assert ann.patch(added.headers["Location"], {"present": True}).status_code == 200
    assert ann.post(f"{here}:start").status_code == 200
    assert ann.post(f"{here}/rounds/1:publish").status_code == 200
    match = tables_of(Tournament.objects.get(), 1)[0]
    sent = ann.post(f"/api/v1/tables/{match.uuid}/reports", {"totals": [100, 60]}, Idempotency_Key=uuid4().hex)
    assert sent.json()["state"] == "confirmed", sent.content
    assert ann.post(f"{here}/stages/1:close").json()["state"] == "finished"
    data = event_json(Tournament.objects.get())
    assert b'"petals": "stay"' in data or b'"petals":"stay"' in data
    assert event_json(importing.write(importing.validate_event(data), by=a.a_user(), slug="copy")) == data


def test_contributing_says_what_an_option_takes() -> None:
    """CONTRIBUTING says what this test did: a declaration, and what the rules make of it."""
    said = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert "| add an option to a game | its line in `engine/games/<id>/options.py`; what the rules make of it |" in said
