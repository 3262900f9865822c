"""A hall: that many phones at their tables, more pages that listen, a screen on the wall, while results come in.

    .venv/bin/python -m benchmarks.hall [--phones 40] [--listeners 200] [--seconds 60]

PostgreSQL, Redis, a web server (uvicorn, one process), a Celery worker and beat of its own; an event of that many
people, drawn and called. Every phone opens its slip, listens to what its page follows and fetches it again as
`live.js` does; its reader looks at the standings now and then. One side of each table reports, in turn, the other
confirms when its page asks it to. Shown are milliseconds at the phones' end (median and 95th percentile), the most
queries of a page, and how long after a side pressed "Same" a screen in Chromium showed it. Each bar says pass or FAIL;
exit code 1 if one fails.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.ladder import an_address, figures_of
from benchmarks.listeners import Audience, Heard
from benchmarks.site import TIMING, a_project, browser_flags, chromium
from tests.services.waiting import wait_until

PAGE_BAR_MS: Final = 300
SCREEN_BAR_MS: Final = 2000
QUERIES_BAR: Final = 12
GAP_S: Final = (0.3, 1.2)
"""So long live.js waits before it fetches its page, by chance, so that what comes together is fetched once."""
LOOK_S: Final = 12.0
"""A person looks at the standings about so often."""
CSRF: Final = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
KEY: Final = re.compile(r'name="key" value="([^"]+)"')
BOXES: Final = re.compile(r'name="(total\w*)"')
CHANNELS: Final = re.compile(r'data-live="([^"]*)"')
# What the screen shows, and when: the bar of progress of its page.
NOTE: Final = """() => {
  const shown = window.__shown = [];
  const look = () => {
    const done = document.querySelector("#progress progress")?.value ?? 0;
    if (done !== shown.at(-1)?.[0]) shown.push([done, Date.now()]);
  };
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true});
  look();
}"""


@dataclass(slots=True)
class Answer:
    """The answer that a phone got. ms: at its end; queries: as the server says."""

    status: int
    text: str
    ms: float
    queries: int
    etag: str = ""


@dataclass(slots=True)
class Phone:
    """One phone at a table. side: of it; reports_at: when it sends its result, None if it confirms; seconds.

    heard: of the channels of its page. took: (ms, queries) of everything it asked for; pressed: when it said "Same".
    """

    site: str
    slip: str
    standings: str
    reports_at: float | None
    seed: int
    heard: Heard = field(default_factory=lambda: Heard(()))
    took: list[tuple[float, int]] = field(default_factory=list)
    pressed: float = 0.0
    etag: str = ""
    page: str = ""
    opener: urllib.request.OpenerDirector = field(default_factory=lambda: _opener())

    def ask(self, path: str, *, form: dict[str, str] | None = None, headers: dict[str, str] | None = None) -> Answer:
        """Send one request and follow where it leads."""
        body = urlencode(form).encode() if form is not None else None
        request = urllib.request.Request(path if "://" in path else self.site + path, body, headers or {})
        began = time.perf_counter()
        try:
            with self.opener.open(request, timeout=60) as reply:
                answer = _answer(reply, reply.read(), began)
                self.page = reply.geturl() if form is None and not headers and "/x/" in reply.geturl() else self.page
        except urllib.error.HTTPError as refused:
            answer = _answer(refused, refused.read(), began)
        assert answer.status in (200, 304), f"{path}: {answer.status}\n{answer.text[:2000]}"
        self.took.append((answer.ms, answer.queries))
        return answer

    def sit_down(self) -> None:
        """Open the slip: what its page follows is listened to from now on."""
        text = self.ask(self.slip).text
        live = CHANNELS.search(text)
        assert live is not None
        named = [channel.partition("@") for channel in live[1].split(",")]
        self.heard.channels = tuple(name for name, _at, _version in named)
        self.heard.versions = {name: int(version or 0) for name, _at, version in named}

    def refresh(self) -> str:
        """Fetch the fragment of the page as live.js does, unless it is what is shown already."""
        known = {"If-None-Match": self.etag} if self.etag else {}
        answer = self.ask(self.page, headers={"X-Fragment": "true", **known})
        self.etag = answer.etag or self.etag
        return answer.text

    def live(self, ends: float) -> None:
        """Fetch what is told, report or confirm, and look at the standings, until the end."""
        random, known = Random(self.seed), dict(self.heard.versions)
        begun, look_at = time.monotonic(), time.monotonic() + random.uniform(0, LOOK_S)
        while time.monotonic() < ends:
            if dict(self.heard.versions) != known:
                time.sleep(random.uniform(*GAP_S))
                known = dict(self.heard.versions)
                self._confirm(self.refresh())
            elif self.reports_at is not None and time.monotonic() - begun > self.reports_at:
                self.reports_at = None
                self._report()
            elif time.monotonic() > look_at:
                look_at += random.uniform(0.5, 1.5) * LOOK_S
                self.ask(self.standings)
            else:
                time.sleep(0.02)

    def _report(self) -> None:
        text = self.ask(self.page).text
        boxes = BOXES.findall(text)
        form = {"csrfmiddlewaretoken": CSRF.findall(text)[0], **dict(zip(boxes, ("130", "110"), strict=True))}
        form |= {"key": found[1]} if (found := KEY.search(text)) else {}
        self.ask(self.page + "report/", form=form)

    def _confirm(self, text: str) -> None:
        if self.pressed or f"{self.page.removeprefix(self.site)}same/" not in text:
            return
        self.pressed = time.time()
        self.ask(self.page + "same/", form={"csrfmiddlewaretoken": CSRF.findall(text)[0]})


def _opener() -> urllib.request.OpenerDirector:
    """A browser's memory: the cookie of the slip."""
    return urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))


