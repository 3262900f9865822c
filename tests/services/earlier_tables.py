"""Tables as they were after an earlier migration, for the tests of migrations that move rows."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from tests.services.elsewhere import connected_to


@pytest.fixture(params=["postgresql", "sqlite"])
def own_database(request: pytest.FixtureRequest, transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """This process is connected to a database of its own, with all tables and no row."""
    if request.param == "sqlite":
        file = tmp_path / "hanami.sqlite3"
        shutil.copy(request.getfixturevalue("migrated_sqlite") / "hanami.sqlite3", file)
        with connected_to(f"sqlite:///{file}"):
            yield
        return
    name = str(connection.settings_dict["NAME"])
    with connection._nodb_cursor() as cursor:  # no copy: what an earlier test left connected would be in its way
        cursor.execute(f'CREATE DATABASE "{name}_of_its_own"')
    try:
        with connected_to(re.sub(r"(?<=/)\w+(?=\?|$)", f"{name}_of_its_own", os.environ["TEST_DATABASE_URL"])):
            migrate_to()
            yield
    finally:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}_of_its_own"')


def migrate_to(name: str = "") -> Any:
    """The models as they were after a migration; none: as they are."""
    # Here, since it reads the settings, and `conftest` imports this module before the servers are there.
    from django.db.migrations.executor import MigrationExecutor
    from django.db.migrations.recorder import MigrationRecorder

    if not name:
        call_command("migrate", verbosity=0)
        return MigrationExecutor(connection).loader.project_state().apps
    with step_by_step():
        call_command("migrate", "tournaments", name, verbosity=0)
        # A database of that version never heard of the migrations that came to stand for several.
        MigrationRecorder(connection).migration_qs.filter(name__contains="_squashed_").delete()
        return MigrationExecutor(connection).loader.project_state(("tournaments", name)).apps


@contextmanager
def step_by_step() -> Iterator[None]:
    """Inside, `migrate` goes by the migrations of each version, not by those that stand for many of them at once."""
    from django.db.migrations.loader import MigrationLoader

    class Steps(MigrationLoader):
        def load_disk(self) -> None:
            super().load_disk()
            found: dict[tuple[str, str], Any] = self.disk_migrations
            self.disk_migrations = {key: each for key, each in found.items() if not each.replaces}

    with pytest.MonkeyPatch.context() as changed:
        changed.setattr("django.db.migrations.executor.MigrationLoader", Steps)
        yield
