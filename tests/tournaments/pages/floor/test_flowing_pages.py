"""Pages of a bracket that flows: desk, projector, a player's day, the phone at a table."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.builders.clubs import tables_of
from tests.services.databases import on_sqlite
from tests.tournaments.entries.test_links import link_of
from tests.tournaments.pages.floor.test_desk import a_phone, as_one
from tests.tournaments.progress.test_stations import a_hall, called, ended
from tournaments.entries.links import link_token
from tournaments.models import Match, Tournament
from tournaments.progress.stations import waiting_matches

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.thorough]


def a_day(event: Tournament, name: str) -> str:
    """The page of somebody, whose card is scanned."""
    phone = Client()
    return " ".join(phone.get(f"/e/{link_token(link_of(event, name))}/", follow=True).content.decode().split())


def names_at(match: Match) -> list[str]:
    return list(match.seats.order_by("index").values_list("entry__player__name", flat=True))


def journey() -> None:
    """The desk calls matches to tables, enters a result, and the next match is called to the table that got free."""
    event = a_hall(tables=None)
    desk, here = as_one(event.created_by), f"/t/{event.slug}/desk/"
    assert "Call all waiting matches" in desk.get(here).content.decode()
    desk.post(f"{here}tables/", {"tables": "2"})
    page = desk.get(here).content.decode()
    assert "Free: 1, 2." in page
    one = waiting_matches(event)[2]
    said = desk.post(f"{here}call-match/", {"match": str(one.uuid), "station": "2"}, follow=True).content.decode()
    assert "Table 2 is called." in said
    assert "1 match is called." in desk.post(f"{here}call-free/", follow=True).content.decode()
    assert "None is free." in desk.get(here).content.decode()
    ended(called()[0])
    desk.post(f"{here}tables/", {"tables": "2", "alone": "1"})
    assert [match.station for match in called()] == [1, 2]
    ended(called()[0])
    assert [match.station for match in called()] == [1, 2]


def test_the_desk_calls_matches_to_tables() -> None:
    journey()


@on_sqlite
def test_the_desk_calls_matches_to_tables_on_sqlite_too() -> None:
    journey()


def test_a_day_tells_where_and_for_whom_one_waits() -> None:
    event = a_hall(tables=1, kind="single_elim", alone=True)
    first = called()[0]
    winner, loser = names_at(first)
    assert "<h1> Table 1 </h1>" in a_day(event, winner)
    waiting = names_at(waiting_matches(event)[0])[0]
    assert "You are called to a table as soon as one is free." in a_day(event, waiting)
    ended(first)
    assert "You wait for the winner of Quarter-final 2." in a_day(event, winner)
    assert "You are out of the bracket" in a_day(event, loser)


def test_the_phone_at_a_table_tells_what_comes_next() -> None:
    a_hall(tables=2, people=4, kind="single_elim", alone=True)
    first, second = called()
    phone, url = a_phone(first, 0), f"/x/{first.uuid}/"
    assert "Table 1" in phone.get(url).content.decode()
    ended(first)
    assert "You wait for the winner of Semi-final 2." in phone.get(url).content.decode()
    ended(second)
    assert "Your next match is at table 1." in phone.get(url).content.decode()
    assert "You are out of the bracket" in a_phone(first, 1).get(url).content.decode()


def test_the_projector_shows_tables_and_who_waits() -> None:
    event = a_hall(tables=2, alone=True)
    page = " ".join(Client().get(f"/t/{event.slug}/screen/").content.decode().split())
    assert "Tables now" in page
    for name in [name for match in tables_of(event) for name in names_at(match)]:
        assert name in page


def test_a_person_with_a_bye_waits_for_a_match_of_whole_rounds_too() -> None:
    event = a_hall(tables=None, people=5, kind="single_elim", flows=False)
    playing = {name for match in tables_of(event) for name in names_at(match)}
    assert playing
    resting = [name for name in ("Aiko", "Ben", "Chiyo", "Dai", "Emi") if name not in playing]
    days = [a_day(event, name) for name in resting]
    assert any("You wait for the winner of Quarter-final 2." in day for day in days)
