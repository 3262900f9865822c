"""Rotating partners as an organiser and the people at the tables see them: from the template to the second round."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.looking import Trouble, axe_violations, log_in, sideways
from tests.builders import rotating as r
from tournaments.progress.rounds import call_round
from tournaments.scores.slips import slip_token

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.timeout(240)]


def look(page: Page) -> list[str]:
    """Return what is wrong on the page with everything on it open."""
    page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true })")
    return axe_violations(page) + sideways(page)


def two_apart(page: Page, address: str) -> list[str]:
    """A couple is named, and no longer; what is wrong on the page."""
    page.goto(address)
    page.get_by_label("And", exact=True).select_option("Chiyo")
    page.get_by_role("button", name="Keep them apart").press("Enter")
    expect(page.locator("#pairs li")).to_contain_text("Chiyo")
    wrong = look(page)
    page.get_by_role("button", name="Remove").press("Enter")
    expect(page.locator("#pairs li")).to_have_count(0)
    return wrong


def printed(page: Page, address: str) -> list[str]:
    """The pairings and the seating cards; what is wrong on them."""
    page.goto(f"{address}?sheet=pairings")
    expect(page.locator("tbody th").first).to_have_text(re.compile(r"^\s*\w+ & \w+ – \w+ & \w+\s*$"))
    page.goto(f"{address}?sheet=cards")
    expect(page.get_by_text("seat 4").first).to_be_visible()
    return look(page)


def test_an_organiser_makes_draws_prints_and_goes_on(browser: Browser, live_site: str) -> None:
    event = r.a_rotating_night(people=9, rounds=9)
    context = browser.new_context(viewport=ViewportSize(width=1280, height=800))
    log_in(context, live_site, event.created_by)
    page = context.new_page()
    trouble = Trouble(live_site)
    trouble.watch(page)
    page.goto(f"{live_site}/t/new/?template=rotating")
    expect(page.get_by_label("Format", exact=True)).to_have_value("rotation")
    page.get_by_label("Name", exact=True).fill("Plum turns")
    page.get_by_role("button", name="Create the draft").press("Enter")
    expect(page.get_by_role("heading", name="Plum turns")).to_be_visible()
    page.goto(f"{live_site}/t/{event.slug}/")
    expect(page.get_by_text("With 9 people there is an exact design")).to_be_visible()
    wrong = look(page)
    wrong += two_apart(page, f"{live_site}/t/{event.slug}/wishes/")
    page.goto(f"{live_site}/t/{event.slug}/")
    page.get_by_role("button", name="Start", exact=True).press("Enter")
    page.goto(f"{live_site}/t/{event.slug}/rounds/")
    expect(page.get_by_text(re.compile(r"^\s*Byes: [A-Z][a-z]+.\s*$"))).to_be_visible()
    expect(page.locator("table.pairs td.one").first).to_have_text(re.compile(r"^\s*\w+ & \w+\s*$"))
    wrong += look(page)
    wrong += printed(page, f"{live_site}/t/{event.slug}/print/1/")
    r.play(event, 1)
    page.goto(f"{live_site}/t/{event.slug}/desk/")
    page.get_by_role("link", name="Draw the next round").press("Enter")
    expect(page.get_by_text("Nobody here has had this partner before.").first).to_be_visible()
    expect(page.get_by_text("Repeated partnerships in 9 rounds: 0; fewer are impossible.")).to_be_visible()
    wrong += look(page)
    page.get_by_role("button", name="Publish it").press("Enter")
    expect(page.get_by_role("heading", name=re.compile("^Round 2"))).to_be_visible()
    page.goto(f"{live_site}/t/{event.slug}/standings/")
    page.locator("details.why > summary").first.click()
    expect(page.locator("details[open]").get_by_text(re.compile(r"with \w+ against \w+ & \w+")).first).to_be_visible()
    wrong += look(page)
    context.close()
    assert wrong == []
    assert trouble.seen == []


def test_partners_report_by_phone_and_the_others_confirm(browser: Browser, live_site: str) -> None:
    event = r.a_running_night(rounds=7)
    call_round(round_row=r.round_of(event, 1), by=event.created_by)
    match = r.tables(event, 1)[0]
    pairs = [" & ".join(side) for side in r.sides(match)]
    context = browser.new_context(viewport=ViewportSize(width=360, height=740))
    page = context.new_page()
    trouble = Trouble(live_site)
    trouble.watch(page)
    page.goto(f"{live_site}/e/{slip_token(match, 0)}/")
    expect(page.get_by_text(f"You report for {pairs[0]}.")).to_be_visible()
    boxes = page.get_by_role("group", name="Points").get_by_role("textbox")
    boxes.nth(0).fill("240")
    boxes.nth(1).fill("300")
    page.get_by_role("button", name="Send", exact=True).press("Enter")
    expect(page.get_by_text("Another side now confirms it").first).to_be_visible()
    wrong = look(page)
    page.context.clear_cookies()
    page.goto(f"{live_site}/e/{slip_token(match, 1)}/")
    expect(page.get_by_text(f"You report for {pairs[1]}.").first).to_be_visible()
    page.get_by_role("button", name="Same", exact=True).press("Enter")
    expect(page.get_by_text("Confirmed. Thank you.").first).to_be_visible()
    wrong += look(page)
    page.goto(f"{live_site}/t/{event.slug}/rounds/")
    wrong += look(page)
    context.close()
    assert wrong == []
    assert trouble.seen == []
