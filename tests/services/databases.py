"""The databases of each process of the run: those of xdist's processes are copies of one that is migrated beside them.

Beside its PostgreSQL each process has an SQLite file as `make run` has it, for the tests marked `on_sqlite`.
"""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

import pytest
from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from pytest_django.plugin import DjangoDbBlocker

from tests.services.elsewhere import connected_to
from tests.services.emptying import note_what_is_filled
from tests.services.make_run import MAKE_RUN
from tests.services.plugin import PATTERN, run_folder, worker_number

OTHERS: Final = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


@dataclass(slots=True)
class Pattern:
    """Agreement of the processes of a run. lock: held by the one that makes the pattern, None once it is there."""

    lock: TextIO | None

    def made_from(self, name: str) -> None:
        """Make the pattern a copy of this database, to which nobody is connected, and let the others go on."""
        if self.lock is not None:
            with connection._nodb_cursor() as cursor:
                cursor.execute(f"DROP DATABASE IF EXISTS {PATTERN}")  # one whose migration failed
                cursor.execute(f'CREATE DATABASE {PATTERN} TEMPLATE "{name}"')
            (run_folder() / PATTERN).touch()
            self.let_go()

    def let_go(self) -> None:
        """Let the next one look, whether there is a pattern now or not."""
        if self.lock is not None:
            self.lock.close()
            self.lock = None


@pytest.fixture(scope="session")
def pattern() -> Iterator[Pattern]:
    """Wait while another process makes the pattern. A run of one process needs none, and SQLite knows none."""
    found = Pattern(None)
    if worker_number() and settings.DATABASES["default"]["ENGINE"].endswith("postgresql"):
        found.lock = (run_folder() / f"{PATTERN}.lock").open("w")
        fcntl.flock(found.lock, fcntl.LOCK_EX)
        if (run_folder() / PATTERN).exists():
            found.let_go()
    yield found
    found.let_go()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, pattern: Pattern) -> None:
    """Do as pytest-django does, and where there is a pattern let the database become a copy of it."""
    if (run_folder() / PATTERN).exists():
        settings.DATABASES["default"].setdefault("TEST", {}).update(TEMPLATE=PATTERN, MIGRATE=False)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker, pattern: Pattern) -> Iterator[None]:
    """Replace pytest-django's: the database of this process is there, with all tables and no row."""
    with django_db_blocker.unblock():
        note_what_is_filled(connection)
        connection.close()
        pattern.made_from(connection.settings_dict["NAME"])
    yield
    with django_db_blocker.unblock():
        end_other_sessions(connection)


def end_other_sessions(connection: BaseDatabaseWrapper) -> None:
    """End what is still connected to a PostgreSQL, a server's session whose client was killed: it cannot be dropped
    before.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(OTHERS)


DATABASES: Final = ("postgresql", "sqlite")
on_sqlite: Final = pytest.mark.parametrize("database", ["sqlite"], indirect=True, scope="module")
"""A test, or with `pytestmark` a module, for the SQLite of `make run` alone."""
on_both: Final = pytest.mark.parametrize("database", DATABASES, indirect=True, scope="module")
"""The same on PostgreSQL and on SQLite."""


@pytest.fixture(scope="module", autouse=True)
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """Return on which database the tests run: "sqlite" under `on_sqlite` and `on_both`, MAKE_RUN under `as_run_too`,
    else that of the run.
    """
    wanted = getattr(request, "param", "")
    if wanted == MAKE_RUN:
        with connected_to(f"sqlite:///{request.getfixturevalue('make_run').database}"):
            yield wanted
        return
    if wanted != "sqlite":
        yield wanted or str(settings.DATABASES["default"]["ENGINE"].rpartition(".")[2])
        return
    request.getfixturevalue("django_db_setup")
    with connected_to(f"sqlite:///{request.getfixturevalue('sqlite_database')}"):
        yield wanted


@pytest.fixture(scope="session")
def sqlite_database(migrated_sqlite: Path) -> Path:
    """Make this process's SQLite file: all tables, no row."""
    file = run_folder() / f"tests{worker_number()}.sqlite3"
    shutil.copy(migrated_sqlite / "hanami.sqlite3", file)
    return file
