"""Sandboxed matches per minute through the whole pipeline, and what the pipeline costs.

    .venv/bin/python -m benchmarks.pipeline [--rounds 3] [--seconds 8] [--seats 2] [--deals 12] [--bot greedy]

Figures of one run on one machine, the same match each time: played in this process (no sandbox, no database), in this
process with sandboxed bots, and by one and by two Celery worker processes on PostgreSQL and Redis of its own. The ways
take turns, so that a busy minute of the machine hits all of them; shown is the median of the rounds.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import django
import psycopg

from tests.services.postgres import Postgres
from tests.services.processes import Project
from tests.services.redis_server import Redis
from tests.services.waiting import wait_until

WARM_UP = 10  # matches before the clock starts


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="how often each way is measured")
    parser.add_argument("--seconds", type=float, default=8.0, help="how long, each time")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--deals", type=int, default=12)
    parser.add_argument("--bot", default="greedy", help="the house bot at every seat")
    return parser.parse_args()


def own_services(stack: ExitStack, folder: Path) -> Project:
    """A PostgreSQL and a Redis that end with the stack; this process is connected to them as well."""
    postgres, redis = Postgres(folder / "pg"), Redis(folder / "redis")
    for server in (postgres, redis):
        server.start()
        stack.callback(server.stop)
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE hanami")
    environment = {
        "HANAMI_DATABASE_URL": postgres.url(),
        "HANAMI_REDIS_URL": redis.url(),
        "HANAMI_DATA_DIR": str(folder / "var"),
        "HANAMI_LOG_LEVEL": "WARNING",
    }
    os.environ.update(environment, DJANGO_SETTINGS_MODULE="config.settings")
    project = Project(environment, folder)
    stack.callback(project.stop)
    project.manage("migrate", "--verbosity", "0")
    django.setup()
    return project


def a_league(options: argparse.Namespace, name: str) -> Any:
    """A started event with more matches than can be played while we measure."""
    from accounts.models import User
    from bots.house import house_files
    from bots.services import install_house_bot
    from tournaments.services import (
        EventPlan,
        create_tournament,
        enter_bot,
        open_registration,
        publish_tournament,
        start_tournament,
    )

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
        files = [*house_files(options.bot).files, ("notes.txt", str(number).encode())]
        bot = install_house_bot(owner=by, name=f"Bench {number}", files=files, plays=["hawaii"])
        enter_bot(tournament=event, bot=bot, by=by)
    return start_tournament(tournament=event, by=by)


def through_workers(project: Project, options: argparse.Namespace, event: Any, processes: int) -> float:
    """Matches per minute of `processes` worker processes."""
    from tournaments.models import ResultReport
    from tournaments.services import pause_tournament, resume_tournament

    if event.state == "paused":
        resume_tournament(tournament=event, by=event.created_by)
    worker = project.worker(concurrency=processes)
    project.manage("shell", "-c", "from tournaments.jobs.sweeping import sweep; sweep()")
    reports = ResultReport.objects.filter(match__stage__tournament=event)
    cold = reports.count()
    wait_until(lambda: reports.count() >= cold + WARM_UP, 120, "the workers are warm")
    begun, before = time.monotonic(), reports.count()
    time.sleep(options.seconds)
    played, lasted = reports.count() - before, time.monotonic() - begun
    event.refresh_from_db()
    pause_tournament(tournament=event, by=event.created_by)
    worker.stop(grace_s=30)
    return 60 * played / lasted


def in_process(options: argparse.Namespace, *, sandboxed: bool) -> float:
    """Matches per minute of `table.play` alone, with the very specs that a worker would get."""
    from bots.runner.inprocess import InProcessLauncher
    from bots.runner.zygote import Zygote
    from tournaments.jobs.playing import in_full, spec_of
    from tournaments.models import Match

    specs = [spec_of(match) for match in in_full(Match.objects.order_by("pk")[:50])]
    with Zygote.start() as zygote:
        launcher: Any = zygote if sandboxed else InProcessLauncher()
        return per_minute(specs, launcher, options.seconds)


def per_minute(specs: list[Any], launcher: Any, seconds: float) -> float:
    from bots.runner.table import play

    play(specs[0], launcher)
    begun, played = time.monotonic(), 0
    while time.monotonic() - begun < seconds:
        play(specs[played % len(specs)], launcher)
        played += 1
    return 60 * played / (time.monotonic() - begun)


def main() -> int:
    options = arguments()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hanami-")))
        folder.chmod(0o711)  # PostgreSQL runs as an ordinary account when this is started by root
        project = own_services(stack, folder)
        league = a_league(options, "Benchmark league")
        ways: dict[str, Callable[[], float]] = {
            "alone": lambda: in_process(options, sandboxed=False),
            "sandboxed": lambda: in_process(options, sandboxed=True),
            "one": lambda: through_workers(project, options, league, 1),
            "two": lambda: through_workers(project, options, league, 2),
        }
        measured = [{name: way() for name, way in ways.items()} for _ in range(options.rounds)]
    alone, sandboxed, one, two = (median(each[name] for each in measured) for name in ways)
    print(f"{options.seats} seats, {options.deals} deals, {options.bot} at each, {os.cpu_count()} cores; per minute:")
    print(f"  in this process, no sandbox         {alone:8.0f}   1.00")
    print(f"  in this process, sandboxed          {sandboxed:8.0f}   {sandboxed / alone:.2f}")
    print(f"  pipeline, 1 worker process          {one:8.0f}   {one / alone:.2f}")
    print(f"  pipeline, 2 worker processes        {two:8.0f}   {two / alone:.2f}   ({two / one:.2f} x one)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
