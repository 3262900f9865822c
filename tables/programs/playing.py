"""What a program hears on the stream of a table: the hello, its turns, the end; and what it does there."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from engine.match import Match
from tables.actions.folding import keep_fold, own_clock, take_fold
from tables.actions.leaving import look_after
from tables.errors import TableError
from tables.models import LiveSeat, LiveTable, Program
from tables.play.asking import hello_to, question_to, told_before
from tables.play.clocks import ABANDONED
from tables.play.fold import Fold, Question
from tables.programs.lines import Line, about_end, about_seats, about_table

S = LiveTable.State
NO_CLOCK_MS: Final = round(ABANDONED.total_seconds() * 1000)
"""What a program without a clock is told that its answer may take: after this time the table is called off."""

PUT_ASIDE: Final = "put_aside"


class Turns:
    """The news of one connection to a table. after: the number of the last turn that its program has received.

    Each connection begins with the hello and the turn that is asked; `obs.since` of a turn has what was told since the
    turn before it, of the first one since `after`, without `after` since the match began. A turn that a pause of the
    event has interrupted is told again.
    """

    def __init__(self, program: Program, uuid: UUID, after: int | None = None) -> None:
        table, seats = _read(uuid)
        self._seat = seat_at(program, seats)
        self.channel = table.channel
        self.is_over = False
        self.due_at: datetime | None = None
        self._program, self._uuid, self._known = program, uuid, after or 0
        self._told: set[str] = set()
        self._turn = 0
        self._is_paused = False

    def fresh(self) -> list[Line]:
        """Return what is new, in order. Two queries, and one for answers of which this process does not know."""
        table, seats = _read(self._uuid)
        if table.deadline_at is not None and table.deadline_at <= timezone.now() and not table.is_over:
            look_after(table)
            table, seats = _read(self._uuid)
        self.due_at = None if table.is_over else table.deadline_at
        own = next((seat for seat in seats if seat.bot_version_id == self._program.version_id), None)
        if own is None:
            # Put aside, because it has not shown its nonce in time.
            self.is_over = True
            return self._once("end", {**about_end(table, None), "reason": table.reason or PUT_ASIDE})
        if table.dealt_at is None:
            return self._before_the_deal(table, seats, own)
        fold = take_fold(table, seats)
        try:
            return self._played(table, seats, fold)
        finally:
            keep_fold(table, fold)

    def _before_the_deal(self, table: LiveTable, seats: list[LiveSeat], own: LiveSeat) -> list[Line]:
        if table.is_over:
            return self._end(table, None)
        is_wanted = table.state == S.DEALING and not own.nonce
        # All hashes: a program that keeps them can compare them with the record.
        hashes = [seat.nonce_hash for seat in seats]
        return self._once("nonce_wanted", {"nonce_hash": own.nonce_hash, "hashes": hashes}) if is_wanted else []

    def _played(self, table: LiveTable, seats: list[LiveSeat], fold: Fold) -> list[Line]:
        found = self._hello(table, seats, fold)
        question = fold.question
        was_paused, self._is_paused = self._is_paused, table.paused_at is not None
        if table.state == S.PLAYING and self._is_paused:
            return found if was_paused else [*found, Line("paused", {})]
        if table.state == S.PLAYING and question is not None and question.seat == self._seat:
            found += self._asked(table, fold, question, again=was_paused)
        return found + (self._end(table, fold.match) if table.is_over else [])

    def _hello(self, table: LiveTable, seats: list[LiveSeat], fold: Fold) -> list[Line]:
        clock = own_clock(table)
        figures = {"id": clock.id, "bank_ms": clock.bank_ms, "increment_ms": clock.increment_ms}
        hello = hello_to(fold, self._seat, match_id=str(table.uuid), clock=figures, draw=1)
        more = {"hello": hello, "table": {**about_table(table), "players": about_seats(seats)}}
        return self._once("hello", more)

    def _asked(self, table: LiveTable, fold: Fold, question: Question, *, again: bool) -> list[Line]:
        if question.n <= self._turn and not again:
            return []
        known = min(self._turn or self._known, question.n - 1)
        ms_left = _ms_left(fold, question)
        obs = question_to(
            fold,
            self._seat,
            match_id=str(table.uuid),
            preset=table.preset,
            ms_left=ms_left,
            since=told_before(fold, self._seat, known),
        )
        self._turn = question.n
        return [Line("turn", {"n": question.n, "ms_left": ms_left, "obs": obs}, str(question.n))]

    def _end(self, table: LiveTable, match: Match | None) -> list[Line]:
        self.is_over = True
        return self._once("end", about_end(table, match))

    def _once(self, kind: str, content: dict[str, Any]) -> list[Line]:
        if kind in self._told:
            return []
        self._told.add(kind)
        return [Line(kind, content)]


def seat_at(program: Program, seats: list[LiveSeat]) -> int:
    """Return the seat of a program. Raises TableError "table.not_seated"."""
    own = next((seat.index for seat in seats if seat.bot_version_id == program.version_id), None)
    if own is None:
        raise TableError(_("Your program has no seat at this table."), code="table.not_seated")
    return own


def end_of(table: LiveTable) -> dict[str, Any]:
    """Return how a table ended."""
    if table.state != S.FINISHED:
        return about_end(table, None)
    fold = take_fold(table, list(table.seats.all()))
    try:
        return about_end(table, fold.match)
    finally:
        keep_fold(table, fold)


def _read(uuid: UUID) -> tuple[LiveTable, list[LiveSeat]]:
    """Return a table and its seats. Raises TableError "table.unknown"."""
    table = LiveTable.objects.filter(uuid=uuid).first()
    if table is None:
        raise TableError(_("There is no such table."), code="table.unknown")
    return table, list(LiveSeat.objects.filter(table=table).order_by("index"))


def _ms_left(fold: Fold, question: Question) -> int:
    """Return what the seat still has for this question, now."""
    whole = question.left_ms if fold.clock.is_counting else NO_CLOCK_MS
    gone = (timezone.now() - question.at).total_seconds() * 1000
    return max(0, round(whole - gone))
