"""The pace of a process: matches an hour, from one counter for each of the last sixty minutes."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

MINUTES: Final = 60
MINUTE_S: Final = 60.0


@dataclass(slots=True)
class Pace:
    """Counts matches by the minute. `born`: monotonic seconds when counting began."""

    born: float = field(default_factory=time.monotonic)
    _counts: dict[int, int] = field(default_factory=dict)

    def record(self, now: float | None = None) -> None:
        """Count a match that was played just now (monotonic seconds)."""
        minute = int((time.monotonic() if now is None else now) / MINUTE_S)
        self._counts[minute] = self._counts.get(minute, 0) + 1
        for old in [each for each in self._counts if each <= minute - MINUTES]:
            del self._counts[old]

    def per_hour(self, now: float | None = None) -> int:
        """Matches an hour at the pace of the last hour; a process younger than that is taken at its own pace so far.

        The first minute counts as a whole one, so that a single quick match is not taken for thousands an hour.
        """
        at = time.monotonic() if now is None else now
        minute = int(at / MINUTE_S)
        # list(): the heartbeat thread reads this while the main thread plays and writes into the dict.
        played = sum(count for when, count in list(self._counts.items()) if when > minute - MINUTES)
        minutes = min(MINUTES, max(1.0, (at - self.born) / MINUTE_S))
        return round(played * MINUTES / minutes)
