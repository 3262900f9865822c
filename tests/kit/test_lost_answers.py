"""A line that loses answers: what was asked for is done once, and the command that asked goes on."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests

from accounts.models import KeptAnswer, User
from accounts.tokens import make_token
from bots.models import Bot, BotVersion
from tests.builders import events as a
from tests.kit.conftest import Type

pytestmark = pytest.mark.django_db(transaction=True)
GOOD = "def choose(obs):\n    return 0\n"
HOP = ("connection", "transfer-encoding", "content-length", "keep-alive")


@dataclass(slots=True)
class Line:
    """The line to a service. loses: paths whose first POST is done and its answer lost; lost: those it was for.

    after: told method and path of every request that was done, before its answer goes back.
    """

    server: str
    loses: set[str]
    after: Callable[[str, str], None] = lambda _method, _path: None
    lost: list[str] = field(default_factory=list)
    address: str = ""


class Passing(BaseHTTPRequestHandler):
    """Passes requests on to the service, and answers back, but for those that get lost."""

    protocol_version = "HTTP/1.1"
    line: Line

    def do_GET(self) -> None:
        self.pass_on()

    def do_POST(self) -> None:
        self.pass_on()

    def pass_on(self) -> None:
        status, headers, body = self.asked()
        path = urlsplit(self.path).path
        self.line.after(self.command, path)
        if self.command == "POST" and path in self.line.loses:
            self.line.loses.discard(path)
            self.line.lost.append(path)
            self.close_connection = True
            self.connection.close()
            return
        self.send_response(status)
        for name, value in headers:
            if name.lower() not in HOP:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def asked(self) -> tuple[int, list[tuple[str, str]], bytes]:
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        behind = HTTPConnection(urlsplit(self.line.server).netloc, timeout=30)
        kept = {name: value for name, value in self.headers.items() if name.lower() not in HOP}
        behind.request(self.command, self.path, sent, kept)
        reply = behind.getresponse()
        found = reply.status, reply.getheaders(), reply.read()
        behind.close()
        return found

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class's own word
        """Say nothing."""


@contextmanager
def a_line(line: Line) -> Iterator[Line]:
    """A proxy in front of the service, on a port of its own."""
    handler = type("PassingOn", (Passing,), {"line": line})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        line.address = f"http://127.0.0.1:{proxy.server_address[1]}"
        try:
            yield line
        finally:
            proxy.shutdown()


@pytest.fixture
def kimo(live_site: str, monkeypatch: pytest.MonkeyPatch) -> User:
    """A user whose kit has a token of the service."""
    user = a.a_user("kimo")
    _, key = make_token(user=user, name="kit", scopes=["read", "bot:write", "bot:logs"])
    monkeypatch.setenv("HANAMI_TOKEN", key)
    return user


@pytest.mark.slow
def test_submit_goes_on_when_the_answers_of_its_posts_are_lost(
    type_in: Type, my_bot: Callable[..., Path], kimo: User, live_site: str
) -> None:
    my_bot(GOOD)
    with a_line(Line(live_site, {"/api/v1/bots", "/api/v1/bots/mine/versions"})) as line:
        found = type_in("submit", "mine", "-m", "first", "--server", line.address, "--json")
    assert found.code == 0, found.out + found.err
    assert line.lost == ["/api/v1/bots", "/api/v1/bots/mine/versions"]
    assert (found.json["bot"], found.json["n"]) == ("mine", 1)
    assert Bot.objects.get(owner=kimo).name == "mine"
    assert BotVersion.objects.get().note == "first"
    assert KeptAnswer.objects.count() == 2


@pytest.mark.thorough
def test_a_name_that_was_taken_meanwhile_is_ones_own_bot(
    type_in: Type, my_bot: Callable[..., Path], kimo: User, live_site: str
) -> None:
    """Another command of the same author made the bot between the look and the making: that one is meant."""
    my_bot(GOOD)
    first: list[int] = []

    def another_command(method: str, path: str) -> None:
        if (method, path) == ("GET", "/api/v1/bots") and not first:
            headers = {"Authorization": f"Bearer {os.environ['HANAMI_TOKEN']}"}
            made = requests.post(f"{live_site}/api/v1/bots", json={"name": "mine"}, headers=headers, timeout=30)
            first.append(made.status_code)

    with a_line(Line(live_site, set(), after=another_command)) as line:
        found = type_in("submit", "mine", "--server", line.address, "--json")
    assert found.code == 0, found.out + found.err
    assert (first, found.json["bot"]) == ([201], "mine")
    assert Bot.objects.count() == 1


@pytest.mark.thorough
def test_a_taken_name_of_nobody_here_stays_a_refusal(
    type_in: Type, my_bot: Callable[..., Path], kimo: User, live_site: str
) -> None:
    my_bot(GOOD, "x")
    found = type_in("submit", "x", "--server", live_site, "--json")
    assert (found.code, found.json["error"]["code"]) == (3, "request.invalid")  # a name has two letters
    assert not Bot.objects.exists()
