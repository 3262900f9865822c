"""A table in the browser: two taps to the first card, whole matches by hand, by keyboard and by link."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from bots.jobs.process import Process
from tables.models import Answer
from tests.browser.looking import axe_violations, sideways
from tests.tables.browsing import (
    a_house,
    asked,
    choose_by_keys,
    choose_first,
    is_done_with,
    let_bots_answer,
    play_whole,
    table_of,
    waits_for_turn,
)
from tests.tables.players import again

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
ONE_WAY = """form => {
  const cards = [...form.querySelectorAll("button[name=a]")].map((each) => each.dataset.card);
  return cards.find((card) => cards.filter((each) => each === card).length === 1);
}"""
COUNT_FLIERS = """() => {
  window.fliers = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) window.fliers += node.className === "rp-flier";
  }).observe(document.getElementById("live-table"), { subtree: true, childList: true });
}"""
OUT_OF_SIGHT = """() => {
  const { innerWidth, innerHeight } = window;
  return [...document.querySelectorAll(".rp-field, .rp-me .rp-hand .hc, .live-choices")].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.top < 0 || box.left < 0 || box.bottom > innerHeight + 1 || box.right > innerWidth + 1;
  }).map((each) => `${each.className.baseVal ?? each.className} ${each.getBoundingClientRect().bottom}`);
}"""
SMALL = """() => [...document.querySelectorAll(".pick, .aim, .live-choices button, .live-tools button")]
  .filter((each) => each.checkVisibility())
  .map((each) => [each.dataset.card ?? each.textContent, each.getBoundingClientRect()])
  .filter(([, box]) => Math.min(box.width, box.height) < 44).map(([name]) => name)"""


@pytest.fixture
def another(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    """A page of a second browser."""
    context = browser.new_context(**browser_context_args)
    yield context.new_page()
    context.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """A small phone."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, reduced_motion="reduce")
    yield context
    context.close()


def look(page: Page, name: str) -> list[str]:
    """Return what is wrong with a page in either scheme; LOOKS names a folder for pictures."""
    wrong: list[str] = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        wrong += [f"{name} {scheme}: {each}" for each in axe_violations(page) + sideways(page)]
        if folder := os.environ.get("LOOKS"):
            page.screenshot(path=f"{folder}/{name}-{scheme}.png")
    return wrong


def sits_down(page: Page, site: str, preset: str = "koikoi_nintendo", seats: str = "2") -> None:
    """Open a table against the house from the form of the lobby."""
    page.goto(f"{site}/play/")
    page.get_by_label("Rules").select_option(preset)
    page.get_by_label("Players", exact=True).select_option(seats)
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".rp-table")).to_be_visible()


def plays_one_way(page: Page) -> str:
    """Play a card that has one way: it counts with one tap. Returns the number of the question."""
    n = asked(page)
    page.locator(f'.rp-me [data-card="{page.locator(".live-choices").evaluate(ONE_WAY)}"]').click()
    return n


def test_a_stranger_plays_the_first_card_with_two_taps(page: Page, live_site: str, process: Process) -> None:
    a_house()
    page.goto(f"{live_site}/play/")
    page.get_by_role("button", name="2 players").click()
    table = table_of(page)
    expect(page.locator(".rp-table")).to_be_visible()
    assert again(table).seats.get(index=0).drawn_by == "browser"
    let_bots_answer(table, process)
    waits_for_turn(page)
    assert look(page, "turn") == []
    before = again(table).answered
    is_done_with(page, plays_one_way(page))
    assert again(table).answered > before
    assert look(page, "waiting") == []


def test_the_deal_is_ready_before_its_page_is_asked_for(page: Page, live_site: str, process: Process) -> None:
    a_house()
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(f"{request.method} {request.url.removeprefix(live_site)}"))
    page.goto(f"{live_site}/play/")
    page.get_by_role("button", name="3 players").click()
    table = table_of(page)
    expect(page.locator(".rp-table")).to_be_visible()
    address = f"/play/{table.uuid}/"
    wanted = ["POST /play/open/", f"POST {address}do/nonce/", f"GET {address}"]
    assert [each for each in asked_for if each in wanted] == wanted
    assert again(table).seats.get(index=0).drawn_by == "browser"


@pytest.mark.parametrize("broken", ["**/play/open/", "**/do/nonce/"])
def test_a_line_that_breaks_while_one_sits_down_is_no_hindrance(
    page: Page, live_site: str, process: Process, broken: str
) -> None:
    """What the script cannot do, the form or the page of the table does."""
    a_house()
    page.goto(f"{live_site}/play/")
    page.route(broken, lambda route: route.abort(), times=1)
    page.get_by_role("button", name="2 players").click()
    table = table_of(page)
    expect(page.locator(".rp-table")).to_be_visible()
    assert again(table).seats.get(index=0).drawn_by == "browser"


