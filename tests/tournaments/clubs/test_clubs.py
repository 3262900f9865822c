"""Clubs: spellings are one club, its people and events, joining; nothing of a private event is shown to strangers."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from core.errors import TournamentError
from tests.builders import events as a
from tests.builders.clubs import a_called_night, person, tables_of, totals
from tests.builders.seasons import a_finished_event, a_season, in_order
from tournaments.clubs.in_seasons import clubs_in
from tournaments.clubs.membership import MAX_CLUBS, join_club, leave_club
from tournaments.clubs.queries import club_keys, club_lines, club_page
from tournaments.matches import counters
from tournaments.models import ClubMember, ClubTally, Player
from tournaments.models.club import club_key
from tournaments.scores.actions import Actor, submit_result
from tournaments.seasons.events import add_event

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("one", "other"),
    [("Café KOI", "cafe  koi"), ("ＬＹＯＮ", "Lyon"), ("東京 花札会", "東京\u3000花札会"), ("☆☆☆", " ☆☆☆ ")],
)
def test_spellings_of_one_club(one: str, other: str) -> None:
    assert club_key(one) == club_key(other) != ""


def test_other_names_are_other_clubs() -> None:
    assert len({club_key(name) for name in ("Lyon", "Lyon B", "リヨン", "☆", "x" * 60)}) == 5
    assert club_key(" ") == ""


@pytest.mark.thorough
def test_a_club_has_people_events_and_what_they_won() -> None:
    event = a_called_night(people=4, rounds=1)
    by = event.created_by
    for name, club in (("Aiko", "Lyon"), ("Ben", "LYON"), ("Chiyo", "Nara")):
        player = person(event, name).player
        player.club = club
        player.save(update_fields=["club"])
    for table in tables_of(event):
        submit_result(match=table, actor=Actor(user=by), claim=totals(140, 80))
    lines = club_lines(club_keys(None), None)
    assert [(club_key(line.name), line.entries) for line in lines] == [("lyon", 2), ("nara", 1)]
    assert club_keys(None, words="LYO") == ["lyon"]
    page = club_page("lyon", None)
    assert page is not None
    assert (set(page.spellings), page.events) == ({"LYON", "Lyon"}, (event,))
    assert {each.name for each in page.people} == {"Aiko", "Ben"}
    assert all(each.tables == 1 and each.events_n == 1 for each in page.people)
    first = [seat.entry for table in tables_of(event) for seat in table.seats.filter(place=1)]
    winners = {entry.player.name for entry in first if entry is not None}
    assert {each.name for each in page.people if each.won} == winners & {"Aiko", "Ben"}


def test_strangers_hear_nothing_of_private_events() -> None:
    by = a.a_user()
    a_finished_event(by, in_order("Aiko"), clubs={"Aiko": "Inner circle"}, visibility="private")
    assert (club_keys(None), club_lines(["inner-circle"], None), club_page("inner-circle", None)) == ([], [], None)
    assert [line.name for line in club_lines(club_keys(by), by)] == ["Inner circle"]
    with pytest.raises(TournamentError) as refusal:
        join_club(user=a.a_user(), key="inner-circle")
    assert refusal.value.code == "club.unknown"


@pytest.mark.thorough
def test_an_account_joins_and_leaves(client: Client) -> None:
    by, guest = a.a_user(), a.a_user("guest")
    a_finished_event(by, in_order("Aiko"), clubs={"Aiko": "Lyon"})
    client.force_login(guest, backend="django.contrib.auth.backends.ModelBackend")
    for _twice in range(2):
        assert client.post("/clubs/lyon/join/").status_code == 302
    page = client.get("/clubs/lyon/").content.decode()
    assert all(words in page for words in ("guest", "Aiko", "says so with an account", "Leave this club"))
    assert ClubMember.objects.count() == 1
    for _twice in range(2):
        assert client.post("/clubs/lyon/leave/").status_code == 302
    assert not ClubMember.objects.exists()
    assert client.post("/clubs/nara/join/").status_code == 404
    assert client.get("/clubs/nara/").status_code == 404
    assert "Lyon" in client.get("/clubs/?q=ly").content.decode()


def test_a_person_joins_ten_clubs_at_most() -> None:
    by = a.a_user()
    names = [f"P{number}" for number in range(MAX_CLUBS + 1)]
    a_finished_event(by, in_order(*names), clubs={name: f"Club {name}" for name in names})
    for name in names[:-1]:
        join_club(user=by, key=club_key(f"Club {name}"))
    with pytest.raises(TournamentError) as refusal:
        join_club(user=by, key=club_key(f"Club {names[-1]}"))
    assert refusal.value.code == "club.too_many"
    leave_club(user=by, key=club_key(f"Club {names[0]}"))
    join_club(user=by, key=club_key(f"Club {names[-1]}"))


def test_clubs_of_a_season_add_up_their_people(client: Client) -> None:
    by = a.a_user()
    season = a_season(by, place_points=(1000, 600, 300, 100))
    clubs = {"Aiko": "Lyon", "Ben": "Nara", "Chiyo": "lyon"}
    event = a_finished_event(by, in_order("Ben", "Aiko", "Chiyo", "Dai"), clubs=clubs)
    add_event(season=season, by=by, slug=event.slug)
    found = [(each.rank, each.key, each.people, each.total) for each in clubs_in(season)]
    assert found == [(1, "nara", 1, 1000), (2, "lyon", 2, 900)]
    assert "Nara" in client.get(f"/seasons/{season.slug}/clubs/").content.decode()


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("visibility", ["public", "unlisted"])
def test_a_club_of_a_season_is_a_link_where_it_leads_somewhere(client: Client, visibility: str) -> None:
    by = a.a_user()
    season = a_season(by, visibility=visibility)
    event = a_finished_event(by, in_order("Aiko", "Ben"), clubs={"Aiko": "Lyon"}, visibility=visibility)
    add_event(season=season, by=by, slug=event.slug)
    aiko = season.people.get(name="Aiko")
    assert client.get("/clubs/lyon/").status_code == (200 if visibility == "public" else 404)
    for path in ("", "clubs/", f"people/{aiko.uuid}/"):
        page = client.get(f"/seasons/{season.slug}/{path}").content.decode()
        assert ("Lyon" in page, 'href="/clubs/lyon/"' in page) == (True, visibility == "public"), path


def test_a_page_of_a_club_looks_at_no_other_club() -> None:
    by = a.a_user()
    names = [f"P{number}" for number in range(30)]
    a_finished_event(by, in_order(*names), clubs={name: f"Club {name}" for name in names})
    with CaptureQueriesContext(connection) as queries:
        assert club_page("club-p7", None) is not None
    assert len(queries) == 4
    assert not any("GROUP BY" in query["sql"] and "tournaments_seat" not in query["sql"] for query in queries)


def test_the_list_looks_at_the_entries_of_its_page_alone(client: Client) -> None:
    by = a.a_user()
    names = [f"P{number:03}" for number in range(120)]
    for days in range(2):
        a_finished_event(by, in_order(*names), days=days, clubs={name: f"Club {name}" for name in names})
    counters.add_up()
    assert client.get("/clubs/").status_code == 200
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/clubs/?page=3").content.decode()
    assert [f"Club P{number:03}" in page for number in (99, 100, 119)] == [False, True, True]
    assert len(queries) <= 4
    # The clubs come from their sums; of entries, those of the twenty clubs shown are counted.
    counted = [query["sql"] for query in queries if 'COUNT("tournaments_entry"."id")' in query["sql"]]
    assert [sql.count("club-p") for sql in counted] == [20]
    assert "Page 3 of 3" in page


def test_clubs_that_nobody_is_in_any_more_are_listed_no_more() -> None:
    by = a.a_user()
    a_finished_event(by, in_order("Aiko", "Ben"), clubs={"Aiko": "Lyon", "Ben": "Nara"})
    assert club_keys(None) == ["lyon", "nara"]
    for player in Player.objects.filter(club="Lyon"):
        player.club = "Nara"
        player.save(update_fields=["club"])
    assert club_keys(None) == ["nara"]
    counters.add_up()
    assert (club_keys(None), ClubTally.objects.filter(club_key="lyon").exists()) == (["nara"], False)


def test_the_key_follows_the_club_however_it_is_written() -> None:
    one = Player.objects.create(name="Aiko", kind=Player.Kind.HUMAN, club="Café KOI")
    many = Player.objects.bulk_create([Player(name="Ben", kind=Player.Kind.HUMAN, club="Nara")])
    one.refresh_from_db()
    assert (one.club_key, many[0].club_key) == ("cafe-koi", "nara")
    assert Player.objects.filter(club_key="nara").exists()
    one.club = ""
    one.save(update_fields=["club", "name"])
    one.refresh_from_db()
    assert one.club_key == ""
    assert club_page("", None) is None
