"""Registration in a real browser: on a phone, with scripts and without, in six taps and fields; nothing is too wide."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.browser.looking import Trouble, axe_violations, log_in, sideways
from tests.builders.registrations import (
    PAIRS,
    QUESTIONS,
    an_event_with_registration,
    letters,
    link_in_mail,
    registered,
)
from tests.services.databases import on_both
from tournaments.models import Registration, Tournament
from tournaments.registration.letters import path_of, token_of
from tournaments.registration.set_up import questions_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]
PHONE = ViewportSize(width=360, height=740)
LONG = "Wolfeschlegelsteinhausenbergerdorff" + "x" * 25


def look(page: Page) -> list[str]:
    """Return what is wrong on the page with everything on it open."""
    page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true })")
    return axe_violations(page) + sideways(page)


class Phone:
    """A thumb that counts what it does."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def open(self, address: str) -> None:
        """Tap a link in a mail."""
        self.taps += 1
        self.page.goto(address)

    def tap(self, role: str, name: str) -> None:
        self.taps += 1
        self.page.get_by_role(role, name=name, exact=True).first.click()  # type: ignore[arg-type]

    def fill(self, label: str, text: str) -> None:
        self.taps += 1
        self.page.get_by_label(label, exact=True).fill(text)


@pytest.mark.slow
@on_both
@pytest.mark.parametrize("has_scripts", [True, False], ids=["with scripts", "without"])
def test_a_phone_registers_in_six_then_edits_and_withdraws(
    browser: Browser, live_site: str, *, has_scripts: bool
) -> None:
    """Count taps and filled fields from the link of the event to a place, without an account."""
    event = an_event_with_registration()
    context = browser.new_context(viewport=PHONE, java_script_enabled=has_scripts)
    page = context.new_page()
    phone = Phone(page)
    page.goto(f"{live_site}/t/{event.slug}/")
    phone.tap("link", "Register")
    phone.fill("Name", "Aiko")
    phone.fill("Email", "aiko@example.org")
    phone.tap("button", "Register")
    expect(page.get_by_role("heading", name="Look into your mail")).to_be_visible()
    letters()
    phone.open(f"{live_site}{link_in_mail()}")
    phone.tap("button", "Yes, register me")
    expect(page.get_by_role("heading", name="You have a place")).to_be_visible()
    assert phone.taps <= 6
    assert Registration.objects.get().entry is not None
    page.get_by_text("Change what you wrote").click()
    page.get_by_label("Name", exact=True).fill("Aiko Mori")
    page.get_by_label("Club").fill("Kyoto")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Aiko Mori, Kyoto")).to_be_visible()
    page.get_by_text("I cannot come").click()
    page.get_by_role("button", name="Withdraw", exact=True).click()
    expect(page.get_by_role("heading", name="You have withdrawn")).to_be_visible()
    assert [entry.state for entry in event.entries.select_related("player")] == ["withdrawn"]
    assert event.entries.get().player.name == "Aiko Mori"
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("has_scripts", [True, False], ids=["with scripts", "without"])
def test_a_partner_confirms_on_a_phone_in_three(browser: Browser, live_site: str, *, has_scripts: bool) -> None:
    """The captain asks by mail; the link in it, the name that stands there already, one button."""
    event = an_event_with_registration(**PAIRS)
    own = registered(event, "Aiko")
    context = browser.new_context(viewport=PHONE, java_script_enabled=has_scripts)
    page = context.new_page()
    page.goto(f"{live_site}{path_of(own)}")
    page.get_by_label("I play with (name)").fill("Ben")
    page.get_by_label("Their email (optional)").fill("ben@example.org")
    page.get_by_role("button", name="Ask them").click()
    expect(page.get_by_text("has not answered yet")).to_be_visible()
    letters()
    partner = Phone(context.new_page())
    partner.open(f"{live_site}{link_in_mail()}")
    assert look(partner.page) == [] if has_scripts else True
    partner.tap("button", "Yes, I play in this team")
    expect(partner.page.get_by_text("Entered as “Aiko & Ben”.")).to_be_visible()
    assert partner.taps <= 3
    context.close()


def a_full_event() -> Tournament:
    """An event with everything on its form, and names as long as they can be."""
    chosen = {
        "needs_approval": True,
        "consent": "Photos are taken. " * 20,
        "payment_url": "https://pay.example/" + "x" * 200,
    }
    event = an_event_with_registration(questions=QUESTIONS, chosen=chosen, name="A" * 40 + " cup")
    meat, year, cards, more = (str(each.uuid) for each in questions_of(event))
    answers = {meat: "Yes", year: "1980", cards: "yes", more: "w" * 300}
    registered(event, LONG, club=LONG, email=f"{'m' * 60}@{'d' * 60}.example.org", agrees=True, answers=answers)
    return event


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_of_registration_fits_a_phone(browser: Browser, live_site: str, scheme: str) -> None:
    event = a_full_event()
    row = Registration.objects.select_related("tournament").get()
    context: BrowserContext = browser.new_context(viewport=PHONE, color_scheme=scheme)  # type: ignore[arg-type]
    log_in(context, live_site, event.created_by)
    page, trouble, wrong = context.new_page(), Trouble(live_site), []
    trouble.watch(page)
    for name, path in (
        ("form", "register/"),
        ("sent", "register/sent/"),
        ("link", "register/link/"),
        ("own", f"register/{token_of(row)}/"),
        ("list", "registrations/"),
        ("setup", "registrations/form/"),
        ("overview", ""),
    ):
        page.goto(f"{live_site}/t/{event.slug}/{path}")
        wrong += [f"{name}: {each}" for each in look(page)]
    context.close()
    assert wrong == []
    assert trouble.seen == []
