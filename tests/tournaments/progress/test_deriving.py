"""Folds: the same rows whenever and however often they are made, and what follows when a round, stage or event ends."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import zstandard
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from bots.jobs import attempts, claims
from bots.jobs.process import Process
from bots.models import AuditEvent, Blob, Outbox
from tests.builders import events as a
from tests.services.forging import forge
from tournaments.lifecycle import locks
from tournaments.matches import play
from tournaments.models import (
    Adjustment,
    DealSet,
    Entry,
    Match,
    ResultReport,
    Round,
    Stage,
    StageEntry,
    Standing,
    Tournament,
)
from tournaments.operations.quarantine import void_match
from tournaments.progress import derive as deriving
from tournaments.progress.run import pause_tournament, resume_tournament

pytestmark = pytest.mark.django_db(transaction=True)


def rows(after_round: int = 0) -> list[tuple[Any, ...]]:
    found = Standing.objects.filter(after_round=after_round).order_by("row")
    return list(found.values_list("row", "rank", "entry", "key", "explanation", "input_hash"))


def play_all(process: Process) -> None:
    while play.play_batch(process):
        pass


@pytest.mark.slow
def test_folding_after_each_result_equals_folding_once_at_the_end(process: Process) -> None:
    a.a_running_event(bots=5, legs="cyclic", scoring="round_victory", tie_breaks=("h2h", "sb", "seed"))
    process.has_played = True  # so that batches grow slowly, and there are many folds
    seen = set()
    while play.play_batch(process):
        deriving.derive_waiting()
        seen.add(tuple(row[5] for row in rows()))
    step_by_step = [rows(number) for number in range(6)]
    assert len(seen) > 5
    assert Tournament.objects.get().state == "finished"
    Standing.objects.all().delete()
    deriving.refold(Stage.objects.get(), everything=True)
    assert [rows(number) for number in range(6)] == step_by_step
    assert all(step_by_step)


@pytest.mark.thorough
def test_folding_again_changes_nothing(process: Process) -> None:
    a.a_running_event(bots=3)
    play_all(process)
    deriving.derive_waiting()
    before = (rows(), Outbox.objects.count(), AuditEvent.objects.count())
    for _ in range(2):
        deriving.derive_waiting()
        deriving.derive(Tournament.objects.get().channel)
        deriving.refold(Stage.objects.get(), everything=True)
    assert (rows(), Outbox.objects.count(), AuditEvent.objects.count()) == before
    assert not deriving.work_waits()


@pytest.mark.slow
def test_many_folds_at_once_are_one(process: Process) -> None:
    event = a.a_running_event(bots=4)
    play_all(process)

    def derive(_each: int) -> None:
        try:
            deriving.derive(event.channel)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(derive, range(6)))
    assert Standing.objects.filter(after_round=0).count() == 4
    for verb in ("tournament.finish", "stage.close", "round.complete"):
        subjects = list(AuditEvent.objects.filter(verb=verb).values_list("subject", flat=True))
        assert len(subjects) == len(set(subjects)) == (3 if verb == "round.complete" else 1)


@pytest.mark.thorough
def test_points_at_a_table_are_those_of_the_record_and_sum_up(process: Process) -> None:
    a.a_running_event(bots=4, kind="tables", seats=4, rounds=2, options={"rounds": 3})
    play_all(process)
    deriving.derive_waiting()
    total = {row[2]: int(row[3][0]) for row in rows()}
    raw = {entry.pk: 0 for entry in Entry.objects.all()}
    for report in ResultReport.objects.all():
        for seat in report.match.seats.all():
            assert seat.entry_id is not None
            raw[seat.entry_id] += report.body["score"][seat.side]
    assert total == raw


@pytest.mark.thorough
def test_rounds_complete_and_lock_and_the_stage_reveals_its_secret_last(process: Process) -> None:
    a.a_running_event(bots=4)
    stage = Stage.objects.get()
    for _ in range(2):
        process.seconds = 5.0  # a batch of one
        play.play_batch(process)
    deriving.derive_waiting()
    assert list(Round.objects.order_by("number").values_list("state", flat=True)) == [
        "locked",
        "published",
        "published",
    ]
    stage.refresh_from_db()
    assert (stage.state, stage.revealed_at) == ("active", None)
    assert DealSet.objects.exclude(revealed_at=None).count() == 2
    assert set(Standing.objects.values_list("after_round", flat=True)) == {0, 1}
    play_all(process)
    deriving.derive_waiting()
    stage.refresh_from_db()
    assert (stage.state, stage.revealed_at is not None) == ("closed", True)


@pytest.mark.thorough
def test_a_bye_counts_once_its_round_is_complete(process: Process) -> None:
    a.a_running_event(bots=3, scoring="place")
    process.seconds = 5.0
    play.play_batch(process)
    deriving.derive_waiting()
    assert sorted(row[3][0] for row in rows()) in (["0", "1", "1/2"], ["1/2", "1/2", "1/2"])
    play_all(process)
    deriving.derive_waiting()
    assert sum(Fraction(row[3][0]) for row in rows()) == 3 + Fraction(3, 2)


@pytest.mark.thorough
def test_a_void_leg_leaves_the_others_to_count(process: Process) -> None:
    event = a.a_running_event(legs="cyclic")
    first, second = a.matches_of(event)
    void_match(match=second, by=event.created_by, reason="seated wrongly")
    play_all(process)
    deriving.derive_waiting()
    event.refresh_from_db()
    assert event.state == "finished"
    first.refresh_from_db()
    assert {int(row[3][0]) for row in rows()} == set(first.seats.values_list("points", flat=True))


@pytest.mark.thorough
def test_an_event_paused_at_its_last_match_finishes_when_resumed(process: Process) -> None:
    event = a.a_running_event()
    process.seconds = 5.0
    batch = claims.claim(
        play.queue(),
        rows=play.in_full(Match.objects.all()),
        worker=process.worker,
        limit=1,
        on_claim=lambda _rows: None,
    )
    pause_tournament(tournament=event, by=event.created_by)
    attempts.play_rows(batch, play.WORK_KIND, process)
    deriving.derive_waiting()
    event.refresh_from_db()
    assert (event.state, Stage.objects.get().state) == ("paused", "closed")
    resume_tournament(tournament=event, by=event.created_by)
    deriving.derive_waiting()
    event.refresh_from_db()
    assert event.state == "finished"


@pytest.mark.thorough
def test_an_adjustment_is_a_line_of_its_own_and_revoking_it_restores_the_table(process: Process) -> None:
    event = a.a_running_event(bots=3)
    play_all(process)
    deriving.derive_waiting()
    stage, before = Stage.objects.get(), rows()
    victim = StageEntry.objects.get(entry=before[0][2])
    fine = Adjustment.objects.create(stage_entry=victim, units="-5000", reason="shouting", by=event.created_by)
    assert deriving.refold(stage)
    assert rows()[-1][2] == victim.entry_id
    fine.revoked_by = event.created_by
    fine.save()
    assert deriving.refold(stage)
    assert rows() == before


@pytest.mark.thorough
def test_refold_finds_and_repairs_what_was_tampered_with(process: Process, capsys: pytest.CaptureFixture[str]) -> None:
    a.a_running_event(bots=3)
    play_all(process)
    deriving.derive_waiting()
    before = rows()
    call_command("refold", "--check")
    row = Standing.objects.filter(after_round=0).order_by("?")[0]
    row.rank += 1
    row.save()
    with pytest.raises(CommandError, match="differed"):
        call_command("refold", "--check")
    with pytest.raises(CommandError, match="they are right now"):
        call_command("refold")
    assert rows() == before
    call_command("refold")
    assert "0 tables differed" in capsys.readouterr().out


@pytest.mark.thorough
@pytest.mark.parametrize("part", ["moves", "hash"])
def test_verify_records_names_the_record_that_is_wrong(
    process: Process, capsys: pytest.CaptureFixture[str], part: str
) -> None:
    a.a_running_event(bots=3)
    play_all(process)
    call_command("verify_records")
    assert "3 of 3 records verify (0 with" in capsys.readouterr().out
    deriving.derive_waiting()
    call_command("verify_records")
    assert "3 of 3 records verify (3 with" in capsys.readouterr().out
    report = random.Random(1).choice(list(ResultReport.objects.all()))
    assert report.record is not None
    data = report.record.data()
    forged = data.replace(b'"moves":["p', b'"moves":["p0 01.1","p', 1)
    assert forged != data
    if part == "moves":
        forge(ResultReport.objects.filter(pk=report.pk), record=Blob.objects.put(forged))
    else:
        forge(ResultReport.objects.filter(pk=report.pk), hash="sha256:" + "0" * 64)
    with pytest.raises(CommandError, match="1 records do not verify"):
        call_command("verify_records")
    assert str(report.match.uuid) in capsys.readouterr().out


@pytest.mark.thorough
def test_exported_records_verify_without_the_site(
    process: Process, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = a.a_running_event(bots=3)
    play_all(process)
    file = tmp_path / "records.jsonl.zst"
    call_command("export_records", event.slug, file)
    call_command("verify_records", file=file)
    assert "3 of 3 records verify (0 with" in capsys.readouterr().out
    deriving.derive_waiting()
    call_command("export_records", event.slug, file)
    call_command("verify_records", file=file)
    assert "3 of 3 records verify (3 with" in capsys.readouterr().out
    assert not list(tmp_path.glob("*.part"))
    lines = zstandard.open(file, "rt", encoding="utf-8").read().splitlines()
    assert all(json.loads(line)["compact"] == 1 for line in lines)


@pytest.mark.parametrize("forged", [b'{"compact":1}', b"no JSON", b'{"record":{}}', b"[]", b"\xff"])
def test_a_file_of_forged_records_is_named_line_by_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], forged: bytes
) -> None:
    file = tmp_path / "records.jsonl"
    file.write_bytes(forged + b"\n")
    with pytest.raises(CommandError):
        call_command("verify_records", file=file)
    assert ("line 1: record." in capsys.readouterr().out) is (forged != b"\xff")


def test_an_event_that_is_not_there_is_not_exported(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no event"):
        call_command("export_records", "nowhere", tmp_path / "x")


@pytest.mark.thorough
def test_what_another_has_is_left_for_later_and_nothing_is_lost(process: Process) -> None:
    """A worker does not stand in line for a lock that a fold, far from its database, may hold for seconds."""
    event = a.a_running_event(bots=3)
    play_all(process)
    assert connection.vendor == "postgresql"
    with transaction.atomic():
        locks.lock_standings(event)
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(_derived_elsewhere).result(10) == deriving.Folded(events=1, may_go_on=False, busy=1)
    assert deriving.work_waits()
    assert deriving.derive_waiting() == deriving.Folded(events=1, may_go_on=True)
    assert not deriving.work_waits()
    assert Tournament.objects.get().state == Tournament.State.FINISHED


def _derived_elsewhere() -> deriving.Folded:
    try:
        return deriving.derive_waiting()
    finally:
        connection.close()
