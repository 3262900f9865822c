"""A mixed event with a real worker process: tables of bots are played, and nobody draws a round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bots.models import Worker
from tests.builders.clubs import close_event
from tests.builders.mixed import a_mixed_event, at_tables, call_all, enter_called, of_workers
from tests.services.commands import said
from tests.services.processes import Project
from tests.tournaments.progress.test_people import stage_of
from tournaments.models import Match, Round, Seat, Tournament
from tournaments.progress.run import start_tournament
from tournaments.standings import store

pytestmark = [pytest.mark.timeout(300), pytest.mark.django_db(transaction=True)]
M = Match.State


@pytest.mark.slow
def test_rounds_follow_without_hands(project: Project, wait_until: Callable[..., Any]) -> None:
    project.worker(concurrency=1)
    wait_until(lambda: Worker.objects.filter(probe_ok=True).exists(), 60, "the sandbox held")
    event = a_mixed_event(people=3, bots=5, rounds=3)
    start_tournament(tournament=event, by=event.created_by)
    for number in (1, 2, 3):
        wait_until(lambda number=number: Round.objects.filter(number=number).exists(), 60, f"round {number} is drawn")
        call_all(event)
        assert enter_called(event) >= 2
    wait_until(lambda: not Round.objects.exclude(state__in=store.COMPLETE).exists(), 60, "every round is complete")
    event.refresh_from_db()
    assert event.state == Tournament.State.RUNNING
    close_event(tournament=event, by=event.created_by)
    assert {match.state for match in (*at_tables(event), *of_workers(event))} == {M.CONFIRMED}
    assert not Seat.objects.filter(outcome=Seat.Outcome.FORFEIT).exists()
    assert store.differences(stage_of(event)) == []
    assert "0 tables differed" in said("refold", "--check")
