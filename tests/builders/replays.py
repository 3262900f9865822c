"""The replay of a match in the browser tests: as the page must show it, and where the page is."""

from __future__ import annotations

import json

from playwright.sync_api import Browser, Page

from bots.models import Blob
from core.replay.book import book
from core.replay.document import Replay, read
from tournaments.models import Match, ResultReport

READY = 'hanami-replay[data-state="ready"]'
ENGLISH = book("en", str)


def replay_of(match: Match) -> Replay:
    """Return the match as the page must show it."""
    report = ResultReport.objects.select_related("record").get(match=match)
    assert isinstance(report.record, Blob)
    document = json.loads(report.record.data())
    document["view"]["names"] = [seat.entry.player.name for seat in match.seats.order_by("index") if seat.entry]
    return read(document)


def opened(page: Page, site: str, match: Match, place: str = "") -> Page:
    """Return the match page, taken over by the script."""
    page.goto(f"{site}/m/{match.uuid}/{place}")
    page.wait_for_selector(READY)
    return page


def words(page: Page) -> str:
    return page.locator('[data-rp="words"]').inner_text()


def at(page: Page) -> str:
    return str(page.evaluate("location.hash"))


def without_script(browser: Browser) -> Page:
    return browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 800}).new_page()
