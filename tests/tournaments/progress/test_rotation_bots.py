"""Bots whose partners rotate: workers play every round, the next one is drawn on its own, points are each one's own."""

from __future__ import annotations

import pytest

from bots.jobs.process import Process
from tests.builders import events as a
from tests.builders import rotating as r
from tests.tournaments.progress.test_advancing import play_on
from tournaments.models import Standing, Tournament
from tournaments.standings import store

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_workers_play_all_rounds_to_the_end(process: Process) -> None:
    options = {"rounds": 1, "teams": "2x2"}
    event = a.a_running_event(bots=5, kind="rotation", seats=4, rounds=3, legs="cyclic", options=options)
    play_on(process)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    pairs = [frozenset(side) for number in (1, 2, 3) for match in r.tables(event, number) for side in r.sides(match)]
    assert len(set(pairs)) == 6
    assert Standing.objects.filter(stage=r.stage_of(event), after_round=0).count() == 5
    assert store.differences(r.stage_of(event)) == []
