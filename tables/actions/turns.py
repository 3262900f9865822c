"""Notices at tables with days for a move: it is somebody's turn, and their time is nearly over.

Only to an account, by the notices and mails of the site, which everybody may turn off. Two who play at once get none:
the first waits for five minutes, and for somebody who has not looked at the table since they were asked.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.utils import timezone
from django.utils.translation import override

from activity.journal import publish
from tables.actions.folding import keep_fold, take_fold
from tables.actions.locking import Locked, locked
from tables.domain_events import TurnWaits
from tables.models import LiveSeat, LiveTable
from tables.play.clocks import ends_at
from tables.play.fold import Fold, Question

QUIET: Final = timedelta(minutes=5)
"""Time in which the player whose turn it is may look at the table on their own."""
REMINDED: Final = timedelta(hours=12)
"""Time before the end of a decision at which its player is reminded."""
CHANGING: Final = ("notify_at", "turn_notices")


def plan_notice(table: LiveTable, fold: Fold) -> None:
    """Note when the player whose turn it is now is to be notified. The caller saves."""
    question = fold.question
    is_by_days = table.clock == LiveTable.Clock.DAYS and question is not None
    table.turn_notices = 0
    table.notify_at = question.at + QUIET if is_by_days and question is not None else None


def notify_due(most: int) -> int:
    """Notify those whose turn it is, and remind those whose time is nearly over. Returns how many tables were due."""
    due = LiveTable.objects.filter(notify_at__lte=timezone.now()).order_by("notify_at")
    uuids = list(due.values_list("uuid", flat=True)[:most])
    for uuid in uuids:
        _notify(uuid)
    return len(uuids)


def _notify(uuid: UUID) -> None:
    with locked(uuid) as at:
        table, now = at.table, timezone.now()
        if table.notify_at is None or table.notify_at > now:
            return
        if table.state != LiveTable.State.PLAYING:
            _put_off(table, None, table.turn_notices)
            return
        fold = take_fold(table, at.seats)
        question = fold.question
        if question is None:
            _put_off(table, None, table.turn_notices)
        elif table.turn_notices == 0:
            _first(at, question)
        else:
            _tell(at, question, is_reminder=True)
            _put_off(table, None, 2)
        keep_fold(table, fold)


def _first(at: Locked, question: Question) -> None:
    seen = at.seats[question.seat].seen_at
    # Who has looked at the table since they were asked knows that it is their turn.
    if seen is None or seen < question.at:
        _tell(at, question, is_reminder=False)
    reminded_at = ends_at(question.at, question.left_ms) - REMINDED
    _put_off(at.table, reminded_at if reminded_at > timezone.now() else None, 1)


def _put_off(table: LiveTable, until: datetime | None, notices: int) -> None:
    table.notify_at, table.turn_notices = until, notices
    table.save(update_fields=CHANGING)


def _tell(at: Locked, question: Question, *, is_reminder: bool) -> None:
    seat = at.seats[question.seat]
    if seat.kind != LiveSeat.Kind.PERSON or seat.user_id is None:
        return
    table = at.table
    with override(seat.user.language if seat.user is not None and seat.user.language else settings.LANGUAGE_CODE):
        names = [each.called for each in at.seats if each.index != seat.index]
    # Of the table nothing but its game and its players: a mail is read by more than one person.
    publish(
        TurnWaits(
            f"d:{table.uuid}",
            user=seat.user_id,
            table=str(table.uuid),
            preset=table.preset,
            names=names,
            match=str(table.uuid) if table.stage_id is not None else "",
            reminder=is_reminder,
        )
    )
