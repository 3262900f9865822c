"""Answers: each is a row, committed before anybody sees it, and counted once however often it is sent.

A statement for the table's row, one for its seats, at most one for its answers; then the answer, the row and the news:
as many at the thousandth answer as at the first.
"""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tables.actions.dealing import go_on
from tables.actions.folding import keep_fold, take_fold
from tables.actions.locking import Locked, locked
from tables.actions.rows import write_answer
from tables.actions.sitters import Sitter, own_seat
from tables.errors import TableError
from tables.models import Answer, LiveSeat, LiveTable
from tables.play.clocks import charged_ms, ends_at
from tables.play.fold import Fold, Question

S = LiveTable.State
TIMEOUT = "timeout.clock"


def answer(table: LiveTable, sitter: Sitter, n: int, index: int, *, lag_ms: int = 0) -> LiveTable:
    """Answer question `n` of one's own seat (from 1) with an index into its legal actions.

    lag_ms: the delay of the network that the client has measured. The same answer sent again changes nothing.
    Raises TableError "table.unknown", "table.not_seated", "table.wrong_state", "table.changed" (n is not what is asked
    now, or another answer was given to it; extra: n), "table.not_your_turn", "table.bad_answer" (extra: choices),
    "table.time_over", "table.paused".
    """
    for is_last in (False, True):
        try:
            return _answer(table, sitter, n, index, lag_ms)
        except IntegrityError:
            # Another process wrote this number at the same moment (SQLite has no row locks): now it can be seen.
            if is_last:
                raise
    raise AssertionError


def _answer(table: LiveTable, sitter: Sitter, n: int, index: int, lag_ms: int) -> LiveTable:
    with locked(table.uuid) as at:
        seat = own_seat(sitter, at.seats)
        if at.table.state == S.FINISHED and _is_repeated(at, seat, n, index):
            return at.table
        at.require(S.PLAYING)
        fold = take_fold(at.table, at.seats)
        question = fold.question
        # What was answered before is looked up only then: the usual answer costs no query for it.
        if fold.questions[seat.index] >= n and _is_repeated(at, seat, n, index):
            keep_fold(at.table, fold)
            return at.table
        try:
            at.require_running()
            checked = _checked(question, seat, n, index, fold)
        except TableError:
            keep_fold(at.table, fold)
            raise
        now = timezone.now()
        if _is_late(fold, checked, now):
            write_row(at, fold, Answer(seat=seat.index, code=TIMEOUT, at=now))
            late = True
        else:
            took_ms = charged_ms(checked.at, now, lag_ms)
            write_row(at, fold, Answer(seat=seat.index, index=index, at=now, took_ms=took_ms))
            late = False
    if late:
        message = _("Your time was over. You have left the match, and the engine plays your first legal move.")
        raise TableError(message, code="table.time_over")
    return at.table


def _is_late(fold: Fold, question: Question, now: datetime) -> bool:
    return fold.clock.is_counting and now > ends_at(question.at, question.left_ms)


def _is_repeated(at: Locked, seat: LiveSeat, n: int, index: int) -> bool:
    """Return whether this very answer to question `n` of the seat stands in the log."""
    own = Answer.objects.filter(table=at.table, seat=seat.index, index__isnull=False).order_by("n")
    found = own.values_list("index", flat=True)[n - 1 : n] if n >= 1 else []
    return list(found) == [index]


def _checked(question: Question | None, seat: LiveSeat, n: int, index: int, fold: Fold) -> Question:
    asked = fold.questions[seat.index] + 1
    if question is None or n != asked:
        message = _("The table has moved on: this is not what you are asked now. Look at it again.")
        raise TableError(message, code="table.changed", extra={"n": asked})
    if question.seat != seat.index:
        raise TableError(_("It is not your turn."), code="table.not_your_turn", extra={"n": asked})
    if not 0 <= index < len(question.legal):
        message = _("This is not one of the legal moves. Choose from 0 to %(last)s.")
        shown = {"last": len(question.legal) - 1}
        raise TableError(message % shown, code="table.bad_answer", extra={"choices": len(question.legal), "field": "a"})
    return question


def answer_for_bot(table: LiveTable, rows: int, index: int, took_ms: int, fault: str = "") -> bool:
    """Write the answer of the bot that was asked after `rows` rows; False if it is answered already.

    fault: the code with which the bot forfeits instead.
    """
    try:
        with locked(table.uuid) as at:
            if at.table.state != S.PLAYING or at.table.answered != rows or at.table.paused_at is not None:
                return False
            fold = take_fold(at.table, at.seats)
            question = fold.question
            assert question is not None
            row = Answer(seat=question.seat, code=fault) if fault else Answer(seat=question.seat, index=index)
            row.at, row.took_ms = timezone.now(), took_ms
            write_row(at, fold, row)
    except IntegrityError:
        return False
    return True


def write_row(at: Locked, fold: Fold, row: Answer) -> None:
    """Write the next row of the log and everything that follows from it; the fold goes on with it."""
    table = at.table
    row.table, row.n = table, fold.rows
    write_answer(row)
    fold.take([row])
    table.answered, table.asked_at = fold.rows, None
    go_on(at, fold, row.at)
    at.save()
    # Only what is committed is kept: a row that was rolled back never was.
    transaction.on_commit(lambda: keep_fold(table, fold))
