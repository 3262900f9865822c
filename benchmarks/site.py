"""Cost, weight and looks of every page, with bars; and a check that no page notices a hundred thousand rows.

    .venv/bin/python -m benchmarks.site [--rows 100000] [--visits 3] [--asks 40] [--only /t/] [--no-hall]
    .venv/bin/python -m benchmarks.site http://127.0.0.1:8000/ http://127.0.0.1:8000/t/

Without addresses: a PostgreSQL, a Redis and a web server (uvicorn, one process) of its own, a small league that is
really played, every kind of page asked for as those who read it, then the same pages with that many rows in every list
(--rows 0: not), in the end a hall full of phones (`benchmarks.hall`; --no-hall: not) and the processes that `make run`
starts (`benchmarks.embedded`). With addresses: those alone, as a stranger; what a server says of itself (time, queries)
is known if it runs with HANAMI_SERVER_TIMING=1.

server: milliseconds of the whole view without any page cache, median and 95th percentile. settled: until nothing was
loaded, changed or moved any more, in Chromium with a warm cache, median. slow: on a phone with a quarter of this
machine's speed, 1.6 Mbps, 150 ms and an empty cache: milliseconds until the largest thing was painted, and until the
slowest key or click was answered. axe: nodes that break a rule, light and dark, 360 and 1280 pixels wide. 360: the
widest box that scrolls sideways there and is not meant to (decision 0122), in pixels. words: how many are there
without script. Of a page's search and of pages deep in a list only what they cost the server is asked. The bars are
the figures to beat of the two services most like this one, and those of the design; a page above a bar is marked with
it, and at the end each bar says pass or FAIL.
Exit code 1 if one fails.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from benchmarks.bars import Cost, Seen, heading, line, misses, verdicts
from benchmarks.ladder import an_address
from benchmarks.looks import Look, Slow, Weight, look_at
from benchmarks.service import a_service
from scripts.chromium import found
from tests.services.processes import Project

if TYPE_CHECKING:
    from tests.builders.leagues import League

TIMING: Final = re.compile(r'app;dur=([\d.]+), db;dur=([\d.]+);desc="(\d+)"')
PATIENCE_S, MINIMUM = 10, 3
SEVERAL: Final = 300
"""Rows of which every list has several pages."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("addresses", nargs="*")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--visits", type=int, default=3, help="0: what the server does, no browser")
    parser.add_argument("--asks", type=int, default=40)
    parser.add_argument("--only", default="", help="only pages whose path begins so")
    parser.add_argument("--no-hall", action="store_true")
    return parser.parse_args()


def cost_of(address: str, session: str, asks: int) -> Cost:
    """Ask for the page so often (a slow one less often), once before to warm what is kept between requests."""
    spent, queries, until = [], 0, time.monotonic() + PATIENCE_S
    for number in range(asks + 1):
        if number > MINIMUM and time.monotonic() > until:
            break
        request = urllib.request.Request(address, headers={"Cookie": f"sessionid={session}"} if session else {})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                answer.read()
                timing = TIMING.search(answer.headers.get("Server-Timing", ""))
        # A page that takes this long has missed every bar; more of it would only make the run longer.
        except TimeoutError:
            return Cost(1000 * PATIENCE_S, 1000 * PATIENCE_S, queries)
        if timing and number:
            spent.append(float(timing[1]))
            queries = max(queries, int(timing[3]))
    if len(spent) < 2:
        return Cost(0, 0, queries)
    return Cost(median(spent), quantiles(spent, n=20, method="inclusive")[-1], queries)


UNSEEN: Final = Look(Weight(), Slow(), 0, 0, 0, 0, 0, 1)
# html=1: the page counts as looked at, so the bar of `settled` applies.
RESTLESS: Final = Look(Weight(html=1), Slow(), float("inf"), 0, 0, 0, 0, 1)
"""A page that was looked at and did not come to rest: above the bar of the time until it does."""


