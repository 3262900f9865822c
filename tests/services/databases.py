"""The database of each process of the run: the first of xdist's processes migrates its own, the others copy that."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TextIO

import pytest
from django.conf import settings
from django.db import connection
from pytest_django.plugin import DjangoDbBlocker

from tests.services.emptying import note_what_is_filled
from tests.services.plugin import run_folder, worker_number

PATTERN: Final = "hanami_migrated"
"""The database that the others are copied from. Nobody is ever connected to it."""


@dataclass(slots=True)
class Pattern:
    """What the processes of a run agree by. lock: held by whoever makes the pattern, None once it is there."""

    lock: TextIO | None

    def made_from(self, name: str) -> None:
        """Make the pattern a copy of this database, to which nobody is connected, and let the others go on."""
        if self.lock is not None:
            with connection._nodb_cursor() as cursor:
                cursor.execute(f'CREATE DATABASE {PATTERN} TEMPLATE "{name}"')
            (run_folder() / PATTERN).touch()
            self.let_go()

    def let_go(self) -> None:
        """Whether there is one now or not: the next may look."""
        if self.lock is not None:
            self.lock.close()
            self.lock = None


@pytest.fixture(scope="session")
def pattern() -> Iterator[Pattern]:
    """Waits while another process makes the pattern. A run of one process needs none, and SQLite knows none."""
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
    """pytest-django's, and where there is a pattern the database becomes a copy of it."""
    if (run_folder() / PATTERN).exists():
        settings.DATABASES["default"].setdefault("TEST", {}).update(TEMPLATE=PATTERN, MIGRATE=False)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker, pattern: Pattern) -> None:
    """pytest-django's: the database of this process is there, with all tables and no row."""
    with django_db_blocker.unblock():
        note_what_is_filled(connection)
        connection.close()
        pattern.made_from(connection.settings_dict["NAME"])
