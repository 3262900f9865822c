"""Clocks of rounds at tables: their length, begun by the call, stopped, resumed, lengthened, ended.

Every change locks the event's row, so that two do not change one clock at once; pages only show what is stored here.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.stages import (
    RoundClockChanged,
    RoundClockResumed,
    RoundClockStopped,
    RoundLengthChosen,
    RoundLengthened,
    TimeCalled,
)
from tournaments.lifecycle.floor_settings import minutes_of, was_called
from tournaments.lifecycle.transitions import ORGANISERS, RULERS, label, may
from tournaments.models import Round, RoundClock, Tournament
from tournaments.undo.recorder import undoable

# A minute to ten hours; what is added at once is at most two.
MINUTES: Final = range(1, 601)
ADDED: Final = range(1, 121)
OVER: Final = (Tournament.State.FINISHED, Tournament.State.ARCHIVED, Tournament.State.CANCELLED)


@undoable("minutes")
def choose_minutes(*, tournament: Tournament, by: User, minutes: int | None) -> None:
    """Choose the length of rounds that are called from now on; None: no clock.

    Raises TournamentError "tournament.not_organiser", "round_clock.minutes", "round_clock.already_so",
    "round_clock.event_over".
    """
    with transaction.atomic():
        event = locked_event(tournament)
        may(event, by, ORGANISERS, "minutes")
        _require_going(event)
        wanted = read_minutes(minutes)
        if wanted == minutes_of(event):
            raise TournamentError(_("Rounds already have that length."), code="round_clock.already_so")
        before = minutes_of(event)
        event.round_minutes = wanted
        event.save(update_fields=["round_minutes"])
        what = {"before": {"minutes": before}, "after": {"minutes": wanted}}
        audit(RoundLengthChosen, label(event), actor=by, channel=event.channel, **what)
        publish(RoundLengthChosen(event.channel, minutes=wanted))


def read_minutes(minutes: int | None) -> int:
    """Read a length that can be; 0 for none. Raises TournamentError "round_clock.minutes"."""
    if minutes in (None, 0):
        return 0
    if minutes not in MINUTES:
        shown = {"least": MINUTES[0], "most": MINUTES[-1]}
        message = _("A round takes %(least)s to %(most)s minutes; leave the field empty for no clock.") % shown
        raise TournamentError(message, code="round_clock.minutes", extra={"field": "round_minutes"})
    return int(minutes or 0)


def locked_event(tournament: Tournament) -> Tournament:
    """Lock the event's row until the end of the transaction, and return it."""
    return Tournament.objects.select_for_update().get(pk=tournament.pk)


def _require_going(event: Tournament) -> None:
    if event.state in OVER:
        raise TournamentError(_("The event is over."), code="round_clock.event_over")


def begin_clock(round_row: Round) -> None:
    """Start the clock of a round whose first table is called, if rounds have one. Part of the call, before its tables
    are locked (the event's row comes first everywhere); a refused call takes it back.
    """
    # Where matches start one by one no round begins for all of its tables at once.
    if round_row.stage.flows or was_called(round_row):
        return
    event = locked_event(round_row.stage.tournament)
    if event.round_minutes is None:
        return
    RoundClock.objects.filter(round=round_row).delete()  # begun with tables that were all taken out since
    if event.round_minutes:
        RoundClock.objects.create(round=round_row, began_at=timezone.now(), minutes=event.round_minutes)


@undoable("round_clock", RULERS)
def stop_clock(*, round_row: Round, by: User) -> None:
    """Stop it, until it is resumed. Raises "round_clock.none", "round_clock.already_stopped", "round_clock.over"."""

    def stop(clock: RoundClock, now: datetime) -> None:
        if clock.stopped_at is not None:
            raise TournamentError(_("The clock is already stopped."), code="round_clock.already_stopped")
        _require_time(clock, now)
        clock.stopped_at = now

    _change(round_row, by, RoundClockStopped, stop)


@undoable("round_clock", RULERS)
def go_on(*, round_row: Round, by: User) -> None:
    """Let it go on where it stopped. Raises "round_clock.none", "round_clock.already_going", "round_clock.paused"."""

    def go(clock: RoundClock, now: datetime) -> None:
        if clock.stopped_at is None:
            raise TournamentError(_("The clock is already running."), code="round_clock.already_going")
        _let_go_on(clock, now)

    _change(round_row, by, RoundClockResumed, go)


