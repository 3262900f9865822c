"""A live page that has lost its connection, and letter keys that somebody does not want, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.slow, pytest.mark.timeout(90)]


def test_a_page_without_a_connection_says_so_and_tries_again(
    page: Page, live_site: str, transactional_db: None
) -> None:
    page.clock.install()
    page.route("**/events/**", lambda route: route.abort())
    page.goto(f"{live_site}/queue/")
    bar, retry = page.locator(".livebar"), page.get_by_role("button", name="Retry now")
    expect(bar).to_contain_text("Updating every 20 seconds", timeout=20_000)
    expect(retry).to_be_hidden()
    page.route(re.compile("/queue/$"), lambda route: route.abort())
    page.clock.fast_forward(21_000)
    expect(bar).to_contain_text("No connection")
    expect(page.get_by_role("heading", name="Workers")).to_be_visible()
    page.unroute_all()
    retry.click()
    expect(bar).to_contain_text("Live, updated")
    expect(retry).to_be_hidden()


def test_a_page_whose_connection_comes_back_listens_again_by_itself(
    page: Page, live_site: str, transactional_db: None
) -> None:
    page.clock.install()
    page.route("**/events/**", lambda route: route.abort())
    page.goto(f"{live_site}/queue/")
    bar = page.locator(".livebar")
    expect(bar).to_contain_text("Updating every 20 seconds", timeout=20_000)
    page.route(re.compile("/queue/$"), lambda route: route.abort())
    page.clock.fast_forward(21_000)
    expect(bar).to_contain_text("No connection")
    page.unroute_all()
    page.clock.fast_forward(21_000)
    expect(bar).to_contain_text("Live, updated")


def test_a_visitor_switches_the_letter_keys_off_and_on_again(
    page: Page, live_site: str, transactional_db: None
) -> None:
    page.goto(f"{live_site}/b/")
    help_ = page.locator("#keys")
    page.keyboard.press("?")
    expect(help_).to_be_visible()
    page.get_by_role("button", name="Switch the letter keys off").click()
    page.get_by_role("button", name="Close").click()
    for _twice in range(2):
        page.keyboard.press("/")
        expect(page.locator("[data-search-all]")).not_to_be_focused()
        page.keyboard.press("?")
        expect(help_).to_be_hidden()
        page.reload()
    page.get_by_role("button", name="Keyboard").click()
    page.get_by_role("button", name="Switch the letter keys on").click()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("/")
    expect(page.locator("[data-search-all]")).to_be_focused()
