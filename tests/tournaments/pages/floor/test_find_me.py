"""Find me: a name typed on an event's page gives the table; lists of events by who plays."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.builders import events as a
from tests.builders.clubs import a_called_night, a_club_night, person, tables_of
from tests.builders.mixed import a_running_mixed_event
from tests.builders.teams import a_drawn_night
from tests.tournaments.progress.test_people import finish_round, stage_of
from tournaments.progress.rounds import preview_next
from tournaments.progress.run import start_tournament

pytestmark = pytest.mark.django_db


def found(slug: str, name: str) -> str:
    page = Client().get(f"/t/{slug}/", {"find": name}).content.decode()
    part = re.search(r'<section id="find-me".*?</section>', page, re.DOTALL)
    assert part is not None
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", part[0]))


@pytest.mark.thorough
def test_a_name_gives_the_table_the_round_and_the_others() -> None:
    event = a_called_night(people=6)
    for match in tables_of(event):
        for seat in match.seats.select_related("entry__player"):
            assert seat.entry is not None
            said = found(event.slug, seat.entry.player.name.upper()[:3])
            assert f"Table {match.table_no}" in said
            assert "round 1" in said
    assert "Nobody with that name" in found(event.slug, "Zoë")
    assert found(event.slug, " ").count("Table") == 0


@pytest.mark.thorough
def test_before_the_start_it_says_that_they_are_entered_and_a_draft_round_tells_nothing() -> None:
    event = a_club_night(people=4)
    assert "No table in the current round" in found(event.slug, "Aiko")
    start_tournament(tournament=event, by=event.created_by)
    finish_round(event)
    before = found(event.slug, "Aiko")
    preview_next(stage=stage_of(event), by=event.created_by)
    assert found(event.slug, "Aiko") == before


@pytest.mark.thorough
def test_a_member_of_a_team_is_found_by_their_own_name() -> None:
    event = a_drawn_night()
    start_tournament(tournament=event, by=event.created_by)
    match = tables_of(event)[0]
    seat = match.seats.select_related("player").exclude(player=None)[0]
    assert seat.player is not None
    assert f"Table {match.table_no}" in found(event.slug, seat.player.name)


@pytest.mark.thorough
def test_it_asks_little_and_no_more_for_more_people() -> None:
    counts = []
    for people in (4, 8):
        event = a_called_night(people=people, name=f"Night of {people}")
        with CaptureQueriesContext(connection) as seen:
            Client().get(f"/t/{event.slug}/", {"find": "a"})
        counts.append(len(seen))
        assert person(event, "Aiko").tournament_id == event.pk
    assert counts[0] == counts[1]
    assert counts[1] <= 13, "the overview's ten and three for the name"


@pytest.mark.thorough
def test_lists_of_events_by_who_plays() -> None:
    people, bots, both = a_called_night(people=4), a.an_open_event(name="Of bots"), a_running_mixed_event()

    def listed(who: str) -> set[str]:
        page = Client().get("/t/", {"who": who}).content.decode()
        return {slug for slug in (people.slug, bots.slug, both.slug) if f'href="/t/{slug}/"' in page}

    assert listed("people") == {people.slug, both.slug}
    assert listed("bots") == {bots.slug, both.slug}
    assert listed("") == listed("dragons") == {people.slug, bots.slug, both.slug}
