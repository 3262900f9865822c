"""A worker that is drained finishes the match in play, gives back the rest, takes no more, and goes on when it may."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connections

from activity import wake_ups
from bots.jobs.process import Process
from bots.models import Worker
from bots.selectors.workers import is_draining, live_workers
from bots.services import drain, go_on
from tests.builders import events as a
from tests.services.processes import Project
from tests.services.waiting import wait_until as wait
from tournaments.matches import play
from tournaments.matches.queue import queue
from tournaments.models import Match


@pytest.mark.slow
def test_what_is_left_of_a_batch_is_given_back_and_costs_nothing(process: Process) -> None:
    event = a.a_running_event(bots=6, legs="cyclic")
    operator = a.a_user(is_staff=True)
    process.seconds = 0.1

    def drain_while_it_plays() -> None:
        wait(lambda: Match.objects.filter(state="claimed", claimed_at__isnull=False).exists(), 60, "a match in play")
        drain(worker=process.worker, by=operator)
        connections.close_all()

    other = threading.Thread(target=drain_while_it_plays)
    other.start()
    tried = play.play_batch(process)
    other.join(60)
    assert is_draining(process.worker)
    left = Match.objects.filter(stage__tournament=event, state="queued")
    assert 0 < tried == 30 - left.count() < 30
    assert not Match.objects.filter(state="claimed").exists()
    given_back = [match.history[-1]["reason"] for match in left if match.history]
    assert given_back
    assert set(given_back) == {"worker.draining"}
    assert set(left.values_list("faults", flat=True)) == {0}
    assert not live_workers().exists()
    assert queue(None).empty_in.seconds is None, "nobody takes a match"
    go_on(worker=process.worker, by=operator)
    assert play.play_batch(process) > 0


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_drained_worker_process_takes_nothing_over_a_restart_until_it_may(
    project: Project, wait_until: Callable[..., Any]
) -> None:
    first = project.worker(name="plum")
    wait_until(lambda: Worker.objects.filter(probe_ok=True).count() == 1, 60, "the sandbox held")
    worker, operator = Worker.objects.get(), a.a_user(is_staff=True)
    a.a_running_event(bots=8, legs="cyclic")
    wait_until(lambda: Match.objects.filter(state="confirmed").exists(), 60, "a match was played")
    drain(worker=worker, by=operator)
    wait_until(lambda: not Match.objects.filter(state="claimed").exists(), 60, "nothing is claimed")
    played = Match.objects.filter(state="confirmed").count()
    assert 0 < played < 56
    first.stop()
    Worker.objects.filter(pk=worker.pk).update(probe_ok=False)
    project.worker(name="plum")
    wait_until(lambda: Worker.objects.filter(probe_ok=True).exists(), 60, "it is back")
    again = Worker.objects.get()
    assert (again.pk, is_draining(again)) == (worker.pk, True)
    assert wake_ups.notify_workers("play", 3)
    wait_until(lambda: wake_ups.redis_client().llen("play") == 0, 60, "its wake-ups are received")
    assert Match.objects.filter(state="confirmed").count() == played
    go_on(worker=worker, by=operator)
    wait_until(lambda: Match.objects.filter(state="confirmed").count() > played, 60, "it plays again")
