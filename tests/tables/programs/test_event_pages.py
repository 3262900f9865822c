"""Pages and API of events that admit remote programs: the form, the plan, the entry, the organiser's list."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts.tokens import Bound
from tests.builders import events as a
from tests.builders.event_forms import fields_of
from tests.builders.keys import Caller, problem
from tests.tables.programs.building import a_program
from tests.tables.programs.test_events import SITE, an_event, called
from tournaments.events.create import create_tournament
from tournaments.events.plan_rows import plan_of
from tournaments.models import Entry

pytestmark = pytest.mark.django_db


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_the_form_asks_for_programs_where_people_and_bots_play() -> None:
    client = signed_in(a.a_user())
    for audience, is_asked in (("both", True), ("people", False), ("bots", False)):
        page = client.get(f"/t/new/?for={audience}").content.decode()
        assert ('name="admits_programs"' in page) is is_asked, audience


def test_the_form_of_an_event_keeps_and_changes_it() -> None:
    by = a.a_user()
    event = create_tournament(by=by, plan=a.a_plan(**SITE))
    sent, here = fields_of(event), f"/t/{event.slug}/edit/"
    assert sent["admits_programs"] == "on"
    assert signed_in(by).post(here, sent).status_code == 302
    assert plan_of(event).admits_programs is True
    event.refresh_from_db()
    sent = fields_of(event)
    del sent["admits_programs"]
    assert signed_in(by).post(here, sent).status_code == 302
    assert plan_of(event).admits_programs is False


def test_the_api_makes_and_shows_it() -> None:
    ann = Caller(a.a_user())
    plan = {**SITE, "name": "Open house"}
    here = ann.post("/api/v1/tournaments", plan).headers["Location"]
    (stage,) = ann.get(f"{here}/stages").json()["items"]
    assert stage["admits_programs"] is True
    assert ann.get(f"{here}/plan").json()["admits_programs"] is True
    refused = ann.post("/api/v1/tournaments", {**plan, "where": "hall"})
    assert problem(refused) == (422, "tournament.bad_programs")


def test_an_owner_enters_a_program_by_the_page() -> None:
    plum, event = a_program(), an_event(people="")
    client, here = signed_in(plum.bot.owner), f"/t/{event.slug}/"
    page = client.get(f"{here}entries/").content.decode()
    assert f'<option value="{plum.bot.slug}">Plum (remote)</option>' in page
    client.post(f"{here}do/enter/", {"bot": plum.bot.slug})
    assert Entry.objects.get(tournament=event).player.bot == plum.bot
    assert plum.bot.slug not in client.get(f"{here}entries/").content.decode().partition("<select")[2]
    assert "Remote programs may be entered here" in Client().get(f"{here}entries/").content.decode()


def test_a_token_of_the_program_alone_enters_it() -> None:
    plum, event = a_program(), an_event(people="")
    bound = Bound("bot", plum.bot.uuid, plum.bot.name)
    own = Caller(plum.bot.owner, "event:write", bound=bound)
    assert own.post(f"/api/v1/tournaments/{event.slug}/entries", {"bot": plum.bot.slug}).status_code == 201
    hall = an_event(people="", where="hall", admits_programs=False)
    refused = own.post(f"/api/v1/tournaments/{hall.slug}/entries", {"bot": plum.bot.slug})
    assert problem(refused) == (422, "entry.no_programs")


def test_organisers_read_which_program_is_still_expected() -> None:
    plum = a_program(is_here=False)
    event = an_event(plum)
    called(event)
    page = signed_in(event.created_by).get(f"/play/events/{event.slug}/").content.decode()
    assert "Plum (remote)" in page
    assert "Still expected" in page
