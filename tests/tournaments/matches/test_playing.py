"""Matches really played in the sandbox and recorded: once, verified, with every fault at its own door."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import psycopg
import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from bots.errors import InfraFault
from bots.jobs import attempts, claims
from bots.jobs.process import Process
from bots.models import AuditEvent, Blob, BotVersion, Lease, Outbox, Worker
from bots.runner import table
from bots.runner.spec import MatchSpec
from bots.runner.table import Played, ReplayMismatch
from engine.deck import match_seed
from engine.record import canonical, record_hash, verify
from tests.builders import events as a
from tournaments.events.log import feed_lines, feed_of
from tournaments.matches import play as playing
from tournaments.matches.records.record import Recorded, record_result
from tournaments.models import DealSet, Match, ResultReport, Seat, Stage, Standing, Tournament
from tournaments.operations.quarantine import void_match
from tournaments.progress import derive

pytestmark = pytest.mark.django_db(transaction=True)


def played_by_hand(process: Process) -> tuple[Match, MatchSpec, Played]:
    """A claimed match and its result, not handed in yet."""
    batch = claims.claim(
        playing.queue(),
        rows=playing.in_full(Match.objects.all()),
        worker=process.worker,
        limit=1,
        on_claim=lambda _rows: None,
    )
    claims.begin(batch.rows[0])
    spec = playing.spec_of(batch.rows[0])
    return batch.rows[0], spec, table.play(spec, process.launcher())


def all_played(process: Process) -> int:
    """Play until the queue is empty."""
    total = 0
    while tried := playing.play_batch(process):
        total += tried
    return total


@pytest.mark.thorough
def test_a_league_is_played_recorded_folded_and_finished(process: Process) -> None:
    event = a.a_running_event(bots=4, legs="cyclic", options={"rounds": 2})
    assert all_played(process) == 12
    assert derive.work_waits()
    derive.derive_waiting()
    event.refresh_from_db()
    stage = Stage.objects.get()
    assert (event.state, stage.state, stage.revealed_at is not None) == ("finished", "closed", True)
    assert set(Match.objects.values_list("state", "attempt")) == {("confirmed", 1)}
    assert ResultReport.objects.filter(state="confirmed").count() == 12
    assert not DealSet.objects.filter(revealed_at=None).exists()
    assert set(Standing.objects.values_list("after_round", flat=True)) == {0, 1, 2, 3}
    assert Standing.objects.filter(after_round=0).count() == 4
    assert not Lease.objects.exists()


@pytest.mark.thorough
def test_every_stored_record_verifies_with_its_seed(process: Process) -> None:
    a.a_running_event(bots=3)
    all_played(process)
    stage = Stage.objects.get()
    for report in ResultReport.objects.select_related("match__deal_set", "record"):
        assert report.record is not None
        assert report.match.deal_set is not None
        document = json.loads(report.record.data())
        seed = match_seed(bytes(stage.secret or b""), bytes(stage.mix or b""), report.match.deal_set.uuid.bytes)
        assert verify(document, seed=seed).ok
        assert document["hash"] == report.hash
        assert document["record"]["match"] == str(report.match.uuid)


def test_a_result_sent_twice_counts_once(process: Process) -> None:
    a.a_running_event()
    match, spec, played = played_by_hand(process)
    assert record_result(match, spec, played) is Recorded.CONFIRMED
    before = [Outbox.objects.count(), AuditEvent.objects.count(), Blob.objects.count()]
    assert record_result(match, spec, played) is Recorded.REPEATED
    assert before == [Outbox.objects.count(), AuditEvent.objects.count(), Blob.objects.count()]
    assert ResultReport.objects.count() == 1


def test_another_result_of_the_same_attempt_is_refused_with_an_alarm(
    process: Process, caplog: pytest.LogCaptureFixture
) -> None:
    a.a_running_event()
    match, spec, played = played_by_hand(process)
    record_result(match, spec, played)
    seats = [{**seat, "bot": None} for seat in played.document["record"]["seats"]]
    record = {**played.document["record"], "seats": seats}
    forged = {**played.document, "record": record, "hash": record_hash(record)}
    assert record_result(match, spec, replace(played, document=forged)) is Recorded.REFUSED
    assert AuditEvent.objects.get(verb="result.refused").after["hash"] == forged["hash"]
    assert ResultReport.objects.get().hash == played.document["hash"]


@pytest.mark.thorough
def test_the_late_result_of_an_old_attempt_is_dropped(process: Process) -> None:
    a.a_running_event()
    match, spec, played = played_by_hand(process)
    claims.put_back(match, worker="x", reason="worker.lost", is_fault=True)
    assert record_result(match, spec, played) is Recorded.STALE
    again, spec, played = played_by_hand(process)
    assert record_result(match, spec, played) is Recorded.STALE
    assert record_result(again, spec, played) is Recorded.CONFIRMED
    assert Match.objects.get().attempt == 2
    assert ResultReport.objects.get().attempt == 2


def two_claimed(process: Process) -> tuple[Match, Match]:
    """Two matches of one claim, neither begun."""
    a.a_running_event(bots=3)
    batch = claims.claim(
        playing.queue(),
        rows=playing.in_full(Match.objects.all()),
        worker=process.worker,
        limit=2,
        on_claim=lambda _rows: None,
    )
    first, second = batch.rows
    claims.begin(first)
    return first, second


def recorded_with(first: Match, second: Match, process: Process) -> Recorded:
    """Play the first and record it; the second is what its worker plays next."""
    spec = playing.spec_of(first)
    played = table.play(spec, process.launcher())
    return record_result(first, spec, played, then=second)


@pytest.mark.thorough
def test_a_result_begins_the_next_match_of_its_worker(process: Process) -> None:
    first, second = two_claimed(process)
    assert recorded_with(first, second, process) is Recorded.CONFIRMED
    assert second.claimed_at is not None
    assert Match.objects.get(pk=second.pk).claimed_at == second.claimed_at
    with CaptureQueriesContext(connection) as asked:
        claims.begin(second)
    assert len(asked) == 0


@pytest.mark.thorough
def test_a_result_that_is_refused_begins_nothing(process: Process) -> None:
    first, second = two_claimed(process)
    spec = playing.spec_of(first)
    played = table.play(spec, process.launcher())
    claims.put_back(first, worker="x", reason="worker.lost", is_fault=True)
    assert record_result(first, spec, played, then=second) is Recorded.STALE
    assert (second.claimed_at, Match.objects.get(pk=second.pk).claimed_at) == (None, None)


@pytest.mark.thorough
def test_a_result_begins_nothing_on_a_worker_that_is_drained_or_has_lost_the_claim(process: Process) -> None:
    first, second = two_claimed(process)
    Worker.objects.update(draining_at=timezone.now())
    assert recorded_with(first, second, process) is Recorded.CONFIRMED
    assert second.claimed_at is None
    with pytest.raises(claims.Draining):
        claims.begin(second)
    Worker.objects.update(draining_at=None)
    claims.put_back(second, worker="x", reason="worker.lost", is_fault=False)
    with pytest.raises(claims.LeaseLost):
        claims.begin(second)


@pytest.mark.thorough
def test_a_result_waits_for_nobody_who_has_the_next_match(process: Process) -> None:
    """Who cancels a stage may have locked the next match and wait for this one: that would be a deadlock."""
    first, second = two_claimed(process)
    with psycopg.connect(**connection.get_connection_params(), autocommit=False) as other:
        other.execute("SELECT 1 FROM tournaments_match WHERE id = %s FOR UPDATE", [second.pk])
        assert recorded_with(first, second, process) is Recorded.CONFIRMED
        assert second.claimed_at is None
    claims.begin(second)
    assert second.claimed_at is not None


@pytest.mark.thorough
def test_a_voided_match_is_not_recorded(process: Process) -> None:
    event = a.a_running_event()
    match, spec, played = played_by_hand(process)
    void_match(match=Match.objects.get(), by=event.created_by, reason="seated wrongly")
    assert record_result(match, spec, played) is Recorded.STALE
    derive.derive_waiting()
    assert Tournament.objects.get().state == "finished"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "wrong", ["hash", "score", "moves", "match", "fair"], ids=lambda part: f"the {part} was tampered with"
)
def test_a_record_that_does_not_verify_is_never_recorded(process: Process, wrong: str) -> None:
    a.a_running_event()
    match, spec, played = played_by_hand(process)
    document = json.loads(canonical(played.document))
    record = document["record"]
    {
        "hash": lambda: document.update(hash="sha256:" + "0" * 64),
        "score": lambda: record["result"].update(score=[99, -99]),
        "moves": lambda: record["deals"][0]["moves"].pop(),
        "match": lambda: record.update(match="somebody-else"),
        "fair": lambda: record["fair"].update(leg=9),
    }[wrong]()
    with pytest.raises(ReplayMismatch):
        record_result(match, spec, replace(played, document=document))
    assert not ResultReport.objects.exists()


def failing(error: Exception) -> attempts.WorkKind:
    def play(_row: Match, _pulse: Callable[[], None], _process: Process) -> None:
        raise error

    return attempts.WorkKind(play=play, events=playing.events_of)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("error", "state", "reason"),
    [
        (InfraFault("sandbox.lock", "no lock"), "queued", "sandbox.lock: no lock"),
        (OSError(28, "No space left on device"), "queued", "OSError"),
        (DatabaseError("gone"), "queued", "DatabaseError"),
        (MemoryError(), "queued", "MemoryError"),
        (ReplayMismatch("deal 3"), "quarantined", "table.replay_mismatch: deal 3"),
        (AssertionError("48 cards"), "quarantined", "engine.AssertionError: 48 cards"),
    ],
)
def test_our_faults_cost_no_bot_anything(process: Process, error: Exception, state: str, reason: str) -> None:
    a.a_running_event()
    rows = playing.in_full(Match.objects.all())
    batch = claims.claim(playing.queue(), rows=rows, worker=process.worker, limit=1, on_claim=lambda _rows: None)
    attempts.play_rows(batch, failing(error), process)
    match = Match.objects.get()
    assert (match.state, match.faults, match.lease) == (state, 1, None)
    assert match.fault_reason.startswith(reason)
    assert match.history[0]["worker"] == process.worker.name
    assert set(Seat.objects.values_list("outcome", flat=True)) == {"open"}
    assert not BotVersion.objects.filter(forfeits_in_a_row__gt=0).exists()
    assert not Lease.objects.exists()


@pytest.mark.thorough
def test_a_crash_forfeits_the_seat_with_reason_and_private_log(process: Process) -> None:
    a.a_running_event(sources=[a.FIRST, a.CRASHES], options={"rounds": 2})
    all_played(process)
    good, bad = Seat.objects.order_by("outcome", "index").reverse()
    assert (good.outcome, bad.outcome) == ("played", "forfeit")
    assert bad.fault is not None
    assert bad.fault["code"] == "crash"
    assert (bad.place, bad.victories) == (2, 0)
    assert bad.points is not None
    assert bad.points <= 0
    assert bad.log is not None
    assert b"ValueError: no idea" in bad.log.data()
    assert bad.log_marks
    derive.derive_waiting()
    assert good.place == 1
    assert good.points is not None
    # The forfeit counts min(0, score) (tournaments.md 9): only who played to below that stands behind it on points,
    # and who played to exactly that without winning a deal shares the first place: of equal points deals won decide.
    good.refresh_from_db()
    marks = {seat.entry: (seat.points, seat.victories) for seat in (good, bad)}
    best = {entry for entry, mark in marks.items() if mark == max(marks.values())}
    assert {row.entry for row in Standing.objects.filter(after_round=0, rank=1)} == best


def test_a_bot_that_does_not_load_forfeits_before_the_first_deal(process: Process) -> None:
    a.a_running_event(sources=[a.NEVER_LOADS, a.FIRST])
    all_played(process)
    fault = Seat.objects.get(outcome="forfeit").fault
    assert fault is not None
    assert (fault["code"], fault["deal"]) == ("crash", 0)


@pytest.mark.slow
def test_a_sleeper_counts_only_at_its_second_timeout(process: Process) -> None:
    a.a_running_event(sources=[a.WAITS, a.FIRST])
    assert playing.play_batch(process) == 1
    match = Match.objects.get()
    assert (match.state, match.suspect_worker, match.faults) == ("queued", process.worker, 0)
    assert match.fault_reason.startswith("timeout.wall: seat ")
    assert not Seat.objects.filter(outcome="forfeit").exists()
    assert playing.play_batch(process) == 1  # nobody else is alive, so the same worker tries again
    match.refresh_from_db()
    assert (match.state, match.attempt) == ("confirmed", 2)
    fault = Seat.objects.get(outcome="forfeit").fault
    assert fault is not None
    assert fault["code"] == "timeout.wall"


@pytest.mark.slow
def test_three_forfeited_matches_in_a_row_bench_a_version_and_its_matches_are_still_played(process: Process) -> None:
    a.a_running_event(sources=[a.CRASHES, *[a.FIRST] * 4])
    all_played(process)
    assert set(Match.objects.values_list("state", flat=True)) == {"confirmed"}
    benched = BotVersion.objects.exclude(benched_at=None).get()
    assert benched.forfeits_in_a_row == 4
    told = AuditEvent.objects.get(verb="version.bench")
    event = Tournament.objects.get()
    assert told.channel == event.channel
    (line,) = [line for line in feed_lines(list(feed_of(event))) if line.act == told]
    assert line.what == "suspended a version"
    assert f"{benched}, 3 forfeited matches in a row" in line.about
    assert Match.objects.filter(uuid=line.match, seats__bot_version=benched).exists()
    event = a.an_open_event()
    with pytest.raises(Exception, match="suspended"):
        a.entered(event, [benched.bot])


def test_a_played_match_ends_a_row_of_forfeits(process: Process) -> None:
    event = a.a_running_event()
    BotVersion.objects.update(forfeits_in_a_row=2)
    all_played(process)
    assert set(BotVersion.objects.values_list("forfeits_in_a_row", flat=True)) == {0}
    assert event.entries.count() == 2


@pytest.mark.thorough
def test_a_worker_that_is_to_stop_gives_back_what_it_has_not_begun(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    a.a_running_event(bots=4)
    process.seconds = 0.5
    monkeypatch.setattr(attempts, "is_stopping", lambda: True)
    playing.play_batch(process)
    assert set(Match.objects.values_list("state", "faults")) == {("queued", 0)}
    assert not Lease.objects.exists()


def test_a_worker_without_a_sandbox_plays_nothing(process: Process) -> None:
    a.a_running_event()
    refusing = Process(process.worker, None)
    playing.play_batch(refusing)
    match = Match.objects.get()
    assert (match.state, match.faults) == ("queued", 1)
    assert "sandbox.refused" in match.fault_reason
    assert not ResultReport.objects.exists()


def test_no_transaction_is_open_while_a_match_is_played(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    a.a_running_event()
    seen: list[bool] = []
    really = table.play

    def play(*given: object, **named: object) -> Played:
        seen.append(connection.in_atomic_block)
        return really(*given, **named)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(playing, "play", play)
    all_played(process)
    assert seen == [False]


def test_a_batch_is_about_five_seconds_of_work(process: Process) -> None:
    assert process.batch_size == 1
    for _ in range(20):
        process.record_duration(0.5)
    assert process.batch_size == 10
    for _ in range(40):
        process.record_duration(0.001)
    assert process.batch_size == 64


@pytest.mark.slow
def test_a_deal_set_is_revealed_when_all_its_legs_are_done(process: Process) -> None:
    a.a_running_event(bots=2, legs="cyclic")
    match, spec, played = played_by_hand(process)
    record_result(match, spec, played)
    derive.derive_waiting()
    assert DealSet.objects.get().revealed_at is None  # the other leg is still to be played
    all_played(process)
    derive.derive_waiting()
    assert DealSet.objects.get().revealed_at is not None
