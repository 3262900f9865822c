"""A step on a phone costs what it changes: cards that stay are kept, and the rest of the page is not styled again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.builders.matches_on_show import a_finished_match
from tests.builders.replays import at, opened

pytestmark = pytest.mark.slow
CARDS = "() => [...document.querySelectorAll('.rp-table [data-card]')].map((each) => each.dataset.card)"
MARK = "() => document.querySelectorAll('.rp-table [data-card]').forEach((each) => { each.isOld = true; })"
OLD = CARDS.replace(")]", ")].filter((each) => each.isOld)")


@pytest.mark.parametrize("seats", [2, 4, 7])
def test_a_card_that_stays_is_the_same_element(live_site: str, page: Page, seats: int) -> None:
    opened(page, live_site, a_finished_match(seats=seats, rounds=1), "#d1m3")
    before = set(page.evaluate(CARDS))
    page.evaluate(MARK)
    page.keyboard.press("ArrowRight")
    assert at(page) == "#d1m4"
    here = set(page.evaluate(CARDS))
    assert len(here - set(page.evaluate(OLD))) <= 4, "played, taken, turned up, taken"
    assert len(before - here) <= 1


def styled(browser: Browser, page: Page, act: str, *, timeout_ms: int = 5_000) -> int:
    """Return how many elements the browser styles for a key, those of the pictures of cards among them."""
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    place = at(page)
    page.keyboard.press(act)
    page.wait_for_function("place => location.hash !== place", arg=place, timeout=timeout_ms)
    expect(page.locator(".rp-flier")).to_have_count(0)
    events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    counts = [each.get("args", {}).get("elementCount", 0) for each in events if each["name"] == "UpdateLayoutTree"]
    return sum(counts)


@pytest.mark.parametrize(("seats", "width"), [(2, 360), (2, 1280), (4, 360), (4, 1280), (6, 360), (6, 1280)])
def test_a_step_styles_little_more_than_it_changes(live_site: str, browser: Browser, seats: int, width: int) -> None:
    """A selector that asks every ancestor for what it contains has the whole page styled again, three times a step."""
    context = browser.new_context(viewport={"width": width, "height": 800}, reduced_motion="no-preference")
    page = opened(context.new_page(), live_site, a_finished_match(seats=seats, rounds=2), "#d1m4")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".rp-flier")).to_have_count(0)
    assert styled(browser, page, "ArrowRight") < 4_000, "of about as many; 28,000 were styled once"
    context.close()
