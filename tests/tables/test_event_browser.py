"""A round of an event in four browsers: found by name, played at its table, and ranked."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from bots.jobs.process import Process
from tables.models import LiveTable
from tests.builders.clubs import a_called_night, person, tables_of
from tests.tables.browsing import choose_first, play_whole
from tests.tables.test_browser import fits
from tournaments.entries.links import link_for, link_token
from tournaments.models import Standing, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.timeout(300)]
NAMES = ("Aiko", "Ben", "Chiyo", "Dai")


def at_the_table(browser: Browser, site: str, event: Tournament, name: str) -> Page:
    """A browser with somebody's private link, which has found its table by the name and sits there."""
    page = browser.new_context().new_page()
    page.goto(f"{site}/e/{link_token(link_for(entry=person(event, name)))}/")
    page.goto(f"{site}/t/{event.slug}/")
    page.get_by_label("My name, or a part of it").fill(name)
    page.get_by_role("button", name="Find me").click()
    page.get_by_role("link", name="To the table").click()
    page.wait_for_url(re.compile("/play/[0-9a-f-]{36}/"))
    page.get_by_role("button", name="Sit down").click()
    return page


def test_a_round_of_four_from_find_me_to_standings(live_site: str, browser: Browser, process: Process) -> None:
    rules: dict[str, Any] = {"preset": "hawaii", "seats": 4, "kind": "tables", "options": {"rounds": 1}}
    event = a_called_night(people=4, rounds=1, where="site", round_minutes=60, **rules)
    (match,) = tables_of(event)
    pages = {name: at_the_table(browser, live_site, event, name) for name in NAMES[:3]}
    expect(pages["Aiko"].get_by_text("Still expected: Dai.")).to_be_visible()
    fits(pages["Aiko"])
    pages["Dai"] = at_the_table(browser, live_site, event, "Dai")
    table = LiveTable.objects.get(uuid=match.uuid)
    for page in pages.values():
        expect(page.locator(".rp-table")).to_be_visible(timeout=20_000)
    fits(pages["Ben"])
    seats = {seat.index: pages[seat.name] for seat in table.seats.all()}
    play_whole(seats, table, process, choose_first)
    expect(pages["Chiyo"].locator(".live-result").get_by_role("link", name="Standings")).to_be_visible(timeout=20_000)
    fits(pages["Chiyo"])
    pages["Chiyo"].locator(".live-result").get_by_role("link", name="Standings").click()
    expect(pages["Chiyo"].get_by_role("row", name=re.compile("Aiko")).first).to_be_visible()
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert Standing.objects.filter(stage=match.stage, after_round=0).count() == 4
    for page in pages.values():
        page.context.close()
