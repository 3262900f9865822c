"""Time and place of an event: said when it is made or later, read on pages, in calendars, files and the API."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from icalendar import Calendar

from bots.models import AuditEvent
from core.interchange.documents import event as doc
from tests.builders import boards
from tests.builders import events as a
from tests.builders.calendar_days import NEXT_YEAR, SKIPPED
from tests.builders.keys import Caller
from tests.builders.teams import a_drawn_night
from tests.tournaments.pages.floor.test_desk import as_one
from tests.tournaments.progress.test_people import with_role
from tests.tournaments.progress.test_people_chains import KNOCK_OUT, a_night
from tests.web.test_bad_input import form_of_an_event
from tournaments.interchange.export import document_of
from tournaments.lifecycle.floor_settings import minutes_of
from tournaments.models import Role, Tournament
from tournaments.progress.run import cancel_tournament

pytestmark = pytest.mark.django_db
EVENING = datetime(NEXT_YEAR, 7, 1, 16, tzinfo=UTC)


def form(event: Tournament, **changes: str) -> dict[str, str]:
    return {"name": event.name, "description": event.description, "starts_at": "", "venue": "", **changes}


def test_it_is_asked_for_when_an_event_is_made() -> None:
    client = as_one(a.a_user())
    asked = form_of_an_event(time_zone="Europe/Paris", starts_at=f"{NEXT_YEAR}-07-01T18:00", venue=" Salle 3, Lyon ")
    assert client.post("/t/new/", asked).status_code == 302
    event = Tournament.objects.get()
    assert (event.starts_at, event.venue) == (EVENING, "Salle 3, Lyon")
    page = client.get(f"/t/{event.slug}/").content.decode()
    assert f"1 Jul {NEXT_YEAR} 18:00\N{NO-BREAK SPACE}CEST" in page
    assert "Salle 3, Lyon" in page


@pytest.mark.thorough
def test_organisers_change_the_words_until_it_is_over_and_nobody_else() -> None:
    event = a.an_open_event(time_zone="Europe/Paris", name="Plum leage")
    here = f"/t/{event.slug}/details/"
    owner = as_one(event.created_by)
    assert here in owner.get(f"/t/{event.slug}/").content.decode()
    said = form(
        event, name="Plum league", starts_at=f"{NEXT_YEAR}-07-01T18:00", venue="Salle 3", description="Bring cards."
    )
    for _twice in range(2):
        assert owner.post(here, said).status_code == 302
    event.refresh_from_db()
    assert (event.name, event.starts_at, event.venue) == ("Plum league", EVENING, "Salle 3")
    assert f'value="{NEXT_YEAR}-07-01T18:00"' in owner.get(here).content.decode()
    assert AuditEvent.objects.filter(verb="tournament.edit").count() == 1
    menu = owner.get(here).content.decode().partition('<nav class="rail"')[2].partition("</nav>")[0]
    current = re.findall(r'aria-current="page">\s*(.*?)\s*</a>', menu)
    assert current == ["Name, time and place"]
    for who in (a.a_user(), with_role(event, Role.Kind.SCORER)):
        assert as_one(who).get(here).status_code == 404
        assert as_one(who).post(here, said).status_code == 404
    assert Client().get(here).status_code == 302
    cancel_tournament(tournament=event, by=event.created_by, reason="Storm")
    late = owner.post(here, {**said, "name": "Plum cup"})
    assert (late.status_code, "tournament.wrong_state" in late.content.decode()) == (422, True)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"name": "P"}, "tournament.name_invalid"),
        ({"venue": "x\u200by"}, "tournament.bad_venue"),
        ({"starts_at": "soon"}, "Enter a valid date/time"),
        ({"starts_at": f"{SKIPPED}T02:30"}, "skip this time"),
    ],
)
def test_what_cannot_be_is_refused_and_stays_in_the_form(change: dict[str, str], says: str) -> None:
    event = a.an_open_event(time_zone="Europe/Paris")
    answer = as_one(event.created_by).post(f"/t/{event.slug}/details/", form(event, description="Kept words", **change))
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert "Kept words" in answer.content.decode()
    event.refresh_from_db()
    assert event.description == ""


def test_lists_find_events_by_their_place() -> None:
    lyon, hilo = a.an_open_event(name="One", venue="Lyon", starts_at=EVENING), a.an_open_event(name="Two", venue="Hilo")

    def listed(where: str) -> set[str]:
        page = Client().get("/t/", {"where": where}).content.decode()
        return {slug for slug in (lyon.slug, hilo.slug) if f'href="/t/{slug}/"' in page}

    assert listed("lyo") == {lyon.slug}
    assert listed("Paris") == set()
    assert listed("") == {lyon.slug, hilo.slug}
    assert f"1 Jul {NEXT_YEAR}" in Client().get("/t/").content.decode()


def test_calendars_know_it_before_it_begins_and_files_carry_it() -> None:
    event = a.an_open_event(venue="Salle 3, Lyon", starts_at=EVENING)
    [day] = Calendar.from_ical(Client().get(f"/t/{event.slug}/files/calendar.ics").content).walk("VEVENT")
    assert (day.decoded("DTSTART"), str(day["LOCATION"])) == (EVENING, "Salle 3, Lyon")
    written = doc.encode(document_of(event))
    assert b'"venue":"Salle 3, Lyon"' in written
    assert f'"starts_at":"{NEXT_YEAR}-07-01T16:00:00Z"'.encode() in written
    quiet = doc.encode(document_of(a.an_open_event(name="Quiet")))
    assert b"venue" not in quiet
    assert b"starts_at" not in quiet


def test_programs_say_it_too() -> None:
    event = a.an_open_event()
    caller = Caller(event.created_by, "event:write")
    changed = caller.patch(
        f"/api/v1/tournaments/{event.slug}", {"venue": "Hilo", "starts_at": f"{NEXT_YEAR}-07-01T16:00:00Z"}
    )
    assert changed.status_code == 200
    read = caller.get(f"/api/v1/tournaments/{event.slug}").json()
    assert (read["venue"], read["starts_at"]) == ("Hilo", f"{NEXT_YEAR}-07-01T16:00:00Z")


@pytest.mark.thorough
def test_another_one_like_it_is_a_draft_without_its_people_and_its_day() -> None:
    night = a_drawn_night(name="Thursday pairs", venue="Hilo", round_minutes=40, starts_at=EVENING, apart="club")
    owner = as_one(night.created_by)
    assert f"/t/{night.slug}/another/" in owner.get(f"/t/{night.slug}/").content.decode()
    went = owner.post(f"/t/{night.slug}/another/")
    like = Tournament.objects.latest("pk")
    assert went.headers["Location"] == f"/t/{like.slug}/details/"
    assert (like.state, like.name, like.venue, like.starts_at) == ("draft", "Thursday pairs", "Hilo", None)
    assert (like.partners, like.apart, minutes_of(like)) == ("drawn", "club", 40)
    same = ("kind", "preset", "seats_pref", "rounds_planned", "scoring", "ruleset_id", "tie_breaks")
    stages = [[getattr(stage, name) for name in same] for event in (night, like) for stage in event.stages.all()]
    assert stages[0] == stages[1]
    assert not like.entries.exists()
    assert as_one(a.a_user()).post(f"/t/{night.slug}/another/").status_code == 404
    assert owner.get(f"/t/{night.slug}/another/").status_code == 405


@pytest.mark.thorough
def test_teams_that_sit_apart_and_chains_come_along() -> None:
    apart = boards.a_running_night(people=4)
    as_one(apart.created_by).post(f"/t/{apart.slug}/another/")
    like = Tournament.objects.latest("pk")
    assert (like.boards, like.team_score) == (apart.boards, apart.team_score)
    chain = a_night(then=(KNOCK_OUT,), name="Pools and a cup")
    as_one(chain.created_by).post(f"/t/{chain.slug}/another/")
    assert Tournament.objects.latest("pk").stages.count() == 2
