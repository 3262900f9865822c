"""The clock of beat: no matter what the wall clock does, each of its tasks is sent when it is due."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from config.beat import SteadyScheduler
from config.celery import app

PERIOD = timedelta(seconds=app.conf.beat_schedule["sweep"]["schedule"].seconds)


class Simulated(SteadyScheduler):
    """Sends nothing; counts what it would have sent. Waiting takes no time."""

    def __init__(self, folder: Path) -> None:
        self.wall = datetime(2026, 11, 22, 3, tzinfo=UTC)
        self.sent: Counter[str] = Counter()
        super().__init__(app, schedule_filename=str(folder / "schedule"), lazy=True)

    def apply_entry(self, entry: object, producer: object = None) -> None:
        self.sent[str(getattr(entry, "name", ""))] += 1

    def run_for(self, duration: timedelta) -> None:
        end = self.wall + duration
        while self.wall < end:
            self.wall += timedelta(seconds=max(0.001, self.tick()))


@pytest.mark.parametrize("phase", [0.0, 0.2, 0.5, 0.8])
def test_every_task_goes_on_after_the_clock_was_put_back(
    phase: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of them was the first in line when it happened."""
    beat = Simulated(tmp_path)
    monkeypatch.setattr(app, "now", lambda: beat.wall)
    beat.setup_schedule()
    beat.run_for((3 + phase) * PERIOD)
    beat.wall -= timedelta(hours=1)
    beat.sent.clear()
    beat.run_for(4 * PERIOD)
    beat.close()
    assert {name: 3 <= beat.sent[name] <= 6 for name in ("sweep", "tidy")} == {"sweep": True, "tidy": True}, beat.sent
