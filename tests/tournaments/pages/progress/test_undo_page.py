"""The line that offers to undo, and its page: who sees it, what it says, what it answers when things moved on."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.tokens import make_token
from bots.jobs.process import Process
from bots.models import AuditEvent
from tests.builders import events as a
from tests.builders.clubs import a_called_night, a_club_night, person, tables_of, totals
from tests.builders.leagues import play
from tests.tournaments.pages.floor.test_desk import as_one
from tests.tournaments.progress.test_people import with_role
from tournaments.entries.people import withdraw_person
from tournaments.models import Entry, Match
from tournaments.progress import undo
from tournaments.progress.run import cancel_tournament, pause_tournament, resume_tournament
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db


@pytest.mark.thorough
def test_one_button_on_the_desk_takes_the_last_thing_back() -> None:
    event = a_called_night()
    owner = as_one(event.created_by)
    withdraw_person(entry=person(event, "Ben"), by=event.created_by)
    text = owner.get(f"/t/{event.slug}/desk/").content.decode()
    assert "Ben left the event" in text
    assert f'action="/t/{event.slug}/undo/"' in text
    shown = owner.get(f"/t/{event.slug}/undo/").content.decode()
    assert "Ben: withdrawn → playing" in shown
    assert person(event, "Ben").state == Entry.State.WITHDRAWN
    seen = undo.last_undoable(event)
    assert seen is not None
    answer = owner.post(f"/t/{event.slug}/undo/", {"seen": seen.id, "next": f"/t/{event.slug}/"}, follow=True)
    assert answer.redirect_chain[0][0] == f"/t/{event.slug}/"
    assert "Undone: “Ben left the event”." in answer.content.decode()
    assert person(event, "Ben").state == Entry.State.ACTIVE
    again = owner.post(f"/t/{event.slug}/undo/", {"seen": seen.id})
    assert (again.status_code, "undo.already_undone" in again.content.decode()) == (409, True)
    assert "undid the last action" in owner.get(f"/t/{event.slug}/feed/").content.decode()
    assert AuditEvent.objects.filter(verb="tournament.undo").count() == 1


@pytest.mark.thorough
def test_what_moved_on_is_a_conflict_and_nothing_is_undone() -> None:
    event = a_called_night()
    owner, match = as_one(event.created_by), tables_of(event)[0]
    seen = undo.last_undoable(event)
    assert seen is not None
    submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110))
    for wanted in (seen.id, 0, "x", "9" * 40, ""):
        answer = owner.post(f"/t/{event.slug}/undo/", {"seen": wanted})
        assert (answer.status_code, "undo.moved" in answer.content.decode()) == (409, True)
    assert owner.get(f"/t/{event.slug}/undo/").status_code == 409
    match.refresh_from_db()
    assert match.state == Match.State.REPORTED


@pytest.mark.thorough
def test_a_league_that_has_finished_offers_no_undo_and_refuses_one(process: Process) -> None:
    event = a.a_running_event(bots=2)
    owner = as_one(event.created_by)
    pause_tournament(tournament=event, by=event.created_by)
    resume_tournament(tournament=event, by=event.created_by)
    form = f'action="/t/{event.slug}/undo/"'
    seen = undo.last_undoable(event)
    assert seen is not None
    assert form in owner.get(f"/t/{event.slug}/desk/").content.decode()
    play(process)
    event.refresh_from_db()
    assert event.state == "finished"
    for path in ("", "desk/"):
        assert form not in owner.get(f"/t/{event.slug}/{path}").content.decode(), path
    for answer in (owner.post(f"/t/{event.slug}/undo/", {"seen": seen.id}), owner.get(f"/t/{event.slug}/undo/")):
        assert (answer.status_code, "undo.moved" in answer.content.decode()) == (409, True)
    event.refresh_from_db()
    assert event.state == "finished"


@pytest.mark.thorough
def test_each_role_is_offered_what_it_could_have_done() -> None:
    event = a_called_night()
    roles = {role: as_one(with_role(event, role)) for role in ("director", "arbiter", "scorer")}
    here = f"/t/{event.slug}/undo/"
    assert {role: client.get(here).status_code for role, client in roles.items()} == {
        "director": 200,
        "arbiter": 403,
        "scorer": 403,
    }
    assert as_one(a.a_user()).get(here).status_code == 404
    assert as_one(None).get(here).status_code == 302
    assert "Last action" not in roles["scorer"].get(f"/t/{event.slug}/desk/").content.decode()
    submit_result(match=tables_of(event)[0], actor=Actor(user=event.created_by), claim=totals(130, 110))
    assert {client.get(here).status_code for client in roles.values()} == {200}
    assert "Last action" not in as_one(a.a_user()).get(f"/t/{event.slug}/").content.decode()


@pytest.mark.thorough
def test_who_has_no_role_is_told_so_whatever_was_done() -> None:
    event = a_called_night(people=4)
    found = undo.last_undoable(event)
    stranger = as_one(a.a_user())
    _token, key = make_token(user=a.a_user(), name="mine", scopes=["event:write"])
    seen = ["", "x", "0", "999999", str(found.id if found else 1)]
    for said in ({"dry_run": True}, *({"seen": each} for each in seen)):
        for client, more in ((stranger, {}), (Client(), {"Authorization": f"Bearer {key}"})):
            answer = client.post(
                f"/api/v1/tournaments/{event.slug}:undo", said, content_type="application/json", headers=more
            )
            assert (answer.status_code, answer.json()["code"]) == (403, "tournament.not_organiser"), said


@pytest.mark.thorough
def test_what_cannot_be_undone_says_what_to_do_instead() -> None:
    event = a.a_running_event()
    owner = as_one(event.created_by)
    text = owner.get(f"/t/{event.slug}/desk/").content.decode()
    assert "Workers are already playing the matches" in text
    assert f'action="/t/{event.slug}/undo/"' not in text
    assert owner.get(f"/t/{event.slug}/undo/").status_code == 409


def test_a_night_that_was_called_off_by_mistake_goes_on() -> None:
    event = a_club_night()
    cancel_tournament(tournament=event, by=event.created_by, reason="It rains.")
    owner = as_one(event.created_by)
    seen = undo.last_undoable(event)
    assert seen is not None
    owner.post(f"/t/{event.slug}/undo/", {"seen": seen.id})
    event.refresh_from_db()
    assert (event.state, event.reason, event.finished_at) == ("registration", "", None)
