"""A large ladder on the embedded default: the cost of its pages and its folds while it runs.

    .venv/bin/python -m benchmarks.ladder [--entries 200 --matches 1500]
    .venv/bin/python -m benchmarks.ladder --entries 1000 --matches 20000

SQLite and a Redis of its own, as `make run` has them, in a folder that is deleted afterwards. Every match is drawn by
the ladder, claimed from the queue, played by the engine, verified by playing its record again, and recorded by the very
jobs of a worker; the queue is filled and the ratings are folded by the job that a wake-up starts. One thing is left
out, the sandbox: the bots (the first legal move; one deal a match) run in this process, so that 20,000 matches take
minutes. Meanwhile a web server (uvicorn, one process) answers a reader process that asks for one page after the other,
so that pages are read while results are written. Shown are milliseconds at the reader's end, by how many matches were
played, and those of the server's CPU, which the load of the machine from elsewhere is not in.

"a fold": CPU milliseconds from a confirmed result to ratings, table and a filled queue, when one result waits and when
a batch does; the ratio of the last to the first says whether it grows with the event.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

import django

from tests.services.processes import Project
from tests.services.redis_server import Redis
from tests.services.waiting import wait_until

BAR_MS: Final = 300
BOTS_EACH: Final = 25
FIRST_MOVE: Final = b"def choose(obs):\n    return 0\n"
SINGLE: Final = 24
"""Results that are folded one by one at each mark."""
Reading = tuple[float, str, float, float]
"""When (seconds since the epoch), which page, how many milliseconds, and how many of the server's CPU."""


@dataclass(slots=True)
class Course:
    """The course of a run. marks: when that many matches had been played; folds: CPU ms of one result, of one in a
    batch.
    """

    marks: list[tuple[int, float]] = field(default_factory=list)
    folds: dict[int, tuple[float, float]] = field(default_factory=dict)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=200)
    parser.add_argument("--matches", type=int, default=1500)
    parser.add_argument("--read", nargs=4, metavar=("ADDRESS", "PID", "PATHS", "FILE"), help=argparse.SUPPRESS)
    return parser.parse_args()


def cpu_ms(pid: int) -> float:
    """Return the milliseconds that a process has spent: its CPU clock, as clock_getcpuclockid(3) names it."""
    # As the kernel makes clock ids of processes (MAKE_PROCESS_CPUCLOCK in linux/posix-timers.h); 2 is CPUCLOCK_SCHED.
    return time.clock_gettime_ns((~pid << 3) | 2) / 1e6


def read_pages(address: str, pid: str, paths_file: str, readings: str) -> None:
    """Read one page after the other until the process is ended."""
    with Path(readings).open("w") as out:
        while True:
            paths: dict[str, str] = json.loads(Path(paths_file).read_text())
            for name, path in paths.items():
                begun, spent = time.perf_counter(), cpu_ms(int(pid))
                with urllib.request.urlopen(address + path, timeout=60) as answer:
                    answer.read()
                took, spent = 1000 * (time.perf_counter() - begun), cpu_ms(int(pid)) - spent
                print(json.dumps([time.time(), name, took, spent]), file=out, flush=True)


def a_project(stack: ExitStack, folder: Path) -> Project:
    """The embedded default: SQLite in the data folder, a Redis; this process is connected to them as well."""
    redis = Redis(folder / "redis")
    redis.start()
    stack.callback(redis.stop)
    environment = {
        "HANAMI_REDIS_URL": redis.url(),
        "HANAMI_DATA_DIR": str(folder / "var"),
        "HANAMI_STATIC_DIR": str(folder / "static"),
        "HANAMI_LOG_LEVEL": "WARNING",
    }
    os.environ.pop("HANAMI_DATABASE_URL", None)
    os.environ.update(environment, DJANGO_SETTINGS_MODULE="config.settings")
    project = Project(environment, folder)
    stack.callback(project.stop)
    project.manage("migrate", "--verbosity", "0")
    project.manage("collectstatic", "--noinput", "--verbosity", "0")
    django.setup()
    return project


