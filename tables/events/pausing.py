"""Pauses of events: their tables stand still, and go on with what every clock had left.

A pause writes no answer and stands in no record. Afterwards the present question counts as asked that much later
(`LiveTable.asked_at`), so every process comes to the same clocks.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

import structlog
from django.db import DatabaseError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from activity.domain_events import DomainEvent
from activity.journal import publish
from engine.errors import DomainError
from tables.actions.dealing import deal_after_pause, deal_if_full, go_on
from tables.actions.folding import keep_fold, take_fold
from tables.actions.locking import Locked, locked
from tables.domain_events import TableChanged
from tables.events.opened import GOING_ON
from tables.models import LiveSeat, LiveTable
from tournaments.models import Tournament

S = LiveTable.State
PAUSED = Tournament.State.PAUSED
log = structlog.get_logger(__name__)


def pause_tables(event: Tournament, later: list[DomainEvent]) -> int:
    """Let all tables of an event stand still. Part of its pause, in that transaction; two statements.

    later: takes the events to publish. Returns how many tables there were.
    """
    going_on = _of_events().filter(stage__tournament=event, paused_at=None)
    # By key, and each held: an answer that is being written is waited for, and counts.
    rows = list(going_on.select_for_update(no_key=True, of=("self",)).order_by("pk").only("uuid", "state"))
    LiveTable.objects.filter(pk__in=[row.pk for row in rows]).update(
        paused_at=timezone.now(),
        # Nothing is due, nobody is asked, and nobody is notified.
        deadline_at=None,
        bot_asked_at=None,
        notify_at=None,
        events=F("events") + 1,
    )
    later += [TableChanged(row.channel, state=row.state) for row in rows]
    return len(rows)


def resume_tables(event: Tournament) -> int:
    """Let all tables of an event go on. Returns how many did; one that fails stops no other."""
    standing = _of_events().filter(stage__tournament=event, paused_at__isnull=False).order_by("pk")
    return sum(_resumed(uuid) for uuid in standing.values_list("uuid", flat=True))


def follow_pauses(most: int) -> int:
    """Make good what a process has missed: tables stand still with their event, and go on with it.

    An event may also have been paused or resumed by an undo. Returns how many tables.
    """
    missed = _of_events().filter(paused_at=None, stage__tournament__state=PAUSED)
    events = Tournament.objects.filter(pk__in=missed.values("stage__tournament"))
    late = _of_events().exclude(paused_at=None).exclude(stage__tournament__state=PAUSED).order_by("pk")
    paused = sum(_paused(event) for event in events)
    return paused + sum(_resumed(uuid) for uuid in late.values_list("uuid", flat=True)[:most])


def _of_events() -> QuerySet[LiveTable]:
    return LiveTable.objects.filter(stage__isnull=False, state__in=GOING_ON)


def _paused(event: Tournament) -> int:
    later: list[DomainEvent] = []
    with transaction.atomic():
        found = pause_tables(event, later)
        publish(*later)
    return found


def _resumed(uuid: UUID) -> bool:
    try:
        return resume_table(uuid)
    except (DomainError, DatabaseError) as failed:
        log.warning("table.not_resumed", table=str(uuid), reason=str(failed))
        return False


def resume_table(uuid: UUID) -> bool:
    """Let one table go on. Returns False where it does not stand still, or its event is paused again."""
    with locked(uuid) as at:
        table, paused_at = at.table, at.table.paused_at
        if paused_at is None or table.is_over or _is_paused(table):
            return False
        table.paused_at = None
        table.events += 1
        if table.state == S.OPEN:
            deal_if_full(at)
        elif table.state == S.DEALING:
            deal_after_pause(at)
        else:
            _go_on(at, paused_at)
        at.save()
    return True


def _is_paused(table: LiveTable) -> bool:
    return Tournament.objects.filter(stages=table.stage_id, state=PAUSED).exists()


def _go_on(at: Locked, paused_at: datetime) -> None:
    """Ask the present question again: what was used of its time before the pause stays used."""
    table, now = at.table, timezone.now()
    fold = take_fold(table, at.seats)
    used = max(timedelta(0), paused_at - fold.asked_at)
    fold.asked_at = table.asked_at = now - used
    go_on(at, fold, now)
    # Who had gone away for the pause is not taken for gone at once.
    LiveSeat.objects.filter(table=table, kind=LiveSeat.Kind.PERSON).update(seen_at=now)
    transaction.on_commit(partial(keep_fold, table, fold))
