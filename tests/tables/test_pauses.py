"""A paused event: its tables stand still, and go on with what every clock had left."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from engine.record_fair import nonce_hash
from tables.actions.answering import answer, answer_for_bot
from tables.actions.dealing import show_nonce
from tables.actions.folding import take_fold
from tables.actions.leaving import claim, leave, look_after
from tables.errors import TableError
from tables.events.opened import call_off, reopen
from tables.events.pausing import follow_pauses
from tables.events.seats import sit_reserved
from tables.jobs.sweep import sweep
from tables.models import LiveSeat, LiveTable
from tables.play.clocks import ends_at
from tables.play.fold import Question
from tables.play.shuffle import of_browser
from tables.view.state import seen_at, view_of
from tests.builders.clubs import tables_of
from tests.services.databases import on_both
from tests.tables.players import again, at_random, guest, nonce_of, play_on
from tests.tables.test_events import on_site, sat, table_at
from tournaments.models import Match, Tournament
from tournaments.progress import undo
from tournaments.progress.run import pause_tournament, resume_tournament

pytestmark = [pytest.mark.django_db, on_both]
LONG = timedelta(hours=3)


def paused(event: Tournament) -> None:
    event.refresh_from_db()
    pause_tournament(tournament=event, by=event.created_by)


def resumed(event: Tournament, captured: Any) -> None:
    with captured(execute=True):
        event.refresh_from_db()
        resume_tournament(tournament=event, by=event.created_by)


def asked(table: LiveTable) -> Question:
    now = again(table)
    question = take_fold(now, list(now.seats.order_by("index"))).question
    assert question is not None
    return question


def code_of(act: Callable[[], object]) -> str:
    with pytest.raises(TableError) as refused:
        act()
    return refused.value.code


def a_match(**changes: Any) -> tuple[Tournament, Match]:
    event = on_site(**changes)
    (match,) = tables_of(event)
    return event, match


@pytest.mark.thorough
def test_nobody_moves_while_the_event_is_paused() -> None:
    event, match = a_match()
    table = table_at(match)
    people = sat(table)
    question = asked(table)
    mover, other = people[question.seat], people[1 - question.seat]
    paused(event)
    stands = again(table)
    assert (stands.state, stands.deadline_at, stands.notify_at) == ("playing", None, None)
    assert code_of(lambda: answer(table, mover, question.n, 0)) == "table.paused"
    assert code_of(lambda: leave(table, mover)) == "table.paused"
    LiveSeat.objects.filter(table=table).update(seen_at=timezone.now() - LONG)
    assert code_of(lambda: claim(table, other)) == "table.paused"
    assert not answer_for_bot(table, 0, 0, 1)
    look_after(again(table))
    assert sweep().due == 0
    assert again(table).answered == 0


@pytest.mark.thorough
def test_an_answer_that_counts_already_may_be_sent_again() -> None:
    event, match = a_match()
    table = table_at(match)
    people = sat(table)
    question = asked(table)
    answer(table, people[question.seat], question.n, 0)
    paused(event)
    assert answer(table, people[question.seat], question.n, 0).answered == 1


def stood_for_long(table: LiveTable) -> timedelta:
    """Let a paused table have been paused LONG ago. Returns what the present question had used until then."""
    stood, question = again(table), asked(table)
    assert stood.paused_at is not None
    LiveTable.objects.filter(pk=table.pk).update(paused_at=stood.paused_at - LONG, asked_at=question.at - LONG)
    return stood.paused_at - question.at


@pytest.mark.thorough
def test_clocks_go_on_with_what_they_had_left(django_capture_on_commit_callbacks: Any) -> None:
    event, match = a_match()
    table = table_at(match)
    people = sat(table)
    before = asked(table)
    paused(event)
    used = stood_for_long(table)
    earliest = timezone.now()
    resumed(event, django_capture_on_commit_callbacks)
    latest = timezone.now()
    now, question = again(table), asked(table)
    assert now.paused_at is None
    assert (question.n, question.left_ms) == (before.n, before.left_ms)
    assert earliest - used <= question.at <= latest - used, "what was used before the pause stays used"
    assert now.deadline_at == ends_at(question.at, question.left_ms)
    answer(table, people[question.seat], question.n, 0)
    row = table.answers.get()
    assert row.took_ms == round((row.at - question.at).total_seconds() * 1000), "the pause costs nobody anything"
    assert again(table).asked_at is None


@pytest.mark.thorough
def test_a_second_pause_of_the_same_question_adds_up(django_capture_on_commit_callbacks: Any) -> None:
    event, match = a_match()
    table = table_at(match)
    people = sat(table)
    first = asked(table).at
    for _each in range(2):
        paused(event)
        stood_for_long(table)
        resumed(event, django_capture_on_commit_callbacks)
    assert first <= asked(table).at
    play_on(table, people, at_random(1), moves=3)
    assert again(table).answered == 3


@pytest.mark.thorough
def test_who_went_away_for_the_pause_is_not_taken_for_gone(django_capture_on_commit_callbacks: Any) -> None:
    event, match = a_match()
    table = table_at(match)
    people = sat(table)
    question = asked(table)
    paused(event)
    LiveSeat.objects.filter(table=table).update(seen_at=timezone.now() - LONG)
    resumed(event, django_capture_on_commit_callbacks)
    assert code_of(lambda: claim(table, people[1 - question.seat])) == "table.cannot_claim"


@pytest.mark.thorough
def test_nothing_is_dealt_during_a_pause(django_capture_on_commit_callbacks: Any) -> None:
    event, match = a_match()
    table = table_at(match)
    paused(event)
    sat(table)
    assert (again(table).state, again(table).seats.count()) == ("open", 2)
    resumed(event, django_capture_on_commit_callbacks)
    assert again(table).state == "playing"


@pytest.mark.thorough(keep=1)
def test_a_shuffle_goes_on_after_the_pause(django_capture_on_commit_callbacks: Any) -> None:
    event, match = a_match()
    table, people = table_at(match), [guest(), guest()]
    for index, each in enumerate(people):
        sit_reserved(table, each, of_browser(nonce_hash(nonce_of(index))), [index])
    assert again(table).state == "dealing"
    paused(event)
    show_nonce(table, people[0], nonce_of(0))
    show_nonce(table, people[1], nonce_of(1))
    assert (again(table).state, again(table).deadline_at) == ("dealing", None)
    resumed(event, django_capture_on_commit_callbacks)
    assert again(table).state == "playing"


@pytest.mark.thorough
def test_a_table_that_is_opened_during_a_pause_stands_still() -> None:
    event, match = a_match()
    paused(event)
    call_off(table_at(match))
    another = reopen(table_at(match))
    assert another.paused_at is not None


@pytest.mark.thorough
def test_what_a_process_has_missed_and_what_is_undone_is_made_good() -> None:
    event, match = a_match()
    table = table_at(match)
    sat(table)
    paused(event)
    LiveTable.objects.update(paused_at=None)
    assert follow_pauses(10) == 1
    assert again(table).paused_at is not None
    assert follow_pauses(10) == 0
    found = undo.last_undoable(event)
    assert found is not None
    undo.undo(tournament=event, by=event.created_by, seen=found.id)
    assert sweep().paused == 1
    assert again(table).paused_at is None
    assert asked(table).left_ms == 180_000


@pytest.mark.thorough
def test_days_for_a_move_stand_still_too(django_capture_on_commit_callbacks: Any) -> None:
    event, match = a_match(site_clock="days")
    table = table_at(match)
    sat(table)
    assert again(table).notify_at is not None
    paused(event)
    assert again(table).notify_at is None
    resumed(event, django_capture_on_commit_callbacks)
    assert again(table).notify_at is not None


@pytest.mark.thorough
def test_the_page_of_the_table_says_it() -> None:
    event, match = a_match()
    table = table_at(match)
    sat(table)
    question = asked(table)
    paused(event)
    page = Client().get(f"/play/{table.uuid}/").content.decode()
    assert "The event is paused" in page
    assert "data-choices" not in page
    now = again(table)
    seats = list(now.seats.order_by("index"))
    with seen_at(now, seats, question.seat) as seen:
        view = view_of(now, seats, question.seat, seen)
    assert now.paused_at is not None
    assert view["paused_at"] == round(now.paused_at.timestamp() * 1000)
    assert view["turn"]["seat"] == question.seat
    assert "legal" not in view["turn"]
