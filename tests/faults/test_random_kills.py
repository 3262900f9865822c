"""A league whose workers are killed again and again: every match is still recorded once, and nobody pays for it.

Minutes long, so it runs with `make test-slow`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tests.faults.leagues import QUICK, TAKES_ITS_TIME, check_the_league, finished
from tests.pipeline import builders as a
from tests.services.processes import Project
from tournaments.models import Match, ResultReport

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
KILLS = 8


def test_workers_killed_at_random_moments(project: Project, wait_until: Callable[..., Any]) -> None:
    rng = Random(20161)
    a.a_running_event(sources=[TAKES_ITS_TIME] * 8, options={"rounds": 6})
    project.beat(extra=QUICK)
    workers = [project.worker(extra=QUICK) for _ in range(3)]
    for _ in range(KILLS):
        done = ResultReport.objects.count()
        wait_until(lambda done=done: ResultReport.objects.count() > done or finished(), 120, "a further result")
        if finished():
            break
        wait_until(lambda: Match.objects.filter(state="claimed").exists() or finished(), 120, "a match in play")
        workers.pop(rng.randrange(len(workers))).kill()
        workers.append(project.worker(extra=QUICK))
    wait_until(finished, 300, "the league finished")
    assert Match.objects.exclude(history=[]).exists(), "no kill met a match in play"
    check_the_league(project, 28)
