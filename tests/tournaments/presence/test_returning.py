"""Coming back after leaving: with one's points, at any time before the last round is drawn, never as a twin."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from tests.builders.clubs import a_called_night, a_club_night, person, round_of, tables_of
from tests.services.databases import on_sqlite
from tests.tournaments.progress.test_people import draw_next, finish_round, refused, stage_of, with_role
from tests.tournaments.progress.test_undo import restores
from tournaments.entries.people import add_list, add_person, withdraw_person
from tournaments.matches.byes import requested_byes_in
from tournaments.models import Entry, Tournament
from tournaments.presence.returning import bring_back, may_come_back
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.standings import store

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]


def seated(event: Tournament, number: int) -> set[str]:
    """Names of everybody at a table of a round."""
    return {seat.entry.player.name for match in tables_of(event, number) for seat in match.seats.all() if seat.entry}


def next_round(event: Tournament) -> None:
    """Finish the last round, draw another and call it."""
    number = stage_of(event).rounds.count()
    finish_round(event, number)
    call_round(round_row=draw_next(event), by=event.created_by)


@pytest.mark.thorough
def test_somebody_who_left_comes_back_with_the_points_and_is_drawn_again() -> None:
    event = a_called_night(rounds=4)
    by = event.created_by
    finish_round(event)
    before = store.differences(stage_of(event))
    ben = person(event, "Ben")
    withdraw_person(entry=ben, by=by)
    next_round(event)
    next_round(event)
    assert "Ben" not in seated(event, 2) | seated(event, 3)
    bring_back(entry=ben, by=by)
    bring_back(entry=ben, by=by)
    assert Entry.objects.filter(tournament=event, player__name="Ben").count() == 1
    assert requested_byes_in(stage_of(event)) == {str(ben.uuid): {2: 0, 3: 0}}
    next_round(event)
    assert "Ben" in seated(event, 4) or str(ben.uuid) in round_of(event, 4).plan["byes"]
    assert before == store.differences(stage_of(event)) == []


@pytest.mark.thorough
def test_the_name_of_who_left_is_no_second_entry(as_user: Become) -> None:
    event = a_called_night(rounds=4)
    by = event.created_by
    withdraw_person(entry=person(event, "Ben"), by=by)
    with refused("entry.left"):
        add_person(tournament=event, by=by, name=" ben ")
    with refused("entry.left"):
        add_list(tournament=event, by=by, data=b"Gen\nBen\n")
    assert event.entries.count() == 6
    desk = as_user(by)
    answer = desk.post(f"/t/{event.slug}/desk/add/", {"name": "Ben"})
    assert answer.status_code == 422
    uuid = str(person(event, "Ben").uuid)
    assert f'name="entry" value="{uuid}"' in answer.content.decode()
    desk.post(f"/t/{event.slug}/desk/back/", {"entry": uuid})
    assert person(event, "Ben").state == Entry.State.ACTIVE
    add_person(tournament=event, by=by, name="Ben", club="Lyon")  # somebody else


@pytest.mark.thorough
def test_it_is_too_late_once_the_last_round_is_drawn() -> None:
    event = a_called_night(rounds=2)
    ben = person(event, "Ben")
    withdraw_person(entry=ben, by=event.created_by)
    ben.refresh_from_db()
    assert may_come_back(ben)
    next_round(event)
    assert not may_come_back(ben)
    with refused("entry.too_late"):
        bring_back(entry=ben, by=event.created_by)


@pytest.mark.thorough
def test_a_slip_of_the_thumb_in_the_last_round_is_put_right() -> None:
    event = a_called_night(rounds=1)
    ben = person(event, "Ben")
    withdraw_person(entry=ben, by=event.created_by)
    bring_back(entry=ben, by=event.created_by)
    assert person(event, "Ben").state == Entry.State.ACTIVE


@pytest.mark.thorough
def test_all_tables_of_a_round_robin_are_theirs_again() -> None:
    event = a_called_night(people=4, kind="round_robin")
    ben = person(event, "Ben")
    withdraw_person(entry=ben, by=event.created_by)
    finish_round(event)
    bring_back(entry=ben, by=event.created_by)
    assert "Ben" in seated(event, 3)
    assert requested_byes_in(stage_of(event)) == {}


@pytest.mark.thorough
def test_nobody_comes_back_to_a_bracket_that_has_gone_on() -> None:
    event = a_called_night(people=8, kind="single_elim")
    by, ben = event.created_by, person(event, "Ben")
    withdraw_person(entry=ben, by=by)
    bring_back(entry=ben, by=by)
    withdraw_person(entry=ben, by=by)
    next_round(event)
    with refused("entry.too_late"):
        bring_back(entry=ben, by=by)


@pytest.mark.thorough
def test_before_the_start_they_are_on_the_list_again_if_there_is_room() -> None:
    event = a_club_night()
    by, ben = event.created_by, person(event, "Ben")
    withdraw_person(entry=ben, by=by)
    bring_back(entry=ben, by=by)
    assert person(event, "Ben").state == Entry.State.ENTERED
    withdraw_person(entry=ben, by=by)
    Tournament.objects.filter(pk=event.pk).update(max_entries=5)
    with refused("entry.full"):
        bring_back(entry=ben, by=by)
    start_tournament(tournament=event, by=by)
    bring_back(entry=ben, by=by)
    assert person(event, "Ben").state == Entry.State.ENTERED


@pytest.mark.thorough
def test_who_may_and_undo() -> None:
    event = a_called_night(rounds=3)
    ben = person(event, "Ben")
    withdraw_person(entry=ben, by=event.created_by)
    with refused("tournament.not_organiser"):
        bring_back(entry=ben, by=with_role(event, "scorer"))
    next_round(event)
    restores(event, lambda: bring_back(entry=ben, by=event.created_by))


@pytest.mark.thorough
@on_sqlite
def test_the_desk_asks_before_somebody_leaves_and_brings_them_back(as_user: Become) -> None:
    event = a_called_night(rounds=3)
    desk, uuid = as_user(event.created_by), person(event, "Ben").uuid
    assert f"/t/{event.slug}/entries/{uuid}/presence/" in desk.get(f"/t/{event.slug}/entries/").content.decode()
    page = desk.get(f"/t/{event.slug}/entries/{uuid}/presence/").content.decode()
    assert "is already drawn: they stay at it" in page
    assert "You can bring them back until the last round is drawn." in page
    desk.post(f"/t/{event.slug}/desk/leave/", {"entry": str(uuid)})
    listed = desk.get(f"/t/{event.slug}/entries/").content.decode()
    assert "Bring back" in listed
    answer = desk.post(f"/t/{event.slug}/desk/back/", {"entry": str(uuid)}, follow=True)
    assert "Ben is back, with the points won before" in answer.content.decode()


@pytest.mark.thorough
def test_the_page_is_for_organisers_alone(as_user: Become) -> None:
    event = a_called_night()
    path = f"/t/{event.slug}/entries/{person(event, 'Ben').uuid}/presence/"
    assert as_user(with_role(event, "scorer")).get(path).status_code == 404
    assert as_user(None).get(path).status_code == 302
