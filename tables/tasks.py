"""Tasks of tables: the answer of a bot, and the sweep that finds what was lost."""

from __future__ import annotations

import time
from uuid import UUID

import structlog
from celery import shared_task
from django.conf import settings

from bots.errors import InfraFault
from bots.jobs.process import here, is_stopping
from tables.actions import waking
from tables.jobs import sweep as sweeping
from tables.jobs.answering import answer_seat as answer_for

_swept_at: list[float] = []
log = structlog.get_logger(__name__)


@shared_task(name=waking.TASK)
def answer_seat(table: str, n: int) -> None:
    """Let the bot that is asked after `n` rows answer. Sent twice it answers once; lost, the sweep sends it again."""
    process = here()
    if process is None or process.zygote is None or process.is_paused or is_stopping():
        return
    try:
        answer_for(UUID(table), n, process.launcher())
    except InfraFault as broken:
        # The row says that the bot is still asked: the sweep sends the task to a process that is well then.
        process.record_fault(str(broken))
        log.warning("table.not_answered", table=table, reason=str(broken))


@shared_task(name="tables.tasks.sweep")
def sweep() -> None:
    """Do what is due at tables. What an outage has piled up is one sweep."""
    now = time.monotonic()
    if _swept_at and now - _swept_at[0] < settings.SWEEP_S / 2:
        return
    sweeping.sweep()
    _swept_at[:] = [now]
