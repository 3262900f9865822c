"""Hundreds of open live pages while leagues run: each must hear everything, cost little and leave pages quick.

    .venv/bin/python -m benchmarks.listeners [--listeners 500] [--seconds 30] [--events 4] [--workers 2]

PostgreSQL, Redis, a web server (uvicorn, one process) and Celery workers of its own; leagues of sandboxed house bots.
Every listener holds one stream that follows all events, the queue and one match. A reader asks for one page after the
other in four parts: the site is idle; the leagues run and nobody listens; everybody listens and nothing happens; the
leagues run and everybody listens. Shown are milliseconds at the reader's end (median and 95th percentile) and of the
server's CPU; the memory that a listener adds to the web process (private, after a part of quiet); and how long after
its cause a frame arrives. In the end every listener must have heard the last version of every channel of its own, and
none an older one after a newer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from urllib.parse import urlsplit

from benchmarks.ladder import an_address, figures_of, readings_of
from benchmarks.pipeline import a_league
from benchmarks.site import a_project
from tests.services.processes import Project
from tests.services.waiting import wait_until

PAGE_BAR_MS: Final = 300
FRAME_BAR_MS: Final = 2000
PER_ADDRESS: Final = 50
LEAGUE: Final = SimpleNamespace(seats=2, deals=12, think_ms=0, bot="greedy")


@dataclass(slots=True)
class Heard:
    """The news that one listener was told. versions: the newest of each channel. at: when each (channel, version)
    came.
    """

    channels: tuple[str, ...]
    versions: dict[str, int] = field(default_factory=dict)
    at: list[tuple[str, int, float]] = field(default_factory=list)
    went_back: int = 0
    is_open: bool = False

    def note(self, line: bytes) -> None:
        """A line of the stream."""
        if not line.startswith(b"data:"):
            return
        news = json.loads(line[5:])
        channel, version = news["ch"], news["ver"]
        self.went_back += version < self.versions.get(channel, 0)
        self.versions[channel] = version
        self.at.append((channel, version, time.time()))


class Audience(threading.Thread):
    """The listeners, in a thread with a loop of its own."""

    def __init__(self, site: str, heard: list[Heard]) -> None:
        super().__init__(daemon=True)
        self.host, self.port, self.heard = urlsplit(site).hostname or "", urlsplit(site).port or 80, heard

    def run(self) -> None:
        asyncio.run(self.all())

    async def all(self) -> None:
        await asyncio.gather(*(self.one(number, each) for number, each in enumerate(self.heard)))

    async def one(self, number: int, heard: Heard) -> None:
        """Open the stream, from one of many addresses, and read it as long as it lasts."""
        # The site bounds the streams of one address.
        from_where = (f"127.0.0.{2 + number // PER_ADDRESS}", 0)
        reader, writer = await asyncio.open_connection(self.host, self.port, local_addr=from_where)
        path = "/events/?ch=" + ",".join(heard.channels)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n".encode())
        await writer.drain()
        heard.is_open = b" 200 " in await reader.readline()
        while line := await reader.readline():
            heard.note(line)
        heard.is_open = False


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--listeners", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=30.0, help="how long each part lasts")
    parser.add_argument("--events", type=int, default=4)
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


def private_kib(pid: int) -> int:
    """Memory of a process that it shares with none."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Clean:", "Private_Dirty:")))


def paused(events: list[Any], *, stop: bool) -> None:
    """Stop or start all leagues."""
    from tournaments.progress.run import pause_tournament, resume_tournament

    for event in events:
        event.refresh_from_db()
        if (event.state == "paused") != stop:
            (pause_tournament if stop else resume_tournament)(tournament=event, by=event.created_by)


def are_quiet() -> bool:
    """Return whether nothing is being played, folded or told any more."""
    from bots.models import Outbox
    from tournaments.models import Match
    from tournaments.progress import derive

    playing = Match.objects.filter(state="claimed").exists()
    return not (playing or derive.work_waits() or Outbox.objects.filter(sent_at=None).exists())


def channels_of(events: list[Any], number: int) -> tuple[str, ...]:
    """Return the channels of one listener: every event, the queue, a match of its own."""
    from tournaments.models import Match

    match = Match.objects.filter(stage__tournament=events[number % len(events)]).order_by("id")[number % 64]
    return (*(event.channel for event in events), "q:", match.channel)


def unheard(heard: list[Heard]) -> int:
    """Count the listeners that do not know the newest version of one of their channels."""
    from bots.models import Channel

    newest = dict(Channel.objects.values_list("name", "version"))
    return sum(any(each.versions.get(name, 0) < newest.get(name, 0) for name in each.channels) for each in heard)


