"""Starts this run's PostgreSQL and Redis before Django reads its settings.

Loaded early by `-p` in pyproject.toml: later, Django's settings would already be fixed and the tests would silently
run on SQLite. pytest-xdist's workers inherit the servers; each gets a database and a Redis number of its own.

TEST_DATABASE_URL and TEST_REDIS_URL name servers to use instead (the database user must be allowed to create
databases and accounts: the workers have one of their own); TEST_POSTGRES_BIN and TEST_REDIS_SERVER name other binaries.
"""

import gc
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.services import migrating
from tests.services.postgres import Postgres
from tests.services.processes import Project
from tests.services.redis_server import Redis
from tests.services.spreading import Spreading

FOLDER = "TEST_SERVICES_FOLDER"
WORKER = "hanami_worker"
"""The workers' account in PostgreSQL. `migrate` makes it; copies of a database have its rights, too."""
LOG_SHOWN = 20_000
"""Characters of a process's log that the report of a failed test shows."""
PATTERN = "hanami_migrated"
"""The database that those of xdist's processes are copied from. Nobody is ever connected to it."""
_STOP = pytest.StashKey[tuple[Postgres | Redis, ...]]()
_MIGRATING = pytest.StashKey[list[subprocess.Popen[bytes]]]()
GARBAGE_AFTER = (50_000, 20, 20)
"""Objects that are made before the collector looks: a test makes thousands of rows and pages, and hardly a circle."""

gc.disable()  # until all is collected: importing makes millions of objects, and none of them is garbage


def worker_number() -> int:
    """Return 0 for a run without xdist, 1.. for its workers."""
    found = re.fullmatch(r"gw(\d+)", os.environ.get("PYTEST_XDIST_WORKER", ""))
    return int(found.group(1)) + 1 if found else 0


def run_folder() -> Path:
    """Return this run's temporary folder, shared by xdist's workers."""
    return Path(os.environ[FOLDER])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, object, object]:
    if worker_number() == 0:
        _keep_bytecode(early_config.rootpath / ".pytest_cache" / "bytecode")
        _start_servers(early_config)
    _point_django_at_them()
    return (yield)


def _keep_bytecode(folder: Path) -> None:
    """Keep what is compiled, apart from the sources, where the shell says to write no bytecode beside them.

    Otherwise each process of the run and each that its tests start would compile and rewrite every module again.
    """
    if sys.dont_write_bytecode:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(folder)
        sys.dont_write_bytecode = False


def _start_servers(config: pytest.Config) -> None:
    """Start what no variable names, and note what has to be stopped."""
    folder = Path(tempfile.mkdtemp(prefix="hanami-test-"))
    folder.chmod(0o711)
    os.environ[FOLDER] = str(folder)
    started: list[Postgres | Redis] = []
    config.stash[_STOP] = ()
    if not os.environ.get("TEST_DATABASE_URL"):
        postgres = Postgres(folder / "postgres")
        postgres.start()
        started.append(postgres)
        os.environ["TEST_DATABASE_URL"] = postgres.url()
        config.stash[_STOP] = tuple(started)
        if getattr(config.known_args_namespace, "numprocesses", None):
            config.stash[_MIGRATING] = _begin_to_migrate(postgres)
    if not os.environ.get("TEST_REDIS_URL"):
        redis = Redis(folder / "redis")
        redis.start()
        started.append(redis)
        os.environ["TEST_REDIS_URL"] = redis.url()
        config.stash[_STOP] = tuple(started)


def _begin_to_migrate(postgres: Postgres) -> list[subprocess.Popen[bytes]]:
    """Begin to make what the processes of this run copy: the pattern of their databases, and an SQLite file."""
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connected:
        connected.execute(f"CREATE DATABASE {PATTERN}")
    sqlite = run_folder() / "sqlite"
    sqlite.mkdir()
    data, url = str(run_folder() / "data"), postgres.url(PATTERN)
    places = {"HANAMI_DATABASE_URL": url, "HANAMI_WORKER_DATABASE_URL": worker_url_of(url), "HANAMI_DATA_DIR": data}
    return [
        migrating.begin(run_folder() / f"{PATTERN}.lock", run_folder() / PATTERN, places),
        migrating.begin(run_folder() / "sqlite.lock", sqlite / "complete", {"HANAMI_DATA_DIR": str(sqlite)}),
    ]


def redis_url_of(number: int) -> str:
    """Return the run's Redis, database `number`: xdist's workers do not see each other's queues."""
    url = os.environ["TEST_REDIS_URL"]
    if url.startswith("unix://"):
        return f"{url.partition('?')[0]}?db={number}"
    return f"{re.sub(r'/[0-9]*$', '', url)}/{number}"


def worker_url_of(url: str) -> str:
    """Return the same database for the workers' account, its name its password where one is asked for; "": SQLite has
    none.
    """
    if url.startswith("sqlite"):
        return ""
    if "user=" in url:
        return re.sub(r"user=[^&]*", f"user={WORKER}", url)
    return re.sub(r"//([^@/]*@)?", f"//{WORKER}:{WORKER}@", url, count=1)


def _point_django_at_them() -> None:
    """Set these settings and no others: the developer's shell and its HANAMI_* must not change a test."""
    for name in [name for name in os.environ if name.startswith("HANAMI_")]:
        del os.environ[name]
    os.environ.update(
        HANAMI_DATABASE_URL=os.environ["TEST_DATABASE_URL"],
        HANAMI_WORKER_DATABASE_URL=worker_url_of(os.environ["TEST_DATABASE_URL"]),
        HANAMI_REDIS_URL=redis_url_of(worker_number()),
        HANAMI_DATA_DIR=str(run_folder() / f"data{worker_number()}"),
        HANAMI_ALLOWED_HOSTS="127.0.0.1,localhost,testserver",
        HANAMI_LOG_LEVEL="WARNING",
    )


def pytest_collection_finish() -> None:
    """Freeze the thousands of tests and the modules behind them, which stay to the end: no garbage collection looks at
    them.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE_AFTER)
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Spreading:
    return Spreading(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show with a failed test the last that each process it had started wrote: later their logs are gone."""
    report = yield
    if report.failed:
        given = getattr(item, "funcargs", {}).values()
        projects = {id(value): value for value in given if isinstance(value, Project)}
        for one in [started for project in projects.values() for started in project.started]:
            report.sections.append((f"log of {one.name}", one.log()[-LOG_SHOWN:]))
    return report


def pytest_unconfigure(config: pytest.Config) -> None:
    for process in config.stash.get(_MIGRATING, []):
        process.kill()
        process.wait()
    if _STOP not in config.stash:
        return
    for server in config.stash[_STOP]:
        server.stop()
    shutil.rmtree(run_folder(), ignore_errors=True)