def a_ladder(entries: int) -> Any:
    """A ladder that runs, of that many bots."""
    from django.utils import timezone

    from accounts.models import User
    from bots.services import install_house_bot
    from tournaments.entries.bots import enter_bot
    from tournaments.events.create import create_tournament
    from tournaments.lifecycle.event_plan import EventPlan
    from tournaments.progress.run import open_registration, publish_tournament, start_tournament

    by = User.objects.create_user("benchmark")
    shape: dict[str, Any] = {"kind": "ladder", "seats": 2, "rounds": 0, "options": {"rounds": 1}}
    shape |= {"max_entries": entries, "entries_per_owner": entries, "ends_at": timezone.now() + timedelta(days=7)}
    event = create_tournament(by=by, plan=EventPlan(name="Benchmark ladder", preset="hawaii", **shape))
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    for number in range(entries):
        files = [("bot.py", FIRST_MOVE), ("notes.txt", str(number).encode())]
        owner, _made = User.objects.get_or_create(username=f"owner{number // BOTS_EACH:03}")
        bot = install_house_bot(owner=owner, name=f"Bench {number:04}", files=files, plays=["hawaii"])
        enter_bot(tournament=event, bot=bot, by=owner)
    return start_tournament(tournament=event, by=by)


def an_address(project: Project, processes: int = 1) -> tuple[str, int]:
    """Start a web server and wait until it answers. Returns its address and its process, the first one of several."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    more = ["--workers", str(processes)] if processes > 1 else []
    server = ("-m", "uvicorn", "config.asgi:application", "--port", str(port), "--no-access-log", *more)
    web = project.start("web", *server)
    address = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        try:
            with urllib.request.urlopen(address + "/healthz", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    wait_until(answers, 60, "the web server answers")
    return address, web.pid


def paths_of(event: Any) -> dict[str, str]:
    """The pages that are read: of the event, tables in their middle, what a rating is made of, a match."""
    from tournaments.models import Match, Standing

    home, middle = f"/t/{event.slug}/", max(1, event.entries.count() // 100)
    paths = {
        "event": home,
        "standings": home + "standings/",
        "standings, middle": f"{home}standings/?page={middle}",
        "matches": home + "rounds/",
        "entries": home + "entries/",
        "ladder": "/ladder/hawaii/",
        "ladder, middle": f"/ladder/hawaii/?page={middle}",
        "home": "/",
    }
    best = Standing.objects.filter(row=1).select_related("entry").first()
    if best is not None:
        paths["a rating"] = f"{home}standings/?explain={best.entry.uuid}"
    match = Match.objects.filter(state=Match.State.CONFIRMED).order_by("-deal_set").first()
    if match is not None:
        paths["match"] = f"/m/{match.uuid}/"
    return paths


def a_process() -> Any:
    """A worker process as a worker has it, but with bots in it and not in a sandbox."""
    from django.utils import timezone

    from bots.jobs.process import Process
    from bots.models import Worker
    from bots.runner.inprocess import InProcessLauncher

    class Unsandboxed(Process):
        def launcher(self) -> Any:
            return InProcessLauncher()

    return Unsandboxed(Worker.objects.create(name="benchmark", probe_ok=True, seen_at=timezone.now()), None)


def play_batch(process: Any, *, most: int = 0) -> tuple[int, float]:
    """Play a batch, and do what its wake-up asks for. Returns how many matches, and the CPU ms of the latter.

    most: the size of the batch; 0: as a worker takes it.
    """
    from django.utils import timezone

    from tournaments import tasks
    from tournaments.matches import counters, play

    process.worker.seen_at = timezone.now()
    process.worker.save(update_fields=["seen_at"])
    # A worker sizes its batches by time; a made-up duration of a match gives the size that is wanted.
    process.seconds = 5 / most if most else process.seconds
    played = play.play_batch(process)
    begun = time.process_time()
    tasks.derive()
    folded_ms = 1000 * (time.process_time() - begun)
    counters.add_up()  # the sweep's part of it
    return played, folded_ms


def run(process: Any, matches: int, marks: list[int], refresh: Callable[[], None]) -> Course:
    """Play that many matches; at each mark some results are folded one by one."""
    course, played, waiting = Course(), 0, list(marks)
    batches: list[tuple[int, float]] = []
    while played < matches:
        done, spent = play_batch(process, most=64)
        played += done
        batches.append((done, spent))
        if waiting and played >= waiting[0]:
            # One by one at each mark: the cost of a fold must not grow with the event, which batches would hide.
            single = [play_batch(process, most=1) for _each in range(SINGLE)]
            played += sum(done for done, _spent in single)
            in_batches = sum(spent for _done, spent in batches[-20:]) / max(1, sum(done for done, _ in batches[-20:]))
            course.folds[waiting[0]] = (median(spent for _done, spent in single), in_batches)
            course.marks.append((waiting.pop(0), time.time()))
            alone, among = course.folds[course.marks[-1][0]]
            print(f"  {played} matches: a fold {alone:.1f} ms of CPU, in a batch {among:.1f}", flush=True)
        refresh()
    course.marks[-1] = (played, time.time())
    return course


def readings_of(path: Path) -> list[Reading]:
    """Return what the reader has written."""
    lines = path.read_text().splitlines()
    # Without the last line: the reader may be in the middle of it.
    return [(at, name, ms, spent) for at, name, ms, spent in map(json.loads, lines[:-1])]


def report(options: argparse.Namespace, course: Course, readings: list[Reading]) -> bool:
    """Print it. Returns whether every page kept the bar."""
    print(f"{options.entries} entries, {options.matches} matches, SQLite, {os.cpu_count()} cores")
    print(f"  {'a fold, CPU ms of':24}" + "".join(f"{number:>9}" for number in course.folds))
    for place, name in enumerate(("one result", "one in a batch")):
        figures = [pair[place] for pair in course.folds.values()]
        print(f"  {name:24}" + "".join(f"{each:9.1f}" for each in figures) + f"   x {figures[-1] / figures[0]:.2f}")
    print(
        f"  {'a page, ms: p50/p95 to':24}" + "".join(f"{number:>13}" for number, _at in course.marks) + "          all"
    )
    worst = table_of(course, [(at, name, ms) for at, name, ms, _spent in readings])
    print("  the server's CPU, ms")
    spent = table_of(course, [(at, name, spent) for at, name, _ms, spent in readings])
    print(f"  slowest page at p95: {worst:.0f} ms (bar {BAR_MS}), of CPU {spent:.0f} ms; {len(readings)} pages read")
    return worst <= BAR_MS


def table_of(course: Course, readings: list[tuple[float, str, float]]) -> float:
    """Print a line for each page. Returns the worst 95th percentile."""
    ends, worst = [at for _number, at in course.marks], 0.0
    for name in dict.fromkeys(name for _at, name, _ms in readings):
        parts = [[ms for at, page, ms in readings if page == name and low <= at < high] for low, high in spans(ends)]
        whole = [ms for part in parts for ms in part]
        worst = max(worst, figures_of(whole)[1])
        print(f"  {name:24}" + "".join(f"{shown(part):>13}" for part in [*parts, whole]))
    return worst


def spans(ends: list[float]) -> Iterator[tuple[float, float]]:
    """From each end to the next, the first from the beginning."""
    yield from zip([0.0, *ends], ends, strict=False)


def figures_of(values: list[float]) -> tuple[float, float]:
    """Median and 95th percentile; of a few values the largest."""
    if len(values) < 2:
        return (values or [0.0])[0], (values or [0.0])[0]
    return median(values), quantiles(values, n=20, method="inclusive")[-1]


def shown(values: list[float]) -> str:
    low, high = figures_of(values)
    return f"{low:.0f}/{high:.0f}"


def is_right(event: Any) -> bool:
    """Return whether ratings and table are what a fold of everything gives."""
    from tournaments.standings import store

    return not store.differences(event.stages.select_related("tournament", "ruleset").get())


def main() -> int:
    options = arguments()
    # The reader is another process of the same file: it must not share the interpreter with what it measures.
    if options.read:
        read_pages(*options.read)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hanami-")))
        project = a_project(stack, folder)
        event, process = a_ladder(options.entries), a_process()
        play_batch(process)
        (address, pid), paths, out = an_address(project), folder / "paths.json", folder / "readings.jsonl"

        def refresh() -> None:
            """The reader asks for the newest match, too. A file is never seen half written."""
            fresh = folder / "paths.new"
            fresh.write_text(json.dumps(paths_of(event)))
            # The reader may open the file at any moment.
            fresh.replace(paths)

        refresh()
        project.start("reader", "-m", "benchmarks.ladder", "--read", address, str(pid), str(paths), str(out))
        marks = [options.matches // part for part in (10, 4, 2, 1)]
        course = run(process, options.matches, marks, refresh)
        begun = time.process_time()
        is_same = is_right(event)
        passed = report(options, course, readings_of(out))
        spent = time.process_time() - begun
        print(f"  a fold of everything gives the same ratings and table: {is_same} ({spent:.1f} s of CPU)")
    return 0 if passed and is_same else 1


if __name__ == "__main__":
    sys.exit(main())
