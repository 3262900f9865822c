"""The sweep of tables: clocks that have run out, nonces that did not come, lost tasks, matches not recorded yet.

It pairs the programs of the ladder, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import structlog
from django.db import DatabaseError
from django.utils import timezone

from engine.errors import DomainError
from tables.actions.leaving import look_after
from tables.actions.opening import fill_with_bots
from tables.actions.recording import WrongRecord, record_table, unrecorded
from tables.actions.turns import notify_due
from tables.actions.waking import send_lost
from tables.events.opened import follow_matches
from tables.events.pausing import follow_pauses
from tables.house import MIDDLE
from tables.jobs.levels import version_of_level
from tables.models import LiveTable
from tables.programs.pairing import pair_programs
from tables.view.alike import purge_expired_marks

BATCH_SIZE = 200
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Swept:
    """Result of a sweep: tables looked at, filled with bots and recorded, tasks sent again, programs paired.

    emptied: marks of seats; followed: tables of events opened and called off; paused: those that were paused or resumed
    with their event; notified: tables whose player was to hear of their turn.
    """

    due: int
    filled: int
    recorded: int
    sent: int
    paired: int
    emptied: int
    followed: int
    paused: int
    notified: int


def sweep() -> Swept:
    """Do everything that is due. Harmless twice at once; a table that fails stops no other."""
    return Swept(
        due=_due(),
        filled=_fill(),
        recorded=_record(),
        sent=send_lost(),
        paired=_guarded("table.not_paired", pair_programs),
        emptied=_guarded("table.not_emptied", purge_expired_marks),
        followed=_guarded("table.not_followed", lambda: follow_matches(BATCH_SIZE)),
        paused=_guarded("table.not_paused", lambda: follow_pauses(BATCH_SIZE)),
        notified=_guarded("table.not_notified", lambda: notify_due(BATCH_SIZE)),
    )


def _guarded(event: str, step: Callable[[], int]) -> int:
    """Do a step; one that fails is done again by the next sweep."""
    try:
        return step()
    except (DomainError, DatabaseError) as failed:
        log.warning(event, reason=str(failed))
        return 0


def _due() -> int:
    due = LiveTable.objects.filter(deadline_at__lte=timezone.now()).order_by("deadline_at")
    tables = list(due[:BATCH_SIZE])
    for table in tables:
        _or_log("table.not_looked_after", table)
    return len(tables)


def _or_log(event: str, table: LiveTable) -> None:
    try:
        look_after(table)
    except (DomainError, DatabaseError) as failed:
        log.warning(event, table=str(table.uuid), reason=str(failed))


def _fill() -> int:
    """Let house bots take the seats of tables that have waited long enough."""
    waiting = LiveTable.objects.filter(state=LiveTable.State.OPEN, bots_from__lte=timezone.now()).order_by("bots_from")
    tables = list(waiting[:BATCH_SIZE])
    for table in tables:
        try:
            fill_with_bots(table, [version_of_level(MIDDLE)] * table.seats_n)
        except (DomainError, DatabaseError) as failed:
            log.warning("table.not_filled", table=str(table.uuid), reason=str(failed))
    return len(tables)


def _record() -> int:
    """Record finished tables whose process died before it could, the oldest first."""
    done = 0
    for uuid in unrecorded()[:BATCH_SIZE]:
        try:
            record_table(uuid)
            done += 1
        except WrongRecord as wrong:
            log.error("table.wrong_record", table=str(uuid), reason=str(wrong))
    return done
