"""Journeys 24 and 25 in a browser: a leaderboard in Japanese, and tokens made on a page that programs use."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.pipeline.clubs import a_called_night, tables_of
from tests.site.leagues import League
from tests.site.looking import axe_violations
from tests.site.matches_on_show import a_finished_match
from tournaments.jobs import rating_pools
from tournaments.models import ResultReport

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(120), pytest.mark.slow]
Visit = Callable[..., Page]
FIGURE = re.compile(r"\d+(?:[.,]\d+)?")


def a_token(page: Page, site: str, *scopes: str) -> str:
    """Made on the page of tokens, where it is shown once."""
    page.goto(f"{site}/me/tokens/")
    page.get_by_label("What it is for").fill(f"For {' '.join(scopes)}")
    for box in page.get_by_role("checkbox").all():
        box.set_checked(box.get_attribute("value") in scopes)
    page.get_by_role("button", name="Make it").click()
    return page.locator("#key").inner_text()


def test_journey_25_a_token_reports_if_its_scope_says_so_and_once_however_often(
    visit: Visit, live_site: str, browser: Browser
) -> None:
    event = a_called_night(people=4)
    match = tables_of(event)[0]
    page = visit("/me/tokens/", as_=event.created_by)
    reader, reporter = a_token(page, live_site, "read"), a_token(page, live_site, "report:write")
    assert axe_violations(page) == []
    program = browser.new_context().request
    place = f"{live_site}/api/v1/tables/{match.uuid}/reports"
    cards = {"totals": [145, 95], "yaku": [[["I"], []]]}

    def report(token: str, **more: str) -> Any:
        return program.post(place, data=cards, headers={"Authorization": f"Bearer {token}", **more})

    refused = report(reader, **{"Idempotency-Key": "k1"})
    assert (refused.status, refused.json()["code"]) == (403, "auth.scope_missing")
    assert not ResultReport.objects.exists()
    first, again = (report(reporter, **{"Idempotency-Key": "k2"}) for _sent in range(2))
    assert (first.status, first.json()) == (201, again.json())
    assert [each.body["score"] for each in ResultReport.objects.all()] == [[145, 45]]


def figures(page: Page, path: str) -> list[str]:
    """Every number of the leaderboard as it is written, whatever stands for the decimal point."""
    page.goto(path)
    return [each.replace(",", ".") for each in FIGURE.findall(page.locator("#board table tbody").inner_text())]


def test_journey_24_the_leaderboard_in_japanese_has_the_same_figures_and_a_replay_says_pine(
    browser: Browser, live_league: League, live_site: str
) -> None:
    rating_pools.fold_stale()
    path = f"{live_site}/ladder/hawaii/"
    english, japanese = browser.new_page(locale="en-GB"), browser.new_page(locale="ja")
    shown = figures(english, path)
    assert shown == figures(japanese, path) != []
    expect(japanese.locator("html")).to_have_attribute("lang", "ja")
    expect(japanese.get_by_role("heading", level=1)).to_be_visible()
    assert axe_violations(japanese) == []
    match = a_finished_match(seats=2, rounds=1)
    for page, word in ((english, "Pine"), (japanese, "松")):
        page.goto(f"{live_site}/m/{match.uuid}/")
        expect(page.locator("main")).to_contain_text(word)
    assert axe_violations(japanese) == []
    english.close()
    japanese.close()
