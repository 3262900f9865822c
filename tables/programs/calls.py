"""What a program hears on its own stream: challenges, and tables that begin and end."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from tables.actions.leaving import look_after
from tables.models import LiveSeat, LiveTable, Program, TableChallenge
from tables.programs.lines import Line, about_challenge, about_seats, about_table, epoch_ms
from tables.programs.playing import end_of
from tables.programs.registry import is_done

S = LiveTable.State
BEGUN: Final = (S.DEALING, S.PLAYING)
MAX_ENDED: Final = 100
"""Tables that ended while nobody listened, of which a new stream still tells."""
COMMITTED_WITHIN: Final = timedelta(seconds=10)
"""Time in which the end of a table can be seen at the latest once it is noted."""


class Calls:
    """The news of one connection: what was told stays told, everything else comes with the next `fresh`.

    after: tables that ended later than this moment (ms since 1970) are told at the beginning, too.
    """

    def __init__(self, program: Program, after: int | None = None) -> None:
        self.channel = program.channel
        self.is_over = False
        self.due_at: datetime | None = None
        self._program = program
        self._since = _moment(after) or timezone.now()
        self._looked_at: datetime | None = None
        self._ended: set[UUID] = set()
        self._challenges: dict[UUID, str] = {}
        self._tables: set[UUID] = set()

    def fresh(self) -> list[Line]:
        """Return what is new, in order. Five queries, and some for each table that ended."""
        at = epoch_ms(timezone.now())
        # Asked first: a table that ends from here on is told by the next look.
        is_over = is_done(self._program)
        rows = [*self._new_challenges(), *self._tables_now()]
        self.is_over = is_over
        return [Line(kind, {"at": at, **content}, str(at)) for kind, content in rows]

    def _new_challenges(self) -> list[tuple[str, dict[str, Any]]]:
        rows = TableChallenge.objects.select_related("table", "program__bot", "by_program__bot")
        waiting = list(rows.filter(program=self._program, answer="", table__state=S.OPEN))
        waiting += rows.filter(by_program=self._program, answer="", table__state=S.OPEN)
        self._look_after(challenge.table for challenge in waiting)
        now = {challenge.uuid for challenge in waiting}
        told = [("challenge", {"challenge": about_challenge(each)}) for each in waiting if self._is_new(each)]
        gone = [uuid for uuid in self._challenges if uuid not in now]
        over = rows.filter(uuid__in=gone) if gone else []
        for challenge in over:
            del self._challenges[challenge.uuid]
            told.append(("challenge_end", {"challenge": about_challenge(challenge)}))
        return told

    def _is_new(self, challenge: TableChallenge) -> bool:
        is_new = challenge.uuid not in self._challenges
        self._challenges[challenge.uuid] = challenge.by
        # One's own is known from the answer to its post: only its end is news.
        return is_new and challenge.by_program_id != self._program.pk

    def _look_after(self, tables: Iterable[LiveTable]) -> None:
        """Note when the first challenge expires; what has expired is called off now."""
        self.due_at = None
        for table in tables:
            if table.deadline_at is None:
                continue
            if table.deadline_at <= timezone.now():
                look_after(table)
            elif self.due_at is None or table.deadline_at < self.due_at:
                self.due_at = table.deadline_at

    def _tables_now(self) -> list[tuple[str, dict[str, Any]]]:
        own = LiveSeat.objects.filter(bot_version=self._program.version_id, kind=LiveSeat.Kind.PROGRAM)
        tables = LiveTable.objects.filter(pk__in=own.values("table")).order_by("pk").prefetch_related("seats")
        running = list(tables.filter(state__in=BEGUN))
        begun = [table for table in running if table.uuid not in self._tables]
        gone = self._tables - {table.uuid for table in running}
        over = list(tables.filter(uuid__in=gone)) if gone else []
        is_first = self._looked_at is None
        unknown = self._unknown(tables)
        # Begun and ended between two looks, as a match that its deal decides: both are told.
        begun += [] if is_first else unknown
        over += unknown
        self._tables = {table.uuid for table in running}
        started = [("table_start", {"table": self._with_seats(table)}) for table in begun]
        return started + [("table_end", {"table": self._with_seats(table), **end_of(table)}) for table in over]

    def _unknown(self, tables: QuerySet[LiveTable]) -> list[LiveTable]:
        """Return the tables that have ended since the last look, and of whose beginning this connection knows nothing.

        The last of them only; a look goes back a little, for ends that were noted before it and committed after it.
        """
        looked_at, self._looked_at = self._looked_at or self._since, timezone.now()
        ended = tables.filter(dealt_at__isnull=False, finished_at__gt=looked_at - COMMITTED_WITHIN)
        found = list(ended.order_by("-finished_at")[:MAX_ENDED])[::-1]
        told, self._ended = self._ended | self._tables, {table.uuid for table in found}
        return [table for table in found if table.uuid not in told and _ended_after(table, self._since)]

    def _with_seats(self, table: LiveTable) -> dict[str, Any]:
        seats = list(table.seats.all())
        me = next((seat.index for seat in seats if seat.bot_version_id == self._program.version_id), None)
        return {**about_table(table), "me": me, "players": about_seats(seats)}


def _ended_after(table: LiveTable, moment: datetime) -> bool:
    return table.finished_at is not None and table.finished_at > moment


def _moment(ms: int | None) -> datetime | None:
    """Return a moment that a client names; none that cannot be, and none long ago."""
    if ms is None:
        return None
    earliest = timezone.now() - timedelta(days=1)
    try:
        return max(datetime.fromtimestamp(ms / 1000, UTC), earliest)
    except (OverflowError, OSError, ValueError):
        return earliest
