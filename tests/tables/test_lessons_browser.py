"""Lessons in a real browser: with keys, without a script, on a phone; what is explained is said aloud."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import Browser, Page, expect

from tables.lessons.shelf import LESSONS
from tables.models import LiveTable
from tests.browser.looking import axe_violations, sideways

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.thorough]
SIZES = [(1280, 900), (360, 740)]


def look(page: Page, name: str) -> list[str]:
    """Return what is wrong with a page at either width and in either scheme; LOOKS names a folder for pictures."""
    wrong: list[str] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            wrong += [f"{name} {width} {scheme}: {each}" for each in axe_violations(page) + sideways(page)]
            if folder := os.environ.get("LOOKS"):
                page.screenshot(path=f"{folder}/{name}-{width}-{scheme}.png", full_page=width == 360)
    return wrong


COVERED = """
() => [...document.querySelectorAll(".rp-seat")].flatMap((seat) => {
  const boxes = (part) => [...seat.querySelectorAll(part)].map((each) => each.getBoundingClientRect());
  const plate = [".rp-fig", ".rp-name", ".rp-dealer", ".rp-tag", ".rp-hand .hc"].flatMap(boxes);
  return boxes(".rp-kinds .hc").filter((card) => plate.some((other) => card.left < other.right - 1
    && other.left < card.right - 1 && card.top < other.bottom - 1 && other.top < card.bottom - 1));
}).length
"""
"""How many captured cards lie over a name, a tag, a score or a hand."""


def step_of(page: Page) -> str:
    return page.locator("#lesson-coach h2").inner_text()


def take_a_step(page: Page) -> None:
    """Do what is advised, with keys alone."""
    before = step_of(page)
    advised = page.locator("[data-advised]")
    card, take = advised.get_attribute("data-card"), advised.get_attribute("data-take")
    if card:
        page.locator(f'.rp-me [data-card="{card}"]').focus()
        page.keyboard.press("Enter")
        if page.locator(".pick.chosen").count():
            target = page.locator(f'.rp-places .aim[data-card="{take}"]')
            (target if target.count() else advised).focus()
            page.keyboard.press("Enter")
    else:
        advised.focus()
        page.keyboard.press("Enter")
    expect(page.locator("#lesson-coach h2")).not_to_have_text(before)


@pytest.mark.parametrize("name", LESSONS)
def test_a_whole_lesson_with_keys_alone(live_site: str, page: Page, name: str) -> None:
    page.goto(f"{live_site}/learn/")
    assert look(page, "learn") == []
    page.get_by_role("link", name=str(LESSONS[name].title)).click()
    assert look(page, f"lesson-{name}-first") == []
    page.set_viewport_size({"width": 1280, "height": 900})
    steps = 0
    while page.locator("[data-advised]").count():
        take_a_step(page)
        steps += 1
        if steps == 3 or page.get_by_role("button", name="Koi-koi").count():
            assert look(page, f"lesson-{name}-{steps}") == []
            page.set_viewport_size({"width": 1280, "height": 900})
    assert steps >= 6
    expect(page.locator(".rp-end.match")).to_be_visible()
    assert look(page, f"lesson-{name}-over") == []
    assert not LiveTable.objects.exists()
    page.go_back()
    expect(page.locator("[data-advised]")).to_have_count(1)
    page.go_forward()
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/play/*-*/")
    expect(page.locator(".rp-table, .live-seats").first).to_be_visible()
    assert LiveTable.objects.get().preset == LESSONS[name].preset


def test_a_whole_lesson_without_a_script(live_site: str, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(f"{live_site}/learn/koi-koi/")
    for step in range(1, 30):
        choices = page.locator('button[name="a"]')
        if not choices.count():
            break
        expect(page.locator("#lesson-coach h2")).to_have_text(f"Step {step}")
        choices.last.click()
        page.wait_for_load_state()
    expect(page.locator(".rp-end.match")).to_be_visible()
    page.get_by_role("button", name="Play now").click()
    expect(page.locator(".rp-table")).to_be_visible()
    context.close()


def test_an_explanation_changes_in_a_live_region_and_the_line_may_break(live_site: str, page: Page) -> None:
    page.goto(f"{live_site}/learn/sakura/")
    coach = page.locator("#lesson-coach")
    assert coach.get_attribute("aria-live") == "polite"
    page.context.set_offline(True)
    advised = page.locator("[data-advised]")
    card = advised.get_attribute("data-card")
    page.locator(f'.rp-me [data-card="{card}"]').click()
    if page.locator(".pick.chosen").count():
        page.locator(".live-choices button.on").first.click()
    expect(page.locator("#live-net")).to_contain_text("No connection")
    assert step_of(page) == "Step 1"
    page.context.set_offline(False)
    expect(page.locator("#live-net")).to_be_hidden()
    expect(page.locator("#lesson-coach h2")).to_have_text("Step 2")
    expect(coach).to_contain_text("You played")


@pytest.mark.parametrize("name", LESSONS)
def test_what_is_asked_lies_with_field_and_hand_on_a_phones_first_screen(live_site: str, page: Page, name: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_site}/learn/{name}/")
    for part in (".lesson-advice", ".rp-field", ".rp-me .rp-hand"):
        box = page.locator(part).bounding_box()
        assert box is not None, part
        assert 0 <= box["y"] <= box["y"] + box["height"] <= 740, part
    expect(page.locator(".rp-places .advised")).to_have_count(1)
    told = page.locator("#lesson-told")
    expect(told).to_be_hidden()
    page.get_by_role("button", name="Explanation").click()
    expect(told).to_contain_text("The 48 cards")
    assert axe_violations(page) == []


@pytest.mark.parametrize("name", LESSONS)
def test_on_a_phone_captures_cover_nothing_and_the_felt_stays_as_high(live_site: str, page: Page, name: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{live_site}/learn/{name}/")
    heights = set()
    while page.locator("[data-advised]").count():
        assert page.evaluate(COVERED) == 0, step_of(page)
        heights.add(page.locator(".rp-felt").evaluate("each => each.clientHeight"))
        take_a_step(page)
    assert page.evaluate(COVERED) == 0, "at its end"
    assert len(heights) == 1
