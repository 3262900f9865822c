"""A bid and a slow bot in a real browser: by finger, by keys, and without a connection."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from tables.models import Answer, LiveTable
from tables.pages.looking import SLOW_AFTER
from tests.browser.looking import axe_violations, sideways
from tests.tables.browsing import a_house, waits_for_turn
from tests.tables.over_http import session_of
from tests.tables.players import a_table, again, folded, guest
from tests.tables.test_live_page import OUT_OF_SIGHT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.thorough]
TOPS = """() => [...document.querySelectorAll(".live-amount + .live-amount button")]
  .map((each) => each.getBoundingClientRect().top)"""
SIDES = """() => Math.min(...[...document.querySelectorAll(".live-choices :is(button, select)")].flatMap((each) => {
  const { width, height } = each.getBoundingClientRect();
  return [width, height];
}))"""
"""The shorter side of the smallest target of a choice."""
COVERED = """() => {
  const choices = document.querySelector(".live-choices").getBoundingClientRect();
  return [...document.querySelectorAll(".rp-me .rp-hand .hc")].filter(
    (card) => card.getBoundingClientRect().bottom > choices.top + 1).length;
}"""
"""Cards of the hand that the choices lie upon, or stand above."""


@pytest.fixture
def bidding(live_site: str, page: Page) -> LiveTable:
    """A table of Oi-bana, shown to who bids first."""
    table, people = a_table("oibana", [guest("Plum"), guest("Crane"), guest("Moon")])
    question = folded(table).question
    assert question is not None
    session = session_of(people[question.seat])
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site}])
    page.goto(f"{live_site}/play/{table.uuid}/")
    waits_for_turn(page)
    return table


def bid_of(table: LiveTable) -> list[int]:
    """The bids that the table has, as numbers: the lowest is 1, and its index 0."""
    return [1 + (index or 0) for index in Answer.objects.filter(table=table).values_list("index", flat=True)]


def is_bid(page: Page, table: LiveTable, number: int) -> None:
    expect(page.locator("form[data-choices]")).to_have_count(0)
    assert bid_of(table) == [number]


def test_a_phone_shows_the_hand_and_what_may_be_bid(page: Page, bidding: LiveTable) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe_violations(page) == []
    assert sideways(page) == []
    assert page.evaluate(OUT_OF_SIGHT) == []
    assert page.evaluate(COVERED) == 0
    assert page.evaluate(SIDES) >= 44
    field = page.get_by_label("Number", exact=True)
    assert len(set(page.evaluate(TOPS))) == 1, "all of a row stand level"
    field.select_option("37")
    page.get_by_role("button", name="Bid", exact=True).dblclick()
    is_bid(page, bidding, 37)


def test_the_choices_of_a_row_stand_level(page: Page, bidding: LiveTable) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    assert len(set(page.evaluate(TOPS))) == 1
    page.get_by_role("button", name="Bid 20", exact=True).click()
    is_bid(page, bidding, 20)


def test_a_bid_by_keys_alone(page: Page, bidding: LiveTable) -> None:
    """A digit is the number that one thinks of, not the place of a button."""
    page.keyboard.press("4")
    page.keyboard.press("2")
    expect(page.get_by_label("Number", exact=True)).to_be_focused()
    assert Answer.objects.filter(table=bidding).count() == 0
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    is_bid(page, bidding, 42)


def test_a_bid_without_a_connection_is_kept_and_sent_once(page: Page, bidding: LiveTable) -> None:
    page.get_by_label("Number", exact=True).select_option("99")
    page.context.set_offline(True)
    page.get_by_role("button", name="Bid", exact=True).click()
    expect(page.locator("#live-net")).to_contain_text("Your move is kept")
    page.context.set_offline(False)
    expect(page.locator("#live-net")).to_be_hidden()
    is_bid(page, bidding, 99)


def test_the_buttons_and_the_field_work_without_a_script(live_site: str, browser: Browser) -> None:
    table, people = a_table("oibana", [guest("Plum"), guest("Crane"), guest("Moon")])
    for name, number in (("Bid", 63), ("Bid 10", 10)):
        question = folded(again(table)).question
        assert question is not None
        context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
        session = session_of(people[question.seat])
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_site}])
        page = context.new_page()
        page.goto(f"{live_site}/play/{table.uuid}/")
        page.get_by_label("Number", exact=True).select_option("63")
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("form[data-choices]")).to_have_count(0)
        assert bid_of(table)[-1] == number
        context.close()


def test_a_bot_that_does_not_answer_is_said_to_be_slow_in_time(live_site: str, page: Page) -> None:
    a_house()
    page.goto(f"{live_site}/play/")
    page.get_by_label("Players", exact=True).select_option("2")
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".rp-table")).to_be_visible()
    table = LiveTable.objects.get()
    while again(table).bot_asked_at is None:
        waits_for_turn(page)
        with page.expect_response("**/do/answer/**"):
            page.keyboard.press("1")
            if page.locator(".pick.chosen").count():
                page.keyboard.press("Enter")
    LiveTable.objects.update(asked_at=timezone.now() - SLOW_AFTER + timedelta(seconds=3))
    page.reload()
    told = page.locator("#live-told")
    expect(told).to_have_text("House (medium) is to move.")
    expect(told).to_have_text(
        "House (medium) is slow to answer. The table waits for it; you may leave the table below."
    )
    expect(page.get_by_text("Leave the table", exact=True)).to_be_visible()
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert told.evaluate("told => told.scrollHeight <= told.clientHeight + 1"), width
    assert axe_violations(page) == []
