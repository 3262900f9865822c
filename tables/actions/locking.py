"""A table under its row lock, and what every change of it ends with: its row is saved, and listeners are woken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from activity.journal import publish
from tables.actions.rows import locked_table, seats_at, write_changes
from tables.domain_events import ProgramNews, TableChanged
from tables.errors import TableError
from tables.models import LiveSeat, LiveTable, TableChallenge, program_channel


@dataclass(slots=True)
class Locked:
    """A table whose row this transaction has locked, with its seats in order. was: its state until now, "" if new."""

    table: LiveTable
    seats: list[LiveSeat]
    was: str = ""

    def require(self, *states: LiveTable.State) -> None:
        """Raise TableError "table.wrong_state" unless the table is in one of these states."""
        if self.table.state not in states:
            message = _("The table is “%(state)s” now. Reload the page.")
            shown = {"state": self.table.get_state_display()}
            raise TableError(message % shown, code="table.wrong_state", extra={"state": self.table.state})

    def require_running(self) -> None:
        """Raise TableError "table.paused" while the event of the table is paused."""
        if self.table.paused_at is not None:
            message = _("The event is paused: the clocks stand still. You can move once the organiser resumes it.")
            raise TableError(message, code="table.paused")

    def free(self, seat: LiveSeat) -> None:
        """Take a seat back. A program that an event has asked to it is asked again."""
        self.seats.remove(seat)
        seat.delete()
        if seat.kind == LiveSeat.Kind.PROGRAM and self.table.stage_id is not None:
            asked = TableChallenge.objects.filter(table=self.table, program__version=seat.bot_version_id)
            asked.update(answer="", answered_at=None)

    def save(self) -> None:
        """Write the row of the table and tell everybody who looks at it. The last thing of a transaction."""
        write_changes(self.table)
        changed = TableChanged(self.table.channel, state=self.table.state)
        versions = publish(changed, *self._news(), is_counted=True)
        self.table.heard = versions[self.table.channel]

    def _news(self) -> list[ProgramNews]:
        """Return what programs are told that sit there or are asked to: only when the state is another one.

        Never for an answer: a program at many tables would have them all wait for its channel.
        """
        if (self.was or LiveTable.State.OPEN) == self.table.state:
            return []
        found = {seat.bot_version_id for seat in self.seats if seat.kind == LiveSeat.Kind.PROGRAM}
        if self.was == LiveTable.State.OPEN or self.table.stage_id is not None:
            asked = TableChallenge.objects.filter(table=self.table)
            found |= set(asked.values_list("program__version", flat=True))
        return [ProgramNews(program_channel(version)) for version in sorted(filter(None, found))]


@contextmanager
def locked(uuid: UUID) -> Iterator[Locked]:
    """Open a transaction with the row of a table locked. Raises TableError "table.unknown"."""
    with transaction.atomic():
        table = locked_table(uuid)
        if table is None:
            raise TableError(_("There is no such table."), code="table.unknown")
        table.seated = seats_at(table)
        yield Locked(table, list(table.seated), table.state)
