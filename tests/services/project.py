"""Fixtures: the project's own processes on this test's database and Redis, or on SQLite with the embedded broker."""

import fcntl
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
import redis as redis_client
from django.conf import settings
from django.db import connection

from tests.services.emptying import empty_cheaply
from tests.services.make_run import MAKE_RUN, held
from tests.services.plugin import redis_url_of, run_folder, worker_number, worker_url_of
from tests.services.processes import Project, Started
from tests.services.redis_server import Redis

empty_cheaply()
WORKERS: Final = {"HANAMI_ROLE": "worker"}
"""Environment of the workers of every test: they have no secret key, and on PostgreSQL an account of their own."""


def _short_folder() -> Path:
    """Make a folder whose sockets have short paths (the limit is about 108 bytes)."""
    return Path(tempfile.mkdtemp(prefix="hanami-"))


def test_database_url() -> str:
    """Return the address of the database that this process's tests use, for a process to be started."""
    now = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{now['NAME']}"
    options = now["OPTIONS"]
    if "host" in options:
        return f"postgresql:///{now['NAME']}?host={options['host']}&user={options['user']}"
    login = f"{now['USER']}:{now['PASSWORD']}@" if now["USER"] else ""
    return f"postgresql://{login}{now['HOST']}:{now['PORT'] or 5432}/{now['NAME']}"


test_database_url.__test__ = False  # type: ignore[attr-defined]  # it is no test


@pytest.fixture
def redis_url() -> str:
    """Provide the address of this test's Redis database (empty at the start), the one `settings.REDIS_URL` names."""
    url = redis_url_of(worker_number())
    with redis_client.Redis.from_url(url) as connected:
        connected.flushdb()
    return url


@pytest.fixture
def redis_server() -> Iterator[Redis]:
    """Provide a Redis of this test alone: `.url()`, `.kill()`, `.start()` again on the same socket."""
    folder = _short_folder()
    server = Redis(folder)
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def project(
    transactional_db: None, redis_url: str, tmp_path: Path, database: str, request: pytest.FixtureRequest
) -> Iterator[Project]:
    """Provide the project on the test's PostgreSQL and Redis: `.worker()`, `.beat()`, `.manage("command")`.

    What a test commits is seen by the processes and the other way round. All processes end with the test.
    Under `as_run_too` it is the installation of `make run`, whose beat runs already.
    """
    here = (
        held(request.getfixturevalue("make_run"))
        if database == MAKE_RUN
        else _on_the_run_s_servers(redis_url, tmp_path)
    )
    yield here
    here.stop()


def _on_the_run_s_servers(redis_url: str, folder: Path) -> Project:
    environment = {
        "HANAMI_DATABASE_URL": test_database_url(),
        "HANAMI_REDIS_URL": redis_url,
        "HANAMI_DATA_DIR": str(settings.DATA_DIR),
        "HANAMI_DB_POOL": "4",
        "HANAMI_SWEEP_S": "1",
    }
    on_postgresql = connection.vendor == "postgresql"
    account = {"HANAMI_DATABASE_URL": worker_url_of(test_database_url())} if on_postgresql else {}
    return Project(environment, folder, of_workers={**WORKERS, **account})


@pytest.fixture
def celery_worker_process(project: Project) -> Callable[..., Started]:
    """Provide a factory of real `celery -A config worker` processes; arguments as `Project.worker`."""
    return project.worker


@pytest.fixture(scope="session")
def migrated_sqlite() -> Path:
    """Provide a data folder whose SQLite file has all tables and no row; made once per run, to be copied."""
    folder = run_folder() / "sqlite"
    with (run_folder() / "sqlite.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            folder.mkdir(exist_ok=True)
            Project({"HANAMI_DATA_DIR": str(folder)}, folder).manage("migrate", "--verbosity", "0")
            (folder / "complete").touch()
    return folder


@pytest.fixture
def embedded_project(redis_server: Redis, migrated_sqlite: Path, tmp_path: Path) -> Iterator[Project]:
    """Provide the project as `make run` has it: an SQLite file (migrated) and a Redis on a private socket.

    The test's own process is not connected to that SQLite file; ask through `.manage(...)`.
    """
    environment = {
        "HANAMI_DATA_DIR": str(tmp_path / "data"),
        "HANAMI_REDIS_URL": redis_server.url(),
        "HANAMI_SWEEP_S": "1",
        "HANAMI_LOG_LEVEL": "WARNING",
    }
    shutil.copytree(migrated_sqlite, tmp_path / "data")
    here = Project(environment, tmp_path, of_workers=WORKERS)
    yield here
    here.stop()
