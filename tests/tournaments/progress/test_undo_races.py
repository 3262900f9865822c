"""Undo while others click and phones send: each act is undone once, and no result is lost on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from bots.models import AuditEvent
from engine.errors import DomainError
from tests.builders.clubs import a_called_night, person, tables_of, totals
from tests.builders.soundness import faults_of
from tests.services.locks import waits_for_us
from tests.services.waiting import wait_until
from tests.tournaments.progress.test_people import with_role
from tournaments.entries.people import withdraw_person
from tournaments.models import Entry, Match, Tournament
from tournaments.progress import undo
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*acts: Callable[[], object]) -> Sequence[str]:
    """Do all of it at the same moment, each on a connection of its own; the codes of what was refused."""

    def do(act: Callable[[], object]) -> str:
        try:
            act()
        except DomainError as refusal:
            return refusal.code
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(do, acts))


@pytest.mark.thorough
def test_two_organisers_undo_at_the_same_moment() -> None:
    event = a_called_night(people=4)
    by, director = event.created_by, with_role(event, "director")
    withdraw_person(entry=person(event, "Ben"), by=by)
    seen = undo.last_undoable(event)
    assert seen is not None
    codes = at_once(
        lambda: undo.undo(tournament=event, by=by, seen=seen.id),
        lambda: undo.undo(tournament=event, by=director, seen=seen.id),
    )
    assert codes == ["", "undo.already_undone"]
    assert AuditEvent.objects.filter(verb="tournament.undo").count() == 1
    assert person(event, "Ben").state == Entry.State.ACTIVE
    assert faults_of(event) == []


@pytest.mark.thorough
def test_phones_send_while_something_else_is_done_and_undone() -> None:
    event = a_called_night(people=6)
    by, tables = event.created_by, tables_of(event)

    def come_and_go() -> None:
        withdraw_person(entry=person(event, "Ben"), by=by)
        seen = undo.last_undoable(event)
        assert seen is not None
        undo.undo(tournament=event, by=by, seen=seen.id)

    def send(match: Match) -> None:
        for side in (0, 1):
            submit_result(match=match, actor=Actor(side=side), claim=totals(130, 110))

    codes = at_once(come_and_go, *(lambda match=match: send(match) for match in tables))
    assert codes == ["", "", "", ""]
    assert set(Match.objects.filter(stage__tournament=event).values_list("state", flat=True)) == {Match.State.CONFIRMED}
    assert person(event, "Ben").state == Entry.State.ACTIVE
    assert faults_of(event) == []


@pytest.mark.thorough
def test_the_call_is_undone_or_a_phone_was_first() -> None:
    event = a_called_night(people=4)
    seen, match = undo.last_undoable(event), tables_of(event)[0]
    assert seen is not None
    codes = at_once(
        lambda: undo.undo(tournament=event, by=event.created_by, seen=seen.id),
        lambda: submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110)),
    )
    assert codes in (["", "undo.moved"], ["", "report.not_called"])
    match.refresh_from_db()
    assert match.state == (Match.State.REPORTED if "undo.moved" in codes else Match.State.READY)
    assert faults_of(event) == []


def undo_last(event: Tournament, act: str) -> None:
    """Undo what was done last, which is this act."""
    seen = undo.last_undoable(event)
    assert seen is not None
    assert seen.act == act
    undo.undo(tournament=event, by=event.created_by, seen=seen.id)


@pytest.mark.thorough
def test_a_phone_that_sends_while_the_draw_is_undone_is_told_that_its_table_is_gone() -> None:
    event = a_called_night(people=4)
    match = tables_of(event)[0]
    undo_last(event, "call")
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            undo_last(event, "start")
            assert not Match.objects.filter(pk=match.pk).exists()
            phone = pool.submit(
                at_once, lambda: submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110))
            )
            wait_until(lambda: waits_for_us() or phone.done(), 20, "the phone")
        assert phone.result(20) == ["report.draw_gone"]
