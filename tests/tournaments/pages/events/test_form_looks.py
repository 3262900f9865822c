"""The forms of a new event and the cards of its stages in a browser: accessible, and narrow enough for a phone."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from accounts.models import User
from tests.browser.looking import axe_violations, log_in, sideways
from tests.builders import events as a
from tests.tournaments.pages.events.test_chain_of_cards import a_program_made
from tournaments.models import Tournament

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]
LONG = "Ausscheidungsrundenteilnehmerplatzierungsspielgruppenphase12"
QUESTION = "for=people&people=22&hours=2.5&tables=6&preset=hawaii&company=alone"


@pytest.fixture(params=["light", "dark"])
def phone(browser: Browser, live_site: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A phone on which an organiser is logged in."""
    size = ViewportSize(width=360, height=740)
    context = browser.new_context(viewport=size, color_scheme=request.param, reduced_motion="reduce")
    log_in(context, live_site, a.a_user("organiser"))
    yield context.new_page()
    context.close()


def look(page: Page, name: str) -> list[str]:
    """Open every part of a page, and return what is wrong with it."""
    page.evaluate("() => document.querySelectorAll('details.more').forEach(each => { each.open = true })")
    if folder := os.environ.get("LOOKS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)
    return [f"{name}: {each}" for each in axe_violations(page) + sideways(page)]


def test_the_forms_fit_a_phone(phone: Page, live_site: str) -> None:
    wrong = []
    pages = {"choice": "", "proposals": f"?{QUESTION}", "people": f"?{QUESTION}&format=pools_final"}
    pages |= {"bots": "?for=bots", "both": "?for=both", "refused": f"?{QUESTION}&tables=0"}
    for name, query in pages.items():
        phone.goto(f"{live_site}/t/new/{query}")
        wrong += look(phone, name)
    assert wrong == []


def test_the_choice_leaves_room_for_the_questions(phone: Page, live_site: str) -> None:
    phone.goto(f"{live_site}/t/new/")
    heights = phone.evaluate("() => [...document.querySelectorAll('.choices li')].map((each) => each.offsetHeight)")
    assert len(heights) == 3
    assert max(heights) == min(heights) <= 60
    bar = phone.evaluate("() => document.querySelector('.nav').getBoundingClientRect().top")
    ends = phone.evaluate(
        "() => [...document.querySelectorAll('#question > .pair input, #question > .pair select')]"
        ".map((each) => each.getBoundingClientRect().bottom)"
    )
    assert len(ends) == 5
    assert max(ends) <= bar


def test_stages_are_clicked_together_on_a_phone(phone: Page, live_site: str) -> None:
    phone.goto(f"{live_site}/t/new/?{QUESTION}&format=pools_final")
    phone.get_by_label("Name", exact=True).fill("Three stages")
    phone.get_by_text("Fine-tune").click()
    phone.locator("#id_template").select_option("chain")
    phone.get_by_role("button", name="Show the fields of these stages").click()
    phone.get_by_role("button", name="Add a stage").click()
    expect(phone.get_by_label("Name", exact=True)).to_have_value("Three stages")
    phone.locator("#id_s2-name").fill(LONG)
    phone.locator("#id_s2-w1-last").fill("4")
    phone.get_by_role("button", name="Draw the stages, with their time").click()
    expect(phone.locator("figure.chain svg")).to_be_visible()
    wrong = look(phone, "cards")
    phone.get_by_role("button", name="Remove this stage 3").click()
    phone.get_by_role("button", name="Create the draft").click()
    expect(phone.get_by_role("heading", name="Three stages")).to_be_visible()
    assert Tournament.objects.get().stages.count() == 2
    expect(phone.locator("figure.chain svg")).to_be_visible()
    wrong += look(phone, "event")
    assert wrong == []


def test_a_chain_with_two_finals_is_drawn_on_its_page(phone: Page, live_site: str) -> None:
    event = a_program_made(User.objects.get(username="organiser"))
    wrong = []
    for path in ("", "edit/"):
        phone.goto(f"{live_site}/t/{event.slug}/{path}")
        expect(phone.locator("figure.chain svg")).to_be_visible()
        wrong += look(phone, f"finals{path.strip('/')}")
    assert wrong == []
