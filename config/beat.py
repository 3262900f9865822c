"""Schedules of beat: a wall clock that is put back must not stop the sweeps."""

from datetime import datetime, timedelta
from typing import Any

from celery.beat import PersistentScheduler
from celery.schedules import schedule


class Steady(schedule):
    """Schedule of a fixed number of seconds; due at once if the last run lies in the future, as after a clock was put
    back.
    """

    def is_due(self, last_run_at: datetime) -> Any:
        """Return Celery's `schedstate(is_due, seconds until the next look)`."""
        now = self.now()
        if self.maybe_make_aware(last_run_at) > self.maybe_make_aware(now):
            return super().is_due(now - timedelta(seconds=self.seconds))
        return super().is_due(last_run_at)


class SteadyScheduler(PersistentScheduler):
    """Celery's scheduler, which looks at every task again once the clock was put back.

    Celery lines its tasks up by wall time and looks at the first only. The one that happens to be first is put in line
    again by the new time, ever before the others, which would wait until the old time has come round.
    """

    _seen_at: datetime | None = None

    def tick(self, *arguments: Any, **named: Any) -> Any:
        """Do one step; return the seconds until the next."""
        now = self.app.now()
        if self._seen_at is not None and now < self._seen_at:
            self._heap = None  # Celery builds it from the schedule again
        self._seen_at = now
        return super().tick(*arguments, **named)
