"""Friends in browsers of their own play a whole match of each game by the link of its table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from bots.jobs.process import Process
from tables.models import LiveSeat
from tests.tables.browsing import choose_first, play_whole, table_of
from tests.tables.test_whole_matches import GAMES, is_over

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


@pytest.fixture
def friends(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[list[Page]]:
    """Pages of browsers that share nothing."""
    contexts = [browser.new_context(**browser_context_args) for _ in range(3)]
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


@pytest.mark.parametrize(("preset", "seats", "rule", "value"), GAMES)
def test_friends_play_a_whole_match_of_each_game_by_link(
    friends: list[Page], live_site: str, process: Process, preset: str, seats: str, rule: str, value: str
) -> None:
    host, *guests = pages = friends[: int(seats)]
    host.goto(f"{live_site}/play/?preset={preset}&rules=1")
    host.get_by_label("Players", exact=True).select_option(seats)
    host.get_by_label("Against").select_option("people")
    if rule:
        host.locator(f'[name="option_{rule}"]').fill(value)
    host.get_by_role("button", name="Sit down").click()
    table = table_of(host)
    link = host.get_by_role("link", name=re.compile("^http")).inner_text()
    for guest in guests:
        guest.goto(link)
        guest.get_by_role("button", name="Sit down").click()
    for page in pages:
        expect(page.locator(".rp-table")).to_be_visible()
    play_whole(dict(enumerate(pages)), table, process, choose_first)
    assert set(table.seats.values_list("kind", flat=True)) == {LiveSeat.Kind.PERSON}
    for page in pages:
        is_over(page, table)
        expect(page.locator(".rp-end.match")).to_be_visible()
