"""Events as files: what comes back is what went out, and nobody plays on with a copy."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import zstandard
from django.core.management import CommandError, call_command
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from bots.jobs.process import Process
from bots.models import AuditEvent, Blob
from bots.runner.zygote import Zygote
from core.errors import TournamentError
from core.interchange.documents import read
from core.interchange.errors import InterchangeError
from engine.canonical import record_hash
from tests.builders import events as a
from tests.builders.clubs import totals
from tests.builders.exchanged import LINES, a_finished_event, a_finished_night
from tests.services.memory import forget_highest, highest
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as importing
from tournaments.interchange.imports.actions import BY_PAGE, import_event
from tournaments.matches import play
from tournaments.models import DealSet, Entry, Player, Progression, Ruleset, Seat, Stage, Tournament
from tournaments.progress import derive
from tournaments.progress.corrections.results import preview_correction
from tournaments.progress.draws import next_round
from tournaments.progress.run import possible_verbs, start_tournament
from tournaments.ratings.queries import boards

pytestmark = pytest.mark.django_db


def imported(data: bytes, slug: str = "copy") -> Tournament:
    return importing.write(importing.validate_event(data), by=a.a_user(), slug=slug)


SLOW = ("tables", "lives", "double_elim", "single_elim", "dutch")
"""And the first line, of which `file` is made: what comes back of it is compared below."""
CASES = [pytest.param(*line, marks=[pytest.mark.slow] if line[0] in SLOW or line is LINES[0] else []) for line in LINES]


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "bots", "changes"), CASES, ids=lambda value: value if isinstance(value, str) else "")
def test_export_import_export_is_the_same(process: Process, kind: str, bots: int, changes: dict[str, Any]) -> None:
    event = a_finished_event(process, kind, bots, changes)
    data = event_json(event)
    copy = imported(data)
    assert event_json(copy) == data
    assert event_json(imported(event_json(copy), "copy-of-a-copy")) == data
    event.refresh_from_db()
    assert event_json(event) == data


@pytest.mark.thorough
def test_a_night_of_people_comes_back_with_every_version_of_every_result(transactional_db: None) -> None:
    event = a_finished_night()
    data = event_json(event)
    assert b'"phone"' not in data
    copy = imported(data)
    assert event_json(copy) == data
    states = [report["state"] for match in json.loads(data)["stages"][0]["matches"] for report in match["reports"]]
    assert {"superseded", "confirmed", "rejected"} <= set(states)
    match = copy.stages.get().matches.filter(state="confirmed")[0]
    with pytest.raises(TournamentError) as refused:
        preview_correction(match=match, by=copy.created_by, claim=totals(0, 240))
    assert refused.value.code == "tournament.imported"
    assert possible_verbs(copy, copy.created_by) == ()


def test_a_chain_that_is_not_over_becomes_a_draft_of_the_same_chain(transactional_db: None) -> None:
    source = a.an_open_event(**LINES[-1][2], kind="round_robin")
    event = import_event(by=a.a_user(), checked=importing.validate_event(event_json(source)))
    for stage, other in zip(source.stages.order_by("order"), event.stages.order_by("order"), strict=True):
        for name in ("kind", "name", "groups_n", "waits", "tie_breaks", "seats_max", "scoring"):
            assert getattr(stage, name) == getattr(other, name), name
    assert [str(way) for way in Progression.objects.filter(source__tournament=event)] == [
        str(way) for way in Progression.objects.filter(source__tournament=source)
    ]


Change = Callable[[dict[str, Any]], object]


def stage_of(event: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = event["stages"][0]
    return found


def match_of(event: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = stage_of(event)["matches"][0]
    return found


def report_of(event: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = match_of(event)["reports"][0]
    return found


def move_of(event: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = report_of(event)["record"]["record"]["deals"][0]
    return found


def another(move: str) -> str:
    """A move that was not made here."""
    return "p0 12.4" if move != "p0 12.4" else "p0 12.3"


def rehashed(event: dict[str, Any], change: Change) -> None:
    """Change a record and give it the right hash again."""
    report = report_of(event)
    change(report["record"]["record"])
    report["hash"] = record_hash(report["record"]["record"])


def feeds(event: dict[str, Any]) -> None:
    """Two matches that feed each other."""
    one, other = stage_of(event)["matches"][:2]
    one["seats"][0]["feed"] = {"match": other["uuid"], "place": 1}
    other["seats"][0]["feed"] = {"match": one["uuid"], "place": 1}


OTHER = str(UUID(int=7))
BAD: dict[str, tuple[str, Change]] = {
    "another format": ("event.format", lambda e: e.update(format="hanafuda-tournament/2")),
    "a field too many": ("event.shape", lambda e: e["tournament"].update(secret="plum")),
    "a field missing": ("event.shape", lambda e: match_of(e).pop("leg")),
    "a number that is none": ("event.shape", lambda e: match_of(e).update(leg="1")),
    "a number too large": ("event.shape", lambda e: match_of(e).update(leg=2**40)),
    "a name too long": ("event.shape", lambda e: e["players"][0].update(name="x" * 61)),
    "the character 0": ("event.json", lambda e: e["players"][0].update(name="a\0")),
    "an id twice": ("event.id_twice", lambda e: e["entries"][0].update(uuid=match_of(e)["uuid"])),
    "a player twice": ("event.number_twice", lambda e: e["entries"][0].update(player=1)),
    "a round twice": ("event.number_twice", lambda e: stage_of(e)["rounds"][1].update(number=1)),
    "a leg twice": ("event.number_twice", lambda e: stage_of(e)["matches"][1].update(leg=1)),
    "a player from nowhere": ("event.reference", lambda e: e["entries"][0].update(player=999)),
    "an entry from nowhere": ("event.reference", lambda e: match_of(e)["seats"][0].update(entry=OTHER)),
    "a deal set from nowhere": ("event.reference", lambda e: match_of(e).update(deal_set=OTHER)),
    "a round from nowhere": ("event.reference", lambda e: match_of(e).update(round=99)),
    "no result": ("event.reference", lambda e: match_of(e).update(reports=[])),
    "a circle": ("event.cycle", feeds),
    "a way back": ("event.reference", lambda e: e["ways"].append(way(0, 0))),
    "a match in play": ("event.unfinished", lambda e: match_of(e).update(state="claimed", reports=[])),
    "a stage in play": ("event.unfinished", lambda e: stage_of(e).update(state="active")),
    "a moment before all": ("event.time", lambda e: e["tournament"].update(started_at="0001-01-01T00:00:00Z")),
    "a moment without a zone": ("event.shape", lambda e: e["tournament"].update(started_at="2026-01-01T00:00:00")),
    "a zone that is none": ("event.value", lambda e: e["tournament"].update(time_zone="../../etc/passwd")),
    "a kind that is none": ("event.value", lambda e: stage_of(e).update(kind="chess")),
    "a comparison": ("event.not_a_tournament", lambda e: stage_of(e).update(kind="gauntlet")),
    "a preset of another game": ("event.value", lambda e: stage_of(e).update(preset="nuki88")),
    "a clock that is none": ("event.value", lambda e: stage_of(e)["clock"].update(name="sundial")),
    "a tie-break that is none": ("event.value", lambda e: stage_of(e).update(tie_breaks=["luck"])),
    "the mark of a copy": ("event.value", lambda e: e["tournament"]["policies"].update(imported={"mask": OTHER})),
    "a fault that is none": ("event.value", lambda e: match_of(e)["seats"][0].update(fault={"code": []})),
    "a plan of others": ("event.plan", lambda e: stage_of(e)["rounds"][0]["plan"]["byes"].append(OTHER)),
    "a plan that is none": ("event.plan", lambda e: stage_of(e)["rounds"][0].update(plan={"pods": 1})),
    "a sentence that explodes": (
        "event.plan",
        lambda e: stage_of(e)["rounds"][0]["plan"]["pods"][0]["why"][0].update(text="%(round)999999999d"),
    ),
    "other rules": ("event.rules", lambda e: stage_of(e)["ruleset"]["options"].update(rounds=2)),
    "rules that are none": ("event.rules", lambda e: stage_of(e)["ruleset"]["options"].update(luck=1)),
    "another secret": ("event.secret", lambda e: stage_of(e).update(secret="0" * 64)),
    "another mix": ("event.secret", lambda e: e["entries"][0].update(nonce="kiri")),
    "another seed": ("event.seed", lambda e: stage_of(e)["deal_sets"][0].update(seed="0" * 64)),
    "another commitment": ("event.seed", lambda e: stage_of(e)["deal_sets"][0].update(commit="sha256:" + "0" * 64)),
    "another hash": ("event.record", lambda e: report_of(e).update(hash="sha256:" + "0" * 64)),
    "no record": ("event.record", lambda e: report_of(e).update(record=None)),
    "another version": ("event.record", lambda e: e["entries"][0]["version"].update(hash="0" * 64)),
    "another move": ("event.record", lambda e: move_of(e)["moves"].__setitem__(0, another(move_of(e)["moves"][0]))),
    "a move, hashed": ("event.record", lambda e: rehashed(e, lambda r: r["deals"][0]["moves"].pop())),
    "a score, hashed": ("event.record", lambda e: rehashed(e, lambda r: r["result"].update(score=[999, 0]))),
    "a card, hashed": ("event.record", lambda e: rehashed(e, lambda r: r["deals"][0]["orders"][0].reverse())),
    "another body": ("event.result", lambda e: report_of(e)["body"].update(score=[1, 2])),
    "another place": ("event.result", lambda e: match_of(e)["seats"][0].update(points=1_000)),
    "another winner": ("event.standings", lambda e: stage_of(e)["standings"][0]["rows"][0].update(rank=2)),
    "units that were not given": (
        "event.standings",
        lambda e: stage_of(e)["entries"][0]["adjustments"][0].update(units="500"),
    ),
    "an explanation of one's own": (
        "event.standings",
        lambda e: stage_of(e)["standings"][0]["rows"][0]["explanation"][0].update(terms=[]),
    ),
    "a table too early": ("event.standings", lambda e: stage_of(e)["standings"][0].update(after_round=77)),
    "a draft of a round": ("event.standings", lambda e: stage_of(e)["rounds"][0].update(state="draft")),
    "a round in play": ("event.standings", lambda e: stage_of(e)["rounds"][0].update(state="published")),
    "a player whom nobody names": ("event.not_kept", lambda e: e["players"].append(e["players"][0])),
    "lists in another order": ("event.not_kept", lambda e: stage_of(e)["standings"].reverse()),
}


def way(source: int, target: int) -> dict[str, Any]:
    return {"source": source, "target": target, "order": 1, "first": 1, "last": 1, "most": 1} | {
        "by": "rank",
        "carry": "none",
    }


@pytest.fixture(scope="module")
def file(database: str, django_db_setup: None, django_db_blocker: DjangoDbBlocker, sandbox: Zygote) -> bytes:
    """An event that is over, as a file; played once for all tests of this module, and rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        data = event_json(a_finished_event(Process(a.a_worker(), sandbox), *LINES[0]))
        transaction.set_rollback(True)
    return data


