"""Pages of seasons: a season is made, filled and read in the browser's forms; strangers see what they may."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from tests.builders import events as a
from tests.builders.seasons import SEASON_FIELDS, a_finished_event, a_season, counted, in_order, rows_of
from tournaments.events.roles import give_role
from tournaments.models import Season, SeasonEvent, SeasonPerson, Tournament
from tournaments.seasons.events import add_event
from tournaments.seasons.set_up import DivisionPlan
from tournaments.seasons.updating import update

pytestmark = pytest.mark.django_db
AsUser = Callable[[User | None], Client]


def text_of(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, path
    return answer.content.decode()


@pytest.mark.thorough
def test_a_season_is_made_filled_and_read(as_user: AsUser) -> None:
    by = a.a_user()
    client = as_user(by)
    assert "25  18  15" in text_of(client, "/seasons/new/")
    answer = client.post("/seasons/new/", SEASON_FIELDS)
    assert answer.status_code == 302, answer.content.decode()
    season = Season.objects.get()
    assert season.place_points == [1000, 650, 300]
    assert [each.name for each in season.divisions.all()] == ["First", "Second"]
    event = a_finished_event(by, in_order("Aiko", "Ben", "Chiyo", "Dai"))
    answer = client.post(f"/seasons/{season.slug}/events/", {"event": f"http://x/t/{event.slug}/", "weight": "1,5"})
    assert answer.status_code == 302
    stranger = as_user(None)
    page = text_of(stranger, f"/seasons/{season.slug}/?division=2")
    assert all(name in page for name in ("Aiko", "Ben", "Chiyo", "Dai", ">9.75<", ">15<"))
    who = SeasonPerson.objects.get(name="Ben")
    page = text_of(stranger, f"/seasons/{season.slug}/people/{who.uuid}/")
    assert all(words in page for words in ("Club night", "6.5", "× 1.5", "9.75", "counted"))
    assert "Aiko" in text_of(stranger, f"/seasons/{season.slug}/table.csv")
    assert season.name in text_of(stranger, "/seasons/?q=league&when=open")


def test_a_wrong_form_says_where(as_user: AsUser) -> None:
    client = as_user(a.a_user())
    answer = client.post("/seasons/new/", {**SEASON_FIELDS, "place_points": "10 many", "best": "500"})
    assert answer.status_code == 422
    assert answer.content.decode().count('class="wrong"') >= 2
    answer = client.post("/seasons/new/", {**SEASON_FIELDS, "place_points": "1 2 3"})
    assert (answer.status_code, Season.objects.count()) == (422, 0)


@pytest.mark.thorough
def test_rules_are_changed_and_events_weighed_and_removed(as_user: AsUser) -> None:
    by = a.a_user()
    client, season = as_user(by), a_season(by)
    event = a_finished_event(by, in_order("Aiko", "Ben"))
    add_event(season=season, by=by, slug=event.slug)
    assert client.post(f"/seasons/{season.slug}/edit/", SEASON_FIELDS).status_code == 302
    assert rows_of(season) == [(1, "Aiko", 1000), (2, "Ben", 650)]
    assert client.post(f"/seasons/{season.slug}/events/{event.slug}/weigh/", {"weight": "2"}).status_code == 302
    assert rows_of(season)[0] == (1, "Aiko", 2000)
    assert client.post(f"/seasons/{season.slug}/events/{event.slug}/weigh/", {"weight": "much"}).status_code == 422
    assert client.post(f"/seasons/{season.slug}/events/{event.slug}/remove/").status_code == 302
    assert rows_of(season) == []
    again = client.post(f"/seasons/{season.slug}/events/{event.slug}/remove/")
    assert (again.status_code, "not in the season any more" in again.content.decode()) == (409, True)


@pytest.mark.thorough
def test_an_organiser_of_the_event_answers(as_user: AsUser) -> None:
    by, other = a.a_user(), a.a_user()
    season, event = a_season(by), a_finished_event(other, in_order("Aiko", "Ben"))
    add_event(season=season, by=by, slug=event.slug)
    path = f"/t/{event.slug}/seasons/"
    assert as_user(by).get(path).status_code == 404
    assert as_user(by).post(f"{path}{season.slug}/accept/").status_code == 404
    client = as_user(other)
    assert season.name in text_of(client, path)
    assert client.post(f"{path}{season.slug}/accept/").status_code == 302
    assert len(rows_of(season)) == 2
    assert client.post(f"{path}{season.slug}/remove/").status_code == 302
    assert not SeasonEvent.objects.exists()


def test_an_organiser_adds_the_event_to_a_season_of_their_own(as_user: AsUser) -> None:
    by = a.a_user()
    season, event = a_season(by), a_finished_event(by, in_order("Aiko", "Ben"))
    a_season(a.a_user(), name="A league of others")
    client, path = as_user(by), f"/t/{event.slug}/seasons/"
    page = text_of(client, path)
    assert "Add this event" in page
    assert "A league of others" not in page
    assert client.post(f"/seasons/{season.slug}/events/", {"event": event.slug}).status_code == 302
    assert "Add this event" not in text_of(client, path)
    assert len(rows_of(season)) == 2


def test_the_only_owner_of_an_event_is_not_offered_to_leave(as_user: AsUser) -> None:
    by, friend = a.a_user(), a.a_user()
    event = a_finished_event(by, in_order("Aiko", "Ben"))
    client, path = as_user(by), f"/t/{event.slug}/roles/"
    assert "Remove role" not in text_of(client, path)
    give_role(tournament=event, by=by, username=friend.username, role="scorer")
    assert text_of(client, path).count("Remove role") == 1
    give_role(tournament=event, by=by, username=friend.username, role="owner")
    assert text_of(client, path).count("Remove role") == 3, "one owner may go now"


@pytest.mark.thorough
def test_the_page_of_an_event_leads_to_the_seasons_that_its_reader_may_hear_of(as_user: AsUser) -> None:
    by, player, stranger = a.a_user(), a.a_user(), a.a_user()
    event = a_finished_event(by, in_order("Aiko", "Ben"), users={"Aiko": player})
    seen = {"public": (None, stranger, player, by), "unlisted": (player, by), "private": (player, by)}
    for visibility in seen:
        season = a_season(by, name=f"A {visibility} league", visibility=visibility)
        add_event(season=season, by=by, slug=event.slug)
    asking = a_season(stranger, name="A league that asks")
    add_event(season=asking, by=stranger, slug=event.slug)
    for reader in (None, stranger, player, by):
        page = text_of(as_user(reader), f"/t/{event.slug}/")
        named = {visibility for visibility in seen if f"A {visibility} league" in page}
        assert named == {visibility for visibility, readers in seen.items() if reader in readers}
        assert "A league that asks" not in page


@pytest.mark.thorough
def test_strangers_see_nothing_private(as_user: AsUser) -> None:
    by, stranger = a.a_user(), a.a_user()
    season = a_season(by)
    secret = a_finished_event(by, in_order("Mask"), name="Secret night", visibility="private")
    draft = a_finished_event(by, in_order("Veil"), name="Draft night")
    Tournament.objects.filter(pk=draft.pk).update(state="draft")
    for event in (secret, draft):
        add_event(season=season, by=by, slug=event.slug)
    for reader in (None, stranger):
        client = as_user(reader)
        for path in ("", "events/", "table.csv"):
            page = text_of(client, f"/seasons/{season.slug}/{path}")
            assert not [word for word in ("Secret", "Draft night", "Mask", "Veil", secret.slug) if word in page], path
        for path in ("edit/", f"events/{secret.slug}/remove/"):
            assert client.post(f"/seasons/{season.slug}/{path}").status_code in (302, 404)
    assert SeasonEvent.objects.count() == 2
    hidden = a_season(by, name="Inner circle", visibility="private")
    client = as_user(stranger)
    for path in ("", "events/", "table.csv"):
        assert client.get(f"/seasons/{hidden.slug}/{path}").status_code == 404
    assert "Inner circle" not in text_of(client, "/seasons/")


@pytest.mark.thorough
@pytest.mark.parametrize("reader", ["nobody", "owner"])
def test_the_page_of_a_long_season_takes_ten_queries(
    as_user: AsUser, django_assert_max_num_queries: DjangoAssertNumQueries, reader: str
) -> None:
    by = a.a_user()
    season = a_season(by, decay="month", loss=5, best=3, divisions=(DivisionPlan("A", down=2), DivisionPlan("B", up=2)))
    names = [f"Player {number:03}" for number in range(120)]
    counted(
        season, [a_finished_event(by, in_order(*names[days:]), days=days, name=f"Night {days}") for days in range(12)]
    )
    update(season.pk)
    client = as_user(by if reader == "owner" else None)
    text_of(client, "/seasons/")
    with django_assert_max_num_queries(10):
        page = text_of(client, f"/seasons/{season.slug}/?division=2&page=2&q=player")
    assert "Player 0" in page


def test_the_list_names_the_first_three_of_a_season(client: Client) -> None:
    by = a.a_user()
    season, empty = a_season(by, name="League"), a_season(by, name="Cup")
    add_event(season=season, by=by, slug=a_finished_event(by, in_order("Aiko", "Ben", "Chiyo", "Dai")).slug)
    update(season.pk)
    page = text_of(client, "/seasons/")
    row = page.partition(f'href="/seasons/{season.slug}/"')[2].partition("</ol>")[0]
    assert re.findall(r'class="name">([^<]+)<', row) == ["Aiko", "Ben", "Chiyo"]
    assert "Dai" not in page
    assert "No results yet" in page.partition(f'href="/seasons/{empty.slug}/"')[2].partition("</li>")[0]


def test_divisions_without_results_hide_no_leader(client: Client) -> None:
    by = a.a_user()
    season = a_season(by, divisions=(DivisionPlan("First", down=1), DivisionPlan("Second", up=1)))
    add_event(season=season, by=by, slug=a_finished_event(by, in_order("Aiko", "Ben")).slug)
    update(season.pk)
    assert not SeasonPerson.objects.filter(season=season, division__position=1).exists()
    assert ">Aiko<" in text_of(client, "/seasons/")
    # The season's own page opens at the first division that somebody is in; the other one is still a page.
    assert "Nobody is in this division yet." not in text_of(client, f"/seasons/{season.slug}/")
    assert "Nobody is in this division yet." in text_of(client, f"/seasons/{season.slug}/?division=1")


def test_the_table_of_a_season_says_who_won_its_events(client: Client) -> None:
    by = a.a_user()
    season = a_season(by)
    add_event(season=season, by=by, slug=a_finished_event(by, in_order("Ben", "Aiko")).slug)
    update(season.pk)
    events = text_of(client, f"/seasons/{season.slug}/").partition("season-events")[2]
    assert '<span class="won">Ben</span>' in events
    assert "Weight" not in events
    SeasonEvent.objects.update(weight=150)
    assert "Weight" in text_of(client, f"/seasons/{season.slug}/")