def test_a_whole_match_with_keys_alone(page: Page, live_site: str, process: Process) -> None:
    a_house()
    sits_down(page, live_site, "koikoi_zoo")
    table = table_of(page)
    play_whole({0: page}, table, process, choose_by_keys)
    assert again(table).state == "finished"
    expect(page.locator(".rp-end.match")).to_be_visible()
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    expect(page.get_by_role("link", name="Watch the replay")).to_be_visible()
    assert look(page, "over") == []


def test_two_browsers_play_by_link(page: Page, another: Page, live_site: str, process: Process) -> None:
    page.goto(f"{live_site}/play/")
    page.get_by_label("Rules").select_option("koikoi_zoo")
    page.get_by_label("Against").select_option("people")
    page.get_by_role("button", name="Sit down").click()
    table = table_of(page)
    assert look(page, "open") == []
    another.goto(page.get_by_role("link", name=re.compile("^http")).inner_text())
    another.get_by_role("button", name="Sit down").click()
    for each in (page, another):
        expect(each.locator(".rp-table")).to_be_visible()
    play_whole({0: page, 1: another}, table, process, choose_first)
    for each in (page, another):
        expect(each.locator(".rp-end.match")).to_be_visible()
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: str(table.uuid) not in url)
    another.get_by_role("button", name="Rematch").click()
    for each in (page, another):
        expect(each.locator(".rp-table")).to_be_visible()


def test_a_choice_between_cards_is_two_taps_and_can_be_taken_back(page: Page, live_site: str, process: Process) -> None:
    a_house()
    sits_down(page, live_site)
    table = table_of(page)
    let_bots_answer(table, process)
    waits_for_turn(page)
    page.get_by_role("button", name="Confirm each card").click()
    before = again(table).answered
    plays_one_way(page)
    expect(page.locator(".pick.chosen")).to_have_count(1)
    expect(page.locator(".live-choices button.on")).to_have_count(1)
    assert look(page, "chosen") == []
    page.keyboard.press("Escape")
    expect(page.locator(".pick.chosen")).to_have_count(0)
    assert again(table).answered == before
    plays_one_way(page)
    with page.expect_response("**/do/answer/**"):
        page.locator(".live-choices button.on").click()
    assert again(table).answered > before


def test_an_answer_without_a_connection_is_kept_and_sent_once(page: Page, live_site: str, process: Process) -> None:
    a_house()
    sits_down(page, live_site)
    table = table_of(page)
    let_bots_answer(table, process)
    waits_for_turn(page)
    before, own = again(table).answered, Answer.objects.filter(table=table, seat=0).count()
    page.context.set_offline(True)
    n = plays_one_way(page)
    expect(page.locator("#live-net")).to_contain_text("Your move is kept")
    assert again(table).answered == before
    page.context.set_offline(False)
    expect(page.locator("#live-net")).to_be_hidden()
    is_done_with(page, n)
    assert Answer.objects.filter(table=table, seat=0).count() == own + 1


def test_an_answer_whose_receipt_is_lost_counts_once(page: Page, live_site: str, process: Process) -> None:
    a_house()
    sits_down(page, live_site)
    table = table_of(page)
    let_bots_answer(table, process)
    waits_for_turn(page)
    before = Answer.objects.filter(table=table, seat=0).count()
    tries: list[str] = []

    def lose_the_first(route: Route) -> None:
        tries.append(str(route.request.post_data))
        if len(tries) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/do/answer/**", lose_the_first)
    is_done_with(page, plays_one_way(page))
    assert Answer.objects.filter(table=table, seat=0).count() == before + 1


@pytest.mark.parametrize("seats", ["2", "4"])
def test_a_small_phone_shows_field_hand_and_choices(
    phone: BrowserContext, live_site: str, process: Process, seats: str
) -> None:
    a_house()
    page = phone.new_page()
    sits_down(page, live_site, "hawaii", seats)
    table = table_of(page)
    let_bots_answer(table, process)
    waits_for_turn(page)
    assert look(page, f"phone{seats}") == []
    assert page.evaluate(OUT_OF_SIGHT) == []
    assert page.evaluate(SMALL) == []
    expect(page.locator(".nav")).to_be_hidden()


@pytest.mark.parametrize(("motion", "flies"), [("reduce", False), ("no-preference", True)])
def test_cards_fly_only_where_motion_is_welcome(
    page: Page, live_site: str, process: Process, motion: Any, flies: bool
) -> None:
    a_house()
    page.emulate_media(reduced_motion=motion)
    sits_down(page, live_site)
    table = table_of(page)
    let_bots_answer(table, process)
    waits_for_turn(page)
    page.evaluate(COUNT_FLIERS)
    is_done_with(page, plays_one_way(page))
    assert (page.evaluate("window.fliers") > 0) is flies
