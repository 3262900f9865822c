"""Lists that are narrowed where they stand, in a real browser; without script the form's button does it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.builders import events as a

pytestmark = pytest.mark.timeout(90)


def two_events() -> None:
    """An event of bots and one of people."""
    a.an_open_event(name="Bots of spring")
    a.an_open_event(name="People of spring", who="people")


@pytest.mark.slow
def test_a_choice_is_shown_at_once_at_its_own_address_and_back_goes_back(
    page: Page, live_site: str, transactional_db: None
) -> None:
    two_events()
    loads = []
    page.on("load", lambda loaded: loads.append(loaded.url))
    page.goto(f"{live_site}/t/")
    rows, who = page.locator("ul.soon > li"), page.get_by_label("Who plays")
    expect(rows).to_have_count(2)
    page.locator("summary", has_text="More filters").click()
    who.focus()
    who.select_option("bots")
    expect(rows).to_have_count(1)
    expect(page).to_have_url(re.compile(r"/t/\?who=bots$"))
    expect(who).to_be_focused()
    expect(page.locator("body > [role=status].sr")).to_have_text("1 tournament")
    page.get_by_label("Name").fill("nothing so called")
    page.keyboard.press("Enter")
    expect(page.locator(".empty")).to_contain_text("No tournament found.")
    expect(page).to_have_url(re.compile(r"/t/\?q=nothing\+so\+called&who=bots$"))
    page.go_back()
    expect(rows).to_have_count(1)
    expect(page.get_by_label("Name")).to_have_value("")
    page.go_back()
    expect(rows).to_have_count(2)
    expect(who).to_have_value("")
    assert loads == [f"{live_site}/t/"], "the page was loaded once"


@pytest.mark.slow
def test_a_list_that_is_waited_for_is_bars_and_one_that_cannot_be_had_is_left_to_the_browser(
    page: Page, live_site: str, transactional_db: None
) -> None:
    two_events()
    page.goto(f"{live_site}/t/")
    name, waiting = page.locator("ul.soon > li a").first, list[Route]()
    page.locator("summary", has_text="More filters").click()
    page.route("**/t/?who=bots", lambda route: waiting.append(route), times=1)  # a list's own method cannot be marked
    page.get_by_label("Who plays").select_option("bots")
    expect(page.locator("form.filter")).to_have_attribute("aria-busy", "true")
    expect(name).to_be_hidden()
    waiting[0].abort()
    expect(page.locator("ul.soon > li")).to_have_count(1)
    expect(page.get_by_label("Who plays")).to_have_value("bots")
    expect(page.locator("form.filter")).not_to_have_attribute("aria-busy", "true")
