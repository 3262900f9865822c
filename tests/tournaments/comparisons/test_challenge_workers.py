"""Comparisons and official ladders with real worker processes, one of which is killed.

Wake-ups drive everything; one that a killed worker had taken is repeated by the sweep.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bots.models import Worker
from bots.services import activate
from tests.builders import events as a
from tests.builders.challenges import LAST, a_bot_of_two_versions, a_challenge, stage_of
from tests.services.processes import Project
from tournaments.models import Challenge, Entry, Match, Rating, Seat, Stage
from tournaments.standings import store

pytestmark = [pytest.mark.timeout(300), pytest.mark.django_db(transaction=True), pytest.mark.slow]
Wait = Callable[..., Any]
QUICK = {"HANAMI_LEASE_S": "6", "HANAMI_SWEEP_S": "1"}


def started(project: Project, wait_until: Wait, count: int) -> Any:
    """Add that many workers; return the last one."""
    before = Worker.objects.filter(probe_ok=True).count()
    found = [project.worker(concurrency=1, extra=QUICK) for _each in range(count)]
    wait_until(lambda: Worker.objects.filter(probe_ok=True).count() == before + count, 90, "the sandboxes hold")
    return found[-1]


def test_a_comparison_is_played_to_its_cap_although_a_worker_dies(project: Project, wait_until: Wait) -> None:
    doomed = started(project, wait_until, 1)
    challenge = a_challenge(a_bot_of_two_versions(second=LAST), elo0=-5, elo1=5, alpha=0.01, beta=0.01, cap=60)
    stage = stage_of(challenge)
    wait_until(lambda: Challenge.objects.get().judged > 2, 90, "the first deal sets are judged")
    project.beat(extra=QUICK)
    doomed.kill()
    started(project, wait_until, 1)
    wait_until(lambda: Challenge.objects.get().state != Challenge.State.RUNNING, 240, "it is over", every_s=0.5)
    challenge.refresh_from_db()
    assert (challenge.state, challenge.reason) == (Challenge.State.INCONCLUSIVE, Challenge.Reason.CAP)
    assert (challenge.judged, challenge.skipped) == (60, 0)
    assert not Seat.objects.filter(outcome=Seat.Outcome.FORFEIT).exists()
    assert not Match.objects.filter(stage=stage).exclude(state=Match.State.CONFIRMED).exists()
    assert store.differences(stage) == []
    stage.refresh_from_db()
    assert stage.state == Stage.State.CLOSED


def test_a_ready_bot_is_on_the_official_ladder_by_itself(project: Project, wait_until: Wait) -> None:
    started(project, wait_until, 1)
    project.manage("open_ladders", "hawaii", "--deal-sets", "1")
    bots = [a.a_bot() for _each in range(3)]
    project.manage("open_ladders", "hawaii")
    assert Entry.objects.filter(state=Entry.State.ACTIVE, player__bot__in=bots).count() == 3
    wait_until(lambda: Rating.objects.filter(pool__stage__kind="ladder").count() == 3, 120, "everybody is rated")


def test_a_new_version_plays_on_its_ladder_while_a_long_queue_waits(project: Project, wait_until: Wait) -> None:
    project.manage("open_ladders", "hawaii")
    bots = [a.a_bot() for _each in range(3)]
    project.manage("open_ladders", "hawaii")
    a.a_running_event(bots=32, max_entries=64, options={"rounds": 6})
    started(project, wait_until, 1)
    wait_until(lambda: Match.objects.filter(state=Match.State.CONFIRMED).count() > 5, 90, "the queue is served")
    before = Match.objects.filter(state=Match.State.QUEUED).count()
    assert before > 400
    version = a.a_version(bots[0])
    activate(version=version, by=bots[0].owner)
    own = Seat.objects.filter(bot_version=version, match__state=Match.State.CONFIRMED)
    wait_until(own.exists, 90, "its first match is over")
    played = before - Match.objects.filter(state=Match.State.QUEUED).count()
    assert played < before // 2, "long before the queue is empty"
