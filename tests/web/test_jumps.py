"""Nothing jumps while a page comes in over a line that stalls in its middle, nor when its scripts come late."""

from __future__ import annotations

import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

import pytest
from playwright.sync_api import Page

from activity.journal import audit
from bots.domain_events import WorkerDrained
from tests.browser.looking import log_in
from tests.builders import events as a
from tests.builders.matches_on_show import a_finished_match

pytestmark = pytest.mark.django_db(transaction=True)

STALLS_S: Final = 0.3
"""Seconds for which the rest of a page and its scripts are kept back, or until the browser has shown what there is."""
SHOWN: Final = "/shown"
# Every jump, as how far and what; the line is told once two frames of the first part were shown.
WATCH: Final = f"""(() => {{
  window.jumps = [];
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.jumps.push(
    [entry.value, entry.sources.map(({{ node }}) => node?.className || node?.nodeName).join(" ")])))
    .observe({{type: "layout-shift", buffered: true}});
  requestAnimationFrame(() => requestAnimationFrame(() => fetch("{SHOWN}")));
}})()"""
TAKEN_OVER: Final = "() => !document.querySelector('hanami-replay:not([data-state])')"
FRAMES: Final = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def fetched(address: str, headers: Message) -> tuple[bytes, str]:
    """Return what the site answers to a reader, and of which kind it is."""
    kept = {name: headers[name] for name in ("Cookie", "Accept-Language") if name in headers}
    with urllib.request.urlopen(urllib.request.Request(address, headers=kept)) as answer:
        return answer.read(), answer.headers["Content-Type"]


@contextmanager
def a_stalling_line(site: str, share: float) -> Iterator[str]:
    """The address of `site` over a line that brings `share` of each page and, after a while, the rest and scripts."""
    shown = threading.Event()

    class Line(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if self.path == SHOWN:
                shown.set()
            body, kind = fetched(site + (self.path if self.path != SHOWN else "/healthz"), self.headers)
            if "javascript" in kind:
                shown.wait(STALLS_S)
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            first = int(len(body) * share) if kind.startswith("text/html") else len(body)
            self.wfile.write(body[:first])
            self.wfile.flush()
            if first < len(body):
                shown.wait(STALLS_S)
                self.wfile.write(body[first:])

        def log_message(self, *_said: object) -> None:
            """Write no line: requests of a test are nobody's news."""

    line = ThreadingHTTPServer(("127.0.0.1", 0), Line)
    thread = threading.Thread(target=line.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{line.server_port}"
    finally:
        line.shutdown()
        thread.join()
        line.server_close()


def a_clause(_page: Page, _site: str) -> str:
    return "/rules/french/first_dealer_tie/"


def an_embedded_replay(_page: Page, _site: str) -> str:
    return f"/m/{a_finished_match(seats=2, rounds=1).uuid}/embed/?text=1"


def an_audit(page: Page, site: str) -> str:
    """Its first rows say little, its last ones much."""
    operator = a.a_user(is_staff=True)
    for n in range(24):
        words = {"reason": "a long reason " * 20} if n < 12 else {}
        audit(WorkerDrained, f"worker:{n}", actor=operator, after=words)
    log_in(page.context, site, operator)
    return "/ops/audit/"


@pytest.mark.slow
@pytest.mark.parametrize(("made", "share"), [(a_clause, 0.15), (an_embedded_replay, 0.25), (an_audit, 0.4)])
def test_a_page_that_stalls_half_way_does_not_jump(
    page: Page, live_site: str, made: Callable[[Page, str], str], share: float
) -> None:
    """Half a page was shown: its frame then grew with the replay in it, and a table's columns with its last rows."""
    path = made(page, live_site)
    page.set_viewport_size({"width": 1280, "height": 2400})  # what is below a screen may not jump either
    page.add_init_script(WATCH)
    with a_stalling_line(live_site, share) as site:
        page.goto(site + path, wait_until="load")
        page.wait_for_function(TAKEN_OVER)
        page.evaluate(FRAMES)
        assert page.evaluate("window.jumps") == []
