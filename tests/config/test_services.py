"""The tests run on the real things: PostgreSQL, Redis, Chromium, uvicorn, Celery."""

import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode

import psycopg
import pytest
import redis
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import Permission
from django.core.management import call_command
from django.db import IntegrityError, OperationalError, connection
from playwright.sync_api import Page

from accounts.models import User
from bots.models import AuditEvent, Bot
from tests.builders import events as a
from tests.services.databases import end_other_sessions
from tests.services.emptying import emptied
from tests.services.keeping import go_on_after, keep_rows, last_numbers, put_back, tables_with_rows
from tests.services.processes import Project
from tournaments.models import EntryTally


@pytest.mark.django_db
def test_the_database_is_postgresql() -> None:
    assert connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        row = cursor.fetchone()
    assert row is not None
    assert int(row[0]) >= 150000


def test_the_broker_is_redis(redis_url: str) -> None:
    assert redis_url == settings.REDIS_URL
    with redis.Redis.from_url(redis_url) as connected:
        assert connected.info()["redis_version"] >= "6.2"


@pytest.mark.slow
def test_a_browser_sees_the_site(live_site: str, page: Page) -> None:
    reply = page.goto(f"{live_site}/healthz")
    assert reply is not None
    assert reply.status == 200
    assert page.text_content("body") == "ok\n"


@pytest.mark.django_db(transaction=True)
def test_sessions_that_were_left_open_do_not_keep_the_database() -> None:
    left = connection.copy()
    left.ensure_connection()
    end_other_sessions(connection)
    with pytest.raises(OperationalError, match="terminating connection"), left.cursor() as cursor:
        cursor.execute("SELECT 1")
    left.close()


@pytest.mark.thorough
def test_a_worker_takes_tasks(project: Project) -> None:
    worker = project.worker()
    assert len(worker.pool_pids()) == 1
    worker.stop()
    assert not worker.is_alive


@pytest.mark.thorough
def test_the_embedded_project_is_sqlite(embedded_project: Project) -> None:
    program = "from django.db import connection; print(connection.vendor)"
    assert "sqlite" in embedded_project.manage("shell", "--no-imports", "--command", program)


@pytest.mark.thorough
def test_the_server_knows_who_asks(live_site: str) -> None:
    """Throttling of log-ins counts by address; a listening socket that was handed over must not hide it."""
    jar = urllib.request.HTTPCookieProcessor()
    visitor = urllib.request.build_opener(jar)
    visitor.open(f"{live_site}/login/", timeout=20).close()
    token = next(cookie.value for cookie in jar.cookiejar if cookie.name == "csrftoken")
    form = urlencode({"csrfmiddlewaretoken": token, "username": "stranger", "password": "wrong"}).encode()
    visitor.open(f"{live_site}/login/", data=form, timeout=20).close()
    assert AccessAttempt.objects.values_list("username", "ip_address").get() == ("stranger", "127.0.0.1")


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_whatever_was_committed_is_gone_after_a_test_and_guarded_again() -> None:
    permissions = Permission.objects.count()
    a.a_running_event(bots=3)
    assert emptied(connection)
    assert tables_with_rows() == []
    assert Permission.objects.count() == permissions > 0
    a.a_running_event(bots=2)
    assert EntryTally.objects.exists(), "the database counts"
    with pytest.raises(IntegrityError, match="is refused"):
        AuditEvent.objects.all()._raw_delete(using="default")


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_a_table_that_migrations_fill_and_a_test_changed_is_left_to_django() -> None:
    Permission.objects.all().delete()
    assert not emptied(connection)


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_emptying_is_tried_again_after_a_deadlock_with_a_request(wait_until: Callable[..., Any]) -> None:
    """A request reads the last table and then the first; emptying locks the first and then the last."""
    a.a_running_event(bots=2)
    waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"
    with ThreadPoolExecutor(1) as pool, psycopg.connect(**connection.get_connection_params()) as other:
        other.execute("SELECT 1 FROM tournaments_tournament")
        emptying = pool.submit(_emptied_in_a_thread)
        with psycopg.connect(**connection.get_connection_params(), autocommit=True) as third:
            wait_until(lambda: third.execute(waits).fetchone() != (0,), 30)
        other.execute("SELECT 1 FROM accounts_user")
        other.commit()
        assert emptying.result(timeout=60)
    assert tables_with_rows() == []


def _emptied_in_a_thread() -> bool:
    try:
        return emptied(connection)
    finally:
        connection.close()


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_rows_that_were_kept_come_back_as_they_were_and_later_ones_get_later_numbers() -> None:
    event = a.a_running_event(bots=3)
    before, kept = keep_rows(), keep_rows()
    newer = a.a_bot()
    assert emptied(connection)
    put_back(kept)
    assert keep_rows().tables == before.tables
    event.refresh_from_db()
    assert event.entries.count() == 3
    assert not Bot.objects.filter(pk=newer.pk).exists()
    assert User.objects.create(username="later").pk > newer.owner.pk


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_numbers_that_were_set_back_go_on_after_the_last_one_given() -> None:
    last, numbers = a.a_user("kiri"), last_numbers()
    call_command("flush", verbosity=0, interactive=False)
    assert last_numbers().get("accounts_user_id_seq", 0) < last.pk
    go_on_after(numbers)
    assert User.objects.create(username="later").pk > last.pk
