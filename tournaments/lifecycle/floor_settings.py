"""The clock of each round and the announcements that stand, for everybody at the tournament.

A page only shows a clock: when a round began, how long it is and how long it stood still is stored here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone

from tournaments.models import Announcement, Match, Round, RoundClock, Stage, Tournament

OPEN: Final = (Round.State.PUBLISHED, Round.State.PLAYING)


@dataclass(frozen=True, slots=True)
class ClockLine:
    """A clock as a page shows it; `now` is the server's time, which the page compares with its own."""

    round: Round
    clock: RoundClock
    now: datetime

    @property
    def left_s(self) -> int:
        """Whole seconds left, rounded up; 0 once time was called."""
        # Rounded up, so that a clock shows 0:00 only when time is called.
        return max(0, -int(-self.clock.left_s(self.now) // 1))

    @property
    def left(self) -> str:
        """Time that is left, as "mm:ss"."""
        return f"{self.left_s // 60}:{self.left_s % 60:02}"

    @property
    def is_over(self) -> bool:
        """True once time was called."""
        return self.clock.left_s(self.now) <= 0

    @property
    def ends_ms(self) -> int:
        """The end in milliseconds of Unix time."""
        return round(self.clock.ends_at.timestamp() * 1000)

    @property
    def now_ms(self) -> int:
        """The server's time in milliseconds of Unix time."""
        return round(self.now.timestamp() * 1000)


def minutes_of(event: Tournament) -> int:
    """Return the length of a round in minutes; 0: no clock."""
    return event.round_minutes or 0


def clock_of(round_row: Round) -> RoundClock | None:
    """Return the clock of a round, None before it was called or without one. No query if it was read with the round."""
    try:
        return round_row.clock
    except RoundClock.DoesNotExist:
        return None


def clock_line(event: Tournament, round_row: Round | None) -> ClockLine | None:
    """Return the clock of a round that is being played. No query where nobody chose how long rounds are."""
    if round_row is None or round_row.state not in OPEN or event.round_minutes is None:
        return None
    found = clock_of(round_row)
    return ClockLine(round_row, found, timezone.now()) if found else None


def clock_lines(event: Tournament) -> list[ClockLine]:
    """Return the clocks of all rounds that are being played. One query, none where nobody chose how long rounds are."""
    if event.round_minutes is None:
        return []
    rows = Round.objects.filter(stage__tournament=event, state__in=OPEN, clock__isnull=False)
    # A plan of 500 tables is the largest column there is, and no clock needs it.
    rows = rows.exclude(stage__state=Stage.State.VOID).defer("plan").select_related("stage", "clock")
    now = timezone.now()  # one moment for all clocks, so that two that began together show the same
    return [ClockLine(row, row.clock, now) for row in rows.order_by("stage__order", "number")]


def announcements_of(event: Tournament) -> list[Announcement]:
    """Return the announcements that stand, newest first. One query, none where nothing was ever announced."""
    return list(event.announcements.order_by("-number")) if event.announcements_made else []


def was_called(round_row: Round) -> bool:
    """Return whether a table of the round was called before."""
    waiting = (Match.State.PENDING, Match.State.READY, Match.State.VOID)
    return Match.objects.filter(round=round_row).exclude(state__in=waiting).exists()
