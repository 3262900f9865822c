"""A table in a real browser: the first card is two taps away, and the page is fit for everybody."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from core.replay.proof import prove
from engine.record import record_hash
from tables.actions.opening import TablePlan, open_table, sit_down
from tables.actions.sitters import Sitter
from tables.models import LiveTable
from tables.play.shuffle import of_phrase
from tests.browser.looking import axe_violations, sideways
from tests.services.waiting import wait_until
from tests.tables.browsing import choose_first
from tests.tables.players import again, at_random, folded, guest, play_on

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.thorough]
DONE = 'hanami-verify[data-state="done"]'
OTHER_HASH = """key => {
  const kept = JSON.parse(localStorage.getItem(key));
  kept.hashes[1] = kept.hashes[0];
  localStorage.setItem(key, JSON.stringify(kept));
}"""
LONG_PATH = """() => {
  const path = document.querySelector(".rp-path");
  while (path.children.length < 36) path.append(path.lastElementChild.cloneNode(true));
  const result = document.querySelector(".rp-end");
  return result.scrollWidth - result.clientWidth;
}"""
"""How far the result sticks out of its card beside a deal that took as many discards as can be, in pixels."""
CARDS_AT = """(redrawn) => [...document.querySelectorAll(".rp-table [data-card]")]
  .filter((each) => each.dataset.card && !(redrawn && each.isOld))
  .map((each) => [
    each.dataset.card,
    each.closest(".rp-seat")?.className.match(/\\bs\\d/)?.[0] ?? "field",
    each.closest(".rp-hand") ? "hand" : "open",
  ])"""
"""The cards that a page shows, and where; `redrawn`: only those whose elements are new."""
SIZES = [(1280, 900), (360, 740)]


def fits(page: Page, schemes: tuple[Any, ...] = ("light", "dark")) -> None:
    """Nobody is left out: by their screen, their colours or how they read."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            assert axe_violations(page) == []
        assert sideways(page) == []


def two_at_poka(live_site: str, browser: Browser) -> tuple[Page, Page, LiveTable]:
    """Return the browsers of a guest and of Crane, who sits down second, and their table."""
    one, two = (browser.new_context().new_page() for _each in range(2))
    one.goto(f"{live_site}/play/")
    one.get_by_label("Rules").select_option("poka3")
    one.get_by_label("Against").select_option("people")
    one.get_by_role("button", name="Sit down").click()
    one.wait_for_url(re.compile("/play/[0-9a-f-]{36}/"))
    two.goto(one.url)
    two.get_by_label("Your name at the table").fill("Crane")
    two.get_by_role("button", name="Sit down").click()
    expect(one.locator(".rp-table")).to_be_visible(timeout=20_000)
    return one, two, LiveTable.objects.get()


def test_from_the_lobby_to_the_first_card_in_two_taps(live_site: str, page: Page) -> None:
    page.goto(f"{live_site}/play/")
    fits(page)
    page.get_by_role("button", name=re.compile("^2 players")).click()
    page.wait_for_url(re.compile("/play/[0-9a-f-]{36}/"))
    expect(page.locator(".rp-table")).to_be_visible()
    fits(page)
    table = LiveTable.objects.get()
    if folded(table).question.seat == 0:  # type: ignore[union-attr]
        choose_first(page)
        expect(page.locator(".live-moves li").first).to_contain_text(re.compile("Guest (plays|lays)"))
        wait_until(lambda: again(table).answered >= 1, 20, "the answer to be kept")


def test_two_browsers_see_each_others_moves(live_site: str, browser: Browser) -> None:
    one, two = (browser.new_context().new_page() for _each in range(2))
    one.goto(f"{live_site}/play/")
    one.get_by_label("Against").select_option("people")
    one.get_by_role("button", name="Sit down").click()
    one.wait_for_url(re.compile("/play/[0-9a-f-]{36}/"))
    fits(one)
    two.goto(one.url)
    two.get_by_label("Your name at the table").fill("Crane")
    two.get_by_role("button", name="Sit down").click()
    for page in (one, two):
        expect(page.locator(".rp-table")).to_be_visible(timeout=20_000)
    table = LiveTable.objects.get()
    question = folded(table).question
    assert question is not None
    mover, other = (one, two) if question.seat == 0 else (two, one)
    before = {tuple(each) for each in other.evaluate(CARDS_AT, False)}
    other.evaluate("() => document.querySelectorAll('.rp-table [data-card]').forEach((each) => { each.isOld = true; })")
    expect(mover.locator(".pick").first).to_be_visible()  # asked, with the cards dealt
    choose_first(mover)
    name = re.escape(table.seats.get(index=question.seat).name)
    expect(other.locator(".live-moves li").first).to_contain_text(re.compile(f"{name} (plays|lays)"))
    assert len(before) > 8
    redrawn = {tuple(each) for each in other.evaluate(CARDS_AT, True)}
    assert {tuple(each) for each in other.evaluate(CARDS_AT, False)} != before
    assert not redrawn & before, "cards that stay are not drawn again"
    for page in (one, two):
        page.context.close()


