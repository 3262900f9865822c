"""Pages of an event that is played on the site: the way to the table, the seats, the organiser's page, form and API."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import User
from tables.actions.rematches import rematch
from tables.models import LiveSeat
from tables.play.shuffle import of_service
from tests.builders.clubs import person, round_of, tables_of
from tests.builders.keys import Caller
from tests.builders.mixed import a_mixed_event
from tests.services.databases import on_both
from tests.tables.players import at_random, play_on
from tests.tables.test_events import SITE, code_of, on_site, played, sat, table_at
from tournaments.entries.links import link_for, link_token
from tournaments.models import Stage, Tournament
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament

pytestmark = [pytest.mark.django_db, on_both]


@pytest.mark.thorough
def test_the_record_is_proven_on_the_pages_of_the_match(django_capture_on_commit_callbacks: Any) -> None:
    (match,) = tables_of(on_site())
    client = Client()
    page = client.get(f"/m/{match.uuid}/").content.decode()
    assert f"/play/{match.uuid}/" in page
    played(match, django_capture_on_commit_callbacks)
    page = client.get(f"/m/{match.uuid}/").content.decode()
    assert "Record of the table" in page
    assert "rp-table" in page
    proof = client.get(f"/m/{match.uuid}/verify/?check=server").content.decode()
    assert "paper cards leave no seed" not in proof
    record = client.get(f"/m/{match.uuid}/record.json").json()
    assert record["view"]["seed"]
    assert record["record"]["fair"]["commit"] in proof
    assert "vf-bad" not in proof
    assert client.get(f"/m/{match.uuid}/record.compact.json").status_code == 200


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get_or_create(username=name)[0])
    return client


def with_link(event: Tournament, name: str) -> Client:
    """A browser that has opened somebody's private link."""
    client = Client()
    token = link_token(link_for(entry=person(event, name))).replace(" ", "")
    assert client.get(f"/e/{token}/").status_code == 302
    return client


@pytest.mark.thorough
def test_find_me_and_my_day_lead_to_the_table() -> None:
    event = on_site()
    (match,) = tables_of(event)
    page = Client().get(f"/t/{event.slug}/?find=Aiko").content.decode()
    assert f"/play/{match.uuid}/" in page
    client = with_link(event, "Aiko")
    day = client.get(f"/e/my/{person(event, 'Aiko').uuid}/").content.decode()
    assert "To the table" in day
    assert "Report the result" not in day
    answer = client.get(f"/e/my/{person(event, 'Aiko').uuid}/table/{match.uuid}/")
    assert answer.headers["Location"] == f"/play/{match.uuid}/"


@pytest.mark.thorough
def test_a_private_link_takes_the_own_seat_and_no_other() -> None:
    event = on_site()
    (match,) = tables_of(event)
    address = f"/play/{match.uuid}/"
    stranger = Client()
    page = stranger.get(address).content.decode()
    assert "Still expected" in page
    assert "belong to the players" in page
    stranger.post(f"{address}do/sit/")
    assert not LiveSeat.objects.exists()
    aiko = with_link(event, "Aiko")
    assert "do/sit/" in aiko.get(address).content.decode()
    aiko.post(f"{address}do/sit/")
    (seat,) = LiveSeat.objects.all()
    own = match.seats.get(entry=person(event, "Aiko"))
    assert (seat.index, seat.name) == (own.index, "Aiko")
    assert seat.device_mark


@pytest.mark.thorough(keep=1)
def test_an_account_takes_the_seat_of_its_player() -> None:
    event = on_site()
    (match,) = tables_of(event)
    player = person(event, "Ben").player
    client = signed_in("ben")
    player.user = User.objects.get(username="ben")
    player.save()
    client.post(f"/play/{match.uuid}/do/sit/")
    assert LiveSeat.objects.get().name == "Ben"


@pytest.mark.thorough
def test_the_organiser_sees_tables_calls_off_and_opens_again() -> None:
    event = on_site(4)
    one, _other = tables_of(event)
    client = Client()
    client.force_login(event.created_by)
    assert f"/play/events/{event.slug}/" in client.get(f"/t/{event.slug}/desk/").content.decode()
    page = client.get(f"/play/events/{event.slug}/").content.decode()
    assert page.count("Still expected") == 2
    assert "Call the table off" in client.get(f"/play/{one.uuid}/").content.decode()
    client.post(f"/play/{one.uuid}/do/call-off/")
    assert table_at(one).state == "aborted"
    assert "Open the table again" in client.get(f"/play/{one.uuid}/").content.decode()
    client.post(f"/play/{one.uuid}/do/reopen/")
    assert table_at(one).state == "open"
    stranger = signed_in("stranger")
    assert stranger.get(f"/play/events/{event.slug}/").status_code == 404
    stranger.post(f"/play/{one.uuid}/do/call-off/")
    assert table_at(one).state == "open"


