"""Rows of tables that every answer reads and writes, by statements whose SQL is written once."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from accounts.statements import Reading, Writing
from tables.models import Answer, LiveSeat, LiveTable, number_seats

CHANGING: Final = (
    "state",
    "mix",
    "dealt_at",
    "answered",
    "events",
    "bot_asked_at",
    "deadline_at",
    "bots_from",
    "notify_at",
    "turn_notices",
    "paused_at",
    "asked_at",
    "finished_at",
    "reason",
)
"""The columns of a table that change after it was opened."""

# Without joins: most tables are of no event, and the columns of one cost more than all else of the statement.
_TABLE: Final = Reading(lambda uuid: LiveTable.objects.filter(uuid=uuid))
_LOCKED: Final = Reading(lambda uuid: LiveTable.objects.select_for_update(no_key=True, of=("self",)).filter(uuid=uuid))
_SEATS: Final = Reading(lambda table: LiveSeat.objects.filter(table=table).order_by("index"))
_CHANGES: Final = Writing(LiveTable, CHANGING)
_SEEN: Final = Writing(LiveSeat, ["seen_at"])
_ANSWER: Final = Writing(Answer)


def table_at(uuid: UUID) -> LiveTable | None:
    """Return the row of a table."""
    return _TABLE.first(uuid)


def locked_table(uuid: UUID) -> LiveTable | None:
    """Return the row of a table, which this transaction locks."""
    return _LOCKED.first(uuid)


def seats_at(table: LiveTable) -> list[LiveSeat]:
    """Return the taken seats of a table in order."""
    seats = _SEATS.rows(table.pk)
    for seat in seats:
        seat.table = table
    return number_seats(seats)


def write_changes(table: LiveTable) -> None:
    """Write what may have changed of a table."""
    # As `save` does: nothing is told of a table that is gone.
    if not _CHANGES.write(table):
        raise LiveTable.DoesNotExist(str(table.uuid))


def write_answer(row: Answer) -> None:
    """Insert a row of the log. Raises IntegrityError if its number is taken."""
    _ANSWER.write(row)


def write_seen(seat: LiveSeat, now: datetime) -> None:
    """Write when somebody has last looked at their table; nothing if they have left it meanwhile."""
    seat.seen_at = now
    _SEEN.write(seat)


def write_seen_of(seats: Collection[int], now: datetime) -> None:
    """Write the same of many seats (ids of their rows) at once. Two statements."""
    rows = LiveSeat.objects.filter(pk__in=seats)
    with transaction.atomic():
        # Two processes that note the same seats in another order would wait for each other. Who is being noted is here.
        free = list(rows.select_for_update(no_key=True, skip_locked=True).values_list("pk", flat=True))
        LiveSeat.objects.filter(pk__in=free).update(seen_at=now)
