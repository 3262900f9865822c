"""The cost of distance: matches per minute of two worker hosts at several round trips to everything else.

    .venv/bin/python -m benchmarks.hosts [--bots 41] [--deals 1] [--round-trips 0 5 50] [--processes 1 1 2]

A league of house bots (greedy, yaku and random in turn) is played by two workers, each on a host of its own: network
namespaces on a bridge, whose cables run through a relay that delays frames (tests/hosts). Matches of one deal, so that
the share of the database is at its largest. A process that waits for the database uses no processor: where it is far
away, more of them keep the processors busy (`--processes`, for each round trip). Timed from the second result to the
last; shown with the round trip that was measured, the statements a match, and the share of the rate at the first
distance. Needs root, `ip` and `ethtool`.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, cycle, islice, repeat
from pathlib import Path
from typing import Any, Final

import django
import psycopg

from scripts import compiler, namespaces
from tests.hosts.club import Club, a_club, let_in
from tests.services.waiting import wait_until

STRATEGIES: Final = ("greedy", "yaku", "random")
STATEMENT: Final = re.compile(r"^<hosts> LOG:  (?:statement|execute [^:]*): ", re.MULTILINE)
LOG_OPTIONS: Final = ("log_statement=all", "log_min_messages=log", "log_line_prefix=<%a> ")


@dataclass(frozen=True)
class Measured:
    """per_minute: matches. round_trip_ms: as measured. statements: a match, of workers, beat and sender together."""

    per_minute: float
    round_trip_ms: float
    statements: float


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--bots", type=int, default=41, help="that many in a round robin; few end before the rate is steady"
    )
    parser.add_argument("--deals", type=int, default=1)
    parser.add_argument("--round-trips", type=float, nargs="+", default=[0, 5, 50], help="milliseconds")
    parser.add_argument("--processes", type=int, nargs="+", default=[1], help="of each host; the last one for the rest")
    return parser.parse_args()


def prepared(stack: ExitStack, folder: Path, round_trip_ms: float) -> Club:
    """A club whose database is empty and migrated, to which this process is connected by its socket."""
    club = a_club(stack, folder, round_trip_ms=round_trip_ms, lease_s=60)
    club.postgres.options = (*club.postgres.options, *LOG_OPTIONS)
    club.start_database()
    with psycopg.connect(club.postgres.url("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE hanami")
    club.postgres.shut_down("fast")
    let_in(club.postgres)
    club.start_servers()
    named = {"HANAMI_DATABASE_URL": f"{club.project.environment['HANAMI_DATABASE_URL']}?application_name=hosts"}
    club.project.environment = {**club.project.environment, **named}
    club.project.manage(
        "migrate", "--verbosity", "0", extra={"HANAMI_DATABASE_URL": club.postgres.url()}, timeout_s=600
    )
    return club


def connect(club: Club) -> None:
    """Django of this process is connected to the database; where it was set up before, to the new one."""
    os.environ.update(
        HANAMI_DATABASE_URL=club.postgres.url(),
        HANAMI_DATA_DIR=club.project.environment["HANAMI_DATA_DIR"],
        HANAMI_REDIS_URL=club.redis.url(),
        HANAMI_LOG_LEVEL="WARNING",
        DJANGO_SETTINGS_MODULE="config.settings",
    )
    django.setup()


def a_league(options: argparse.Namespace) -> Any:
    """An event that takes no more entries, not started."""
    from accounts.models import User
    from bots.house import house_files
    from bots.services import install_house_bot
    from tournaments.entries.bots import enter_bot
    from tournaments.events.create import create_tournament
    from tournaments.lifecycle.event_plan import EventPlan
    from tournaments.progress.run import open_registration, publish_tournament

    by = User.objects.create_user("benchmark")
    sizes = {"seats": 2, "kind": "round_robin", "entries_per_owner": options.bots}
    plan = EventPlan(name="Far away", preset="hawaii", options={"rounds": options.deals}, **sizes)
    event = create_tournament(by=by, plan=plan)
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    for number, strategy in enumerate(islice(cycle(STRATEGIES), options.bots)):
        files = [*house_files(strategy).files, ("notes.txt", str(number).encode())]
        enter_bot(
            tournament=event,
            by=by,
            bot=install_house_bot(owner=by, name=f"Far {number}", files=files, plays=["hawaii"]),
        )
    return event


def measure(options: argparse.Namespace, round_trip_ms: float, processes: int) -> Measured:
    """Measure one league at one distance. processes: of each worker host."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hanami-")))
        club = prepared(stack, folder, round_trip_ms)
        connect(club)
        from tournaments.models import ResultReport
        from tournaments.progress.run import start_tournament

        event = a_league(options)
        club.project.beat()
        for number in (1, 2):
            club.worker(number, processes=processes)
        matches = options.bots * (options.bots - 1) // 2
        start_tournament(tournament=event, by=event.created_by)
        # The start of the workers is not in the figure.
        wait_until(lambda: ResultReport.objects.count() > 1, 180, "first results")
        began, first = time.monotonic(), ResultReport.objects.count()
        wait_until(lambda: ResultReport.objects.count() >= matches, 1200, "the league is over")
        lasted = time.monotonic() - began
        statements = len(STATEMENT.findall(club.postgres.log()))
        measured_ms = club.network.round_trip_ms(club["worker1"], club["db"], 5432)
        return Measured(60 * (matches - first) / lasted, measured_ms, statements / matches)


def alone(options: argparse.Namespace, round_trip_ms: float, processes: int) -> Measured:
    """`measure` in a process of its own: Django is connected to one database for good."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        found = measure(options, round_trip_ms, processes)
        os.write(write, f"{found.per_minute} {found.round_trip_ms} {found.statements}".encode())
        # Without the parent's clean-up: its stack of servers belongs to the parent.
        os._exit(0)
    os.close(write)
    with os.fdopen(read, encoding="ascii") as pipe:
        words = pipe.read().split()
    os.waitpid(child, 0)
    if not words:
        sys.exit("It could not be measured; the reason is above.")
    return Measured(*map(float, words))


def main() -> int:
    options = arguments()
    namespaces.ensure()
    compiler.ensure()
    print(f"{options.bots} house bots, matches of {options.deals} deals, two worker hosts, {os.cpu_count()} cores:")
    first: Measured | None = None
    for wanted, processes in zip(options.round_trips, chain(options.processes, repeat(options.processes[-1]))):
        found = alone(options, wanted, processes)
        # The nearest distance is the measure: figures of different machines cannot be compared.
        first = first or found
        share = found.per_minute / first.per_minute
        print(
            f"  {wanted:5.0f} ms (measured {found.round_trip_ms:5.1f}), {processes} processes a host: "
            f"{found.per_minute:6.0f} matches a minute, "
            f"{share:.2f} of the first, {found.statements:.1f} statements a match",
            flush=True,
        )
    print("  bars: 0.6 of the rate at 50 ms, 15 statements a match")
    return 0


if __name__ == "__main__":
    sys.exit(main())
