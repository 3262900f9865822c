"""Clocks of tables, pure: what a decision costs, and when a seat has no time left. Times in milliseconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
DAY: Final = 24 * 60 * MINUTE
FORGIVEN_MS: Final = 1 * SECOND
"""What the network may take of a decision without being charged, at most."""
ABANDONED: Final = timedelta(hours=48)
"""A table without a clock is called off when nobody has answered for so long."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of every seat. bank_ms: at the beginning; increment_ms: added after each decision.

    fresh: a decision has `increment_ms`, and what is left of it is not carried on. is_counting: False without a clock.
    """

    id: str
    bank_ms: int = 0
    increment_ms: int = 0
    fresh: bool = False

    @property
    def is_counting(self) -> bool:
        """Return whether a seat can run out of time."""
        return bool(self.bank_ms or self.increment_ms)

    @property
    def first_ms(self) -> int:
        """Return what a seat has for its first decision."""
        return self.increment_ms if self.fresh else self.bank_ms

    def after(self, left_ms: int, took_ms: int) -> int:
        """Return what a seat has for its next decision after one that took so long."""
        return self.increment_ms if self.fresh else max(0, left_ms - took_ms) + self.increment_ms


CLOCKS: Final[Mapping[str, Clock]] = MappingProxyType(
    {
        clock.id: clock
        for clock in (
            Clock("casual"),
            Clock("live", 3 * MINUTE, 10 * SECOND),
            Clock("days", 0, 3 * DAY, fresh=True),
            Clock("remote", 10 * SECOND, 1 * SECOND),
        )
    }
)
BOUNDS: Final[Mapping[str, tuple[tuple[int, int], tuple[int, int]]]] = MappingProxyType(
    {
        "casual": ((0, 0), (0, 0)),
        "live": ((30 * SECOND, 60 * MINUTE), (0, 60 * SECOND)),
        "days": ((0, 0), (1 * DAY, 14 * DAY)),
        "remote": ((1 * SECOND, 60 * SECOND), (0, 10 * SECOND)),
    }
)
"""Lowest and highest bank and increment of each class."""


def clock_of(kind: str, bank_ms: int, increment_ms: int) -> Clock:
    """Return the clock of a table with its own figures."""
    return Clock(kind, bank_ms, increment_ms, CLOCKS[kind].fresh)


def fits(clock: Clock) -> bool:
    """Return whether its figures are within the bounds of its class."""
    (low, high), (least, most) = BOUNDS[clock.id]
    return low <= clock.bank_ms <= high and least <= clock.increment_ms <= most


def charged_ms(asked_at: datetime, at: datetime, lag_ms: int) -> int:
    """Return what a decision costs. lag_ms: the measured delay of the network, forgiven up to FORGIVEN_MS."""
    forgiven = min(max(lag_ms, 0), FORGIVEN_MS)
    return max(0, round((at - asked_at).total_seconds() * 1000) - forgiven)


def ends_at(asked_at: datetime, left_ms: int) -> datetime:
    """Return when a seat is out of time for certain: the network may have cost it the most that is forgiven."""
    return asked_at + timedelta(milliseconds=left_ms + FORGIVEN_MS)
