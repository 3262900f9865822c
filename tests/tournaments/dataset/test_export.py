"""The files of decisions: what is in them, what must not be, and that nothing is lost or done twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core.errors import TournamentError
from engine.data import SUMS, load
from engine.data_rows import COLUMNS
from tests.builders.leagues import League
from tournaments.dataset import catalogue, croissant
from tournaments.dataset import export as exporting
from tournaments.dataset.checking import problems
from tournaments.dataset.columns import MEANINGS
from tournaments.dataset.days import matches_of, published_matches, versions
from tournaments.dataset.export import export
from tournaments.models import DealSet, Match, Tournament

pytestmark = pytest.mark.django_db
YESTERDAY = timezone.now() - timedelta(days=1)


@pytest.fixture
def past(league: League) -> League:
    """The league, its matches finished on two days that are over."""
    Match.objects.filter(state="confirmed").update(finished_at=YESTERDAY)
    keys = list(published_matches().order_by("pk").values_list("pk", flat=True))
    Match.objects.filter(pk__in=keys[: len(keys) // 2]).update(finished_at=YESTERDAY - timedelta(days=1))
    return league


def names_in(place: Path) -> set[str]:
    return {row["match"] for row in load(place).rows(["match"])}


@pytest.mark.thorough
def test_every_published_match_is_in_one_file_and_derives_again(past: League, tmp_path: Path) -> None:
    done = export(tmp_path)
    assert [day.day for day in done.written] == sorted(str(day) for day in versions())
    assert len(done.written) == 2
    assert names_in(tmp_path) == {str(uuid) for uuid in published_matches().values_list("uuid", flat=True)}
    assert list(problems(tmp_path, sample=1000)) == []
    sums = subprocess.run(["sha256sum", "--check", SUMS], cwd=tmp_path, capture_output=True, check=False)
    assert sums.returncode == 0, sums.stdout


@pytest.mark.thorough
def test_nothing_is_done_twice(past: League, tmp_path: Path) -> None:
    export(tmp_path)
    before = {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.glob("*.parquet")}
    with CaptureQueriesContext(connection) as seen:
        assert export(tmp_path).written == []
    assert len(seen) == 1
    assert {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.glob("*.parquet")} == before


@pytest.mark.thorough
def test_the_same_matches_are_the_same_bytes(past: League, tmp_path: Path) -> None:
    one, other = export(tmp_path / "one").written, export(tmp_path / "other").written
    assert [day.sha256 for day in one] == [day.sha256 for day in other]


def test_what_is_not_public_is_not_in_it(past: League, tmp_path: Path) -> None:
    """Private events, drafts, matches with legs to come, days that go on."""
    private = Match.objects.filter(stage__tournament=past.private)
    assert not private.filter(pk__in=published_matches().values("pk")).exists()
    match = matches_of(YESTERDAY.date())[0]
    DealSet.objects.filter(matches=match).update(revealed_at=None)
    later = matches_of(YESTERDAY.date())[0]
    Match.objects.filter(pk=later.pk).update(finished_at=timezone.now())
    export(tmp_path)
    assert not {str(match.uuid), str(later.uuid)} & names_in(tmp_path)


def test_an_event_that_is_made_private_leaves_the_files(past: League, tmp_path: Path) -> None:
    export(tmp_path)
    assert list(tmp_path.glob("*.parquet"))
    Tournament.objects.update(visibility=Tournament.Visibility.PRIVATE)
    assert next(iter(problems(tmp_path))).endswith("export again")
    done = export(tmp_path)
    assert len(done.removed) == 2
    assert list(tmp_path.glob("*.parquet")) == []
    assert catalogue.published(tmp_path) == ()
    assert (tmp_path / SUMS).read_text(encoding="utf-8") == ""


def test_one_match_less_makes_its_day_again_and_no_other(past: League, tmp_path: Path) -> None:
    export(tmp_path)
    gone = matches_of(YESTERDAY.date())[0]
    Match.objects.filter(pk=gone.pk).update(state=Match.State.VOID)
    (again,) = export(tmp_path).written
    assert again.day == str(YESTERDAY.date())
    assert str(gone.uuid) not in names_in(tmp_path)


def test_no_names_are_in_it(past: League, tmp_path: Path) -> None:
    export(tmp_path)
    row = next(load(tmp_path).rows())
    assert set(row) == {column.name for column in COLUMNS} == set(MEANINGS)
    text = "\n".join(str(row) for row in load(tmp_path).rows())
    people = [past.organiser.username, past.owner.username, past.rival.username, past.bot.slug, past.finished.slug]
    assert [name for name in people if name in text] == []


def test_a_record_that_does_not_play_again_is_left_out(past: League, tmp_path: Path, monkeypatch: Any) -> None:
    whole = exporting.documents_of

    def broken(keys: list[int]) -> Iterator[dict[str, Any]]:
        for number, document in enumerate(whole(keys)):
            yield document if number else {**document, "hash": "sha256:0"}

    monkeypatch.setattr(exporting, "documents_of", broken)
    assert [day.skipped for day in export(tmp_path).written] == [1, 1]


def test_only_one_process_makes_a_folder(past: League, tmp_path: Path) -> None:
    with exporting._alone(tmp_path), pytest.raises(TournamentError) as told:
        export(tmp_path)
    assert told.value.code == "dataset.busy"


def test_one_that_is_asked_to_end_leaves_whole_days(past: League, tmp_path: Path) -> None:
    first = matches_of(min(versions())).count()
    asked = iter([True] * (first + 1) + [False] * 9)
    assert len(export(tmp_path, may_go_on=lambda: next(asked)).written) == 1
    assert len(load(tmp_path).files) == 1
    assert len(export(tmp_path).written) == 1
    assert not list(tmp_path.glob(".*.part"))


WRITES: str = """
import os, sys
from pathlib import Path
from engine.data import write
def matches():
    yield []
    print("halfway", flush=True)
    sys.stdin.read()
