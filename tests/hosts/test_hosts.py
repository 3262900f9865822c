"""Hosts that vanish, are cut off, or come back: play goes on, and every match counts once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

import psycopg
import pytest
from django.db import connection

from bots.models import Worker
from tests.builders import events as a
from tests.faults.conftest import a_copy_of, migrated_cluster
from tests.faults.leagues import TAKES_ITS_TIME, check_the_league, finished, in_play
from tests.hosts.club import Club, a_club, let_in
from tests.hosts.network import NoNetwork
from tests.services.elsewhere import connected_to
from tournaments.models import Match, ResultReport, Tournament

__all__ = ["migrated_cluster"]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]
SOON_S: Final = 30
"""Within so long after the end of a fault play goes on."""
CUT_S: Final = 90
DYING: Final = str(Path(__file__).with_name("dying.py"))


@pytest.fixture
def club(migrated_cluster: Path, django_db_blocker: Any, tmp_path: Path) -> Iterator[Club]:
    """Five hosts; this process is connected to the database by its socket. Fails, never skips, where none can be."""
    folder = Path(mkdtemp(prefix="hanami-"))
    with ExitStack() as stack:
        try:
            club = a_club(stack, folder)
        except NoNetwork as missing:
            pytest.fail(str(missing))
        club.postgres.folder.mkdir()
        a_copy_of(migrated_cluster, club.postgres.folder)
        let_in(club.postgres)
        club.start_servers()
        with django_db_blocker.unblock(), connected_to(club.postgres.url()):
            yield club


def a_league(bots: int = 6) -> Tournament:
    """Fifteen matches of some seconds. Nobody receives our own wake-ups: the sweep sends wake-ups."""
    return a.a_running_event(sources=[TAKES_ITS_TIME] * bots, options={"rounds": 6})


def results() -> int:
    return ResultReport.objects.count()


def is_ready(club: Club) -> bool:
    try:
        return club.answer("/readyz") == 200
    except OSError:
        return False


@pytest.fixture
def playing(club: Club, wait_until: Callable[..., Any]) -> Club:
    """A club whose two workers are in the middle of a league of fifteen."""
    a_league()
    club.web()
    for number in (1, 2):
        club.worker(number)
    wait_until(lambda: results() > 1 and in_play(), 90, "a first result, and a match in play")
    return club


def goes_on(wait_until: Callable[..., Any], before: int) -> float:
    """Until there is another result. Returns after how many seconds."""
    began = time.monotonic()
    wait_until(lambda: results() > before, SOON_S, "play goes on")
    return time.monotonic() - began


def ends_well(club: Club, matches: int, wait_until: Callable[..., Any]) -> None:
    """Everything is played, once, and the service says that it is well."""
    wait_until(finished, 240, "everything is played")
    check_the_league(matches)
    wait_until(lambda: is_ready(club), 60, "the service is ready")


def test_a_worker_host_that_is_cut_off_for_a_while(playing: Club, wait_until: Callable[..., Any]) -> None:
    """The other one plays its matches. What comes late is dropped; once it is back it plays on."""
    club, cut_off = playing, playing["worker1"]
    cut_off.pull()
    heals_at = time.monotonic() + CUT_S
    wait_until(finished, CUT_S + 60, "the other one has played everything")
    wait_until(lambda: time.monotonic() >= heals_at, CUT_S + 5, "the cut has lasted")
    away = Worker.objects.get(name__startswith="worker1@")
    a_league()
    before = results()
    cut_off.put_back()
    goes_on(wait_until, before)
    back = Worker.objects.filter(pk=away.pk, seen_at__gt=away.seen_at)
    wait_until(back.exists, SOON_S, "it is heard of again")
    ends_well(club, 30, wait_until)
    assert all(worker.is_alive for worker in club.workers)


def test_a_worker_host_that_vanishes_while_it_records(club: Club, wait_until: Callable[..., Any]) -> None:
    """Its transaction holds the lock that every result of the event needs; the database knows nothing of its end."""
    a_league()
    club.web()
    club.worker(1, script=DYING)
    died = Path(club.project.environment["HANAMI_DATA_DIR"]) / "died"
    wait_until(lambda: results() > 1, 90, "results")
    wait_until(died.exists, 90, "the host has vanished")
    assert holds_the_event(club), "it took its locks along"
    club.worker(2)
    before = results()
    goes_on(wait_until, before)
    ends_well(club, 15, wait_until)
    assert Match.objects.exclude(history=[]).count() >= 1


def holds_the_event(club: Club) -> bool:
    """Return whether somebody holds the lock that puts what is told of the event in order."""
    with psycopg.connect(club.postgres.url()) as other:
        try:
            other.execute("SELECT 1 FROM bots_channel WHERE name LIKE 't:%' FOR UPDATE NOWAIT")
        except psycopg.errors.LockNotAvailable:
            return True
    return False


def test_a_database_host_that_vanishes_and_is_replaced(playing: Club, wait_until: Callable[..., Any]) -> None:
    """Nobody is told: who waits for an answer gives up on its own."""
    club = playing
    club["db"].pull()
    club.postgres.shut_down("immediate")
    is_back_at = time.monotonic() + 45
    wait_until(lambda: time.monotonic() >= is_back_at, 60, "the outage has lasted")
    connection.close()
    club.start_database()
    before = results()
    club["db"].put_back()
    goes_on(wait_until, before)
    ends_well(club, 15, wait_until)
    assert all(worker.is_alive for worker in club.workers)


@pytest.mark.parametrize("how", ["killed", "vanished"])
def test_a_redis_host_that_dies_and_comes_back_empty(how: str, playing: Club, wait_until: Callable[..., Any]) -> None:
    """All wake-ups are lost. The sweep sends wake-ups again."""
    club = playing
    if how == "vanished":
        club["redis"].pull()
    club.redis.kill()
    is_back_at = time.monotonic() + 20
    wait_until(lambda: time.monotonic() >= is_back_at, 30, "the outage has lasted")
    club.start_redis()
    before = results()
    club["redis"].put_back()
    # A quick machine has played all fifteen without Redis; then the event ends, and no other result comes.
    if before < 15:
        goes_on(wait_until, before)
    ends_well(club, 15, wait_until)
    a_league(3)
    wait_until(lambda: results() > 15, SOON_S, "what is begun afterwards is played")
    ends_well(club, 18, wait_until)
    assert all(worker.is_alive for worker in club.workers)