@undoable("round_clock", RULERS)
def add_minutes(*, round_row: Round, by: User, minutes: int, seen: int) -> None:
    """Make a round that is on longer. seen: the length that the organiser saw; another one is refused.

    Raises "round_clock.none", "round_clock.minutes", "round_clock.changed". Time that was called already runs again.
    """

    def add(clock: RoundClock, now: datetime) -> None:
        if minutes not in ADDED:
            message = _("Add %(least)s to %(most)s minutes.") % {"least": ADDED[0], "most": ADDED[-1]}
            raise TournamentError(message, code="round_clock.minutes")
        if seen != clock.minutes:
            message = _("Somebody changed the clock in the meantime. Check it again.")
            raise TournamentError(message, code="round_clock.changed")
        # Time that is over counts as standing still, so that the new minutes run from now.
        clock.stopped_s += max(0.0, -clock.left_s(now))
        clock.minutes += minutes

    _change(round_row, by, RoundLengthened, add)


@undoable("round_clock", RULERS)
def call_time(*, round_row: Round, by: User) -> None:
    """End it now: everybody finishes the deal in play. Raises "round_clock.none", "round_clock.over"."""

    def end(clock: RoundClock, now: datetime) -> None:
        _require_time(clock, now)
        left = clock.left_s(now)
        _let_go_on(clock, now)
        # The rest of the time is taken off what it stood still: the end is now, and the length stays what was chosen.
        clock.stopped_s -= left

    _change(round_row, by, TimeCalled, end)


def _require_time(clock: RoundClock, now: datetime) -> None:
    if clock.left_s(now) <= 0:
        raise TournamentError(_("Time is already called: players finish the deal in play."), code="round_clock.over")


# `stopped_s` moves the end: a clock that stood for five minutes ends five minutes later.
def _let_go_on(clock: RoundClock, now: datetime) -> None:
    clock.stopped_s += (now - clock.stopped_at).total_seconds() if clock.stopped_at else 0.0
    clock.stopped_at, clock.by_event = None, False


def _change(
    round_row: Round, by: User, event_type: type[RoundClockChanged], change: Callable[[RoundClock, datetime], None]
) -> None:
    with transaction.atomic():
        event = locked_event(round_row.stage.tournament)
        may(event, by, RULERS, event_type.topic.partition(".")[2])
        _require_going(event)
        clock = RoundClock.objects.filter(round=round_row).first()
        if clock is None:
            message = _("This round has no clock: set the length of rounds before you call them.")
            raise TournamentError(message, code="round_clock.none")
        # The pause has stopped it; going on by hand would let it run while nobody may play.
        if event.state == Tournament.State.PAUSED:
            raise TournamentError(_("The event is paused, and so are its clocks."), code="round_clock.paused")
        change(clock, timezone.now())
        clock.save()
        after = {"round": round_row.number, "stage": round_row.stage.order, "minutes": clock.minutes}
        audit(event_type, label(round_row), actor=by, channel=event.channel, after=after)
        publish(event_type(event.channel, **after))


def stop_with_event(tournament: Tournament) -> None:
    """Stop the clocks that go, because the event is paused. Part of the pause, in its transaction."""
    now = timezone.now()

    def stop(clock: RoundClock) -> None:
        # Not one that is over, or time would be called again after the pause; not one that was stopped by hand.
        if _goes(clock, now):
            clock.stopped_at, clock.by_event = now, True

    _each(tournament, stop)


def go_on_with_event(tournament: Tournament) -> None:
    """Resume the clocks that the pause stopped. Part of the resumption, in its transaction."""
    now = timezone.now()

    def go(clock: RoundClock) -> None:
        if clock.by_event:
            _let_go_on(clock, now)

    _each(tournament, go)


def _goes(clock: RoundClock, now: datetime) -> bool:
    return clock.stopped_at is None and clock.ends_at > now


def _each(tournament: Tournament, change: Callable[[RoundClock], None]) -> None:
    """Change all clocks of the event, under its row. No query where nobody chose how long rounds are."""
    if tournament.round_minutes is None:
        return
    locked_event(tournament)
    for clock in RoundClock.objects.filter(round__stage__tournament=tournament):
        change(clock)
        clock.save()