def delays_ms(heard: list[Heard], since: float) -> list[float]:
    """From the cause of each version to the frame that told it, of a tenth of the listeners."""
    from bots.models import Outbox

    rows = Outbox.objects.filter(created_at__gte=_moment(since)).values_list("channel", "version", "created_at")
    caused = {(name, version): at.timestamp() for name, version, at in rows}
    return [
        1000 * (at - caused[name, version])
        # A tenth of them: most frames are the same for all.
        for each in heard[::10]
        for name, version, at in each.at
        if (name, version) in caused
    ]


def _moment(seconds: float) -> Any:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC)


@dataclass(slots=True)
class Bench:
    """The things that all parts share. parts: (name, from, to), seconds since the epoch."""

    project: Project
    site: str
    pid: int
    events: list[Any]
    options: argparse.Namespace
    readings: Path
    parts: list[tuple[str, float, float]] = field(default_factory=list)

    def part(self, name: str, *, leagues: bool) -> None:
        """Let it last."""
        if leagues:
            paused(self.events, stop=False)
        begun = time.time()
        wait_until(lambda: time.time() - begun > self.options.seconds, self.options.seconds + 60, name, every_s=0.5)
        self.parts.append((name, begun, time.time()))
        if leagues:
            paused(self.events, stop=True)
            wait_until(are_quiet, 120, "the leagues are at rest", every_s=0.5)


def report(bench: Bench, heard: list[Heard], kib: float) -> bool:
    """Print it. Returns whether everything was heard and pages and frames kept their bars."""
    readings, worst = readings_of(bench.readings), 0.0
    print(f"{len(heard)} listeners, {len(bench.events)} leagues, {bench.options.workers} worker processes")
    for name, begun, ended in bench.parts:
        inside = [(ms, spent) for at, _page, ms, spent in readings if begun <= at < ended]
        (low, high), (cpu, cpu_high) = (figures_of(list(each)) for each in zip(*inside, strict=True))
        worst = max(worst, high)
        print(
            f"  {name:42} p50 {low:5.0f} ms, p95 {high:5.0f} ms; CPU {cpu:4.0f}, {cpu_high:4.0f}; {len(inside)} pages"
        )
    late = figures_of(delays_ms(heard, bench.parts[-1][1]))
    frames, missing, back = sum(len(each.at) for each in heard), unheard(heard), sum(each.went_back for each in heard)
    print(f"  a listener adds {kib:.1f} KiB to the web process; {frames} frames")
    print(f"  a frame comes p50 {late[0]:.0f} ms, p95 {late[1]:.0f} ms after its cause (bar {FRAME_BAR_MS})")
    print(f"  listeners without the last version: {missing}; versions that went back: {back}")
    print(f"  slowest part at p95: {worst:.0f} ms (bar {PAGE_BAR_MS})")
    return worst <= PAGE_BAR_MS and late[1] <= FRAME_BAR_MS and not missing and not back


def main() -> int:
    options = arguments()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hanami-")))
        project = a_project(stack, folder)
        events = [a_league(LEAGUE, f"Benchmark league {number}") for number in range(options.events)]  # type: ignore[arg-type]  # what it reads of the options
        paused(events, stop=True)
        site, pid = an_address(project)
        bench = Bench(project, site, pid, events, options, folder / "readings.jsonl")
        home = f"/t/{events[0].slug}/"
        paths = {"home": "/", "event": home, "standings": home + "standings/", "rounds": home + "rounds/"}
        (folder / "paths.json").write_text(json.dumps({**paths, "queue": "/queue/"}))
        project.worker(concurrency=options.workers)
        project.beat(extra={"HANAMI_SWEEP_S": "2"})
        files = (str(folder / "paths.json"), str(bench.readings))
        project.start("reader", "-m", "benchmarks.ladder", "--read", site, str(pid), *files)
        wait_until(lambda: bench.readings.exists() and len(readings_of(bench.readings)) > len(paths), 60, "pages read")
        return 0 if run(bench) else 1


def run(bench: Bench) -> bool:
    """Run the four parts, then wait until everybody knows everything."""
    bench.part("idle", leagues=False)
    bench.part("leagues run, nobody listens", leagues=True)
    # After a part with leagues: caches that fill with use must not be counted for the listeners.
    before = private_kib(bench.pid)
    heard = [Heard(channels_of(bench.events, number)) for number in range(bench.options.listeners)]
    Audience(bench.site, heard).start()
    wait_until(lambda: all(each.is_open for each in heard), 60, "everybody listens")
    bench.part("everybody listens, nothing happens", leagues=False)
    kib = (private_kib(bench.pid) - before) / len(heard)
    bench.part("leagues run, everybody listens", leagues=True)
    wait_until(lambda: unheard(heard) == 0, 30, "everybody has heard the last")
    return report(bench, heard, kib)


if __name__ == "__main__":
    sys.exit(main())