def _answer(reply: Any, body: bytes, began: float) -> Answer:
    timing = TIMING.search(reply.headers.get("Server-Timing", ""))
    took = 1000 * (time.perf_counter() - began)
    return Answer(reply.status, body.decode(), took, int(timing[3]) if timing else 0, reply.headers.get("ETag", ""))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phones", type=int, default=40)
    parser.add_argument("--listeners", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    return parser.parse_args()


def a_night(people: int) -> Any:
    """An event of that many people, two at a table, whose first round is called."""
    from tests.builders import events as a
    from tests.builders.clubs import round_of
    from tournaments.entries.people import add_list, check_in_all
    from tournaments.events.create import create_tournament
    from tournaments.progress.rounds import call_round
    from tournaments.progress.run import open_registration, publish_tournament, start_tournament

    by = a.a_user("director")
    plan = a.a_plan(name="Club 40", who="people", kind="swiss", rounds=3, max_entries=people)
    event = create_tournament(by=by, plan=plan)
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    add_list(tournament=event, by=by, data="\n".join(f"Person {n:02}" for n in range(1, people + 1)).encode())
    check_in_all(tournament=event, by=by)
    start_tournament(tournament=event, by=by)
    call_round(round_row=round_of(event, 1), by=by)
    event.refresh_from_db()
    return event


def phones_of(event: Any, site: str, seconds: float) -> list[Phone]:
    """Two for each table; their results come one after another, the last with time to be confirmed."""
    from tests.builders.clubs import tables_of
    from tournaments.scores.slips import slip_token

    tables, phones = tables_of(event), []
    for number, match in enumerate(tables):
        # Eight seconds are left at the end for the last one to be confirmed and shown.
        when = (number + 1) * max(1.0, seconds - 8) / len(tables)
        for side in (0, 1):
            slip, at = f"/e/{slip_token(match, side)}/", None if side else when
            phones.append(Phone(site, slip, f"/t/{event.slug}/standings/", at, 2 * number + side))
    return phones


def on_the_wall(browser: Browser, address: str) -> Page:
    """A page of the event on a screen, which notes when it shows how many matches."""
    page = browser.new_page()
    page.goto(address)
    page.wait_for_function("() => document.querySelector('[data-live]')?.dataset.state === 'live'")
    page.evaluate(NOTE)
    return page


def delays_ms(pressed: list[float], shown: list[list[float]]) -> list[float]:
    """Return the time from each "Same" (seconds since the epoch) to when the screen showed that many matches as were
    confirmed then.
    """
    found = []
    for number, at in enumerate(sorted(pressed), 1):
        seen = [when for done, when in shown if done >= number]
        found.append(min(seen) - 1000 * at if seen else float("inf"))
    return found


def run(phones: list[Phone], screen: Page, options: argparse.Namespace, listening: list[Heard]) -> None:
    """Let everybody sit down and play until the time is over."""
    site = phones[0].site
    for phone in phones:
        phone.sit_down()
        # Sitting down all at once happens once a night; what is measured is the play.
        phone.took.clear()
    heard = [phone.heard for phone in phones] + listening
    Audience(site, heard).start()
    wait_until(lambda: all(each.is_open for each in heard), 60, "everybody listens")
    ends = time.monotonic() + options.seconds
    threads = [threading.Thread(target=phone.live, args=(ends,)) for phone in phones]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        screen.wait_for_timeout(200)  # lets the browser speak with us
    screen.wait_for_timeout(SCREEN_BAR_MS)


def report(phones: list[Phone], screen: Page) -> bool:
    """Print it. Returns whether every bar is kept."""
    took = [ms for phone in phones for ms, _queries in phone.took]
    low, high = figures_of(took)
    pressed = [phone.pressed for phone in phones if phone.pressed]
    late = delays_ms(pressed, screen.evaluate("() => window.__shown"))
    most = max(queries for phone in phones for _ms, queries in phone.took)
    print(f"{len(phones)} phones, {len(took)} requests: p50 {low:.0f} ms; {len(pressed)} results were confirmed")
    passed = [
        _verdict("phones: a page at p95, ms", PAGE_BAR_MS, high),
        _verdict("phones: from an event to a screen, worst, ms", SCREEN_BAR_MS, max(late, default=float("inf"))),
        _verdict("phones: queries of a page", QUERIES_BAR, most),
        _verdict("phones: results that nobody confirmed", 0, len(phones) // 2 - len(pressed)),
    ]
    return all(passed)


def _verdict(words: str, most: float, figure: float) -> bool:
    print(f"{words:44} at most {most:7g}   {'pass' if figure <= most else 'FAIL'}  {figure:.4g}")
    return figure <= most


def main() -> int:
    options = arguments()
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        browser = stack.enter_context(playwright.chromium.launch(executable_path=chromium(), args=browser_flags()))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hanami-")))
        project = a_project(stack, folder)
        event = a_night(options.phones)
        site, _pid = an_address(project)
        project.worker(concurrency=1)
        project.beat()
        screen = on_the_wall(browser, f"{site}/t/{event.slug}/")
        phones = phones_of(event, site, options.seconds)
        run(phones, screen, options, [Heard((event.channel, "q:")) for _each in range(options.listeners)])
        return 0 if report(phones, screen) else 1


if __name__ == "__main__":
    sys.exit(main())
