"""A receiver of hooks: a real HTTP server of this test, which keeps what it was sent and answers as it is told."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.utils import timezone

from accounts.models import User
from tests.builders.clubs import tables_of, totals
from tournaments.models import Delivery, Hook, Tournament
from tournaments.scores.actions import Actor, submit_result
from tournaments.webhooks import actions as services
from tournaments.webhooks import consumer as hooking
from tournaments.webhooks import sender
from tournaments.webhooks.event_types import webhook_kinds

Answer = tuple[int, dict[str, str], bytes]
OK: Answer = (204, {}, b"")


@dataclass
class Sent:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.raw)

    def is_signed_with(self, secret: str) -> bool:
        """Return whether it is signed as the design says it, written down once more."""
        parts = self.headers["hf-signature"].split(",")
        at = parts[0].removeprefix("t=")
        made = hmac.new(secret.encode(), f"{at}.".encode() + self.raw, hashlib.sha256).hexdigest()
        return f"v1={made}" in parts[1:]


@dataclass
class Receiver:
    """answer: called for each request; what it returns is answered."""

    url: str
    sent: list[Sent] = field(default_factory=list)
    answer: Callable[[Sent], Answer] = lambda _sent: OK

    @property
    def kinds(self) -> list[str]:
        return [each.body["kind"] for each in self.sent]


@contextmanager
def a_receiver(host: str = "127.0.0.1", port: int = 0) -> Iterator[Receiver]:
    """Start a server on a port of its own for as long as the block runs."""
    here: Receiver

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            sent = Sent(self.path, {name.lower(): value for name, value in self.headers.items()}, raw)
            here.sent.append(sent)
            status, headers, body = here.answer(sent)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                self.wfile.write(body)
            except ConnectionError:
                return  # the sender has heard enough

        def log_message(self, *_arguments: Any) -> None:
            """Write nothing on the screen."""

    server = ThreadingHTTPServer((host, port), Handler)
    server.daemon_threads = True
    here = Receiver(f"http://{host}:{server.server_address[1]}/hanami")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def a_hook(user: User, url: str, *kinds: str, **plan: Any) -> tuple[Hook, str]:
    """Make a hook of every kind, or of these, and its secret. Its reader of the outbox has begun."""
    hooking.enqueue_deliveries()
    wanted = services.HookPlan(name="plum", url=url, kinds=kinds or tuple(webhook_kinds()), **plan)
    return services.make_hook(user=user, plan=wanted)


def told_and_sent() -> int:
    """Do what the two tasks do: make deliveries of what is new, and send what is due. Returns how many were sent."""
    hooking.enqueue_deliveries()
    return sender.send_waiting()


def reported(event: Tournament, table: int = 0, *points: int) -> None:
    """Return a scorer's result of a table."""
    submit_result(match=tables_of(event)[table], actor=Actor(user=event.created_by), claim=totals(*points or (120, 90)))


def due_now() -> None:
    """End the wait between two tries."""
    Delivery.objects.update(due_at=timezone.now() - timedelta(seconds=1))


def the_delivery() -> Delivery:
    """Return the only one there is."""
    return Delivery.objects.select_related("hook").get()
