"""Partners in a real browser: journey 5, by keyboard, on a phone; nothing inaccessible, nothing wider than the page."""

from __future__ import annotations

import hashlib

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.looking import Trouble, axe_violations, log_in, sideways
from tests.builders.teams import a_pairs_night, teams
from tournaments.models import PartnerDraw
from tournaments.progress.run import start_tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(180)]


def look(page: Page) -> list[str]:
    """Return what is wrong on the page with everything on it open."""
    page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true })")
    return axe_violations(page) + sideways(page)


@pytest.mark.slow
def test_partners_are_drawn_and_drawn_anew_in_a_browser(browser: Browser, live_site: str) -> None:
    event = a_pairs_night(names="\n".join(f"Person {number} of a long name,Club {number % 3}" for number in range(9)))
    context = browser.new_context(viewport=ViewportSize(width=360, height=740))
    log_in(context, live_site, event.created_by)
    page = context.new_page()
    trouble = Trouble(live_site)
    trouble.watch(page)
    page.goto(f"{live_site}/t/{event.slug}/partners/")
    shown = page.locator(".hash").first.inner_text()
    wrong = look(page)
    page.get_by_label("How").first.select_option("clubs")
    page.get_by_role("button", name="Draw partners", exact=True).press("Enter")
    expect(page.get_by_text("4 teams are drawn.")).to_be_visible()
    expect(page.get_by_role("heading", name="1 person without a partner")).to_be_visible()
    wrong += look(page)
    seed = bytes(PartnerDraw.objects.get(tournament=event, number=1).secret)
    expect(page.get_by_text(seed.hex())).to_be_visible()
    assert shown == f"sha256:{hashlib.sha256(seed).hexdigest()}"
    page.get_by_label("Why? Everybody can read it.").first.fill("The ninth has come with a partner")
    page.get_by_role("button", name="Redraw the people of draw 1").press("Enter")
    expect(page.get_by_text("4 teams are drawn.")).to_be_visible()
    page.get_by_role("link", name="Change").first.click()
    wrong += look(page)
    page.goto(f"{live_site}/t/{event.slug}/feed/")
    expect(page.get_by_text("The ninth has come with a partner").first).to_be_visible()
    context.close()
    assert wrong == []
    assert trouble.seen == []


@pytest.mark.slow
def test_the_page_of_a_running_event_and_the_form_of_a_template_look_right(browser: Browser, live_site: str) -> None:
    event = a_pairs_night(names="Aiko & Ben\nChiyo & Dai\nEmi & Fumi\nGoro & Hana")
    start_tournament(tournament=event, by=event.created_by)
    context = browser.new_context(viewport=ViewportSize(width=1280, height=800))
    log_in(context, live_site, event.created_by)
    page = context.new_page()
    team = next(iter(teams(event).values()))
    wrong = []
    for path in (f"t/{event.slug}/partners/?team={team.uuid}", f"t/{event.slug}/entries/", "t/new/"):
        page.goto(f"{live_site}/{path}")
        wrong += look(page)
    page.get_by_label("How many people", exact=True).fill("40")
    page.get_by_role("button", name="Show formats that fit").press("Enter")
    page.get_by_role("link", name="Hanafuda Hawaii 2016").press("Enter")
    expect(page.get_by_text("40 people: 4 pools x 5 pairs")).to_be_visible()
    wrong += look(page)
    page.get_by_label("Name", exact=True).fill("Hawaii of forty")
    page.get_by_role("button", name="Create the draft").press("Enter")
    expect(page.get_by_role("heading", name="Hawaii of forty")).to_be_visible()
    context.close()
    assert wrong == []