def see(browser: Browser, site: str, path: str, session: str, options: argparse.Namespace) -> Seen:
    """Ask for a page, then look at it unless that is not wanted."""
    cookies = [{"name": "sessionid", "value": session, "url": site}] if session else []
    cost = cost_of(site + path, session, options.asks)
    try:
        look = look_at(browser, site + path, cookies, visits=options.visits) if options.visits else UNSEEN
    except PlaywrightTimeout as restless:
        print(f"{path} never came to rest: {restless}")
        look = RESTLESS
    seen = Seen(path, cost, look)
    print(line(seen), flush=True)
    return seen


def report(rows: int, pages: list[Seen]) -> bool:
    """Print it. Returns whether every page keeps every bar."""
    heading(rows)
    for seen in pages:
        print(line(seen))
    typical = [median(each) for each in zip(*((s.cost.p50, s.cost.queries) for s in pages), strict=True)]
    settled = median([s.look.settled for s in pages if s.look.weight.html] or [0])
    print(f"median page: {typical[0]:.0f} ms, {typical[1]:.0f} queries, settled after {settled:.0f} ms")
    verdicts(pages)
    over = [seen.path for seen in pages if misses(seen)]
    print(f"{len(pages)} pages, {len(over)} above a bar")
    return not over


def a_project(stack: ExitStack, folder: Path) -> Project:
    """A service that says what its answers cost; this process, too, plays and looks."""
    project = a_service(stack, folder, HANAMI_SERVER_TIMING="1").project
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    return project


def a_league(stack: ExitStack) -> League:
    """Events in every state, one of them played to its end in the sandbox; ratings are folded."""
    from bots.jobs import process
    from bots.runner.zygote import Zygote
    from tests.builders import leagues
    from tests.builders.challenges import a_challenge
    from tournaments.ratings import pools

    here = process.begin("benchmark", start=Zygote.start)
    stack.callback(process.end)
    league = leagues.a_league(here)
    pools.fold_stale()
    a_challenge(reference=league.bot.versions.get(n=1))
    return league


def session_of(user: Any) -> str:
    """A session of this person, as the cookie holds it."""
    from django.test import Client

    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return str(client.cookies["sessionid"].value)


@dataclass(frozen=True, slots=True)
class Visit:
    """A page, who reads it ("": a stranger), and whether it is looked at in a browser."""

    path: str
    reader: str = ""
    is_seen: bool = True


def _forfeiter(league: League) -> Any:
    """The bot that forfeits in a crowd."""
    version = league.match().seats.get(index=1).bot_version
    assert version is not None
    return version.bot


def visits_of(league: League) -> list[Visit]:
    """Every kind of page, and lists that are searched or opened in their middle."""
    from tests.builders.leagues import own_paths, public_paths

    event, hook = league.finished.slug, league.organiser.hooks.get()
    forfeiter = _forfeiter(league).slug
    pages = [Visit(path) for path in public_paths(league)]
    pages += [Visit(path, "organiser") for path in own_paths(league)]
    pages += [Visit("/c/"), Visit(f"/me/hooks/{hook.uuid}/", "organiser"), Visit(f"/t/{event}/audit/", "organiser")]
    pages += [Visit(f"/b/{forfeiter}/", "author"), Visit(f"/b/{forfeiter}/failures/", "author")]
    pages += [Visit(path, "operator") for path in ("/ops/", "/ops/audit/")]
    searched = ["/b/?q=plum", "/b/?q=nobody", "/u/?q=person", "/u/?q=nobody", "/t/?q=league", "/t/?q=nobody"]
    searched += [f"/t/{event}/entries/?q={word}" for word in ("plum", "nobody")] + [
        "/c/?q=nobody",
        "/ladder/hawaii/?q=nobody",
    ]
    deep = [
        "/b/",
        "/t/",
        "/u/",
        "/c/",
        "/ladder/hawaii/",
        *(f"/t/{event}/{tab}/" for tab in ("entries", "standings", "feed")),
    ]
    pages += [Visit(path, is_seen=False) for path in (*searched, *(f"{path}?page=900" for path in deep))]
    mine = [
        "/t/?when=mine",
        "/b/?mine=1",
        "/me/follow/?page=900",
        "/me/follow/list/?page=900",
        "/me/follow/list/?q=nobody",
    ]
    return pages + [Visit(path, "organiser", is_seen=False) for path in mine]


