"""PostgreSQL restarted in the middle of a league: workers recover on their own, each match counts once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest
from django.db import OperationalError, connection

from tests.builders import events as a
from tests.faults.leagues import QUICK, TAKES_ITS_TIME, check_the_league, finished, in_play
from tests.services.postgres import Postgres
from tests.services.processes import Project
from tournaments.models import Match, ResultReport

pytestmark = pytest.mark.timeout(300)


def again(server: Postgres) -> None:
    """Start it again, and connect this process again."""
    server.start()
    connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_restarted_in_the_middle_of_matches(
    mode: Literal["fast", "immediate"],
    own_postgres: Postgres,
    project_on_own_postgres: Project,
    wait_until: Callable[..., Any],
) -> None:
    project = project_on_own_postgres
    a.a_running_event(sources=[TAKES_ITS_TIME] * 5, options={"rounds": 6})
    beat = project.beat(extra=QUICK)
    worker = project.worker(concurrency=2, extra=QUICK)  # last: while beat starts it would have played the whole league
    wait_until(lambda: ResultReport.objects.exists() and in_play(), 60, "a first result, and a match in play")
    own_postgres.shut_down(mode)
    again(own_postgres)
    wait_until(finished, 90, "the league finished")
    assert worker.is_alive
    assert beat.is_alive
    check_the_league(10)


@pytest.mark.slow
def test_away_until_matches_in_play_are_over(
    own_postgres: Postgres, project_on_own_postgres: Project, wait_until: Callable[..., Any]
) -> None:
    """A match that is played out while the database is away cannot be recorded: it is played again, and counts once."""
    project = project_on_own_postgres
    a.a_running_event(sources=[TAKES_ITS_TIME] * 4, options={"rounds": 6})
    project.beat(extra=QUICK)
    worker = project.worker(extra=QUICK)  # last, as above
    wait_until(in_play, 60, "a match in play")
    own_postgres.shut_down("immediate")
    with pytest.raises(OperationalError):
        in_play()
    worker.wait_for_line("work.left_to_the_sweep", 60)
    again(own_postgres)
    wait_until(finished, 90, "the league finished")
    assert worker.is_alive
    check_the_league(6)
    assert Match.objects.exclude(history=[]).exists()
