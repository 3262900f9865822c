"""Readers of the outbox: none misses a row that was committed late, none sees one twice, anyone who dies in between."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from activity import consumers
from activity.journal import publish, purge_expired_events
from bots.models import Outbox
from tests.services.databases import on_sqlite
from tests.services.processes import ROOT, Project
from tournaments.domain_events.entries import LinksMade
from tournaments.models import Cursor, CursorPlace
from tournaments.operations import purge

pytestmark = pytest.mark.django_db(transaction=True)

HERE = consumers.HOOKS
KILLED_WHILE_READING = """
import os, signal, django
django.setup()
from activity import consumers
from tournaments.models import Cursor
def make(rows):
    Cursor.objects.create(name="made of %d rows" % len(rows))
    os.kill(os.getpid(), signal.SIGKILL)
consumers.advance(consumers.HOOKS, make)
"""


def told(*channels: str) -> None:
    with transaction.atomic():
        publish(*(LinksMade(channel, n=n) for n, channel in enumerate(channels)))


def read(at_most: int = consumers.BATCH_SIZE) -> list[tuple[str, int]]:
    seen: list[tuple[str, int]] = []
    consumers.advance(HERE, lambda rows: seen.extend((row.channel, row.version) for row in rows), limit=at_most)
    return seen


def test_a_reader_begins_with_what_comes_after_it_and_sees_each_row_once() -> None:
    told("t:plum", "t:plum")
    assert read() == []
    told("t:plum", "b:kiri", "m:any", "q:")
    told("t:new")
    assert read() == [("t:plum", 3), ("b:kiri", 1), ("t:new", 1)]
    assert read() == []


@on_sqlite
def test_looking_for_news_on_sqlite_scans_no_table(database: str) -> None:
    """A club's laptop wakes its readers after each match; the outbox of a week of ladders has 100,000 rows."""
    read()
    told("t:plum", *[f"m:{n}" for n in range(50)])
    with CaptureQueriesContext(connection) as asked:
        assert read() == [("t:plum", 1)]
    (sql,) = [query["sql"] for query in asked if " news " in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql.replace('%', '%%')}", [])
        plan = [detail for *_ids, detail in cursor.fetchall()]
    assert plan
    assert [detail for detail in plan if detail.startswith("SCAN")] == []


def test_a_bounded_batch_leaves_the_rest_for_the_next_one() -> None:
    read()
    told(*["t:plum", "b:kiri"] * 5)
    batches = [read(at_most=4), read(at_most=4), read(at_most=4), read(at_most=4)]
    assert [len(batch) for batch in batches] == [4, 4, 2, 0]
    expected = [(name, n) for name in ("b:kiri", "t:plum") for n in range(1, 6)]
    assert sorted(row for batch in batches for row in batch) == expected


def test_on_postgresql_what_was_numbered_first_and_committed_last_is_not_skipped() -> None:
    """Row 1 is written, row 2 is written and committed and read, then row 1 is committed. SQLite has one writer."""
    assert connection.vendor == "postgresql"
    read()
    is_written, may_commit = threading.Event(), threading.Event()

    def late() -> None:
        try:
            with transaction.atomic():
                publish(LinksMade("t:late", n=1))
                is_written.set()
                assert may_commit.wait(20)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(late)
        assert is_written.wait(20)
        told("t:early")
        assert read() == [("t:early", 1)]
        may_commit.set()
        done.result(20)
    first, second = Outbox.objects.order_by("pk").values_list("channel", flat=True)
    assert (first, second) == ("t:late", "t:early")
    assert read() == [("t:late", 1)]


def test_writers_and_readers_at_once_lose_nothing_and_double_nothing() -> None:
    """Four writers on five channels, three readers in small batches: each row is read once, each channel in order."""
    read()
    seen: list[tuple[str, int]] = []
    is_over = threading.Event()

    def write(number: int) -> None:
        for turn in range(25):
            told(*(f"t:{(number + turn + each) % 5}" for each in range(2)))

    def follow(_number: int) -> None:
        while True:
            nothing_comes = is_over.is_set()
            with transaction.atomic():
                mine = read(at_most=7)
                seen.extend(mine)  # before the reader's lock is given back: the order is that of the turns
            if nothing_comes and not mine:
                return

    def run(job: Callable[[int], None], number: int) -> None:
        try:
            job(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(7) as pool:
        readers = [pool.submit(run, follow, n) for n in range(3)]
        writers = [pool.submit(run, write, n) for n in range(4)]
        for each in writers:
            each.result(60)
        is_over.set()
        for each in readers:
            each.result(60)
    assert len(seen) == len(set(seen)) == 200 == Outbox.objects.count()
    for channel in {name for name, _version in seen}:
        versions = [version for name, version in seen if name == channel]
        assert versions == sorted(versions)


def test_a_reader_that_loses_the_database_stays_where_it_was() -> None:
    read()
    told("t:plum")

    def fail(_rows: Sequence[Outbox]) -> None:
        Cursor.objects.create(name="half done")
        raise OperationalError("no")

    with pytest.raises(OperationalError):
        consumers.advance(HERE, fail)
    assert not Cursor.objects.filter(name="half done").exists()
    assert read() == [("t:plum", 1)]


@pytest.mark.slow
def test_a_reader_killed_in_the_middle_has_done_nothing_and_its_heir_goes_on(project: Project) -> None:
    read()
    told("t:plum", "b:kiri")
    killed = subprocess.run(
        [sys.executable, "-c", KILLED_WHILE_READING],
        cwd=ROOT,
        env={**project.environ(), "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert killed.returncode == -9, killed.stderr.decode()
    assert list(Cursor.objects.values_list("name", flat=True)) == [HERE.name]
    assert read() == [("t:plum", 1), ("b:kiri", 1)]


def test_tidying_forgets_only_what_every_reader_has_seen(settings: LazySettings) -> None:
    settings.OUTBOX_KEPT_S = 60
    read()
    told("t:plum", "b:kiri", "m:any")
    Outbox.objects.update(sent_at=timezone.now() - timedelta(hours=2))
    assert purge_expired_events(consumers.unread()) == 1  # nobody reads "m:"
    assert consumers.lag_by_consumer()[HERE.name][0] == 2
    assert len(read()) == 2
    purge.tidy()
    assert not Outbox.objects.exists()
    assert consumers.lag_by_consumer() == {tail.name: (0, 0.0) for tail in consumers.CONSUMERS}


def test_a_reader_that_never_comes_again_holds_rows_for_a_week_only(settings: LazySettings) -> None:
    settings.OUTBOX_KEPT_S = 60
    read()
    told("t:plum", "t:plum")
    Outbox.objects.update(sent_at=timezone.now() - timedelta(hours=2))
    Outbox.objects.filter(version=1).update(created_at=timezone.now() - consumers.MAX_RETENTION - timedelta(hours=1))
    assert purge_expired_events(consumers.unread()) == 1
    assert read() == [("t:plum", 2)]
    assert list(CursorPlace.objects.values_list("channel", "version")) == [("t:plum", 2)]