write(Path(sys.argv[1]), matches())
"""


@pytest.mark.thorough
def test_a_killed_process_leaves_no_half_file_and_is_made_up_for(past: League, tmp_path: Path) -> None:
    path = tmp_path / f"{min(versions())}.parquet"
    started = subprocess.Popen(
        [sys.executable, "-c", WRITES, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert started.stdout is not None
    assert started.stdin is not None
    assert started.stdout.readline() == "halfway\n"
    os.kill(started.pid, signal.SIGKILL)
    started.wait()
    started.stdin.close()
    started.stdout.close()
    assert not path.exists()
    assert list(tmp_path.glob(".*.part"))
    export(tmp_path)
    assert not list(tmp_path.glob(".*.part"))
    assert list(problems(tmp_path)) == []


def test_a_changed_file_is_found_and_made_again(past: League, tmp_path: Path) -> None:
    export(tmp_path)
    path = min(tmp_path.glob("*.parquet"))
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(CommandError):
        call_command("export_dataset", tmp_path, "--check")
    assert len(export(tmp_path).written) == 1
    call_command("export_dataset", tmp_path, "--check", "--sample", "3")


@pytest.mark.thorough
def test_the_description_is_valid_and_reads_the_rows(past: League, tmp_path: Path) -> None:
    call_command("export_dataset", tmp_path)
    tool = Path(sys.executable).with_name("mlcroissant")
    said = [tmp_path / "site.json", tmp_path / "none.json", tmp_path / catalogue.CROISSANT]
    days = catalogue.published(tmp_path)
    said[0].write_text(
        croissant.text(days, home="https://a.test/data/", address=lambda day: f"https://a.test/{day.name}")
    )
    said[1].write_text(croissant.text([]))
    for path in said:
        done = subprocess.run([tool, "validate", "--jsonld", path], capture_output=True, text=True, check=False)
        assert (done.returncode, "Done" in done.stderr) == (0, True), done.stderr
    load_it: list[str | Path] = [tool, "load", "--jsonld", said[2], "--record_set", "decisions", "--num_records", "3"]
    done = subprocess.run(load_it, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "decisions/choice" in done.stdout