def readers_of(league: League) -> dict[str, str]:
    """A session of everybody who reads pages; strangers have none."""
    from tests.builders import events as a

    author = _forfeiter(league).owner
    people = {"organiser": league.organiser, "author": author, "operator": a.a_user("operator", is_staff=True)}
    return {"": "", **{name: session_of(person) for name, person in people.items()}}


def in_a_crowd(
    seen: dict[Visit, Seen], site: str, sessions: dict[str, str], league: League, options: Any
) -> list[Seen]:
    """The same pages with that many rows in every list."""
    from django.db import connection

    from benchmarks import crowd

    began = time.monotonic()
    # Twice: the first time lists get page numbers, which may cost a query; the second time nothing may be added.
    crowd.grow(league, min(SEVERAL, options.rows))
    before = {visit: cost_of(site + visit.path, sessions[visit.reader], 2).queries for visit in seen}
    crowd.grow(league, options.rows)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")  # what a server that goes on does on its own
    print(f"{options.rows:,} rows in every list after {time.monotonic() - began:.0f} s", flush=True)
    costs = ((visit, cost_of(site + visit.path, sessions[visit.reader], options.asks)) for visit in seen)
    return [replace(seen[visit], crowded=cost, several=before[visit]) for visit, cost in costs]


def of_our_own(browser: Browser, options: argparse.Namespace) -> bool:
    """Measure all pages of a site made for the purpose. Returns whether every bar is kept."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hanami-")))
        project = a_project(stack, folder)
        league = a_league(stack)
        sessions, (site, _pid) = readers_of(league), an_address(project)
        chosen = [visit for visit in visits_of(league) if visit.path.startswith(options.only)]
        heading(0)
        seen = {visit: _see(browser, site, visit, sessions, options) for visit in chosen}
        pages = in_a_crowd(seen, site, sessions, league, options) if options.rows else list(seen.values())
        return report(options.rows, pages)


def _see(browser: Browser, site: str, visit: Visit, sessions: dict[str, str], options: argparse.Namespace) -> Seen:
    wanted = argparse.Namespace(**{**vars(options), "visits": options.visits if visit.is_seen else 0})
    return see(browser, site, visit.path, sessions[visit.reader], wanted)


def _benchmark(name: str) -> bool:
    """Another benchmark, in a process of its own: it has a service of its own."""
    return subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode == 0


def chromium() -> str:
    """Return the path of the browser. Ends the program if there is none."""
    return found() or sys.exit("no Chromium found; run `make test` (it installs one), or set CHROMIUM to its path")


def browser_flags() -> list[str]:
    """Return the flags that the browser is started with."""
    return ["--disable-dev-shm-usage", "--disable-gpu", *(["--no-sandbox"] if os.getuid() == 0 else [])]


def main() -> int:
    options = arguments()
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium(), args=browser_flags()) as browser,
    ):
        if not options.addresses:
            is_well = of_our_own(browser, options)
            further = [] if options.only else ["embedded"] if options.no_hall else ["hall", "embedded"]
            return 0 if all([is_well, *map(_benchmark, further)]) else 1
        parts = [re.fullmatch(r"(https?://[^/]+)(/.*)?", address) for address in options.addresses]
        pages = [see(browser, part[1], part[2] or "/", "", options) for part in parts if part]
        return 0 if report(0, pages) else 1


if __name__ == "__main__":
    sys.exit(main())
