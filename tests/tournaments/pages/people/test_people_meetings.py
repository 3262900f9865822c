"""A person's page: what they take part in, themselves and by their bots, and whom they met, by accounts alone."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from tests.builders import events as a
from tests.builders.clubs import person, tables_of, totals
from tests.tournaments.ratings.test_people_ratings import a_rated_night, folded
from tournaments.models import Tournament
from tournaments.people.meetings import Meeting, events_of, meetings_of
from tournaments.ratings.actions import claim_entry
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db


def a_night_of(first: User, second: User, points: tuple[int, int], **changes: object) -> Tournament:
    """The first of each side of table 1 are these accounts; they end it so."""
    event = a_rated_night(**changes)  # type: ignore[arg-type]  # by name, as the builder has them
    match = tables_of(event)[0]
    for seat, user in zip(match.seats.select_related("entry__player").order_by("index"), (first, second), strict=True):
        assert seat.entry is not None
        claim_entry(entry=person(event, seat.entry.player.name), by=user)
    submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(*points))
    return event


def words(path: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", Client().get(path).content.decode()))


@pytest.mark.slow
def test_two_accounts_meet_and_each_reads_it_from_their_side() -> None:
    kimo, lani = a.a_user("kimo"), a.a_user("lani")
    for points in ((130, 110), (150, 90), (120, 120), (100, 140)):
        a_night_of(kimo, lani, points, name=f"Night {points}")
    assert meetings_of(kimo) == [Meeting("lani", "lani", ahead=2, level=1, behind=1)]
    assert meetings_of(lani) == [Meeting("kimo", "kimo", ahead=1, level=1, behind=2)]
    folded()
    assert "Head to head" in words("/u/kimo/")
    assert "lani 2 1 1" in words("/u/kimo/")


@pytest.mark.slow
def test_names_alone_are_nobody_and_private_events_tell_nothing() -> None:
    kimo, lani = a.a_user("kimo"), a.a_user("lani")
    a_night_of(kimo, lani, (130, 110), visibility="private", name="Among us")
    assert meetings_of(kimo) == []
    assert "Among us" not in words("/u/kimo/")
    event = a_rated_night(name="Alone")
    claim_entry(entry=person(event, "Aiko"), by=kimo)
    assert meetings_of(kimo) == []
    a_night_of(kimo, lani, (130, 110), name="Gone")
    assert len(meetings_of(kimo)) == 1
    User.objects.filter(pk=lani.pk).update(is_active=False)
    assert meetings_of(kimo) == [], "who left is named nowhere"


@pytest.mark.slow
def test_what_they_take_part_in_themselves_and_by_their_bots() -> None:
    kimo, lani = a.a_user("kimo"), a.a_user("lani")
    night = a_night_of(kimo, lani, (130, 110))
    bot = a.a_bot(kimo, name="Plum")
    league = a.an_open_event(name="Of bots")
    a.entered(league, [bot])
    for has_many in (False, True):
        assert [entry.tournament for entry in events_of(kimo, has_many=has_many)] == [league, night]
    page = words("/u/kimo/")
    assert "Club night" in page
    assert "Of bots" in page
    with CaptureQueriesContext(connection) as seen:
        events_of(kimo)
        meetings_of(kimo)
    assert len(seen) == 2
    assert "In no public tournament yet." in words(f"/u/{a.a_user().username}/")
