"""Asking the workers for the answer of a bot. A task that is lost is found by the sweep: the row says who is asked."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Final

import structlog
from celery import current_app
from django.db import transaction
from django.utils import timezone

from activity.wake_ups import BROKER_ERRORS
from tables.models import LiveSeat, LiveTable
from tables.play.fold import Fold

TASK: Final = "tables.tasks.answer_seat"
QUEUE: Final = "tables"
"""Its own: the broker offers queues in turn, so a person waits for what a worker does just now, not for all matches."""
LOST_AFTER: Final = timedelta(seconds=15)
"""A bot that was asked so long ago is asked again: its task may be lost."""
log = structlog.get_logger(__name__)


def wake_bot(table: LiveTable, seats: list[LiveSeat], fold: Fold) -> None:
    """Note whether a bot is asked now, and send a task for its answer once the transaction is committed."""
    question = fold.question
    if question is None or seats[question.seat].kind != LiveSeat.Kind.BOT:
        table.bot_asked_at = None
        return
    table.bot_asked_at = timezone.now()
    transaction.on_commit(partial(send, str(table.uuid), fold.rows))


def send(table: str, n: int) -> bool:
    """Send the task; False if the broker does not answer."""
    try:
        current_app.send_task(TASK, args=[table, n], queue=QUEUE)
    except BROKER_ERRORS as lost:
        log.warning("table.bot_not_woken", table=table, reason=str(lost))
        return False
    return True


def send_lost() -> int:
    """Send the tasks of bots that were asked some time ago again. Returns how many."""
    lost = LiveTable.objects.filter(bot_asked_at__lt=timezone.now() - LOST_AFTER).order_by("bot_asked_at")
    return sum(send(str(uuid), n) for uuid, n in lost.values_list("uuid", "answered")[:200])
