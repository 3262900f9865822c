"""What is told to everybody in the hall: the clock of each round, and the announcements that stand.

Both live in the event's policies, so every page of the event has them without asking (docs/decisions/0041). Who shows
a clock only shows: when a round began, how long it is and how long it stood still is said here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils import timezone

from tournaments.models import Match, Round, Tournament

CLOCK: Final = "round_clock"
SAID: Final = "announcements"
OPEN: Final = (Round.State.PUBLISHED, Round.State.PLAYING)


@dataclass(frozen=True, slots=True)
class RoundClock:
    """The clock of a called round. stopped_s: how long it stood still before now; stopped_at: since when it does.

    by_event: it stands because the event is paused, and goes on with it.
    """

    began_at: datetime
    minutes: int
    stopped_s: float = 0.0
    stopped_at: datetime | None = None
    by_event: bool = False

    @property
    def ends_at(self) -> datetime:
        """When time is called, if it goes on from now (or from when it stopped) without a halt."""
        return self.began_at + timedelta(minutes=self.minutes, seconds=self.stopped_s)

    def left_s(self, now: datetime) -> float:
        """Seconds that are left; less than 0 once time was called."""
        return (self.ends_at - (self.stopped_at or now)).total_seconds()

    def to_json(self) -> dict[str, object]:
        """As the policies keep it."""
        stopped = self.stopped_at.isoformat() if self.stopped_at else None
        return {
            "began": self.began_at.isoformat(),
            "minutes": self.minutes,
            "stopped_s": self.stopped_s,
            "stopped": stopped,
            "by_event": self.by_event,
        }

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> RoundClock:
        """The clock back."""
        stopped = document["stopped"]
        return RoundClock(
            datetime.fromisoformat(document["began"]),
            int(document["minutes"]),
            float(document["stopped_s"]),
            datetime.fromisoformat(stopped) if stopped else None,
            bool(document["by_event"]),
        )


@dataclass(frozen=True, slots=True)
class Said:
    """An announcement that stands. number: counted from 1 in its event."""

    number: int
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ClockLine:
    """A clock as a page shows it; `now` is the server's time, which the page compares with its own."""

    round: Round
    clock: RoundClock
    now: datetime

    @property
    def left_s(self) -> int:
        """Whole seconds left, 0 once time was called."""
        return max(0, -int(-self.clock.left_s(self.now) // 1))

    @property
    def left(self) -> str:
        """What is left, as "mm:ss"."""
        return f"{self.left_s // 60}:{self.left_s % 60:02}"

    @property
    def is_over(self) -> bool:
        """Whether time was called."""
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
    """How long a round is; 0: no clock."""
    return int(event.policies.get(CLOCK, {}).get("minutes") or 0)


def key_of(round_row: Round) -> str:
    """How the policies name a round: its stage's order and its number."""
    return f"{round_row.stage.order}/{round_row.number}"


def clock_in(policies: Mapping[str, Any], key: str) -> RoundClock | None:
    """The clock of a round, None before it was called or without one."""
    found = policies.get(CLOCK, {}).get("rounds", {}).get(key)
    return RoundClock.from_json(found) if found else None


def clock_line(event: Tournament, round_row: Round | None) -> ClockLine | None:
    """The clock of a round that is being played."""
    if round_row is None or round_row.state not in OPEN:
        return None
    found = clock_in(event.policies, key_of(round_row))
    return ClockLine(round_row, found, timezone.now()) if found else None


def clock_lines(event: Tournament) -> list[ClockLine]:
    """The clocks of all rounds that are being played. One query, none where rounds have no clock."""
    if not event.policies.get(CLOCK, {}).get("rounds"):
        return []
    rows = Round.objects.filter(stage__tournament=event, state__in=OPEN).defer("plan").select_related("stage")
    lines = (clock_line(event, row) for row in rows.order_by("stage__order", "number"))
    return [line for line in lines if line is not None]


def said_in(event: Tournament) -> list[Said]:
    """The announcements that stand, newest first."""
    rows = event.policies.get(SAID, {}).get("rows", [])
    return [Said(row["n"], row["text"], datetime.fromisoformat(row["at"])) for row in reversed(rows)]


def was_called(round_row: Round) -> bool:
    """Whether a table of the round was called before."""
    waiting = (Match.State.PENDING, Match.State.READY, Match.State.VOID)
    return Match.objects.filter(round=round_row).exclude(state__in=waiting).exists()
