"""Late comers where all tables are drawn: the refusal says what to do, and they take the place of who did not come."""

from __future__ import annotations

import pytest

from tests.builders.clubs import a_club_night, person, tables_of, totals
from tests.builders.keys import Caller
from tests.services.databases import on_sqlite
from tests.tournaments.pages.floor.test_desk import as_one
from tests.tournaments.presence.test_sitting_out import choose
from tests.tournaments.progress.test_people import refused, stage_of
from tests.tournaments.progress.test_undo import restores, undo_last
from tournaments.entries.people import add_person
from tournaments.models import BirthYear, Entry, Registration, Seat, Tournament
from tournaments.presence.queries import places_to_take, reserves_of
from tournaments.presence.substitutes import replace_person
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings import store

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]


@pytest.fixture
def event() -> Tournament:
    """A called knock-out of eight with no place left."""
    event = a_club_night(people=8, kind="single_elim", seats=2, max_entries=8)
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=stage_of(event).rounds.get(number=1), by=event.created_by)
    return event


def names_at_tables(event: Tournament) -> set[str]:
    """Return who sits in round 1."""
    seats = Seat.objects.filter(match__in=tables_of(event)).select_related("entry__player", "player")
    return {(seat.player or seat.entry.player).name for seat in seats if seat.entry is not None}


def test_the_refusal_says_what_to_do_in_the_service_the_page_and_the_api(event: Tournament) -> None:
    words = "name them as the substitute"
    with refused("entry.no_late_entry"):
        add_person(tournament=event, by=event.created_by, name="Late")
    desk = as_one(event.created_by)
    assert words in desk.post(f"/t/{event.slug}/desk/add/", {"name": "Late"}, follow=True).content.decode()
    page = desk.get(f"/t/{event.slug}/entries/").content.decode()
    assert words in page
    assert "Takes the place of" in page
    program = Caller(event.created_by)
    answer = program.post(f"/api/v1/tournaments/{event.slug}/entries", {"name": "Late"}, Idempotency_Key="late")
    assert (answer.json()["code"], words in answer.content.decode()) == ("entry.no_late_entry", True)
    ben = person(event, "Ben")
    done = program.post(f"/api/v1/tournaments/{event.slug}/entries/{ben.uuid}:substitute", {"name": "Late"})
    assert (done.status_code, done.json()["name"]) == (200, "Late"), done.content


@on_sqlite
def test_a_reserve_takes_a_place_in_a_full_bracket_on_the_page(event: Tournament) -> None:
    desk, ben = as_one(event.created_by), person(event, "Ben")
    answer = desk.post(f"/t/{event.slug}/desk/replace/", {"entry": str(ben.uuid), "name": "Late"}, follow=True)
    assert "Late plays in place of Ben." in answer.content.decode()
    assert ("Late" in names_at_tables(event), "Ben" in names_at_tables(event)) == (True, False)
    assert store.differences(stage_of(event)) == []


def test_whoever_has_played_keeps_the_place(event: Tournament) -> None:
    played = tables_of(event)[0]
    submit_result(match=played, actor=Actor(user=event.created_by), claim=totals(130, 110))
    at_it = {seat.entry.player.name for seat in played.seats.all() if seat.entry is not None}
    free = {entry.player.name for entry in places_to_take(event)}
    assert (len(free), free & at_it) == (6, set())


def test_starting_at_zero_means_nothing_where_nobody_joins_late(event: Tournament) -> None:
    choose(event, substitutes_keep_points=False)
    restores(event, lambda: replace_person(entry=person(event, "Ben"), by=event.created_by, name="Late"))
    replace_person(entry=person(event, "Ben"), by=event.created_by, name="Late")
    assert "Late" in names_at_tables(event)


def test_somebody_on_the_waiting_list_is_a_reserve() -> None:
    late = a_club_night(people=8, kind="single_elim", seats=2, max_entries=9)
    add_person(tournament=late, by=late.created_by, name="Ivo")
    # As a registration leaves it: still waiting when the event starts.
    Entry.objects.filter(pk=person(late, "Ivo").pk).update(state=Entry.State.WAITLISTED)
    start_tournament(tournament=late, by=late.created_by)
    assert [entry.player.name for entry in reserves_of(late)] == ["Ivo"]
    page = as_one(late.created_by).get(f"/t/{late.slug}/entries/").content.decode()
    assert '<option value="Ivo">' in page
    ben = person(late, "Ben")
    restores(late, lambda: replace_person(entry=ben, by=late.created_by, name="Ivo"))
    assert replace_person(entry=ben, by=late.created_by, name="Ivo").player.name == "Ivo"
    assert person(late, "Ben").state == Entry.State.WITHDRAWN
    assert reserves_of(late) == []


def test_registrations_and_years_of_birth_go_with_their_people(event: Tournament) -> None:
    ben = person(event, "Ben")
    BirthYear.objects.create(entry=ben, year=1990)
    row = Registration.objects.create(
        tournament=event, name="Ben", email="ben@example.org", entry=ben, state="accepted"
    )
    replace_person(entry=ben, by=event.created_by, name="Late")
    row.refresh_from_db()
    assert row.entry == person(event, "Ben") != ben
    assert BirthYear.objects.get().entry == person(event, "Ben")
    undo_last(event)
    row.refresh_from_db()
    assert (row.entry, BirthYear.objects.get().entry) == (ben, ben)