@pytest.mark.thorough
def test_one_browser_at_two_seats_is_shown_to_the_organiser_alone() -> None:
    event = on_site()
    (match,) = tables_of(event)
    browser = with_link(event, "Aiko")
    browser.post(f"/play/{match.uuid}/do/sit/")
    cookie = browser.cookies["hanami_seat"].value
    second = with_link(event, "Ben")
    second.cookies["hanami_seat"] = cookie
    second.post(f"/play/{match.uuid}/do/sit/")
    assert "one browser" not in second.get(f"/play/{match.uuid}/").content.decode()
    organiser = Client()
    organiser.force_login(event.created_by)
    assert "one browser" in organiser.get(f"/play/{match.uuid}/").content.decode()
    assert "one browser" in organiser.get(f"/play/events/{event.slug}/").content.decode()


@pytest.mark.thorough
def test_a_private_event_shows_its_tables_to_nobody_else() -> None:
    event = on_site(visibility="private")
    (match,) = tables_of(event)
    assert Client().get(f"/play/{match.uuid}/").status_code == 404
    assert Client().get(f"/play/{match.uuid}/view/").status_code == 404
    assert Client().post(f"/play/{match.uuid}/do/sit/").status_code == 404
    assert with_link(event, "Aiko").get(f"/play/{match.uuid}/").status_code == 200


@pytest.mark.thorough(keep=1)
def test_those_who_watch_see_it_later(django_capture_on_commit_callbacks: Any) -> None:
    (match,) = tables_of(on_site())
    table = table_at(match)
    people = sat(table)
    play_on(table, people, at_random(1), moves=6)
    view = Client().get(f"/play/{match.uuid}/view/").json()
    assert view["me"] is None
    assert view["told"] < 8


@pytest.mark.thorough(keep=1)
def test_a_match_of_an_event_has_no_rematch() -> None:
    (match,) = tables_of(on_site())
    people = sat(table_at(match))
    assert code_of(lambda: rematch(table_at(match), people[0], of_service())) == "table.of_event"


@pytest.mark.thorough(keep=1)
def test_the_form_and_the_api_know_where_it_is_played() -> None:
    client = signed_in("ann")
    page = client.get("/t/new/?for=both").content.decode()
    assert 'name="where"' in page
    assert 'name="site_clock"' in page
    assert 'name="where"' not in client.get("/t/new/?for=bots").content.decode()
    ann = Caller(User.objects.get(username="ann"))
    plan = {
        "name": "On the site",
        "preset": "koikoi_nintendo",
        "who": "people",
        "kind": "swiss",
        "seats": 2,
        "rounds": 2,
    }
    made = ann.post("/api/v1/tournaments", {**plan, "where": "site", "site_clock": "days"})
    here = made.headers["Location"]
    (stage,) = ann.get(f"{here}/stages").json()["items"]
    assert (stage["where"], stage["site_clock"]) == ("site", "days")
    assert ann.get(f"{here}/plan").json()["where"] == "site"
    whole = {**plan, "name": "In two parts", "then": [{"kind": "single_elim", "where": "site"}],
             "ways": [{"source": 1, "target": 2, "last": 2}]}  # fmt: skip
    made = ann.post("/api/v1/tournaments", whole)
    stages = ann.get(f"{made.headers['Location']}/stages").json()["items"]
    assert [each["where"] for each in stages] == ["hall", "site"]
    assert Stage.objects.filter(where="site").count() == 2


@pytest.mark.thorough(keep=1)
def test_bots_of_a_mixed_event_sit_down_at_once() -> None:
    event = a_mixed_event(people=1, bots=1, **{**SITE, "preset": "hawaii", "options": {"rounds": 1, "teams": "solo"}})
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    (match,) = tables_of(event)
    (seat,) = LiveSeat.objects.all()
    assert (seat.table.uuid, seat.kind) == (match.uuid, "bot")
    own = match.seats.get(index=seat.index)
    assert own.bot_version_id == seat.bot_version_id


@pytest.mark.thorough(keep=1)
def test_unknown_uuids_open_nothing() -> None:
    on_site()
    assert Client().get(f"/play/{uuid4()}/").status_code == 404
