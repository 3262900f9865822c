"""Seats of live tables over HTTP, as the script of the page asks for them: any process may die under them.

Every seat has a guest's session of its own. An answer is sent again until a reply says that it counts.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from django.conf import settings

from engine.record_fair import nonce_hash
from tables.actions.dealing import show_nonce
from tables.actions.opening import TablePlan, open_table, sit_down
from tables.models import LiveTable
from tables.play.shuffle import of_browser
from tables.receivers import SESSION_KEY
from tests.tables.players import again, guest, nonce_of

CSRF: Final = "a" * 32
AGAIN_S: Final = 0.2
LOST: Final = (OSError, http.client.HTTPException)


@dataclass(slots=True)
class Reply:
    """What the server said. ms: until all of it was there; body: None where it is no JSON object."""

    status: int
    headers: http.client.HTTPMessage
    body: dict[str, Any] | None
    ms: float


@dataclass(slots=True)
class HttpSeat:
    """One seat. site: its address now (a web server that was killed may come back elsewhere); session: of its guest.

    counted: (number of the question, index) of every answer that the server took. tries: how often it asked in vain.
    """

    site: Callable[[], str]
    table: str
    seat: int
    session: str
    etag: str = ""
    told: int = 0
    counted: list[tuple[int, int]] = field(default_factory=list)
    tries: int = 0
    _connection: http.client.HTTPConnection | None = None

    def view(self) -> Reply:
        """Ask for what is new; 304 if nothing is."""
        known = {"If-None-Match": self.etag} if self.etag else {}
        reply = self._ask("GET", f"/play/{self.table}/view/?after={self.told}&part", headers=known)
        return self._noted(reply)

    def answer(self, n: int, a: int) -> Reply:
        """Answer a question; the reply is the view, or says why not."""
        reply = self._ask("POST", f"/play/{self.table}/do/answer/?after={self.told}&part", {"n": n, "a": a})
        if reply.status == 200:
            self.counted.append((n, a))
        return self._noted(reply)

    def until_it_is_there(self, ask: Callable[[], Reply]) -> Reply:
        """Ask until a server that lives answers; no other reply than 200, 304 and refusals is one."""
        while True:
            try:
                reply = ask()
                if reply.status < 500:
                    return reply
            except LOST:
                self._connection = None
            self.tries += 1
            threading.Event().wait(AGAIN_S)

    def _noted(self, reply: Reply) -> Reply:
        if reply.status == 200 and reply.body is not None:
            self.etag, self.told = reply.headers["ETag"] or "", reply.body["told"]
        return reply

    def _ask(
        self, method: str, path: str, form: dict[str, Any] | None = None, headers: dict[str, str] | None = None
    ) -> Reply:
        place = urlsplit(self.site())
        if self._connection is None or self._connection.port != place.port:
            self._connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=20)
        sent = {
            "Cookie": f"sessionid={self.session}; csrftoken={CSRF}",
            "Accept": "application/json",
            **(headers or {}),
        }
        if form is not None:
            sent |= {"X-CSRFToken": CSRF, "Content-Type": "application/x-www-form-urlencoded"}
        began = time.perf_counter()
        try:
            self._connection.request(method, path, urlencode(form) if form is not None else None, sent)
            reply = self._connection.getresponse()
            content = reply.read()
        except LOST:
            self._connection.close()
            self._connection = None
            raise
        kind = reply.headers.get("Content-Type", "")
        body = json.loads(content) if content and "json" in kind else None
        return Reply(reply.status, reply.headers, body, 1000 * (time.perf_counter() - began))


def session_of(sitter: Any) -> str:
    """Return the session cookie of a guest."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(sitter.guest)
    store.create()
    return str(store.session_key)


def a_table_over_http(site: Callable[[], str], plan: TablePlan) -> tuple[LiveTable, list[HttpSeat]]:
    """Return a dealt table and those of its seats that are guests: all that the bots of the plan leave."""
    people = [guest(f"Guest {number + 1}") for number in range(plan.seats - len(plan.bots))]
    table = open_table(people[0], plan, of_browser(nonce_hash(nonce_of(0))))
    for number, person in enumerate(people[1:], start=1):
        sit_down(table, person, of_browser(nonce_hash(nonce_of(number))))
    for number, person in enumerate(people):
        show_nonce(table, person, nonce_of(number))
    table = again(table)
    places = {seat.guest: seat.index for seat in table.seats.all()}
    return table, [HttpSeat(site, str(table.uuid), places[one.guest], session_of(one)) for one in people]
