"""Claims, leases and the sweep: who may play what, and what becomes of work whose worker is gone."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.db import connection
from django.utils import timezone

from bots.jobs import claims
from bots.jobs.claims import Batch, LeaseLost
from bots.models import Lease, Worker
from tests.builders import events as a
from tournaments.matches import play
from tournaments.models import Match, Round
from tournaments.operations.quarantine import void_match
from tournaments.progress.run import cancel_tournament, pause_tournament, resume_tournament

pytestmark = pytest.mark.django_db(transaction=True)


def claim(worker: Worker, limit: int = 1) -> Batch[Match]:
    rows = play.in_full(Match.objects.all())
    return claims.claim(play.queue(), rows=rows, worker=worker, limit=limit, on_claim=lambda _rows: None)


def expire(batch: Batch[Match]) -> None:
    Lease.objects.filter(pk=batch.lease.pk).update(expires_at=timezone.now() - timedelta(seconds=1))


def sweep() -> int:
    return claims.take_back_expired(Match, play.events_of) + claims.drop_empty_leases([Match])


@pytest.mark.thorough
def test_a_claim_takes_the_first_of_the_queue_with_an_attempt_and_a_lease() -> None:
    event = a.a_running_event(bots=4)
    batch = claim(a.a_worker(), limit=4)
    assert [row.pk for row in batch.rows] == [match.pk for match in a.matches_of(event)[:4]]
    assert all((row.state, row.attempt, row.lease_id) == ("claimed", 1, batch.lease.pk) for row in batch.rows)
    assert not claim(a.a_worker(), limit=4).rows[2:]


@pytest.mark.thorough
def test_forty_racing_claims_never_share_a_match() -> None:
    a.a_running_event(bots=8)
    workers = [a.a_worker() for _ in range(8)]
    start = threading.Barrier(8)

    def race(worker: Worker) -> list[int]:
        start.wait(10)
        try:
            return [row.pk for _ in range(5) for row in claim(worker).rows]
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        taken = [pk for pks in pool.map(race, workers) for pk in pks]
    assert len(taken) == len(set(taken)) == 28
    assert set(Match.objects.values_list("state", "attempt")) == {("claimed", 1)}


@pytest.mark.thorough
def test_nothing_is_claimed_while_paused_or_after_a_cancel() -> None:
    event = a.a_running_event()
    pause_tournament(tournament=event, by=event.created_by)
    assert not claim(a.a_worker()).rows
    resume_tournament(tournament=event, by=event.created_by)
    assert claim(a.a_worker()).rows
    other = a.a_running_event()
    cancel_tournament(tournament=other, by=other.created_by, reason="rain")
    assert not claim(a.a_worker()).rows


def test_a_claim_with_nothing_to_do_leaves_nothing_behind() -> None:
    assert not claim(a.a_worker()).rows
    assert not Lease.objects.exists()


@pytest.mark.thorough
def test_a_pulse_keeps_the_lease_and_tells_when_it_is_lost(settings: LazySettings) -> None:
    a.a_running_event()
    batch = claim(a.a_worker())
    row = batch.rows[0]
    expire(batch)
    claims.heartbeat(batch, row)  # not due yet: no query
    assert not Lease.objects.filter(expires_at__gt=timezone.now()).exists()
    batch.pulsed_at -= settings.LEASE_S / 3
    claims.heartbeat(batch, row)
    assert Lease.objects.filter(expires_at__gt=timezone.now()).exists()
    expire(batch)
    assert sweep()
    batch.pulsed_at -= settings.LEASE_S
    with pytest.raises(LeaseLost):
        claims.heartbeat(batch, row)


@pytest.mark.thorough
def test_a_voided_match_ends_the_attempt_at_the_next_pulse(settings: LazySettings) -> None:
    event = a.a_running_event()
    batch = claim(a.a_worker())
    void_match(match=Match.objects.get(pk=batch.rows[0].pk), by=event.created_by, reason="seated wrongly")
    batch.pulsed_at -= settings.LEASE_S
    with pytest.raises(LeaseLost):
        claims.heartbeat(batch, batch.rows[0])
    with pytest.raises(LeaseLost):
        claims.begin(batch.rows[0])


def test_the_sweep_takes_back_what_expired_and_nothing_else() -> None:
    a.a_running_event(bots=4)
    dead, alive = claim(a.a_worker("dead"), limit=2), claim(a.a_worker(), limit=2)
    claims.begin(dead.rows[0])
    expire(dead)
    assert sweep() == 3  # two rows, one lease
    begun, untouched = (Match.objects.get(pk=row.pk) for row in dead.rows)
    assert (begun.state, begun.faults, begun.attempt) == ("queued", 1, 1)
    assert begun.history[0]["worker"] == "dead"
    assert begun.fault_reason.startswith("worker.lost")
    assert (untouched.state, untouched.faults) == ("queued", 0)
    assert set(Match.objects.filter(lease=alive.lease).values_list("state", flat=True)) == {"claimed"}
    assert Lease.objects.get() == alive.lease
    assert sweep() == 0


@pytest.mark.thorough
def test_two_sweeps_at_once_count_one_fault() -> None:
    a.a_running_event()
    batch = claim(a.a_worker())
    claims.begin(batch.rows[0])
    expire(batch)

    def run(_each: int) -> int:
        try:
            return claims.take_back_expired(Match, play.events_of)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(run, range(4))) == 1
    assert Match.objects.get().faults == 1


@pytest.mark.thorough
def test_the_fourth_infrastructure_fault_holds_a_poison_match() -> None:
    a.a_running_event()
    states = []
    for _ in range(4):
        batch = claim(a.a_worker())
        claims.begin(batch.rows[0])
        expire(batch)
        sweep()
        states.append(Match.objects.get().state)
    assert states == ["queued", "queued", "queued", "quarantined"]
    held = Match.objects.get()
    assert [entry["attempt"] for entry in held.history] == [1, 2, 3, 4]
    assert len({entry["worker"] for entry in held.history}) == 4
    assert not claim(a.a_worker()).rows


def test_work_is_given_back_once_and_only_by_who_holds_it() -> None:
    a.a_running_event()
    batch = claim(a.a_worker())
    row = batch.rows[0]
    assert claims.put_back(row, worker="x", reason="stopped", is_fault=False) == "queued"
    assert claims.put_back(row, worker="x", reason="stopped", is_fault=False) is None
    assert Match.objects.get().faults == 0
    claims.close(batch)
    assert not Lease.objects.exists()


@pytest.mark.thorough
def test_after_a_wall_clock_timeout_another_worker_tries_if_there_is_one() -> None:
    a.a_running_event()
    mine = a.a_worker()
    batch = claim(mine)
    claims.put_back(batch.rows[0], worker=mine.name, reason="", is_fault=True, changes={"suspect_worker": mine})
    other = a.a_worker()
    assert not claim(mine).rows
    Worker.objects.filter(pk=other.pk).update(seen_at=timezone.now() - timedelta(minutes=5))
    assert claim(mine).rows


def test_rounds_are_playing_from_their_first_claim_on() -> None:
    a.a_running_event(bots=4)
    rows = play.in_full(Match.objects.all())
    claims.claim(play.queue(), rows=rows, worker=a.a_worker(), limit=1, on_claim=play._claimed)
    assert list(Round.objects.order_by("number").values_list("state", flat=True)) == [
        "playing",
        "published",
        "published",
    ]
