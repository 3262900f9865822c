"""Shared fixtures. The servers behind them start on their own; see tests/services/.

| fixture                 | gives                                                                                  |
|-------------------------|----------------------------------------------------------------------------------------|
| `db`, `transactional_db`| (pytest-django) the test's PostgreSQL; each xdist worker has a database of its own      |
| `redis_url`             | this test's Redis database, empty; the one `settings.REDIS_URL` names                  |
| `redis_server`          | a Redis of this test alone: `.kill()` it, `.start()` it again on the same socket        |
| `project`               | real processes on the test's PostgreSQL and Redis: `.worker()`, `.beat()`, `.manage()` |
| `celery_worker_process` | `project.worker`: a factory of real Celery workers (`.pid .log() .kill() .stop()`)      |
| `embedded_project`      | the same on an SQLite file and a Redis on a private socket, as `make run` has it        |
| `make_run`              | one `make run` for a module; with the mark `as_run_too` the journeys go through it      |
| `live_site`             | the address of a real uvicorn over the test's database, serving hashed static files     |
| `numbers_go_on`         | the database's numbers never go back, even if a test resets them (`flush`, `restore`)      |
| `smtp_server`           | a real mail server (`.taken`, `.answer`), to which Django sends in this test             |
| `page`, `context`       | (pytest-playwright) a real Chromium; `chromium` is its path                            |
| `process`, `sandbox`    | a worker process of ours in this one, with the real sandbox                      |
| `league`, `live_league` | events in every state, one of them played; rolled back, or committed             |
| `as_user`, `visit`      | a test client, or a page in the browser, as somebody; `trouble` sees the browser's errors  |
| `own_database`          | a database of the test's own, once on each; `tests.services.earlier_tables` moves it |
| `receiver`              | a receiver of webhooks on this machine                                                    |
| `push_service`          | a push service on this machine, over TLS, and browsers that decrypt                        |
| `wait_until`            | `wait_until(condition, deadline_s)`: returns what the condition returned once it is true |

`tests.services.looping.run_async(scene)` runs a coroutine (never `asyncio.run`: Playwright's loop may be in the way).

Processes do not see an open transaction: a test that starts one uses `project`, `embedded_project` or `live_site`,
which are transactional. Nothing has to be stopped by the test.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils import translation

from tests.builders.fixtures import (
    as_user,
    league,
    live_league,
    player,
    process,
    push_certificate,
    push_service,
    receiver,
    sandbox,
    trouble,
    visit,
)
from tests.services import properties, waiting
from tests.services.browser import (
    browser_context_args,
    browser_type_launch_args,
    chromium,
    collected_static,
    live_server_processes,
    live_site,
)
from tests.services.databases import (
    database,
    django_db_modify_db_settings,
    django_db_setup,
    pattern,
    sqlite_database,
)
from tests.services.earlier_tables import own_database
from tests.services.keeping import numbers_go_on
from tests.services.mail_server import smtp_server
from tests.services.make_run import make_run
from tests.services.project import (
    celery_worker_process,
    embedded_project,
    migrated_sqlite,
    project,
    redis_server,
    redis_url,
)

__all__ = [
    "as_user",
    "browser_context_args",
    "browser_type_launch_args",
    "celery_worker_process",
    "chromium",
    "collected_static",
    "database",
    "django_db_modify_db_settings",
    "django_db_setup",
    "embedded_project",
    "league",
    "live_league",
    "live_server_processes",
    "live_site",
    "make_run",
    "migrated_sqlite",
    "numbers_go_on",
    "own_database",
    "pattern",
    "player",
    "process",
    "project",
    "properties",
    "push_certificate",
    "push_service",
    "receiver",
    "redis_server",
    "redis_url",
    "sandbox",
    "smtp_server",
    "sqlite_database",
    "trouble",
    "visit",
    "wait_until",
]


@pytest.fixture(autouse=True)
def own_language() -> Iterator[None]:
    """No test inherits the language that the last request of another one was answered in."""
    yield
    translation.deactivate()


pytest_plugins = [
    "tests.attacks.corpus_option",
    "tests.builders.kept_league",
    "tests.core.golden_option",
    "tests.engine.vector_option",
    "tests.services.thorough",
]


@pytest.fixture
def wait_until() -> Callable[..., Any]:
    """`wait_until(condition, deadline_s, what="")`."""
    return waiting.wait_until
