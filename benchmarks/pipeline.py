"""Sandboxed matches per minute through the whole pipeline, and what the pipeline costs.

    .venv/bin/python -m benchmarks.pipeline [--rounds 3] [--seconds 8] [--seats 2] [--deals 12] [--bot greedy]
    .venv/bin/python -m benchmarks.pipeline --think-ms 5 --seconds 30

Figures of one run on one machine, the same match each time: played in this process (no sandbox, no database), in this
process with sandboxed bots, and by one and by two Celery worker processes on PostgreSQL and Redis of its own. The ways
take turns, so that a busy minute of the machine hits all of them; shown is the median of the rounds.

--think-ms: every seat has a bot that burns so much CPU at each decision and takes the first action. The overhead is
then the CPU time of everything that runs (workers, fork servers, bots' processes, PostgreSQL, Redis) beyond that
thinking, as a share of it; and, milder, beyond what the bots' clocks were charged, as a share of that. Load of the
machine from elsewhere does not enter. A match begun before the window or ended after it does: measure half a minute.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks.service import a_service
from benchmarks.spent import cpu_seconds
from engine import is_compiled
from tests.services.processes import Project
from tests.services.waiting import wait_until

ONE: Final = "pipeline, 1 worker process"
TWO: Final = "pipeline, 2 worker processes"
WARM_UP: Final = 10  # matches before the clock starts
# The clock of the thread: under a limit on CPU time the kernel brings the process's clock up to date only each tick.
THINKER: Final = """
from time import thread_time_ns

def choose(obs):
    until = thread_time_ns() + {nanoseconds}
    while thread_time_ns() < until:
        sum(range(200))
    return 0
"""


@dataclass(frozen=True)
class Bench:
    """The things that the ways share. services: process ids of PostgreSQL and Redis. event: a started league."""

    options: argparse.Namespace
    project: Project
    services: list[int]
    event: Any


@dataclass(frozen=True)
class Measured:
    """per_minute: matches. Seconds of CPU: spent by everything, thought as was asked for, charged to the bots."""

    per_minute: float
    spent: float = 0.0
    thought: float = 0.0
    charged: float = 0.0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="how often each way is measured")
    parser.add_argument("--seconds", type=float, default=8.0, help="how long, each time")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--deals", type=int, default=12)
    parser.add_argument("--bot", default="greedy", help="the house bot at every seat")
    parser.add_argument("--think-ms", type=float, default=0, help="instead: bots that burn so much CPU a decision")
    return parser.parse_args()


def a_bench(stack: ExitStack, folder: Path, options: argparse.Namespace) -> Bench:
    """A PostgreSQL and a Redis that end with the stack, a league; this process is connected to them as well."""
    service = a_service(stack, folder, is_seen=False)
    return Bench(options, service.project, service.pids, a_league(options, "Benchmark league"))


def source_of(options: argparse.Namespace) -> list[tuple[str, bytes]]:
    """The files of the bot at every seat."""
    from bots.house import house_files

    if options.think_ms:
        return [("bot.py", THINKER.format(nanoseconds=round(options.think_ms * 1e6)).encode())]
    return list(house_files(options.bot).files)


def a_league(options: argparse.Namespace, name: str) -> Any:
    """A started event with more matches than can be played while we measure."""
    from accounts.models import User
    from bots.services import install_house_bot
    from tournaments.entries.bots import enter_bot
    from tournaments.events.create import create_tournament
    from tournaments.lifecycle.event_plan import EventPlan
    from tournaments.progress.run import open_registration, publish_tournament, start_tournament

    by, _made = User.objects.get_or_create(username="benchmark")
    kind = "round_robin" if options.seats == 2 else "tables"
    rounds = 64 if options.seats == 2 else 60
    sizes = {"seats": options.seats, "seats_min": options.seats, "seats_max": options.seats}
    plan = EventPlan(
        name=name,
        preset="hawaii",
        kind=kind,
        rounds=rounds,
        options={"rounds": options.deals},
        entries_per_owner=64,
        **sizes,
    )
    event = create_tournament(by=by, plan=plan)
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    for number in range(max(8, 2 * options.seats)):
        files = [*source_of(options), ("notes.txt", str(number).encode())]
        bot = install_house_bot(owner=by, name=f"Bench {number}", files=files, plays=["hawaii"])
        enter_bot(tournament=event, bot=bot, by=by)
    return start_tournament(tournament=event, by=by)


def through_workers(bench: Bench, processes: int) -> Measured:
    """`processes` worker processes: from one result to a later one, with the services' share of the work."""
    from tournaments.models import ResultReport
    from tournaments.progress.run import pause_tournament, resume_tournament

    event, project = bench.event, bench.project
    if event.state == "paused":
        resume_tournament(tournament=event, by=event.created_by)
    worker = project.worker(concurrency=processes)
    project.manage("shell", "-c", "from tournaments.operations.sweep import sweep; sweep()")
    reports = ResultReport.objects.filter(match__stage__tournament=event).order_by("pk")
    wait_until(after(reports.count() + WARM_UP), 120, "the workers are warm")
    first, begun, spent = reports.count(), time.monotonic(), cpu_seconds([worker.pid, *bench.services])
    time.sleep(bench.options.seconds)
    # The window ends with a result, as it began with one: a part of a match would count as time without a match.
    wait_until(after(reports.count() + 1), 120, "one more result")
    last, lasted = reports.count(), time.monotonic() - begun
    spent = cpu_seconds([worker.pid, *bench.services]) - spent
    event.refresh_from_db()
    pause_tournament(tournament=event, by=event.created_by)
    worker.stop(grace_s=30)
    seen = list(reports[first:last].prefetch_related("match__seats"))
    thought = bench.options.think_ms / 1000 * sum(map(decisions, seen))
    charged = sum(seat.cpu_ms or 0 for report in seen for seat in report.match.seats.all()) / 1000
    return Measured(60 * len(seen) / lasted, spent, thought, charged)