@pytest.mark.thorough
@pytest.mark.parametrize("what", BAD)
def test_what_is_not_so_is_refused_and_nothing_is_written(what: str, file: bytes) -> None:
    code, change = BAD[what]
    event = json.loads(file)
    change(event)
    tables = (Tournament, Player, Blob, Ruleset, AuditEvent)
    before = [model._default_manager.count() for model in tables]
    with pytest.raises(InterchangeError) as refused:
        importing.write(importing.validate_event(json.dumps(event).encode()), by=a.a_user(), slug="copy")
    assert refused.value.code == code, refused.value
    assert "where" in refused.value.extra
    assert [model._default_manager.count() for model in tables] == before


@pytest.mark.thorough
def test_half_a_file_and_bombs_are_refused(file: bytes) -> None:
    bomb = gzip.compress(b'{"format":"hanafuda-tournament/1","x":"' + b"a" * 20_000_000 + b'"}')
    cases = {
        b"": "event.json",
        file[: len(file) // 2]: "event.json",
        b"[" * 200_000: "event.format",
        b'{"format":"hanafuda-tournament/1","tournament":' + b"9" * 100_000: "event.shape",
        file.replace(b'"plan":{', b'"plan":{"x":' + b"[" * 5000, 1): "event.json",
        gzip.compress(file)[:-2000]: "event.json",
        b"\x1f\x8bplum": "event.packed",
        b"\x28\xb5\x2f\xfd" + b"\xff" * 40: "event.packed",
        b"\x28\xb5\x2f\xfdplum": "event.json",
        bomb: "event.too_large",
        zstandard.compress(b"[" * 20_000_000): "event.too_large",
    }
    for data, code in cases.items():
        with pytest.raises(InterchangeError) as refused:
            importing.validate_event(data, importing.Bounds(bytes=10_000_000))
        assert refused.value.code == code, (data[:40], refused.value)


@pytest.mark.thorough
@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_small_file_never_becomes_a_huge_one(pack: Callable[[bytes], bytes]) -> None:
    """A kilobyte of backslashes was 32 MB, took a gigabyte more, and held the interpreter for seconds."""
    bomb = pack(b'{"format":"hanafuda-tournament/1","x":"' + b"\\\\" * 16_000_000 + b'"}')
    assert len(bomb) < 40_000
    before = forget_highest()
    with pytest.raises(InterchangeError) as refused:
        importing.validate_event(bomb, BY_PAGE)
    assert refused.value.code == "event.too_large"
    assert highest() - before < 24 * 1024 * 1024


def test_a_list_of_empty_lists_is_refused_before_it_is_read() -> None:
    bomb = b'{"format":"hanafuda-tournament/1","x":' + b"[" + b"[]," * 3_000_000 + b"[]]}"
    before = forget_highest()
    with pytest.raises(InterchangeError) as refused:
        importing.validate_event(bomb, BY_PAGE)
    assert refused.value.code == "event.too_large"
    assert highest() - before < 24 * 1024 * 1024


@pytest.mark.parametrize(
    ("text", "is_nul"),
    [
        (r"\u0000", True),
        (r"\\u0000", False),
        (r"\\\u0000", True),
        (r"\\\\u0000", False),
        (r"\n\\u0000", False),
        (r"a\u0000", True),
    ],
)
def test_the_character_0_is_found_however_many_backslashes_stand_before_it(text: str, is_nul: bool) -> None:
    with pytest.raises(InterchangeError) as refused:
        read.read(b'{"format":"hanafuda-tournament/1","x":"' + text.encode() + b'"}')
    assert ("character 0" in str(refused.value)) == is_nul


@pytest.mark.thorough
def test_records_and_tables_are_bounded(file: bytes) -> None:
    for bounds in (importing.Bounds(moves=10), importing.Bounds(rows=2)):
        with pytest.raises(InterchangeError) as refused:
            importing.validate_event(file, bounds)
        assert refused.value.code == "event.too_many"


@pytest.mark.thorough
@pytest.mark.parametrize("packed", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_packed_file_is_the_same(packed: Callable[[bytes], bytes], file: bytes) -> None:
    assert event_json(imported(packed(file))) == file


def test_a_copy_is_nobody_elses_and_is_never_rated_or_played(file: bytes, process: Process) -> None:
    by = a.a_user("keeper")
    event = importing.write(importing.validate_event(file), by=by, slug="copy")
    original = Tournament.objects.exclude(pk=event.pk).first()
    assert (event.state, event.visibility, event.created_by) == ("finished", "unlisted", by)
    assert original is None or original.uuid != event.uuid
    assert not Seat.objects.filter(match__stage__tournament=event, bot_version__isnull=False).exists()
    assert not Player.objects.filter(entries__tournament=event, bot__isnull=False).exists()
    assert not Player.objects.filter(entries__tournament=event, user__isnull=False).exists()
    assert boards() == []
    assert play.play_batch(process) == 0
    assert not next_round.waiting().exists()
    with pytest.raises(TournamentError):
        start_tournament(tournament=event, by=by)
    assert event.copy_carried is not None
    assert event.copy_carried.size > 0


@pytest.mark.thorough
def test_what_checks_events_is_content_with_copies(file: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    imported(file)
    call_command("verify_records")
    assert "6 of 6 records verify (6 with their revealed seed)" in capsys.readouterr().out
    call_command("refold", "--check")


@pytest.mark.thorough
def test_an_event_that_is_not_over_becomes_a_draft_of_the_same_set_up(transactional_db: None) -> None:
    source = a.a_running_event(bots=3, kind="pods", seats=3, rounds=4, legs="cyclic", tie_breaks=("bh",), clock="quick")
    by = a.a_user()
    judged = importing.validate_event(event_json(source))
    event = import_event(by=by, checked=judged)
    one, other = source.stages.get(), event.stages.get()
    assert (event.state, event.created_by, event.slug == source.slug) == ("draft", by, False)
    assert event.entries.count() == 0
    for name in ("kind", "preset", "ruleset", "seats_pref", "rounds_planned", "legs", "tie_breaks", "clock"):
        assert getattr(one, name) == getattr(other, name), name
    with pytest.raises(InterchangeError):
        importing.write(judged, by=by, slug="copy")


@pytest.mark.thorough
def test_before_its_time_nothing_is_told(process: Process) -> None:
    event = a.an_open_event(kind="swiss", rounds=3, legs="cyclic")
    entries = a.entered(event, [a.a_bot() for _ in range(12)])
    Entry.objects.filter(pk=entries[0].pk).update(nonce="plum")
    assert b'"nonce":"plum"' not in event_json(event)
    start_tournament(tournament=event, by=event.created_by)
    process.seconds = 5.0  # as long as a batch may last: one match
    play.play_batch(process)
    derive.derive_waiting()
    stage = Stage.objects.get()
    data = json.loads(event_json(event))
    [told] = data["stages"]
    assert told["secret"] is None
    assert {item["rng_seed"] for item in told["rounds"]} == {""}
    hidden = set(DealSet.objects.filter(revealed_at=None).values_list("uuid", flat=True))
    assert hidden
    assert {item["seed"] for item in told["deal_sets"] if UUID(item["uuid"]) in hidden} == {None}
    assert bytes(stage.secret or b"").hex() not in json.dumps(data)
    for match in told["matches"]:
        assert bool(match["reports"]) == (match["state"] == "confirmed")


@pytest.mark.thorough
def test_files_go_out_and_come_in_by_command(
    file: bytes, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    a.a_user("keeper")
    path, packed = tmp_path / "event.json", tmp_path / "again.json.zst"
    path.write_bytes(file)
    call_command("import_event", str(path), "--owner", "keeper", "--check")
    assert not Tournament.objects.filter(created_by__username="keeper").exists()
    call_command("import_event", str(path), "--owner", "keeper")
    copy = Tournament.objects.get(created_by__username="keeper")
    capsysbinary.readouterr()
    call_command("export_event", copy.slug)
    assert capsysbinary.readouterr().out == file
    call_command("export_event", copy.slug, "--output", str(packed))
    assert zstandard.ZstdDecompressor().stream_reader(packed.read_bytes()).read() == file
    path.write_bytes(file[:-500])
    with pytest.raises(CommandError, match=r"event\.json"):
        call_command("import_event", str(path), "--owner", "keeper")
    with pytest.raises(CommandError, match="nobody"):
        call_command("import_event", str(path), "--owner", "nobody")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_event", str(tmp_path / "no"), "--owner", "keeper")
