"""Undo of the last thing an organiser did: each act, what follows it, who may, and what cannot be undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bots.models import AuditEvent
from tests.builders import events as a
from tests.builders.clubs import a_called_night, a_club_night, close_event, person, round_of, tables_of, totals
from tests.builders.normal_form import form_of
from tests.tournaments.progress.test_people import draw_next, finish_round, refused, stage_of, with_role
from tournaments.entries import people
from tournaments.entries.bots import withdraw_entry
from tournaments.events import roles
from tournaments.events.create import create_tournament
from tournaments.models import Match, ResultReport, Tournament
from tournaments.operations.quarantine import void_match
from tournaments.progress import rounds, undo
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.run import (
    archive_tournament,
    cancel_tournament,
    open_registration,
    pause_tournament,
    publish_tournament,
    resume_tournament,
    start_tournament,
)
from tournaments.scores.actions import Actor, accept_result, dispute_result, rule_result, submit_result
from tournaments.scores.slips import read_slip, slip_token
from tournaments.standings import store
from tournaments.undo.row_images import has_moved

pytestmark = pytest.mark.django_db
M = Match.State


def undo_last(event: Tournament, by: Any = None) -> undo.Undoable:
    """Undo what is offered."""
    by = by or event.created_by
    found = undo.last_undoable(event)
    assert found is not None
    return undo.undo(tournament=event, by=by, seen=found.id)


def restores(event: Tournament, do: Callable[[], object]) -> undo.Undoable:
    """Do it and undo it: everything is as it was, and the table is a fresh fold."""
    event.refresh_from_db()
    before = form_of(event)
    do()
    assert form_of(event) != before
    undone = undo_last(event)
    assert form_of(event) == before
    if event.is_of_people:
        assert store.differences(stage_of(event)) == []
    return undone


def entered(event: Tournament, number: int, *points: int) -> Callable[[], object]:
    """A scorer's result of a table."""
    return lambda: submit_result(
        match=tables_of(event)[number], actor=Actor(user=event.created_by), claim=totals(*points)
    )


@pytest.mark.thorough
def test_before_it_runs() -> None:
    event = create_tournament(by=a.a_user(), plan=a.a_plan(who="people", kind="swiss", rounds=2))
    by = event.created_by
    restores(event, lambda: publish_tournament(tournament=event, by=by))
    publish_tournament(tournament=event, by=by)
    restores(event, lambda: open_registration(tournament=event, by=by))
    open_registration(tournament=event, by=by)
    commitment = stage_of(event).commitment
    undo_last(event)
    open_registration(tournament=event, by=by)
    assert stage_of(event).commitment == commitment
    assert "Ben" in restores(event, lambda: people.add_person(tournament=event, by=by, name="Ben", club="Lyon")).what
    assert "2" in restores(event, lambda: people.add_list(tournament=event, by=by, data=b"Ben\nAiko\n")).what
    people.add_list(tournament=event, by=by, data=b"Ben\nAiko\nChiyo")
    restores(event, lambda: people.check_in(entry=person(event, "Ben"), by=by))
    restores(event, lambda: people.check_in_all(tournament=event, by=by))
    people.check_in_all(tournament=event, by=by)
    restores(event, lambda: people.withdraw_person(entry=person(event, "Ben"), by=by))
    restores(event, lambda: start_tournament(tournament=event, by=by))
    restores(event, lambda: cancel_tournament(tournament=event, by=by, reason="It rains."))


@pytest.mark.slow
def test_while_it_runs() -> None:
    event = a_club_night(people=5)
    by = event.created_by
    start_tournament(tournament=event, by=by)
    restores(event, lambda: rounds.call_round(round_row=round_of(event, 1), by=by))
    rounds.call_round(round_row=round_of(event, 1), by=by)
    restores(event, lambda: pause_tournament(tournament=event, by=by))
    pause_tournament(tournament=event, by=by)
    restores(event, lambda: resume_tournament(tournament=event, by=by))
    resume_tournament(tournament=event, by=by)
    restores(event, lambda: people.add_person(tournament=event, by=by, name="Late"))
    restores(event, lambda: people.withdraw_person(entry=person(event, "Ben"), by=by))
    restores(event, entered(event, 0, 130, 110))
    restores(event, lambda: void_match(match=tables_of(event)[0], by=by, reason="Both left."))
    finish_round(event)
    restores(event, lambda: draw_next(event))
    row = draw_next(event)
    token = slip_token(tables_of(event, 2)[0], 0)
    restores(event, lambda: rounds.take_back_round(round_row=row, by=by))
    assert read_slip(token)[0] == tables_of(event, 2)[0]
    restores(event, lambda: cancel_tournament(tournament=event, by=by, reason="It rains."))
    rounds.call_round(round_row=row, by=by)
    finish_round(event, 2)
    restores(event, lambda: close_event(tournament=event, by=by))
    close_event(tournament=event, by=by)
    event.refresh_from_db()
    restores(event, lambda: archive_tournament(tournament=event, by=by))


