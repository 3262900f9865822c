"""Database connections are few: a request takes one at a time, and keeps none while its client reads the answer."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
import requests
from django.db import OperationalError, connection
from django.test import Client

from benchmarks.ladder import an_address
from config.asgi import application
from tests.builders import events as a
from tests.services.looping import run_async
from tests.services.processes import Project
from tests.services.waiting import wait_until
from web.statuses import is_busy

pytestmark = pytest.mark.django_db(transaction=True)


class Reader:
    """A client that asks for the start page, signed in, and takes nothing of the answer until `reads` is set."""

    def __init__(self, cookie: str) -> None:
        self.status = 0
        self.is_answered, self.reads = asyncio.Event(), asyncio.Event()
        self._asks = True
        self.scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": "/",
            "raw_path": b"/",
            "query_string": b"",
            "root_path": "",
            "client": ("127.0.0.1", 5000),
            "server": ("localhost", 80),
            "headers": [(b"host", b"localhost"), (b"cookie", b"sessionid=" + cookie.encode())],
        }

    async def receive(self) -> dict[str, Any]:
        if self._asks:
            self._asks = False
            return {"type": "http.request", "body": b"", "more_body": False}
        await asyncio.Event().wait()
        raise AssertionError("nothing sets it")

    async def send(self, message: dict[str, Any]) -> None:
        self.status = message.get("status", self.status)
        self.is_answered.set()
        await self.reads.wait()


def session_of_somebody() -> str:
    client = Client()
    client.force_login(a.a_user("mika"), backend="django.contrib.auth.backends.ModelBackend")
    return str(client.cookies["sessionid"].value)


def others_connected() -> set[int]:
    """Return the process ids behind the connections to this test's database, without the one that asks."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
            return {pid for (pid,) in cursor.fetchall()}
    finally:
        connection.close()


def test_a_page_that_is_being_sent_holds_no_connection() -> None:
    session = session_of_somebody()
    before = others_connected()  # A thread of an earlier test may keep one, or let go of it in between.

    async def scene() -> int:
        reader = Reader(session)
        asks = asyncio.create_task(application(reader.scope, reader.receive, reader.send))
        await asyncio.wait_for(reader.is_answered.wait(), 60)
        # PostgreSQL ends a closed connection a moment later.
        await asyncio.to_thread(wait_until, lambda: others_connected() <= before, 30, "the page's connection to end")
        reader.reads.set()
        await asks
        return reader.status

    assert run_async(scene) == 200


def announces_a_photo(address: str, session: str) -> socket.socket:
    """Somebody who says that nine megabytes come, and sends none."""
    where = urlsplit(address)
    opened = socket.create_connection((where.hostname, where.port))
    lines = [f"POST /x/{uuid4()}/photo/ HTTP/1.1", "Host: 127.0.0.1", f"Cookie: sessionid={session}"]
    opened.sendall("\r\n".join([*lines, "Content-Length: 8900000", "", ""]).encode())
    return opened


@pytest.mark.slow
def test_one_connection_is_enough_for_many_at_once(project: Project, collected_static: Path) -> None:
    """Pages that are not there, among large bodies: neither waits for a thread that waits for a connection."""
    session = session_of_somebody()
    few = {"HANAMI_DB_POOL": "1", "HANAMI_PAGES_AT_ONCE": "64", "HANAMI_STATIC_DIR": str(collected_static)}
    project.environment = {**project.environment, **few}
    address, _pid = an_address(project)

    def asked(_n: int) -> int:
        photo = announces_a_photo(address, session)
        with closing(photo):
            return requests.get(f"{address}/t/nothing/", cookies={"sessionid": session}, timeout=120).status_code

    with ThreadPoolExecutor(32) as readers:
        assert Counter(readers.map(asked, range(128))) == {404: 128}


@pytest.mark.parametrize(("path", "code"), [("/", b"server.busy"), ("/api/schema", b"server.busy")])
def test_a_database_without_time_is_told_so(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str, code: bytes
) -> None:
    def no_time(*_arguments: object) -> None:
        raise OperationalError("couldn't get a connection after 10.00 sec")

    monkeypatch.setattr("django.contrib.sessions.middleware.SessionMiddleware.process_request", no_time)
    client.raise_request_exception = False
    answer = client.get(path)
    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert code in answer.content


@pytest.mark.parametrize(
    ("vendor", "said", "busy"),
    [
        ("postgresql", "couldn't get a connection after 10.00 sec", True),
        ("sqlite", "database is locked", True),
        ("sqlite", "no such table: nowhere", False),
    ],
)
def test_a_wrong_query_on_sqlite_is_our_fault_and_not_the_load(
    monkeypatch: pytest.MonkeyPatch, vendor: str, said: str, busy: bool
) -> None:
    monkeypatch.setattr(connection, "vendor", vendor)
    assert is_busy(OperationalError(said)) is busy
    assert not is_busy(ValueError("database is locked"))
