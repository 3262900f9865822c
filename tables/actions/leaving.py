"""Leaving a table, claiming a match whose opponent is gone, running out of time, and tables that nobody plays on."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from tables.actions.answering import TIMEOUT, write_row
from tables.actions.dealing import expire_dealing, go_on, reopen
from tables.actions.folding import keep_fold, take_fold
from tables.actions.locking import Locked, locked
from tables.actions.rows import write_seen
from tables.actions.sitters import Sitter, own_seat
from tables.errors import TableError
from tables.models import Answer, LiveSeat, LiveTable
from tables.play.clocks import ends_at
from tables.play.fold import Fold

S = LiveTable.State
AWAY_AFTER: Final = timedelta(seconds=15)
"""An opponent who has not asked for the table for so long is shown as away."""
CLAIMED_AFTER: Final = timedelta(seconds=60)
"""And may be taken for gone after this time."""
LEFT: Final = "left"
GONE: Final = "gone"


def leave(table: LiveTable, sitter: Sitter) -> LiveTable:
    """Leave: an open table has a free seat then; a match that is played is forfeited.

    A table without a clock, at which nobody else is a person, is called off instead: it has no result.
    Raises TableError "table.unknown", "table.not_seated", "table.wrong_state", "table.paused".
    """
    with locked(table.uuid) as at:
        seat = own_seat(sitter, at.seats)
        at.require(S.OPEN, S.DEALING, S.PLAYING)
        if at.table.state != S.PLAYING:
            _stand_up(at, seat)
        elif at.table.clock == LiveTable.Clock.CASUAL and not _others(at, seat):
            abort(at, LEFT)
        else:
            _forfeit(at, seat, LEFT)
    return at.table


def claim(table: LiveTable, sitter: Sitter) -> LiveTable:
    """Take the seat that is asked for gone, when it was away for a minute. Only with a clock that runs.

    Raises TableError "table.unknown", "table.not_seated", "table.wrong_state", "table.paused", "table.cannot_claim".
    """
    with locked(table.uuid) as at:
        own = own_seat(sitter, at.seats)
        at.require(S.PLAYING)
        at.require_running()
        fold = take_fold(at.table, at.seats)
        question = fold.question
        asked = at.seats[question.seat] if question is not None else None
        if asked is None or asked.pk == own.pk or not may_be_claimed(at.table, asked, timezone.now()):
            keep_fold(at.table, fold)
            message = _("You can claim the match once the player whose turn it is has been away for a minute.")
            raise TableError(message, code="table.cannot_claim")
        write_row(at, fold, Answer(seat=asked.index, code=GONE, at=timezone.now()))
    return at.table


def may_be_claimed(table: LiveTable, seat: LiveSeat, now: datetime) -> bool:
    """Return whether a seat whose turn it is may be taken for gone."""
    is_counting = table.clock == LiveTable.Clock.LIVE and table.paused_at is None and seat.kind == LiveSeat.Kind.PERSON
    return is_counting and seat.seen_at is not None and seat.seen_at <= now - CLAIMED_AFTER


def note_seen(seat: LiveSeat, now: datetime) -> None:
    """Note that somebody looks at their table; one statement, and none within five seconds of the last."""
    if seat.seen_at is None or now - seat.seen_at > timedelta(seconds=5):
        write_seen(seat, now)


def abort(at: Locked, reason: str) -> None:
    """Call a table off: it has no result."""
    table = at.table
    table.state, table.reason, table.finished_at = S.ABORTED, reason, timezone.now()
    table.deadline_at = table.bot_asked_at = table.bots_from = table.notify_at = None
    table.events += 1
    at.save()


def look_after(table: LiveTable) -> None:
    """Do what is due at a table: called by the sweep, and by those who look at it when its time is over."""
    with locked(table.uuid) as at:
        if at.table.deadline_at is None or at.table.deadline_at > timezone.now() or at.table.is_over:
            return
        if at.table.state == S.OPEN:
            abort(at, "nobody_came")
        elif at.table.state == S.DEALING:
            expire_dealing(at)
            at.save()
        else:
            _time_over(at)


def _time_over(at: Locked) -> None:
    fold = take_fold(at.table, at.seats)
    if fold.match.is_over:
        # Decided by its deal, which versions up to 0.1.0 did not see.
        keep_fold(at.table, fold)
        go_on(at, fold, timezone.now())
        at.save()
        return
    question = fold.question
    is_bot = question is not None and at.seats[question.seat].kind == LiveSeat.Kind.BOT
    if question is None or is_bot or not fold.clock.is_counting:
        keep_fold(at.table, fold)
        abort(at, "abandoned")
        return
    now = timezone.now()
    if now <= ends_at(question.at, question.left_ms):
        keep_fold(at.table, fold)
        return
    write_row(at, fold, Answer(seat=question.seat, code=TIMEOUT, at=now, took_ms=question.left_ms))


def _others(at: Locked, seat: LiveSeat) -> list[LiveSeat]:
    return [each for each in at.seats if each.pk != seat.pk and each.kind != LiveSeat.Kind.BOT]


def _stand_up(at: Locked, seat: LiveSeat) -> None:
    is_of_event = at.table.stage_id is not None
    # Programs come because they are asked: nobody else would sit down in the place of one, but at a seek.
    is_program = seat.kind == LiveSeat.Kind.PROGRAM and not at.table.listed
    if not is_of_event and (not _others(at, seat) or is_program):
        abort(at, LEFT)
        return
    at.free(seat)
    # A table of an event waits for its players as long as the organiser does.
    reopen(at, None if is_of_event else timezone.now() + timedelta(hours=24))
    at.save()


def _forfeit(at: Locked, seat: LiveSeat, code: str) -> None:
    at.require_running()
    fold: Fold = take_fold(at.table, at.seats)
    if seat.index in fold.gone:
        keep_fold(at.table, fold)
        raise TableError(_("You have left this match already."), code="table.wrong_state")
    write_row(at, fold, Answer(seat=seat.index, code=code, at=timezone.now()))
