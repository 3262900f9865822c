"""The sheet of results is not waited for: it comes after the replay, is there when a result is, and may fail."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from playwright.sync_api import Page, Route, expect

from tests.builders.matches_on_show import a_finished_match
from tests.builders.replays import opened, replay_of
from tournaments.models import Match

LATER = re.compile(r'<link rel="stylesheet" href="[^"]*table/ending[^"]*\.css"\s*(media="print" data-later)?>')
PAPER = "rgb(251, 243, 224)"


def is_later(match: Match, query: str = "") -> bool:
    found = LATER.search(Client().get(f"/m/{match.uuid}/{query}").content.decode())
    assert found is not None
    return found[1] is not None


@pytest.mark.django_db
def test_only_a_page_that_begins_with_a_result_waits_for_how_it_looks() -> None:
    match = a_finished_match(seats=2, rounds=2)
    last = len(replay_of(match).deals[0].moves)
    assert is_later(match)
    assert is_later(match, "embed/")
    assert is_later(match, f"?d=1&m={last - 1}")
    assert not is_later(match, f"?d=1&m={last}")
    assert not is_later(match, f"embed/?d=1&m={last}")


def test_a_result_has_its_look_when_one_comes_to_it(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=2, rounds=1)
    opened(page, live_site, match)
    page.keyboard.press("End")
    expect(page.locator(".rp-end")).to_have_css("background-color", PAPER)


def test_a_replay_does_without_the_look_of_results(live_site: str, page: Page) -> None:
    """Also if the address asks for a result, which waits until the sheet is known to be missing."""
    match = a_finished_match(seats=2, rounds=1)
    held: list[Route] = []
    page.route(re.compile(r"/table/ending[^/]*\.css"), lambda route: held.append(route))
    place = f"#d1m{len(replay_of(match).deals[0].moves)}"
    page.goto(f"{live_site}/m/{match.uuid}/{place}", wait_until="commit")
    page.wait_for_selector("link[data-later][media=all]", state="attached")
    assert page.locator(".rp-end").count() == 0
    held[0].abort()
    expect(page.locator(".rp-end h4")).to_be_visible()
    assert page.locator(".rp-end").evaluate("each => getComputedStyle(each).backgroundColor") != PAPER
