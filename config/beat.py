"""The clock of beat: a wall clock that is put back must not stop the sweeps."""

from datetime import datetime, timedelta
from typing import Any

from celery.schedules import schedule


class Steady(schedule):
    """Every so many seconds; at once if the last time lies in the future, as after a clock was put back."""

    def is_due(self, last_run_at: datetime) -> Any:
        """Celery's `schedstate(is_due, seconds until the next look)`."""
        now = self.now()
        if self.maybe_make_aware(last_run_at) > self.maybe_make_aware(now):
            return super().is_due(now - timedelta(seconds=self.seconds))
        return super().is_due(last_run_at)
