"""Differences between the two databases: PostgreSQL passes over locked rows, SQLite has one writer."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection, transaction

from bots.models import Worker
from tests.builders import events as a
from tests.services.processes import ROOT
from tests.tournaments.matches.test_claims import claim

MODULES = ("matches/test_claims", "matches/test_playing", "progress/test_deriving", "progress/test_undo")
PIPELINE_ON_BOTH = tuple(f"tests/tournaments/{name}.py" for name in (*MODULES, "undo/test_undo_covers"))
WORTH_REPEATING = "test_claims or league_is_played or sent_twice or late_result or folds_at_once or test_undo"


@pytest.mark.django_db(transaction=True)
def test_on_postgresql_a_claim_passes_over_rows_that_another_is_just_taking() -> None:
    assert connection.vendor == "postgresql"
    a.a_running_event(bots=3)
    workers = [a.a_worker(), a.a_worker()]
    with transaction.atomic():
        first = claim(workers[0])
        with ThreadPoolExecutor(1) as pool:
            second = pool.submit(_claim_and_hang_up, workers[1]).result(10)
    assert {row.pk for row in first.rows}.isdisjoint(second)
    assert len(second) == 1


def _claim_and_hang_up(worker: Worker) -> list[int]:
    try:
        return [row.pk for row in claim(worker).rows]
    finally:
        connection.close()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_same_tests_hold_on_sqlite(tmp_path: Path) -> None:
    """Races of claims, folds and results on an SQLite file, with several connections, as an installation has them."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HANAMI_", "TEST_", "PYTEST_"))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", WORTH_REPEATING, *PIPELINE_ON_BOTH],
        cwd=ROOT,
        env={**kept, "TEST_DATABASE_URL": f"sqlite:///{tmp_path}/pipeline.sqlite3"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=280,
        check=False,
    )
    output = done.stdout.decode(errors="replace")
    assert done.returncode == 0, output
    assert " passed" in output
