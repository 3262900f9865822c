"""Fixtures: servers and disks that a fault test may break."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings

from bots.runner.zygote import Zygote
from tests.services.elsewhere import connected_to
from tests.services.plugin import run_folder
from tests.services.postgres import FRUGAL, Postgres
from tests.services.processes import Project
from tests.services.redis_server import Redis


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Zygote]:
    """One fork server for all tests of this pytest process."""
    with Zygote.start() as zygote:
        yield zygote


@pytest.fixture(scope="session")
def migrated_cluster() -> Path:
    """The data folder of a PostgreSQL that is stopped, with all tables and no row; made once per run, to be copied."""
    folder = run_folder() / "cluster"
    with (run_folder() / "cluster.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            server = Postgres(folder)
            server.start()
            with psycopg.connect(server.url("postgres"), autocommit=True) as connected:
                connected.execute("CREATE DATABASE hanami")
            Project({"HANAMI_DATABASE_URL": server.url()}, folder).manage("migrate", "--verbosity", "0", timeout_s=600)
            server.shut_down("fast")
            (folder / "complete").touch()
    return folder / "data"


def a_copy_of(cluster: Path, folder: Path) -> None:
    """Put a copy of the cluster into `folder`, as `data`; a disk may be mounted there."""
    folder.chmod(0o755)
    subprocess.run(["cp", "-a", f"{cluster}/.", str(folder / "data")], check=True, stdin=subprocess.DEVNULL)
    owner = cluster.stat()
    shutil.chown(folder, owner.st_uid, owner.st_gid)


@pytest.fixture
def own_postgres(migrated_cluster: Path, django_db_blocker: Any) -> Iterator[Postgres]:
    """A durable PostgreSQL of this test alone, with all tables; this process is connected to it."""
    folder = Path(tempfile.mkdtemp(prefix="hanami-"))
    a_copy_of(migrated_cluster, folder)
    server = Postgres(folder, options=FRUGAL)
    server.start()
    with django_db_blocker.unblock(), connected_to(server.url()):
        yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def project_on_own_postgres(own_postgres: Postgres, redis_url: str, tmp_path: Path) -> Iterator[Project]:
    """The project on a PostgreSQL that this test may restart, and on the run's Redis."""
    environment = {
        "HANAMI_DATABASE_URL": own_postgres.url(),
        "HANAMI_REDIS_URL": redis_url,
        "HANAMI_DATA_DIR": str(settings.DATA_DIR),
        "HANAMI_DB_POOL": "4",
        "HANAMI_SWEEP_S": "1",
    }
    here = Project(environment, tmp_path)
    yield here
    here.stop()


@pytest.fixture
def project_on_own_redis(project: Project, redis_server: Redis) -> Project:
    """The project with a Redis that this test may kill. Our own wake-ups are not received there: the sweep has to send
    wake-ups.
    """
    project.environment = {**project.environment, "HANAMI_REDIS_URL": redis_server.url()}
    assert redis_server.url() != settings.REDIS_URL
    return project


@pytest.fixture
def embedded(embedded_project: Project, django_db_blocker: Any) -> Iterator[Project]:
    """The project as `make run` has it; this process is connected to its SQLite file. Only the sweep sends wake-ups
    there.
    """
    file = Path(embedded_project.environment["HANAMI_DATA_DIR"]) / "hanami.sqlite3"
    with django_db_blocker.unblock(), connected_to(f"sqlite:///{file}"):
        yield embedded_project