@pytest.mark.slow
def test_results_and_what_tables_said_before() -> None:
    event = a_called_night()
    by, match = event.created_by, tables_of(event)[0]
    submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110))
    restores(event, lambda: accept_result(match=match, actor=Actor(user=by)))
    restores(event, lambda: dispute_result(match=match, actor=Actor(user=by)))
    restores(event, entered(event, 0, 110, 130))
    submit_result(match=match, actor=Actor(side=1), claim=totals(110, 130))
    restores(event, lambda: rule_result(match=match, by=by, version=2, reason="Seen."))
    rule_result(match=match, by=by, version=2, reason="Seen.")

    def correct() -> None:
        seen = preview_correction(match=match, by=by, claim=totals(-20, 210)).hash
        correct_result(match=match, by=by, claim=totals(-20, 210), reason="Misread.", seen=seen)

    restores(event, correct)
    restores(event, correct)
    assert match.reports.filter(state=ResultReport.State.CONFIRMED).count() == 1


@pytest.mark.thorough
def test_roles() -> None:
    event = a_club_night()
    by, friend = event.created_by, a.a_user("friend")
    restores(event, lambda: roles.give_role(tournament=event, by=by, username="friend", role="director"))
    roles.give_role(tournament=event, by=by, username="friend", role="director")
    with refused("tournament.not_organiser"):
        undo_last(event, friend)
    restores(event, lambda: roles.take_role(tournament=event, by=by, username="friend", role="director"))


@pytest.mark.thorough
def test_one_act_after_the_other_back_to_the_beginning() -> None:
    event = a_club_night(people=4)
    by, forms = event.created_by, [form_of(event)]
    start_tournament(tournament=event, by=by)
    forms.append(form_of(event))
    rounds.call_round(round_row=round_of(event, 1), by=by)
    for number in (0, 1):
        forms.append(form_of(event))
        entered(event, number, 130, 110)()
    forms.append(form_of(event))
    draw_next(event)
    while len(forms) > 1:
        undo_last(event)
        assert form_of(event) == forms.pop()
    with refused("undo.kept"):  # what was said about its tables is kept, so the first draw stays
        undo_last(event)


@pytest.mark.thorough
def test_what_the_tables_do_meanwhile_stays_unless_it_is_concerned() -> None:
    event = a_called_night(people=6)
    by = event.created_by
    seen = undo.last_undoable(event)
    assert seen is not None
    first, second, _third = tables_of(event)
    submit_result(match=first, actor=Actor(side=0), claim=totals(130, 110))
    with refused("undo.moved"):
        undo.undo(tournament=event, by=by, seen=seen.id)
    entered(event, 1, 120, 120)()
    accept_result(match=first, actor=Actor(side=1))
    undo_last(event)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, second.state, round_of(event, 1).state) == (M.CONFIRMED, M.CALLED, "playing")
    assert store.differences(stage_of(event)) == []


@pytest.mark.thorough
def test_only_the_last_act_once_and_by_those_who_could_do_it() -> None:
    event = a_called_night()
    by, scorer = event.created_by, with_role(event, "scorer")
    called = undo.last_undoable(event)
    assert called is not None
    assert called.act == "call"
    with refused("tournament.not_organiser"):
        undo_last(event, scorer)
    with refused("tournament.not_organiser"):
        undo_last(event, a.a_user())
    assert undo.offered(event, scorer) is None
    submit_result(match=tables_of(event)[0], actor=Actor(user=scorer), claim=totals(130, 110))
    with refused("undo.moved"):
        undo.undo(tournament=event, by=by, seen=called.id)
    assert undo.offered(event, scorer) is not None
    entered_last = undo_last(event, scorer)
    with refused("undo.already_undone"):
        undo.undo(tournament=event, by=by, seen=entered_last.id)
    lines = AuditEvent.objects.filter(verb="tournament.undo")
    assert [(line.actor, line.after["undone"]) for line in lines] == [(scorer, entered_last.id)]


@pytest.mark.thorough
def test_looking_first_changes_nothing_and_says_what_would() -> None:
    event = a_called_night(people=4)
    by = event.created_by
    entered(event, 0, 130, 110)()
    before = form_of(event)
    shown = undo.preview(tournament=event, by=by)
    assert form_of(event) == before
    assert "round 1, table 1: finished → called" in shown.lines
    assert {shift.rank_then for shift in shown.shifts} == {1}
    entered(event, 1, 110, 130)()
    assert store.differences(stage_of(event)) == []


def test_a_note_of_a_column_that_is_no_more_counts_as_moved() -> None:
    event = a_club_night()
    for columns, moved in (({"name": ["Before", event.name]}, False), ({"policies": [{}, {"rated": True}]}, True)):
        assert has_moved({"Tournament": {"changed": {str(event.pk): columns}}}) is moved


@pytest.mark.thorough
def test_nothing_yet_and_an_event_of_bots() -> None:
    event = a.an_open_event()
    by = event.created_by
    bots = [a.a_bot(), a.a_bot()]
    entries = a.entered(event, bots)
    restores(event, lambda: withdraw_entry(entry=entries[0], by=by))
    start_tournament(tournament=event, by=by)
    with refused("undo.never"):
        undo_last(event)
    restores(event, lambda: pause_tournament(tournament=event, by=by))
    fresh = create_tournament(by=by, plan=a.a_plan(name="Other"))
    assert undo.last_undoable(fresh) is None
    with refused("undo.nothing"):
        undo.preview(tournament=fresh, by=by)
