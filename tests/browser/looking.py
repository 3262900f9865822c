"""Checks of the browser tests: accessibility, sideways scroll, errors in the console, other hosts."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from django.test import Client
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

from accounts.models import User

AXE: Final = Path(__file__).parent / "vendor" / "axe.min.js"
FADED: Final = """() => Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition)
  .map((one) => one.finished.catch(() => null))).then(() => null)"""
"""Waits until no transition of a style runs any more."""
SIDEWAYS: Final = """() => {
  const wide = [];
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) wide.push(`page by ${page.scrollWidth - page.clientWidth}`);
  for (const each of document.querySelectorAll("body *")) {
    // A bracket or a crosstable is wider than a phone by its nature: its box says so, and is scrolled with a finger.
    const scrolls = !each.matches("[data-sideways]") && ["auto", "scroll"].includes(getComputedStyle(each).overflowX);
    if (scrolls && each.checkVisibility() && each.scrollWidth > each.clientWidth + 1) wide.push(each.className);
  }
  return wide;
}"""

LONGER: Final = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    if (text.parentElement.closest("svg, code, pre, textarea, .hash, .letters, kbd, script, option")) continue;
    text.data = text.data.replace(/\\p{L}{2,}/gu, (word) => {
      const more = Math.ceil(word.length * 0.4);
      return word.slice(0, -1) + word.slice(-1 - more, -1).padEnd(more, "e") + word.slice(-1);
    });
  }
}"""
"""Every word four tenths longer, as another language may have it."""
CLIPPED: Final = """() => {
  const cut = [];
  const heading = document.querySelector("h1")?.innerText.replace(/\\s+/g, " ").trim();
  for (const each of document.querySelectorAll("body *")) {
    // The bar of a phone repeats the heading as far as it has room; a hash has no words, and a button copies it whole.
    const repeats = each.matches(".here") && heading?.startsWith(each.innerText.trim());
    if (repeats || each.matches(".vf-hash .hash")) continue;
    const style = getComputedStyle(each);
    const hides = [style.overflowX, style.overflowY].some((way) => ["hidden", "clip"].includes(way));
    if (!hides || !each.checkVisibility() || style.clipPath !== "none" || each.closest("svg")) continue;
    const over = each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1;
    if (over && each.innerText) cut.push(`${each.tagName}.${each.className}: ${each.innerText.slice(0, 40)}`);
  }
  return cut;
}"""
"""Boxes that hide a part of their text; what is for screen readers alone is none."""


def log_in(context: BrowserContext, site: str, user: User) -> None:
    """Give the browser a session of `user`."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])


def axe_violations(page: Page, *rules: str) -> list[str]:
    """Return every violation of every rule (or of these), as "rule: targets". The debugger brings axe in: our policy
    lets no page do so.
    """
    # A word that just fades away has too little contrast for a fifth of a second.
    page.evaluate(FADED)
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    chosen = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    options: dict[str, object] = {"resultTypes": ["violations"], **chosen}
    result: dict[str, Any] = page.evaluate("options => axe.run(document, options)", options)
    return [f"{each['id']}: {[node['target'] for node in each['nodes']][:3]}" for each in result["violations"]]


def sideways(page: Page) -> list[str]:
    """Return what is wider than its place; the page itself or a box that scrolls."""
    found: list[str] = page.evaluate(SIDEWAYS)
    return found


def too_long(page: Page) -> list[str]:
    """Return what is wider than its place or cut off once every word is four tenths longer. The page is spoilt
    afterwards.
    """
    page.evaluate(LONGER)
    cut: list[str] = page.evaluate(CLIPPED)
    return sideways(page) + cut


class Trouble:
    """Errors and foreign requests of a page. `allow`: console texts that a test provokes."""

    def __init__(self, site: str) -> None:
        self.host = urlsplit(site).netloc
        self.seen: list[str] = []
        self.allow: tuple[str, ...] = ()

    def watch(self, page: Page) -> None:
        """Listen from now on."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._note(str(error), str(error)))
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            # The text of a failed request does not say which one it was.
            self._note(message.text, f"{message.text} {message.location.get('url', '')}".rstrip())

    def _note(self, text: str, shown: str) -> None:
        # The browser left a transition out because the page was there first: nothing is wrong with the page.
        allowed = (*self.allow, "Transition was aborted because of invalid state", "Transition was skipped")
        if not any(word in text for word in allowed):
            self.seen.append(shown)

    def _request(self, request: Request) -> None:
        if urlsplit(request.url).netloc not in (self.host, ""):
            self.seen.append(f"another host: {request.url}")
