"""A person's page: the best of their entries first, figures in the head, what is over below what is on."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.builders import events as a
from tournaments.models import Role, Tournament
from tournaments.people.hosting import LEVELS, WEEKS, hosted_in, weeks_of

pytestmark = pytest.mark.django_db


def words(path: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", Client().get(path).content.decode()))


@pytest.mark.thorough
def test_three_entries_of_an_event_are_named_and_the_rest_are_counted() -> None:
    kimo = a.a_user("kimo")
    league = a.an_open_event(name="Of bots", entries_per_owner=8)
    a.entered(league, [a.a_bot(kimo, name=f"Plum {n}") for n in range(5)])
    page = Client().get("/u/kimo/").content.decode()
    entries = page[page.index('class="entrants"') :]
    assert [f"Plum {n}" in entries for n in range(5)] == [True, True, True, False, False]
    assert "All 5 entries" in entries
    assert "5 bots" in words("/u/kimo/")
    assert "5 entries" in words("/u/kimo/")
    assert "Active version" not in page


def test_what_is_over_is_a_line_below_what_is_on() -> None:
    event, over = a.an_open_event(name="Still on"), a.an_open_event(name="Long over")
    organiser = event.created_by
    Role.objects.filter(tournament=over).update(user=organiser)
    Tournament.objects.filter(pk=over.pk).update(state="finished")
    page = Client().get(f"/u/{organiser.username}/").content.decode()
    tiles, rows = page.split('class="plain over"')
    assert "Still on" in tiles
    assert "Long over" in rows
    assert "Still on" not in rows


def test_the_head_counts_players_once_and_names_the_game_that_was_chosen_most() -> None:
    organiser, bot = a.a_user("kimo"), a.a_bot(name="Plum")
    events = [a.an_open_event(name=f"Event {n}") for n in range(2)]
    for event in events:
        a.entered(event, [bot])
    Role.objects.filter(tournament__in=events).update(user=organiser)
    told = words("/u/kimo/")
    assert "1 player hosted" in told
    assert "Hawaii game hosted most" in told
    assert hosted_in([]) is None


def test_six_events_that_are_over_are_shown_and_the_others_folded() -> None:
    organiser = a.a_user("kimo")
    events = [a.an_open_event(name=f"Event {n}") for n in range(8)]
    Tournament.objects.update(state="finished")
    Role.objects.filter(tournament__in=events).update(user=organiser)
    shown, folded = Client().get("/u/kimo/").content.decode().split("Show all", 1)
    assert shown.count('class="first"') == 6
    assert folded.count('class="first"') == 2
    assert "(8)" in folded
    Tournament.objects.filter(pk__in=[event.pk for event in events[:2]]).update(state="cancelled")
    assert "Show all" not in Client().get("/u/kimo/").content.decode()


def test_weeks_are_drawn_from_two_with_an_event() -> None:
    now = timezone.now()
    ages = [*[timedelta(days=1)] * 5, timedelta(weeks=2), timedelta(weeks=WEEKS)]
    events = [Tournament(started_at=now - age) for age in ages] + [Tournament()]
    assert weeks_of(events, now) == (*[0] * (WEEKS - 3), 1, 0, LEVELS)
    assert weeks_of(events[:5], now) == ()
