"""A person's page: the best of their entries first, figures in the head, what is over below what is on."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.builders import events as a
from tournaments.models import Role, Tournament

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
