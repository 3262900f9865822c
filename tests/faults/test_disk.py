"""A disk that is full: of the database, in the middle of a league, and of the worker's own logs and temporary files."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from django.conf import settings
from django.db import connection

from bots.models import Worker
from tests.builders import events as a
from tests.faults.conftest import a_copy_of
from tests.faults.leagues import QUICK, TAKES_ITS_TIME, check_the_league, finished, in_play
from tests.services.elsewhere import connected_to
from tests.services.postgres import FRUGAL, Postgres
from tests.services.processes import Project, children_of
from tournaments.models import Match, ResultReport

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
SIZE_MB = 160
LOG_SIZE = 1 << 18  # more than a bot's log, which is a file in memory
SMALL = ("wal_keep_size=0", "min_wal_size=32MB", "max_wal_size=48MB", *FRUGAL)


class Disk(Protocol):
    """The disk that the data of a PostgreSQL lies on."""

    def fill(self, server: Postgres) -> None:
        """From now on nothing more fits on it."""

    def free(self, server: Postgres) -> None:
        """There is room again."""


@dataclass
class SmallDisk:
    """A file system of its own in memory; a file takes what is left of it."""

    folder: Path

    def fill(self, server: Postgres) -> None:
        full = pytest.raises(OSError, match=os.strerror(errno.ENOSPC))
        with (self.folder / "ballast").open("wb", buffering=0) as ballast, full:
            while True:
                ballast.write(bytes(1 << 16))

    def free(self, server: Postgres) -> None:
        (self.folder / "ballast").unlink()


@dataclass
class SizeLimit:
    """A limit where mounting is refused: no process of the server may make a file longer than it can be just now."""

    def fill(self, server: Postgres) -> None:
        self._limit(server, 8192)

    def free(self, server: Postgres) -> None:
        self._limit(server, resource.RLIM_INFINITY)

    def _limit(self, server: Postgres, most: int) -> None:
        assert server.process is not None
        for pid in (server.process.pid, *children_of(server.process.pid)):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


@pytest.fixture
def small_folder() -> Iterator[tuple[Path, Disk]]:
    """A folder for a server whose data has little room, and what fills it."""
    folder = Path(tempfile.mkdtemp(prefix="hanami-"))
    data = folder / "data"
    data.mkdir(mode=0o700)
    options = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m", "tmpfs", str(data)]
    mounted = subprocess.run(options, check=False, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    yield folder, SmallDisk(data) if mounted else SizeLimit()
    if mounted:
        subprocess.run(["umount", "--lazy", str(data)], check=True, stdin=subprocess.DEVNULL)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def small_postgres(
    small_folder: tuple[Path, Disk], migrated_cluster: Path, django_db_blocker: Any
) -> Iterator[tuple[Postgres, Disk]]:
    """A PostgreSQL on a small disk; this process is connected to it."""
    folder, disk = small_folder
    a_copy_of(migrated_cluster, folder)
    server = Postgres(folder, options=SMALL)
    server.start()
    with django_db_blocker.unblock(), connected_to(server.url()):
        yield server, disk
    server.stop()


def test_the_database_s_disk_is_full_for_a_while(
    small_postgres: tuple[Postgres, Disk], redis_url: str, tmp_path: Path, wait_until: Callable[..., Any]
) -> None:
    server, disk = small_postgres
    environment = {
        "HANAMI_DATABASE_URL": server.url(),
        "HANAMI_REDIS_URL": redis_url,
        "HANAMI_DATA_DIR": str(settings.DATA_DIR),
        "HANAMI_SWEEP_S": "1",
    }
    project = Project(environment, tmp_path)
    try:
        a.a_running_event(sources=[TALKS] * 6, options={"rounds": 4})
        beat, worker = project.beat(extra=QUICK), project.worker(extra=QUICK)
        wait_until(lambda: ResultReport.objects.exists() and in_play(), 60, "a first result, and a match in play")
        disk.fill(server)
        worker.wait_for_line("No space left" if isinstance(disk, SmallDisk) else "File too large", 120)
        disk.free(server)
        if not server.is_alive:  # without room for its log it gives up; a service manager starts it again
            server.start()
        connection.close()
        wait_until(finished, 120, "the league finished")
        assert worker.is_alive
        assert beat.is_alive
        check_the_league(15)
        assert not Match.objects.filter(faults__gt=1).exists()
        assert Match.objects.exclude(history=[]).exists()
    finally:
        project.stop()


# A log of some kilobytes by chance, so that every result needs room.
TALKS = TAKES_ITS_TIME.replace(
    b"    return 0\n",
    b"    import random\n    print(random.randbytes(3000).hex())\n    return 0\n",
)


def test_the_disk_of_logs_and_temporary_files_is_full(
    project: Project, tmp_path: Path, wait_until: Callable[..., Any]
) -> None:
    """Nothing of a match needs either: even if nothing can be written there, matches are played and recorded."""
    nowhere, log = tmp_path / "full", tmp_path / "log"
    nowhere.mkdir(mode=0o555)
    log.write_bytes(bytes(LOG_SIZE))
    with log.open("ab") as output:
        worker = project.worker(name="mute", extra={**QUICK, "TMPDIR": str(nowhere)}, output=output, wait=False)
    wait_until(lambda: Worker.objects.filter(probe_ok=True).exists(), 60, "a worker whose sandbox holds")
    for pid in (worker.pid, *worker.pool_pids()):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (LOG_SIZE, resource.RLIM_INFINITY))
    full = log.stat().st_size
    project.beat(extra=QUICK)
    a.a_running_event(sources=[TAKES_ITS_TIME] * 4, options={"rounds": 2})
    wait_until(finished, 90, "the league finished")
    assert worker.is_alive
    assert log.stat().st_size == full
    check_the_league(6)
    assert set(Match.objects.values_list("attempt", flat=True)) == {1}
