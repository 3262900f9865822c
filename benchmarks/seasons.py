"""A long season: the cost of its pages, of bringing its table up to date, and of making it again from all its events.

    .venv/bin/python -m benchmarks.seasons [--events 100 --people 5000 --readings 200]

PostgreSQL and a web server (uvicorn, one process) of its own. The pages of the season and of its 500 clubs, deep ones
and searches among them, are asked for one after the other by a stranger. Shown are the server's milliseconds (median
and 95th percentile) and the most queries of a page. Each bar says pass or FAIL; exit code 1 if one fails.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.ladder import an_address, figures_of
from benchmarks.site import a_project

CLUBS: Final = 500
PAGE_BAR_MS: Final = 50
QUERIES_BAR: Final = 10
SEARCHES: Final = ("", "&q=person")
CLUB_SEARCHES: Final = ("", "&q=club+1")


def a_season(events: int, people: int) -> Any:
    """Make a season of that many events and people of rows alone."""
    from tests.builders import events as a
    from tests.builders.seasons import a_finished_event, counted
    from tests.builders.seasons import a_season as made
    from tournaments.seasons.set_up import DivisionPlan

    lots, by = Random(16), a.a_user()  # the same season each time
    clubs = {f"Person {number:05}": f"Club {number % CLUBS:03}" for number in range(people)}
    season = made(by, best=7, decay="month", loss=3, divisions=(DivisionPlan("A", down=5), DivisionPlan("B", up=5)))
    names, share, nights = [f"Person {number:05}" for number in range(people)], -(-people // events), []
    for number in range(events):
        by = a.a_user() if number % 15 == 0 else by  # nobody may make more than a few events an hour
        there = [*lots.sample(names, 50), *names[number * share : (number + 1) * share]]
        ranks = {name: rank for rank, name in enumerate(dict.fromkeys(there), 1)}
        nights.append(a_finished_event(by, ranks, name=f"Night {number}", days=3 * number, clubs=clubs))
    counted(season, nights)
    return season


def reading(address: str) -> tuple[float, int]:
    """Return the server's milliseconds and the queries of one page, as it says itself."""
    with urllib.request.urlopen(address, timeout=60) as answer:
        answer.read()
        timing = answer.headers.get("Server-Timing", "")
    total = float(re.search(r"app;dur=([\d.]+)", timing)[1])  # type: ignore[index]
    queries = int(re.search(r'desc="(\d+)', timing)[1])  # type: ignore[index]
    return total, queries


def timed(what: str, act: Any) -> None:
    """Print how long an act takes."""
    began = time.perf_counter()
    act()
    print(f"{what:<44} {time.perf_counter() - began:6.2f} s")


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    asked.add_argument("--events", type=int, default=100)
    asked.add_argument("--people", type=int, default=5000)
    asked.add_argument("--readings", type=int, default=200)
    options = asked.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        project = a_project(stack, folder)
        from django.db import connection

        from tournaments.matches import counters
        from tournaments.models import SeasonEvent
        from tournaments.seasons.updating import update

        season = a_season(options.events, options.people)
        timed("the table made for the first time", lambda: update(season.pk))
        SeasonEvent.objects.filter(pk=season.events.order_by("pk")[0].pk).update(is_stale=True)
        timed("one event read again", lambda: update(season.pk))
        timed("everything made again", lambda: update(season.pk, everything=True))
        while counters.add_up():  # as the sweep does every minute
            pass
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # as the autovacuum of a service has done; that of this one sleeps
        address, _pid = an_address(project)
        lots, here = Random(7), f"/seasons/{season.slug}/"  # the same pages each time
        pages = options.people // 50
        who = list(season.people.order_by("pk").values_list("uuid", flat=True))
        of: dict[str, Callable[[], str]] = {
            "a page of the table": lambda: f"{here}?division=2&page={lots.randint(1, pages)}{lots.choice(SEARCHES)}",
            "how a total is made": lambda: f"{here}people/{lots.choice(who)}/",
            "its clubs": lambda: f"{here}clubs/?page={lots.randint(1, CLUBS // 50)}",
            "the list of clubs": lambda: f"/clubs/?page={lots.randint(1, CLUBS // 50)}{lots.choice(CLUB_SEARCHES)}",
            "a club": lambda: f"/clubs/club-{lots.randrange(CLUBS):03}/",
        }
        slow = [what for what, path in of.items() if not is_quick(what, address, path, options.readings)]
    return 1 if slow else 0


def is_quick(what: str, address: str, path: Callable[[], str], readings: int) -> bool:
    """Print what pages of one kind cost, and return whether that is within the bars."""
    reading(address + path())  # the first one of a process reads templates
    figures = [reading(address + path()) for _reading in range(readings)]
    low, high = figures_of([ms for ms, _queries in figures])
    queries = max(n for _ms, n in figures)
    well = high <= PAGE_BAR_MS and queries <= QUERIES_BAR
    print(f"{what:<22} {low:5.1f} / {high:5.1f} ms (median / p95), {queries} queries: {'pass' if well else 'FAIL'}")
    return well


if __name__ == "__main__":
    sys.exit(main())
