"""Fixtures: a real Chromium (pytest-playwright's `browser`, `context`, `page`) and a real web server to visit."""

import fcntl
import os
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis as redis_client
from django.conf import settings
from playwright.sync_api import expect

from scripts.chromium import found
from tests.services.make_run import MAKE_RUN
from tests.services.plugin import redis_url_of, run_folder, worker_number
from tests.services.processes import Project
from tests.services.project import test_database_url
from tests.services.waiting import wait_until

EXPECT_MS = 20_000
"""Milliseconds that `expect` waits where a test says nothing: its usual five seconds are short for a busy machine."""


@pytest.fixture(scope="session")
def chromium() -> str:
    """Provide the path of the browser: $CHROMIUM, else one on PATH. Fails, never skips, with what to type."""
    if path := found():
        return path
    pytest.fail("no Chromium found; run `make test` (it installs one), or set CHROMIUM to its path")


@pytest.fixture(scope="session")
def browser_type_launch_args(chromium: str) -> dict[str, Any]:
    """Return how pytest-playwright starts the browser; root has no sandbox of Chromium's own."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright's loop runs in this thread beside the ORM
    expect.set_options(timeout=EXPECT_MS)
    flags = ["--disable-dev-shm-usage", "--disable-gpu", "--font-render-hinting=none"]
    if os.getuid() == 0:
        flags.append("--no-sandbox")
    return {"executable_path": chromium, "headless": True, "args": flags}


@pytest.fixture(scope="session")
def browser_context_args() -> dict[str, Any]:
    """Return the settings of every context: a desktop window, English, no motion."""
    return {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def collected_static() -> Path:
    """Provide the hashed static files, collected once per run for all of xdist's workers."""
    target = run_folder() / "static"
    with (run_folder() / "static.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (target / "staticfiles.json").exists():
            here = Project({"HANAMI_STATIC_DIR": str(target), "HANAMI_DATA_DIR": str(settings.DATA_DIR)}, run_folder())
            here.manage("collectstatic", "--noinput", "--verbosity", "0")
    return target


@pytest.fixture(scope="session")
def live_server_processes(django_db_setup: None, collected_static: Path) -> Iterator[Callable[[], str]]:
    """Provide one uvicorn per xdist worker and database; called, it gives the address of the one of this test's
    database.
    """
    here = Project({}, run_folder())
    known: dict[str, str] = {}

    def address() -> str:
        database = test_database_url()
        if database not in known:
            known[database] = _serve(here, database, collected_static)
        return known[database]

    yield address
    here.stop()


def _serve(here: Project, database: str, static: Path) -> str:
    listening = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    environment = {
        "HANAMI_DATABASE_URL": database,
        "HANAMI_REDIS_URL": redis_url_of(worker_number()),
        "HANAMI_DATA_DIR": str(settings.DATA_DIR),
        "HANAMI_STATIC_DIR": str(static),
        "HANAMI_DB_POOL": "8",
        "HANAMI_LOG_LEVEL": "WARNING",
    }
    descriptor = listening.fileno()
    command = ("-m", "scripts.web", str(descriptor), "--graceful", "1")
    web = here.start(f"web{worker_number()}", *command, extra=environment, pass_fds=(descriptor,))
    listening.close()
    wait_until(lambda: _answers(address, lambda: web.is_alive, web.log), 40, f"the site at {address}")
    return address


@pytest.fixture
def live_site(
    transactional_db: None, live_server_processes: Callable[[], str], database: str, request: pytest.FixtureRequest
) -> str:
    """Provide the address ("http://127.0.0.1:PORT") of a real server over this test's database; Redis starts empty.

    Under `as_run_too` it is that of `make run`.
    """
    if database == MAKE_RUN:
        return str(request.getfixturevalue("make_run").address)
    with redis_client.Redis.from_url(redis_url_of(worker_number())) as connected:
        connected.flushdb()
    return live_server_processes()


def _answers(address: str, is_alive: Callable[[], bool], log: Callable[[], str]) -> bool:
    assert is_alive(), f"the web server ended:\n{log()}"
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=5) as reply:
            return bool(reply.status == 200)
    except OSError:
        return False
