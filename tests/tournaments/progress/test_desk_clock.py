"""The clock of a round: begun by the call, stopped and let go on, with the event too, lengthened, ended; by whom."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from activity.domain_events import class_of
from bots.models import AuditEvent
from tests.builders import events as a
from tests.builders.clubs import a_club_night, round_of
from tests.tournaments.progress.test_people import draw_next, finish_round, refused, with_role
from tournaments.lifecycle.floor_settings import ClockLine, clock_line, clock_lines, minutes_of
from tournaments.models import Round, RoundClock, Tournament
from tournaments.progress.round_clock import add_minutes, call_time, choose_minutes, go_on, stop_clock
from tournaments.progress.rounds import call_round
from tournaments.progress.run import pause_tournament, resume_tournament, start_tournament
from tournaments.progress.undo import last_undoable, undo

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
BEGAN = datetime(2026, 11, 20, 18, 0, tzinfo=timezone.get_default_timezone())


def a_timed_night(minutes: int | None = 40) -> Tournament:
    """A night whose rounds take that many minutes, round 1 called."""
    event = a_club_night()
    if minutes:
        choose_minutes(tournament=event, by=event.created_by, minutes=minutes)
    event.refresh_from_db()
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    event.refresh_from_db()
    return event


def line_of(event: Tournament, number: int = 1) -> ClockLine:
    """The clock of a round, read again."""
    row = round_of(event, number)
    found = clock_line(row.stage.tournament, row)
    assert found is not None
    return found


def earlier(event: Tournament, by: timedelta) -> None:
    """Let that much time pass: every noted moment becomes that much earlier."""
    for clock in RoundClock.objects.filter(round__stage__tournament=event):
        clock.began_at -= by
        clock.stopped_at = clock.stopped_at and clock.stopped_at - by
        clock.save()


def left_minutes(event: Tournament) -> int:
    """Return the time that is left, to a minute: a test itself takes less than half of one, even on a busy machine."""
    return round(line_of(event).left_s / 60)


def test_time_is_counted_from_what_is_written_down() -> None:
    clock = RoundClock(began_at=BEGAN, minutes=40)
    assert (clock.left_s(BEGAN), clock.left_s(BEGAN + 41 * MINUTE)) == (2400, -60)
    halted = RoundClock(began_at=BEGAN, minutes=40, stopped_s=120, stopped_at=BEGAN + 10 * MINUTE, by_event=True)
    assert halted.left_s(BEGAN + 500 * MINUTE) == 32 * 60
    shown = ClockLine(Round(), clock, BEGAN + timedelta(seconds=1, milliseconds=1))
    assert (shown.left, shown.left_s, shown.ends_ms - shown.now_ms) == ("39:59", 2399, 2_398_999)
    assert ClockLine(Round(), clock, BEGAN + 40 * MINUTE).is_over


@pytest.mark.slow
def test_the_clock_begins_with_the_call_of_each_round() -> None:
    event = a_timed_night()
    assert left_minutes(event) == 40
    earlier(event, 10 * MINUTE)
    finish_round(event)
    row = draw_next(event)
    event.refresh_from_db()
    assert clock_line(event, row) is None
    call_round(round_row=row, by=event.created_by)
    assert line_of(event, 2).left_s > 39 * 60
    event.refresh_from_db()
    assert [line.round.number for line in clock_lines(event)] == [2]


@pytest.mark.thorough
def test_without_minutes_there_is_no_clock() -> None:
    event = a_timed_night(minutes=None)
    assert clock_lines(event) == []
    for act in (stop_clock, go_on, call_time):
        with refused("round_clock.none"):
            act(round_row=round_of(event, 1), by=event.created_by)


@pytest.mark.thorough
def test_tables_that_are_called_later_do_not_begin_it_again() -> None:
    event = a_timed_night()
    row = round_of(event, 1)
    match = row.matches.order_by("table_no")[0]
    type(match).objects.filter(pk=match.pk).update(state="ready")
    earlier(event, 10 * MINUTE)
    call_round(round_row=row, by=event.created_by)
    assert left_minutes(event) == 30


@pytest.mark.thorough
def test_a_stopped_clock_loses_no_time() -> None:
    event = a_timed_night()
    by, row = event.created_by, round_of(event, 1)
    earlier(event, 10 * MINUTE)
    stop_clock(round_row=row, by=by)
    with refused("round_clock.already_stopped"):
        stop_clock(round_row=row, by=by)
    earlier(event, 25 * MINUTE)
    assert left_minutes(event) == 30
    go_on(round_row=row, by=by)
    with refused("round_clock.already_going"):
        go_on(round_row=row, by=by)
    assert left_minutes(event) == 30
    earlier(event, MINUTE)
    assert left_minutes(event) == 29


@pytest.mark.thorough
def test_a_pause_of_the_event_stops_its_clocks_and_only_those_that_went() -> None:
    event = a_timed_night()
    by, row = event.created_by, round_of(event, 1)
    pause_tournament(tournament=event, by=by)
    with refused("round_clock.paused"):
        go_on(round_row=row, by=by)
    earlier(event, 15 * MINUTE)
    assert left_minutes(event) == 40
    resume_tournament(tournament=event, by=by)
    assert left_minutes(event) == 40
    assert line_of(event).clock.stopped_at is None
    stop_clock(round_row=row, by=by)
    pause_tournament(tournament=event, by=by)
    resume_tournament(tournament=event, by=by)
    assert line_of(event).clock.stopped_at is not None


@pytest.mark.thorough
def test_more_time_is_given_once_and_counts_from_now_if_time_was_called() -> None:
    event = a_timed_night()
    by, row = event.created_by, round_of(event, 1)
    add_minutes(round_row=row, by=by, minutes=5, seen=40)
    with refused("round_clock.changed"):
        add_minutes(round_row=row, by=by, minutes=5, seen=40)
    assert left_minutes(event) == 45
    call_time(round_row=row, by=by)
    assert line_of(event).is_over
    for act in (call_time, stop_clock):
        with refused("round_clock.over"):
            act(round_row=row, by=by)
    earlier(event, 30 * MINUTE)
    add_minutes(round_row=row, by=by, minutes=5, seen=45)
    assert left_minutes(event) == 5
    with refused("round_clock.minutes"):
        add_minutes(round_row=row, by=by, minutes=0, seen=50)


@pytest.mark.thorough
def test_who_may_and_what_is_written_down() -> None:
    event = a_timed_night()
    row = round_of(event, 1)
    for role in ("scorer", "arbiter"):
        with refused("tournament.not_organiser"):
            choose_minutes(tournament=event, by=with_role(event, role), minutes=30)
    for by in (a.a_user(), with_role(event, "scorer")):
        with refused("tournament.not_organiser"):
            stop_clock(round_row=row, by=by)
    arbiter = with_role(event, "arbiter")
    stop_clock(round_row=row, by=arbiter)
    go_on(round_row=row, by=arbiter)
    for wrong in (-1, 601):
        with refused("round_clock.minutes"):
            choose_minutes(tournament=event, by=event.created_by, minutes=wrong)
    with refused("round_clock.already_so"):
        choose_minutes(tournament=event, by=event.created_by, minutes=40)
    choose_minutes(tournament=event, by=event.created_by, minutes=None)
    event.refresh_from_db()
    assert minutes_of(event) == 0
    assert left_minutes(event) == 40
    said = list(AuditEvent.objects.filter(verb__startswith="round_clock").order_by("id").values_list("verb", flat=True))
    assert said == [f"round_clock.{verb}" for verb in ("choose", "stop", "go_on", "choose")]
    assert all((found := class_of(verb)) and found.words for verb in said)
    Tournament.objects.filter(pk=event.pk).update(state="finished")
    with refused("round_clock.event_over"):
        stop_clock(round_row=row, by=event.created_by)


@pytest.mark.thorough
def test_what_was_done_to_the_clock_and_the_call_that_began_it_can_be_undone() -> None:
    event = a_timed_night()
    stop_clock(round_row=round_of(event, 1), by=event.created_by)
    for still in (False, True):
        found = last_undoable(event)
        assert found is not None
        undo(tournament=event, by=event.created_by, seen=found.id)
        event.refresh_from_db()
        assert (clock_lines(event) == []) is still
    call_round(round_row=round_of(event, 1), by=event.created_by)
    assert left_minutes(event) == 40
