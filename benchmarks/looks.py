"""The looks of one page in Chromium: its time to stand still, its weight, what moves in it, who can read it.

The same on a phone with a quarter of this machine's speed and a slow line.
"""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Response, ViewportSize

WIDE: Final = ViewportSize(width=1280, height=800)
PHONE: Final = ViewportSize(width=360, height=800)
QUIET_MS: Final = 400
"""A page stands still once nothing was loaded, changed or moved for so long."""
LOOKS: Final[tuple[tuple[ViewportSize, Literal["light", "dark"]], ...]] = (
    (WIDE, "light"),
    (WIDE, "dark"),
    (PHONE, "dark"),
    (PHONE, "light"),
)
SLOWER: Final = 4
LINE: Final = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
"""Milliseconds and bytes a second: 150 ms, 1.6 Mbps."""
VIEWER: Final = "/table/"
INLINE: Final = re.compile(r"<script(?![^>]*\bsrc=)|\sstyle=|\son[a-z]+=|javascript:", re.IGNORECASE)
# In the page from its first moment: when something last happened, what jumped, when the largest thing was painted, how
# long the answer to a key or a click took, when the replay's table was there to be seen and when it took keys.
WATCH: Final = """(() => {
  const seen = window.__seen = {last: 0, shift: 0, painted: 0, input: 0, table: 0, ready: 0};
  const now = () => { seen.last = Math.max(seen.last, performance.now()); };
  new MutationObserver(now).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
  const watch = (type, each, more = {}) => new PerformanceObserver((list) => list.getEntries().forEach(each))
    .observe({type, buffered: true, ...more});
  watch("layout-shift", (entry) => { seen.shift += entry.hadRecentInput ? 0 : entry.value; });
  watch("largest-contentful-paint", (entry) => {
    seen.painted = entry.startTime; seen.last = Math.max(seen.last, entry.startTime); });
  watch("resource", (entry) => { seen.last = Math.max(seen.last, entry.responseEnd); });
  watch("event", (entry) => { if (entry.interactionId) seen.input = Math.max(seen.input, entry.duration); },
    {durationThreshold: 16});
  window.addEventListener("load", now);
  const look = () => {
    const replay = document.querySelector("hanami-replay");
    const isPainted = performance.getEntriesByName("first-contentful-paint").length > 0;
    if (!seen.table && isPainted && replay?.querySelector(".rp-table svg")?.getBoundingClientRect().height) {
      seen.table = performance.now();
    }
    if (!seen.ready && replay?.dataset.state === "ready") seen.ready = performance.now();
    if (!seen.ready && performance.now() < 20000) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""
STILL: Final = f"""() => document.readyState === "complete" && window.__seen.last > 0
  && performance.now() - window.__seen.last > {QUIET_MS}"""
ANSWERED: Final = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))"
# How far boxes scroll sideways that people see, the page itself too, not those meant to (decision 0122).
OVERFLOW: Final = """() => Math.max(0, ...[...document.querySelectorAll("html, body :not([data-sideways])")]
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
    """Bytes of one page with an empty cache. *_gz: as gzip would send them; viewer, viewer_css: the replay's own part.

    inline: scripts, handlers and styles in the page itself.
    """

    html: int = 0
    css: int = 0
    script: int = 0
    viewer: int = 0
    viewer_css: int = 0
    html_gz: int = 0
    script_gz: int = 0
    inline: int = 0
    other_hosts: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Slow:
    """On a slow phone with an empty cache, milliseconds: the largest thing painted, the slowest answer to a key or a
    click. shift: how far things jumped. table, ready: the replay's table was painted, and took keys; 0 without one.
    """

    painted: float = 0
    shift: float = 0
    input: float = 0
    table: float = 0
    ready: float = 0


@dataclass(slots=True)
class Look:
    """settled, painted: warm, milliseconds, median. shift: the worst. axe: nodes, all four looks together.

    overflow: CSS pixels at 360. words: the share of words that are there without script.
    """

    weight: Weight
    slow: Slow
    settled: float
    painted: float
    shift: float
    axe: int
    overflow: int
    words: float


def look_at(browser: Browser, address: str, cookies: list[Any], *, visits: int) -> Look:
    """Visit the page often and in every way that is measured."""
    weight, slow = slowly(browser, address, cookies)
    with a_context(browser, cookies) as context:
        page = context.new_page()
        page.add_init_script(WATCH)
        settled, painted, shifts = warm(page, address, visits)
        axe, overflow = looks(page)
        without = _without_script(browser, address, cookies)  # at one time: some words say how long ago something was
        page.set_viewport_size(WIDE)  # as wide as the other: a phone lays tables out in other words
        _settle(page, address)
        with_script: list[str] = page.evaluate(WORDS)
    there = sum(word in without for word in with_script) / max(1, len(with_script))
    return Look(weight, slow, settled, painted, max(shifts), axe, overflow, there)


def a_context(browser: Browser, cookies: list[Any], **how: Any) -> BrowserContext:
    """A context of its own with the session of anyone who looks."""
    context = browser.new_context(**{"viewport": WIDE, "locale": "en-GB", **how})
    context.add_cookies(cookies)
    return context


def slowly(browser: Browser, address: str, cookies: list[Any]) -> tuple[Weight, Slow]:
    """Return the weight of the page and all that it loads, and how it is on a slow phone that never saw the site."""
    with a_context(browser, cookies, viewport=PHONE, has_touch=True) as context:
        page = context.new_page()
        answers: list[Response] = []
        page.on("response", lambda answer: answers.append(answer))  # a list's own method cannot be marked
        page.add_init_script(WATCH)
        tools = context.new_cdp_session(page)
        tools.send("Network.enable")
        tools.send("Network.emulateNetworkConditions", LINE)
        tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        seen = _settle(page, address)
        # Before anything is pressed: what a click loads is not part of the page's weight.
        loaded = list(answers)
        _use(page)
        answered = page.evaluate("() => window.__seen.input")
        weight = _weighed(loaded, urlsplit(address).netloc)
    return weight, Slow(seen["painted"], seen["shift"], answered, seen["table"], seen["ready"])


def _weighed(answers: list[Response], host: str) -> Weight:
    weight = Weight()
    # By address: a page and a frame in it load a file once.
    for answer in {answer.url: answer for answer in answers}.values():
        kind = answer.request.resource_type
        if urlsplit(answer.url).netloc not in (host, ""):
            weight.other_hosts.add(urlsplit(answer.url).netloc)
        # A page in a frame is not the page's own HTML; what it loads is part of its weight.
        if kind not in ("document", "stylesheet", "script") or not answer.ok or _is_framed(answer):
            continue
        body = answer.body()
        if kind == "document":
            weight.html, weight.html_gz = len(body), len(gzip.compress(body))
            weight.inline = len(INLINE.findall(body.decode("utf-8", "replace")))
        elif kind == "stylesheet":
            weight.css += len(body)
            weight.viewer_css += len(body) if VIEWER in answer.url else 0
        else:
            weight.script += len(body)
            weight.viewer += len(body) if VIEWER in answer.url else 0
            weight.script_gz += len(gzip.compress(body))
    return weight


def _is_framed(answer: Response) -> bool:
    """Return whether an answer is the document of a frame within the page."""
    return answer.request.resource_type == "document" and answer.frame.parent_frame is not None


def _use(page: Page) -> None:
    """Do what everybody does on every page: go on to the next link, ask for the keys, open what can be opened, step
    on.
    """
    for key in ("Tab", "?", "Escape"):
        page.keyboard.press(key)
        page.evaluate(ANSWERED)
    # On a link of the page's head, where Tab went, the arrows are the browser's own and step no replay.
    page.evaluate("() => document.querySelector('hanami-replay')?.focus()")
    for _step in range(3):
        page.keyboard.press("ArrowRight")
        page.evaluate(ANSWERED)
    closed = page.locator("main details:not([open]) > summary").first
    if closed.count() and closed.is_visible():
        closed.click()
        page.evaluate(ANSWERED)


def warm(page: Page, address: str, visits: int) -> tuple[float, float, list[float]]:
    """Settled and painted with everything in the cache (median), and how far things jumped at each visit."""
    settled, painted, shifts = [], [], []
    for visit in range(visits + 1):
        seen = _settle(page, address)
        # The first visit fills the cache.
        if visit:
            settled.append(seen["last"])
            painted.append(seen["painted"])
        shifts.append(seen["shift"])
    return median(settled), median(painted), shifts


def looks(page: Page) -> tuple[int, int]:
    """Nodes that break a rule of axe, light and dark, wide and at 360; how far something scrolls sideways there."""
    from tests.browser.looking import axe_violations

    found, overflow = 0, 0
    for size, scheme in LOOKS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.evaluate(ANSWERED)
        found += len(axe_violations(page))
        overflow = int(page.evaluate(OVERFLOW)) if size == PHONE else 0
    return found, overflow


def _without_script(browser: Browser, address: str, cookies: list[Any]) -> set[str]:
    """The words of the page where no script runs."""
    with a_context(browser, cookies, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(address, wait_until="load")
        return set(page.locator("main").first.inner_text().split())


def _settle(page: Page, address: str) -> dict[str, float]:
    page.goto(address, wait_until="load")
    page.wait_for_function(STILL, polling=50, timeout=30_000)
    seen: dict[str, float] = page.evaluate("() => ({...window.__seen})")
    return seen
