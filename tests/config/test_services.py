"""The tests run on the real things: PostgreSQL, Redis, Chromium, uvicorn, Celery."""

import urllib.request
from urllib.parse import urlencode

import pytest
import redis
from axes.models import AccessAttempt
from django.conf import settings
from django.db import connection
from playwright.sync_api import Page

from tests.services.processes import Project


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


def test_a_browser_sees_the_site(live_site: str, page: Page) -> None:
    reply = page.goto(f"{live_site}/healthz")
    assert reply is not None
    assert reply.status == 200
    assert page.text_content("body") == "ok\n"


def test_a_worker_takes_tasks(project: Project) -> None:
    worker = project.worker()
    assert len(worker.pool_pids()) == 1
    worker.stop()
    assert not worker.is_alive


def test_the_embedded_project_is_sqlite(embedded_project: Project) -> None:
    program = "from django.db import connection; print(connection.vendor)"
    assert "sqlite" in embedded_project.manage("shell", "--no-imports", "--command", program)


def test_the_server_knows_who_asks(live_site: str) -> None:
    """Throttling of log-ins counts by address; a listening socket that was handed over must not hide it."""
    jar = urllib.request.HTTPCookieProcessor()
    visitor = urllib.request.build_opener(jar)
    visitor.open(f"{live_site}/login/", timeout=20).close()
    token = next(cookie.value for cookie in jar.cookiejar if cookie.name == "csrftoken")
    form = urlencode({"csrfmiddlewaretoken": token, "username": "stranger", "password": "wrong"}).encode()
    visitor.open(f"{live_site}/login/", data=form, timeout=20).close()
    assert AccessAttempt.objects.values_list("username", "ip_address").get() == ("stranger", "127.0.0.1")