def after(count: int) -> Callable[[], bool]:
    """Return a condition: that many results are there."""
    from tournaments.models import ResultReport

    return lambda: ResultReport.objects.count() >= count


def decisions(report: Any) -> int:
    """Count the decisions that bots were asked for in a match: its view tells the milliseconds of those moves."""
    view = json.loads(report.record.data())["view"]
    return sum(1 for deal in view["deals"] for move in deal["moves"] if move["ms"])


def in_process(bench: Bench, *, sandboxed: bool) -> Measured:
    """Matches per minute of `table.play` alone, with the very specs that a worker would get."""
    from bots.runner.inprocess import InProcessLauncher
    from bots.runner.zygote import Zygote
    from tournaments.matches.play import in_full, spec_of
    from tournaments.models import Match

    specs = [spec_of(match) for match in in_full(Match.objects.order_by("pk")[:50])]
    with Zygote.start() as zygote:
        launcher: Any = zygote if sandboxed else InProcessLauncher()
        return Measured(per_minute(specs, launcher, bench.options.seconds))


def per_minute(specs: list[Any], launcher: Any, seconds: float) -> float:
    from bots.runner.table import play

    # Once before the clock: modules are imported and caches filled.
    play(specs[0], launcher)
    begun, played = time.monotonic(), 0
    while time.monotonic() - begun < seconds:
        play(specs[played % len(specs)], launcher)
        played += 1
    return 60 * played / (time.monotonic() - begun)


METHODS: Final[dict[str, Callable[[Bench], Measured]]] = {
    "in this process, no sandbox": partial(in_process, sandboxed=False),
    "in this process, sandboxed": partial(in_process, sandboxed=True),
    ONE: partial(through_workers, processes=1),
    TWO: partial(through_workers, processes=2),
}


def overhead(rounds: list[Measured]) -> str:
    """Return the cost of a way beyond the bots in words, over all rounds; nothing where nobody thinks."""
    spent, thought = sum(each.spent for each in rounds), sum(each.thought for each in rounds)
    charged = sum(each.charged for each in rounds)
    if not thought:
        return ""
    return (
        f"   overhead {spent / thought - 1:.1%} of the thinking, {spent / charged - 1:.1%} of the bots' CPU (bar 10%)"
    )


def main() -> int:
    options = arguments()
    ways = dict(list(METHODS.items())[2:]) if options.think_ms else METHODS
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hanami-")))
        folder.chmod(0o711)  # PostgreSQL runs as an ordinary account when this is started by root
        bench = a_bench(stack, folder, options)
        measured = [{name: way(bench) for name, way in ways.items()} for _ in range(options.rounds)]
    thinking = f"bots that think {options.think_ms:g} ms" if options.think_ms else options.bot
    engine = "translated" if is_compiled() else "in plain Python"
    place = f"{os.cpu_count()} cores, engine {engine}"
    print(f"{options.seats} seats, {options.deals} deals, {thinking} at each, {place}; per minute:")
    speeds = {name: median(each[name].per_minute for each in measured) for name in ways}
    first = next(iter(speeds.values()))
    for name, speed in speeds.items():
        print(f"  {name:30} {speed:8.0f}   {speed / first:.2f}{overhead([each[name] for each in measured])}")
    print(f"  2 worker processes: {speeds[TWO] / speeds[ONE]:.2f} x one (bar 1.8 where bots think 5 ms)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
