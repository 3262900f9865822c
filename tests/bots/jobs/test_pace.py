"""Matches an hour of a worker process."""

from __future__ import annotations

import pytest

from bots.jobs.pace import Pace
from bots.jobs.process import Process
from tests.builders import events as a


def test_nothing_played_is_nothing_an_hour() -> None:
    assert Pace(0.0).per_hour(10_000.0) == 0


def test_a_young_process_is_taken_at_its_own_pace_and_never_below_a_minute() -> None:
    pace = Pace(0.0)
    for _ in range(10):
        pace.record(1.0)
    assert pace.per_hour(1.0) == 600
    assert pace.per_hour(600.0) == 60
    assert pace.per_hour(1_200.0) == 30


def test_only_the_last_hour_counts() -> None:
    pace = Pace(0.0)
    for minute in range(180):
        pace.record(minute * 60.0)
    assert pace.per_hour(179 * 60.0) == 60
    assert pace.per_hour(179 * 60.0 + 1_800) == 30
    assert pace.per_hour(100_000.0) == 0


@pytest.mark.django_db
def test_a_process_counts_what_it_played() -> None:
    process = Process(a.a_worker(), None)
    process.record_duration(0.2)
    process.record_duration(0.3)
    assert process.pace.per_hour() == 120
