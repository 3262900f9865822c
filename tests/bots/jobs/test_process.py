"""A worker process: its row, its probe, its heartbeat, and that it fails closed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import redis
from django.utils import timezone
from structlog.testing import capture_logs

from activity import wake_ups
from bots.jobs import process as processes
from bots.models import Worker
from bots.runner.zygote import Zygote
from bots.selectors import idle_processes, live_workers
from tests.builders import events as a
from tournaments import tasks
from tournaments.matches import play
from tournaments.models import Match, Tournament
from tournaments.operations import sweep

pytestmark = pytest.mark.django_db(transaction=True)


class BrokenForkServer(Zygote):
    """A fork server whose program ends before it says that it is locked."""

    program = "raise SystemExit(3)"


@pytest.fixture(autouse=True)
def _no_process_left() -> Iterator[None]:
    yield
    processes.end()


@pytest.mark.slow
def test_a_process_tries_its_sandbox_and_says_what_it_found() -> None:
    process = processes.begin("plum/1")
    row = Worker.objects.get()
    assert (row.name, row.probe_ok, row.fault) == ("plum/1", True, "")
    assert row.probe
    assert all(row.probe.values())
    assert "engine" in row.build
    assert processes.here() is process
    processes.end()
    again = processes.begin("plum/1")
    assert again.worker == row
    assert Worker.objects.count() == 1


@pytest.mark.thorough
def test_a_process_whose_sandbox_does_not_hold_takes_no_match_and_says_why(redis_url: str) -> None:
    a.a_running_event()
    process = processes.begin("kiri/1", start=BrokenForkServer.start)
    row = Worker.objects.get()
    assert (row.probe_ok, process.zygote) == (False, None)
    assert row.fault.startswith("sandbox.")
    assert not live_workers().exists()
    tasks.play()
    assert set(Match.objects.values_list("state", "attempt")) == {("queued", 0)}
    with redis.Redis.from_url(redis_url) as broker:
        broker.delete("play")
        tasks.play()
        assert broker.llen("play") == 0
        a.a_worker()
        tasks.play()  # somebody else's sandbox held: the wake-up goes on to them
        assert broker.llen("play") == 1


@pytest.mark.thorough
def test_a_refused_process_says_why_when_it_begins_and_when_it_ends() -> None:
    with capture_logs() as said:
        processes.begin("kiri/1", start=BrokenForkServer.start)
        processes.end()
        processes.begin("plum/1")
        processes.end()
    told = [(line["event"], line["log_level"], line["worker"], line["takes_no_match"]) for line in said]
    assert told == [
        ("worker.begun", "error", "kiri/1", True),
        ("worker.ended", "error", "kiri/1", True),
        ("worker.begun", "info", "plum/1", False),
        ("worker.ended", "info", "plum/1", False),
    ]
    assert said[1]["why"] == Worker.objects.get(name="kiri/1").fault


@pytest.mark.thorough
def test_a_bell_without_a_worker_s_process_plays_nothing(redis_url: str) -> None:
    a.a_running_event()
    tasks.play()
    assert Match.objects.get().state == "queued"


@pytest.mark.thorough
def test_a_bell_plays_a_batch_and_rings_again_while_work_waits(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wake_ups, "_pending", {})
    monkeypatch.setattr(wake_ups, "_cost_s", {})  # no fold of another test in this process counts
    processes.begin("plum/1")
    a.a_running_event(bots=3)
    with redis.Redis.from_url(redis_url) as broker:
        broker.flushdb()
        tasks.play()
        assert (broker.llen("play"), broker.llen("derive")) == (1, 1)
        while play.waiting():
            tasks.play()
        tasks.derive()
        broker.flushdb()
        tasks.play()
        assert broker.llen("play") == 0
    assert Tournament.objects.get().state == "finished"


def test_bells_of_results_that_follow_closely_are_one_rung_at_the_end_or_in_time(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wake_ups, "_pending", {})
    with redis.Redis.from_url(redis_url) as broker:
        for _ in range(3):
            wake_ups.notify_soon("derive")
        assert broker.llen("derive") == 0
        wake_ups.notify_pending("derive")
        wake_ups.notify_pending("derive")
        assert broker.llen("derive") == 1
        wake_ups.answer("derive")
        monkeypatch.setattr(wake_ups, "_pending", {"derive": -wake_ups.SOON_S})
        wake_ups.notify_soon("derive")
        assert broker.llen("derive") == 2
        assert not wake_ups._pending


def test_a_batch_is_longer_where_claims_take_long() -> None:
    process = processes.Process(Worker(), None)
    process.record_duration(0.5)
    assert process.batch_size == processes.BATCH_S / 0.5
    process.note_claim(0.75)
    assert process.batch_size == processes.TIMES_A_CLAIM * 0.75 / 0.5
    process.note_claim(90)
    assert process.batch_size == processes.BATCH_LONG_S / 0.5
    process.note_claim(0.01)
    assert process.batch_size == processes.BATCH_S / 0.5


def test_the_wake_up_for_costly_work_waits_while_matches_wait(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wake_ups, "_cost_s", {})
    since = time.monotonic() - wake_ups.SOON_S
    with redis.Redis.from_url(redis_url) as broker:
        for cost_s, more_wait, sent in ((0.0, True, 1), (wake_ups.SOON_S, True, 0), (wake_ups.SOON_S, False, 1)):
            broker.flushdb()
            wake_ups.note_cost("derive", cost_s)
            monkeypatch.setattr(wake_ups, "_pending", {"derive": since})
            wake_ups.notify_soon("derive")
            wake_ups.notify_pending("derive", unless=partial(bool, more_wait))
            assert broker.llen("derive") == sent, cost_s
        monkeypatch.setattr(wake_ups, "_pending", {"derive": since - wake_ups.TIMES_ITS_COST * wake_ups.SOON_S})
        broker.flushdb()
        wake_ups.notify_soon("derive")
        assert broker.llen("derive") == 1, "however costly, it is sent in the end"


def test_a_bell_that_nobody_has_answered_is_not_rung_again(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with redis.Redis.from_url(redis_url) as broker:
        for heard in (1, 1, 2):
            monkeypatch.setattr(wake_ups, "_pending", {"derive": -wake_ups.SOON_S})
            if heard == 2:
                wake_ups.answer("derive")
            wake_ups.notify_soon("derive")
            assert broker.llen("derive") == heard


@pytest.mark.thorough
def test_a_stopping_process_hands_the_bell_on(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    processes.begin("plum/1")
    a.a_running_event()
    monkeypatch.setattr(tasks, "is_stopping", lambda: True)
    with redis.Redis.from_url(redis_url) as broker:
        broker.flushdb()
        tasks.play()
        assert broker.llen("play") == 1
    assert Match.objects.get().state == "queued"


@pytest.mark.thorough
@pytest.mark.parametrize("ending", ["another finds nothing left", "stopping", "paused", "without a sandbox"])
def test_costly_work_that_was_put_off_is_announced_when_matches_end(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    process = processes.begin("plum/1")
    monkeypatch.setattr(wake_ups, "_cost_s", {"derive": wake_ups.SOON_S})
    monkeypatch.setattr(wake_ups, "_pending", {"derive": time.monotonic()})
    with redis.Redis.from_url(redis_url) as broker:
        broker.flushdb()
        wake_ups.notify_pending("derive", unless=lambda: True)
        assert broker.llen("derive") == 0
        if ending == "another finds nothing left":
            monkeypatch.setattr(wake_ups, "_pending", {})  # as in another process
        monkeypatch.setattr(tasks, "is_stopping", lambda: ending == "stopping")
        process.paused_until = time.monotonic() + 60 if ending == "paused" else 0.0
        if ending == "without a sandbox":
            process.launcher().close()
            process.zygote = None
        for _each in range(2):
            tasks.play()
            assert broker.llen("derive") == 1


@pytest.mark.slow
def test_the_heartbeat_keeps_the_row_fresh(monkeypatch: pytest.MonkeyPatch, wait_until: Callable[..., Any]) -> None:
    monkeypatch.setattr(processes, "BEAT_S", 0.05)
    processes.begin("plum/1")
    Worker.objects.update(seen_at=timezone.now() - timedelta(hours=1))
    wait_until(lambda: live_workers().exists(), 60, "a heartbeat")


@pytest.mark.thorough
def test_the_sweep_rings_for_what_nobody_heard(redis_url: str) -> None:
    a.a_running_event(bots=4)
    a.a_worker(), a.a_worker()
    assert idle_processes() == 2
    with redis.Redis.from_url(redis_url) as broker:
        broker.flushdb()  # every wake-up is lost
        assert sweep.sweep() == sweep.Swept(taken_back=0, leases=0, notified=3)
        assert (broker.llen("play"), broker.llen("derive")) == (2, 1)


def test_names_of_processes_are_the_same_after_a_restart() -> None:
    assert processes.default_name("worker@plum", 0) == "worker@plum/1"
    assert processes.default_name("", 1).endswith("/2")


def test_the_stop_flag_is_seen() -> None:
    assert not processes.is_stopping()
    processes.ask_to_stop()
    assert processes.is_stopping()
    processes.STOPPING[0] = 0


@pytest.mark.slow
def test_a_check_is_played_and_its_finding_kept(redis_url: str) -> None:
    process = processes.begin("plum/1")
    good, bad = a.a_bot(ready=False), a.a_bot(source=a.CRASHES, ready=False)
    tasks.play()
    tasks.play()
    for bot in (good, bad):
        bot.refresh_from_db()
    assert good.active_version is not None
    assert good.active_version.check_run.result["ok"] is True
    steps = good.active_version.check_run.result["steps"]
    assert [(step["id"], step["ok"]) for step in steps] == [
        (name, True) for name in ("start", "smoke.hawaii", "smoke.paradise", "states")
    ]
    failed = bad.versions.get()
    assert (bad.active_version, failed.state) == (None, "failed")
    assert failed.check_run.result["matches"][0]["forfeit"]["code"] == "crash"
    assert process.zygote is not None


@pytest.mark.slow
def test_a_check_does_not_move_the_pointer_of_a_bot_that_has_one(redis_url: str) -> None:
    processes.begin("plum/1")
    bot = a.a_bot()
    first, second = bot.active_version, a.a_version(bot, ready=False)
    tasks.play()
    bot.refresh_from_db()
    second.refresh_from_db()
    assert (bot.active_version, second.state) == (first, "ready")