def test_a_second_click_on_sit_down_loses_no_seat(live_site: str, browser: Browser) -> None:
    """Both clicks announce one part in the shuffle; a part that is announced and never shown would end the table."""
    one, two = (browser.new_context().new_page() for _each in range(2))
    one.goto(f"{live_site}/play/")
    one.get_by_label("Against").select_option("people")
    one.get_by_role("button", name="Sit down").dblclick()
    one.wait_for_url(re.compile("/play/[0-9a-f-]{36}/"))
    two.goto(one.url)
    two.get_by_label("Your name at the table").fill("Crane")
    two.get_by_role("button", name="Sit down").dblclick()
    for page in (one, two):
        expect(page.locator(".rp-table")).to_be_visible()
        expect(page.locator("#live-leave")).to_contain_text("you lose the match")
        page.context.close()
    assert LiveTable.objects.get().seats.count() == 2


def test_a_browser_compares_the_record_with_what_it_was_promised(live_site: str, browser: Browser) -> None:
    one, two, table = two_at_poka(live_site, browser)
    assert {seat.drawn_by for seat in table.seats.all()} == {"browser"}
    play_on(table, [Sitter(seat.name, guest=seat.guest) for seat in table.seats.all()], at_random(1))
    for page in (one, two):
        page.goto(f"{live_site}/m/{table.uuid}/verify/")
        expect(page.locator(DONE)).to_be_visible()
        expect(page.locator("hanami-verify li.ok", has_text="Your own random text is in it")).to_have_count(1)
    one.evaluate(OTHER_HASH, f"hanami table {table.uuid}")
    one.reload()
    expect(one.locator('hanami-verify[data-state="bad"] li.bad')).to_contain_text("your browser saw another commitment")
    for page in (one, two):
        page.context.close()


def test_the_result_screen(live_site: str, page: Page) -> None:
    people = [guest("Plum"), guest("Crane")]
    table = open_table(people[0], TablePlan(preset="poka3", seats=2), of_phrase("a"))
    sit_down(table, people[1], of_phrase("b"))
    play_on(table, people, at_random(1))
    page.goto(f"{live_site}/play/{table.uuid}/")
    expect(page.get_by_role("link", name="Watch the replay")).to_be_visible()
    fits(page)
    for width in (1280, 1000, 700, 360):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(LONG_PATH) == 0, width


def test_who_looks_at_a_result_hears_of_a_rematch_without_a_reload(live_site: str, browser: Browser) -> None:
    one, two, table = two_at_poka(live_site, browser)
    play_on(table, [Sitter(seat.name, guest=seat.guest) for seat in table.seats.all()], at_random(1))
    for page in (one, two):
        page.reload()  # the page would show all moves first, one after the other
        expect(page.get_by_role("link", name="Watch the replay")).to_be_visible()
    two.get_by_role("button", name="Rematch").click()
    expect(one.get_by_text("Crane wants a rematch.")).to_be_visible()
    for page in (one, two):
        page.context.close()


def test_the_browser_names_the_seat_whose_nonce_was_changed(live_site: str, page: Page, client: Client) -> None:
    people = [guest("Plum"), guest("Crane")]
    table = open_table(people[0], TablePlan(preset="poka3", seats=2), of_phrase("a"))
    sit_down(table, people[1], of_phrase("b"))
    play_on(table, people, at_random(2))
    document = client.get(f"/m/{table.uuid}/record.json").json()
    page.goto(f"{live_site}/m/{table.uuid}/verify/")
    page.wait_for_selector(DONE)
    expect(page.get_by_text("Every seat helped to shuffle")).to_be_visible()
    assert page.locator("hanami-verify li.bad").count() == 0
    document["record"]["fair"]["nonces"][1]["nonce"] = "0" * 64
    document["hash"] = record_hash(document["record"])
    page.get_by_text("Check another copy").click()
    page.get_by_label("Record (JSON)").fill(json.dumps(document))
    page.get_by_role("button", name="Check in this browser").click()
    found = page.locator("#pasted")
    expect(found.locator("li.bad", has_text="Seat 2: the random text")).to_be_visible()
    assert [check.code for check in prove(document, bytes.fromhex(document["view"]["seed"])) if check.code] == [
        "record.nonce"
    ]
