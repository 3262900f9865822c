"""Live tables: how long an answer takes to the opponent's screen while very many are played, and what a table costs.

    .venv/bin/python -m benchmarks.live [--tables 1000] [--seconds 240] [--think 20] [--processes 2]

PostgreSQL, Redis and a web server of its own (uvicorn, a process for each processor, as docs/10-operate.md has it);
that many tables of two scripted people, each of whom listens and says every few seconds that they are there, as the
page does, thinks (--think: seconds on average) and answers; the scripts run on the same processors. All have been away
for a minute before, as tables at rest are measured first; they play once their pages are back. Shown are
milliseconds from when an answer is sent to when the opponent has the view with it (median, 99th percentile), the
queries of an answer early and late in a match, the CPU of the web processes for each, and what a table at which nothing
has happened for a minute adds to them all together. Each bar says pass or FAIL; exit code 1 if one fails.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import math
import os
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

from benchmarks.ladder import an_address, cpu_ms
from benchmarks.listeners import PER_ADDRESS, private_kib
from benchmarks.site import TIMING, a_project

MEDIAN_BAR_MS: Final = 30
P99_BAR_MS: Final = 150
QUERIES_BAR: Final = 8
IDLE_BAR_KIB: Final = 5
CSRF: Final = "a" * 32
WARMED: Final = 40
"""Connections after which every web process has answered."""
HERE_S: Final = 7.0
"""Seconds after which a page says again that somebody is there (`static/table/stream.js`)."""
EARLY: Final = 3
"""Up to this number a question is early in its match; those after twice as many are late."""


@dataclass(slots=True)
class Reply:
    """What the server said, and how many queries that took. version: of the live channel, after an answer."""

    status: int
    body: dict[str, Any] | None
    queries: int
    etag: str = ""
    version: int = 0


@dataclass(slots=True)
class Found:
    """What a run has measured. late: ms to the other's screen; queries: (number of the question, queries)."""

    late: list[float] = field(default_factory=list)
    queries: list[tuple[int, int]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Screen:
    """The page of one seat. other: that of the opponent; sent_at: when an answer was sent that they do not show yet.

    etag: of the view that it shows; heard: the newest version of the channel that it knows of, shown: that it shows.
    """

    number: int
    session: str
    table: str
    channel: str
    token: str
    here: str
    think_s: float
    found: Found
    other: Screen | None = None
    sent_at: float = 0.0
    told: int = -1
    view: dict[str, Any] | None = None
    etag: str = ""
    heard: int = 0
    shown: int = 0
    is_open: bool = False
    is_asking: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    random: Random = field(default_factory=Random)

    async def live(self, site: Site) -> None:
        """Look whenever there is news, and answer where one is asked, until the match is over."""
        view = self.view  # of `at_rest`: a thousand pages are not loaded in one instant
        while view is None or view["state"] != "finished":
            while view is not None and "legal" in (view["turn"] or {}):
                await asyncio.sleep(self.random.uniform(0.2, 1.8) * self.think_s)
                view = await self._answer(site, view["turn"]["n"], len(view["turn"]["legal"]))
            await self.changed.wait()
            self.changed.clear()
            # As the page: what an answer of its own has brought is not fetched again.
            if self.heard > self.shown:
                self.shown = self.heard
                await self._look(site)
            view = self.view

    async def stay(self, site: Site) -> None:
        """Say every few seconds that one is there, at another moment than the other pages; look if one has to."""
        await asyncio.sleep(self.random.uniform(0, HERE_S))
        while self.view is None or self.view["state"] != "finished":
            etag = self.etag
            reply = await site.ask("GET", self.here, self.session, etag=etag)
            # As the page: what has come meanwhile, or is under way, is newer.
            if reply.status != 304 and etag == self.etag and not self.is_asking:
                await self._look(site)
            await asyncio.sleep(HERE_S)

    async def _look(self, site: Site) -> None:
        path = f"/play/{self.table}/view/?after={max(0, self.told)}&part"
        self.is_asking = True
        self._noted(await site.ask("GET", path, self.session, etag=self.etag))
        self.is_asking = False

    async def _answer(self, site: Site, n: int, legal: int) -> dict[str, Any] | None:
        self.sent_at = time.perf_counter()
        form = {"n": n, "a": self.random.randrange(legal)}
        self.is_asking = True
        reply = await site.ask("POST", f"/play/{self.table}/do/answer/?after={self.told}&part", self.session, form)
        self.is_asking = False
        self.found.queries.append((n, reply.queries))
        return self._noted(reply)

    def _noted(self, reply: Reply) -> dict[str, Any] | None:
        if reply.status == 304:
            return None
        if reply.status != 200 or reply.body is None:
            self.found.wrong.append(f"{reply.status} {reply.body}")
            return None
        if self.view is not None and reply.body["version"] < self.view["version"]:
            return self.view  # an older one that was overtaken
        other = self.other
        if reply.body["told"] > self.told >= 0 and other is not None and other.sent_at:
            self.found.late.append(1000 * (time.perf_counter() - other.sent_at))
            other.sent_at = 0.0
        self.told, self.etag, self.view = reply.body["told"], reply.etag, reply.body
        self.shown = max(self.shown, reply.version)
        return reply.body

    async def listen(self, site: Site) -> None:
        """Hold the stream of the table open, as the page does."""
        reader, writer = await site.connect(self.number)
        path = f"/events/?ch={quote(self.channel)}&token={quote(self.token)}"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n".encode())
        self.is_open = b" 200 " in await reader.readline()
        while line := await reader.readline():
            if line.startswith(b"data:"):
                news: Any = json.loads(line[5:])
                self.heard = max(each["ver"] for each in (news if isinstance(news, list) else [news]))
                self.changed.set()


class Site:
    """The web server, asked over connections that are kept."""

    def __init__(self, address: str) -> None:
        self.host, self.port = urlsplit(address).hostname or "", urlsplit(address).port or 80
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        self._made = 0

    def hang_up(self) -> None:
        """Close the connections on which nothing is asked."""
        while self._idle:
            self._idle.pop()[1].close()

    async def connect(self, number: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a connection from one of many addresses: the site bounds the streams of one."""
        from_where = (f"127.0.{1 + number // PER_ADDRESS // 200}.{2 + number // PER_ADDRESS % 200}", 0)
        return await asyncio.open_connection(self.host, self.port, local_addr=from_where)

    async def ask(
        self, method: str, path: str, session: str, form: dict[str, Any] | None = None, etag: str = ""
    ) -> Reply:
        """Send one request and read its answer. etag: of what is there already."""
        more = [f"If-None-Match: {etag}"] if etag else []
        while self._idle:
            kept = self._idle.pop()
            try:
                return await self._ask(kept, method, path, session, form, more)
            except (asyncio.IncompleteReadError, ConnectionError):
                kept[1].close()  # the server ends connections on which nothing was asked for some seconds
        self._made += 1
        # As many people's: the site bounds what one address may send at once, too.
        return await self._ask(await self.connect(self._made * PER_ADDRESS), method, path, session, form, more)

    async def _ask(
        self,
        connection: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        method: str,
        path: str,
        session: str,
        form: dict[str, Any] | None,
        more: list[str],
    ) -> Reply:
        reader, writer = connection
        content = urlencode(form).encode() if form else b""
        lines = [
            f"{method} {path} HTTP/1.1",
            "Host: 127.0.0.1",
            "Accept: application/json",
            f"Cookie: sessionid={session}; csrftoken={CSRF}",
            f"X-CSRFToken: {CSRF}",
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(content)}",
            *more,
        ]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _colon, value in (line.partition(": ") for line in head[1:])}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection") != "close":
            self._idle.append((reader, writer))
        timing = TIMING.search(headers.get("server-timing", ""))
        found = json.loads(body) if body and "json" in headers.get("content-type", "") else None
        version = int(headers.get("x-hanami-version", 0))
        return Reply(int(head[0].split()[1]), found, int(timing[3]) if timing else 0, headers.get("etag", ""), version)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=240.0)
    parser.add_argument("--think", type=float, default=20.0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="of the web server")
    return parser.parse_args()


def screens_of(options: argparse.Namespace, found: Found) -> list[Screen]:
    """Deal all tables; two screens for each."""
    from tables.actions.opening import TablePlan
    from tables.view.open_pages import OpenPage
    from tests.tables.over_http import a_table_over_http
    from tournaments.sse import live_token

    plan, screens = TablePlan(preset="koikoi_nintendo", seats=2), list[Screen]()
    for number in range(options.tables):
        table, seats = a_table_over_http(lambda: "", plan)
        token, rows = live_token([table.channel]), table.seats.order_by("index")
        here = [OpenPage(table.pk, row.pk, "en").address for row in rows]
        shown = (str(table.uuid), table.channel, token)
        pair = [
            Screen(2 * number + seat.seat, seat.session, *shown, here[seat.seat], options.think, found)
            for seat in seats
        ]
        pair[0].other, pair[1].other = pair[1], pair[0]
        screens += pair
    return screens


def web_processes(pid: int) -> list[int]:
    """Return the processes that answer: those that one has begun, or it alone."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()] or [pid]


async def at_rest(site: Site, screens: list[Screen], pids: list[int]) -> float:
    """Look at every table once. Returns what one more adds to the web processes when nothing happens at it, in KiB."""
    half = len(screens) // 2
    for screen in screens[:WARMED]:
        # Over a connection of its own: each process has read what a view needs before its memory is measured.
        await screen._look(site)
        site.hang_up()
        screen.etag = ""
    # Two batches of one size: the first one also brings what a process allocates once for that number of tables.
    before = await _rested(site, screens[:half], pids)
    return (await _rested(site, screens[half:], pids) - before) / (half / 2)


async def _rested(site: Site, screens: list[Screen], pids: list[int]) -> float:
    """Look at tables, and at one more once they are at rest. Returns the KiB of the web processes then."""
    from tables.actions.fold_cache import CHECK_EVERY_S, TIMEOUT_S

    for screen in screens:
        await screen._look(site)
        site.hang_up()  # the next one goes to any of the processes: over one connection one would hold them all
    await asyncio.sleep(TIMEOUT_S + CHECK_EVERY_S + 1)
    screens[0].etag = ""
    await screens[0]._look(site)
    return sum(private_kib(pid) for pid in pids)


async def run(address: str, pids: list[int], screens: list[Screen], seconds: float) -> tuple[float, float]:
    """Let everybody play for so long.

    Returns what an idle table adds to the web processes, in KiB, and their CPU while they played, in ms.
    """
    site = Site(address)
    kib = await at_rest(site, screens, pids)
    async with asyncio.TaskGroup() as group:
        listening = [group.create_task(screen.listen(site)) for screen in screens]
        while not all(screen.is_open for screen in screens):
            await asyncio.sleep(0.05)
        # The scripts' own pauses are no time of the site: to look through the views of two thousand pages took 0.2 s.
        gc.disable()
        playing = [group.create_task(screen.stay(site)) for screen in screens]
        # All of them were away, and come back: each page looks, as somebody at its table is there again.
        await asyncio.sleep(2 * HERE_S)
        playing += [group.create_task(screen.live(site)) for screen in screens]
        begun = sum(map(cpu_ms, pids))
        await asyncio.sleep(seconds)
        spent = sum(map(cpu_ms, pids)) - begun
        for task in (*playing, *listening):
            task.cancel()
    return kib, spent


def report(found: Found, kib: float, spent: float, seconds: float) -> bool:
    """Print it. Returns whether every bar is kept."""
    answers = len(found.queries)
    print(f"{answers} answers ({answers / seconds:.0f} a second), {len(found.late)} seen by others")
    each, busy, others = spent / answers, spent / seconds / 10, os.getloadavg()[0]
    print(f"web processes: {each:.1f} ms of CPU for each answer, {busy:.0f} % of a core; load {others:.1f}")
    # Where no match came so far, nothing is known of late answers, and their bar is not kept.
    early = max((each for n, each in found.queries if n <= EARLY), default=math.inf)
    late = max((each for n, each in found.queries if n > 2 * EARLY), default=math.inf)
    passed = [
        _verdict("to the opponent's screen, median, ms", MEDIAN_BAR_MS, median(found.late)),
        _verdict("to the opponent's screen, p99, ms", P99_BAR_MS, quantiles(found.late, n=100)[-1]),
        _verdict("queries of an early answer", QUERIES_BAR, early),
        _verdict("queries of a late answer", QUERIES_BAR, late),
        _verdict("KiB that an idle table adds", IDLE_BAR_KIB, kib),
        _verdict("refusals", 0, len(found.wrong)),
    ]
    print(*found.wrong[:3], sep="\n")
    return all(passed)


def _verdict(words: str, most: float, figure: float) -> bool:
    print(f"{words:44} at most {most:7g}   {'pass' if figure <= most else 'FAIL'}  {figure:.4g}")
    return figure <= most


def main() -> int:
    options = arguments()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hanami-")))
        project, found = a_project(stack, folder), Found()
        screens = screens_of(options, found)
        address, pid = an_address(project, options.processes)
        kib, spent = asyncio.run(run(address, web_processes(pid), screens, options.seconds))
        return 0 if report(found, kib, spent, options.seconds) else 1


if __name__ == "__main__":
    sys.exit(main())
