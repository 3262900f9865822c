"""The whole service in one file and back: on another database, with nothing lost, changed or half done."""

from __future__ import annotations

import os
import random
import re
import stat
from pathlib import Path

import pytest
import zstandard
from django.core.management import call_command

from accounts import backup
from accounts.errors import BackupError
from accounts.models import User
from bots.jobs.process import Process
from bots.models import AuditEvent
from tests.builders import events as a
from tests.builders.leagues import League, a_league
from tests.services.commands import said
from tests.services.elsewhere import connected_to
from tests.services.processes import Project
from tournaments.models import Match, Standing

DIGEST = re.compile(r"sha256:([0-9a-f]{64})")


@pytest.fixture
def league(process: Process) -> League:
    """Events in every state, one of them played to its end."""
    return a_league(process)


def digest_in(output: str) -> str:
    found = DIGEST.search(output)
    assert found is not None, output
    return found[1]


@pytest.mark.slow
@pytest.mark.usefixtures("numbers_go_on")
def test_from_postgresql_to_a_laptop_and_back(league: League, embedded_project: Project, tmp_path: Path) -> None:
    there, again, whole = tmp_path / "there.zst", tmp_path / "again.zst", tmp_path / "whole.zst"
    written = backup.write(there)
    assert backup.check(there) == written
    assert written.rows["tournaments.match"] == Match.objects.count() > 0
    assert digest_in(embedded_project.manage("restore", str(there))) == written.digest
    assert digest_in(embedded_project.manage("backup", str(again))) == written.digest
    with connected_to(f"sqlite:///{embedded_project.environment['HANAMI_DATA_DIR']}/hanami.sqlite3"):
        assert re.search(r"(\d+) of \1 records verify", said("verify_records"))
        assert "0 tables differed" in said("refold", "--check")
    places = list(Standing.objects.order_by("id").values_list("entry__player__name", "rank", "key"))
    call_command("flush", "--no-input", verbosity=0)
    assert backup.restore(again) == written
    assert list(Standing.objects.order_by("id").values_list("entry__player__name", "rank", "key")) == places
    assert a.a_user("later").pk > league.rival.pk  # numbers go on after those of the file
    assert backup.write(whole).rows["accounts.user"] == written.rows["accounts.user"] + 1


@pytest.mark.thorough
def test_what_is_there_is_never_overwritten(league: League, tmp_path: Path) -> None:
    file = tmp_path / "backup.zst"
    backup.write(file)
    before = file.read_bytes()
    with pytest.raises(BackupError, match=r"exists") as refused:
        backup.write(file)
    assert refused.value.code == "backup.exists"
    with pytest.raises(BackupError, match="not empty") as refused:
        backup.restore(file)
    assert refused.value.code == "restore.not_empty"
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_nobody_but_its_owner_reads_a_backup(transactional_db: None, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        backup.write(tmp_path / "backup.zst")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "backup.zst").stat().st_mode) == 0o600


@pytest.mark.thorough
@pytest.mark.usefixtures("numbers_go_on")
@pytest.mark.parametrize("harm", ["cut", "cut between", "changed", "more", "other rows", "no backup", "other version"])
def test_a_damaged_file_changes_nothing(transactional_db: None, tmp_path: Path, harm: str) -> None:
    file = tmp_path / "backup.zst"
    person = a.a_user("kiri")
    AuditEvent.objects.create(actor=person, verb="x.y", subject="user:1", after={"b": [1.5, None], "a": "é"})
    AuditEvent.objects.create(
        verb="x.long", subject="user:1", after={"noise": random.Random(1).randbytes(300_000).hex()}
    )
    backup.write(file)
    call_command("flush", "--no-input", verbosity=0)
    file.write_bytes(harmed(file.read_bytes(), harm))
    with pytest.raises(BackupError) as refused:
        backup.restore(file)
    expected = {"no backup": "restore.not_a_backup", "other version": "restore.other_version"}
    assert refused.value.code == expected.get(harm, "restore.damaged")
    assert not User.objects.exists()
    if harm != "other version":
        with pytest.raises(BackupError):
            backup.check(file)


def harmed(packed: bytes, harm: str) -> bytes:
    """The file with one thing wrong."""
    if harm == "cut":
        return packed[: len(packed) // 2]
    lines = zstandard.ZstdDecompressor().decompressobj().decompress(packed).splitlines(keepends=True)
    person = next(number for number, line in enumerate(lines) if b'"kiri"' in line)
    changes = {
        "cut between": lines[:-1],
        "changed": [*lines[:person], lines[person].replace(b"kiri", b"koro"), *lines[person + 1 :]],
        "more": [*lines[: person + 1], lines[person].replace(b"kiri", b"koro"), *lines[person + 1 :]],
        "other rows": [*lines[:person], b"[1,2]\n", *lines[person + 1 :]],
        "no backup": [b"{}\n", *lines[1:]],
        "other version": [lines[0].replace(b"accounts.0001", b"accounts.0000"), *lines[1:]],
    }
    return zstandard.ZstdCompressor().compress(b"".join(changes[harm]))
