"""Number of statements of a league on PostgreSQL: each is a round trip for a worker that is far away."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings

from bots.house import house_files
from bots.services import install_house_bot
from tests.builders import events as a
from tests.faults.conftest import a_copy_of, migrated_cluster
from tests.faults.leagues import check_the_league, finished
from tests.services.elsewhere import connected_to
from tests.services.postgres import FRUGAL, Postgres
from tests.services.processes import Project
from tournaments.entries.bots import enter_bot
from tournaments.progress.run import start_tournament

__all__ = ["migrated_cluster"]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
MAXIMUM: Final = 15
TOLD: Final = ("log_statement=all", "log_min_messages=log", "log_line_prefix=<%a> ")
STATEMENT: Final = re.compile(r"^<worker> LOG:  (?:statement|execute [^:]*): (.*)", re.MULTILINE)


@pytest.fixture
def server(migrated_cluster: Path, django_db_blocker: Any) -> Iterator[Postgres]:
    """A PostgreSQL that logs every statement; this process is connected to it."""
    folder = Path(tempfile.mkdtemp(prefix="hanami-"))
    a_copy_of(migrated_cluster, folder)
    server = Postgres(folder, options=(*FRUGAL, *TOLD))
    server.start()
    with django_db_blocker.unblock(), connected_to(server.url()):
        yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


def test_a_league_takes_fifteen_statements_a_match_or_less(
    server: Postgres, redis_url: str, tmp_path: Path, wait_until: Callable[..., Any]
) -> None:
    """Claims, results, folds, draws and the workers' own start: everything that two of them say. Nothing is swept."""
    environment = {
        "HANAMI_DATABASE_URL": f"{server.url()}&application_name=worker",
        "HANAMI_REDIS_URL": redis_url,
        "HANAMI_DATA_DIR": str(settings.DATA_DIR),
        "HANAMI_DB_POOL": "4",
    }
    project = Project(environment, tmp_path)
    event = a.an_open_event(options={"rounds": 1}, entries_per_owner=16)
    by = event.created_by
    for number, strategy in enumerate(("greedy", "yaku", "random") * 3 + ("greedy", "yaku")):
        files = [*house_files(strategy).files, ("notes.txt", str(number).encode())]
        bot = install_house_bot(owner=by, name=f"House {number}", files=files, plays=["hawaii"])
        enter_bot(tournament=event, bot=bot, by=by)
    try:
        for number in range(2):
            project.worker(name=f"far{number}")
        start_tournament(tournament=event, by=by)
        wait_until(finished, 120, "the league finished")
    finally:
        project.stop()
    said = Counter(STATEMENT.findall(server.log()))
    check_the_league(55)
    assert said.total() / 55 <= MAXIMUM, said.most_common(40)
