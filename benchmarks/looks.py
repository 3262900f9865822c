"""One page as Chromium shows it: when it stands still, what it weighs, what moves, who can read it."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Response, ViewportSize

WIDE: Final = ViewportSize(width=1280, height=800)
PHONE: Final = ViewportSize(width=360, height=800)
QUIET_MS: Final = 400
"""A page stands still once nothing was loaded, changed or moved for so long."""
# In the page from its first moment: when something last happened, what jumped, when the largest thing was painted.
WATCH: Final = """(() => {
  const seen = window.__seen = {last: 0, shift: 0, painted: 0};
  const now = () => { seen.last = Math.max(seen.last, performance.now()); };
  new MutationObserver(now).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
  const watch = (type, each) => new PerformanceObserver((list) => list.getEntries().forEach(each))
    .observe({type, buffered: true});
  watch("layout-shift", (entry) => { seen.shift += entry.hadRecentInput ? 0 : entry.value; });
  watch("largest-contentful-paint", (entry) => {
    seen.painted = entry.startTime; seen.last = Math.max(seen.last, entry.startTime); });
  watch("resource", (entry) => { seen.last = Math.max(seen.last, entry.responseEnd); });
  window.addEventListener("load", now);
})()"""
STILL: Final = f"""() => document.readyState === "complete" && window.__seen.last > 0
  && performance.now() - window.__seen.last > {QUIET_MS}"""
# How far boxes scroll sideways that people see, the page itself among them.
OVERFLOW: Final = """() => Math.max(0, ...[document.documentElement, ...document.querySelectorAll("body *")]
  .filter((each) => each === document.documentElement
    || (["auto", "scroll"].includes(getComputedStyle(each).overflowX) && each.checkVisibility()))
  .map((each) => each.scrollWidth - each.clientWidth).filter((over) => over > 1))"""
# What the page says, but for the line of live news and buttons, which are nothing without script.
WORDS: Final = """() => {
  const main = document.querySelector("main");
  main.querySelectorAll("[data-live], button").forEach((each) => { each.style.display = "none"; });
  return main.innerText.split(/\\s+/).filter(Boolean);
}"""


@dataclass(slots=True)
class Weight:
    """Bytes of one page with an empty cache. *_gz: as gzip would send them."""

    html: int = 0
    css: int = 0
    script: int = 0
    html_gz: int = 0
    script_gz: int = 0
    other_hosts: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Look:
    """settled, painted: warm, milliseconds, median. shift: the worst. axe: nodes, all four looks together.

    overflow: CSS pixels at 360. words: the share of words that are there without script.
    """

    weight: Weight
    settled: float
    painted: float
    shift: float
    axe: int
    overflow: int
    words: float


def look_at(browser: Browser, address: str, cookies: list[Any], *, visits: int) -> Look:
    """Visit the page often and in every way that is measured."""
    weight = weigh(browser, address, cookies)
    settled, painted, shifts = warm(browser, address, cookies, visits)
    axe = sum(_axe(browser, address, cookies, size, dark) for size in (WIDE, PHONE) for dark in (False, True))
    with_script = _read(browser, address, cookies, script=True)
    without = _read(browser, address, cookies, script=False)
    there = sum(word in without for word in with_script) / max(1, len(with_script))
    return Look(weight, settled, painted, max(shifts), axe, _overflow(browser, address, cookies), there)


def a_context(browser: Browser, cookies: list[Any], **how: Any) -> BrowserContext:
    """A context of its own with the session of whoever looks."""
    context = browser.new_context(**{"viewport": WIDE, "locale": "en-GB", **how})
    context.add_cookies(cookies)
    return context


def weigh(browser: Browser, address: str, cookies: list[Any]) -> Weight:
    """What the page and all that it loads weigh."""
    weight, host = Weight(), urlsplit(address).netloc

    def note(answer: Response) -> None:
        if urlsplit(answer.url).netloc not in (host, ""):
            weight.other_hosts.add(urlsplit(answer.url).netloc)
        kind = answer.request.resource_type
        if kind not in ("document", "stylesheet", "script") or not answer.ok:
            return
        body = answer.body()
        if kind == "document":
            weight.html, weight.html_gz = len(body), len(gzip.compress(body))
        elif kind == "stylesheet":
            weight.css += len(body)
        else:
            weight.script += len(body)
            weight.script_gz += len(gzip.compress(body))

    with a_context(browser, cookies) as context:
        page = context.new_page()
        answers: list[Response] = []
        page.on("response", lambda answer: answers.append(answer))  # a list's own method cannot be marked
        page.add_init_script(WATCH)
        _settle(page, address)
        for answer in answers:
            if answer.request.resource_type != "eventsource":
                note(answer)
    return weight


def warm(browser: Browser, address: str, cookies: list[Any], visits: int) -> tuple[float, float, list[float]]:
    """Settled and painted with everything in the cache (median), and how far things jumped at each visit."""
    settled, painted, shifts = [], [], []
    with a_context(browser, cookies) as context:
        page = context.new_page()
        page.add_init_script(WATCH)
        for visit in range(visits + 1):
            seen = _settle(page, address)
            if visit:
                settled.append(seen["last"])
                painted.append(seen["painted"])
            shifts.append(seen["shift"])
    return median(settled), median(painted), shifts


def _settle(page: Page, address: str) -> dict[str, float]:
    page.goto(address, wait_until="load")
    page.wait_for_function(STILL, polling=50, timeout=30_000)
    seen: dict[str, float] = page.evaluate("() => window.__seen")
    return seen


def _axe(browser: Browser, address: str, cookies: list[Any], size: ViewportSize, dark: bool) -> int:
    from tests.site.looking import axe_violations

    scheme = "dark" if dark else "light"
    with a_context(browser, cookies, viewport=size, color_scheme=scheme, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(address)
        return len(axe_violations(page))


def _overflow(browser: Browser, address: str, cookies: list[Any]) -> int:
    with a_context(browser, cookies, viewport=PHONE) as context:
        page = context.new_page()
        page.goto(address)
        return int(page.evaluate(OVERFLOW))


def _read(browser: Browser, address: str, cookies: list[Any], *, script: bool) -> set[str]:
    with a_context(browser, cookies, java_script_enabled=script) as context:
        page = context.new_page()
        page.goto(address, wait_until="load")
        if script:
            return set(page.evaluate(WORDS))
        return set(page.locator("main").first.inner_text().split())
