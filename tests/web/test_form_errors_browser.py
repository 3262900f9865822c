"""A refused form in a real browser: focus, links to the fields, nothing inaccessible, on a phone, too."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.looking import axe_violations, log_in, sideways
from tests.builders import events as a

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(180)]
SIZES = (ViewportSize(width=1280, height=800), ViewportSize(width=360, height=740))
FOCUSED = "() => document.activeElement.id"


def look(page: Page) -> list[str]:
    """Return what is wrong in both schemes."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme} {page.url}: {each}" for each in axe_violations(page) + sideways(page)]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=["desktop", "phone"])
def test_focus_goes_to_the_summary_and_its_links_to_the_fields(
    browser: Browser, live_site: str, size: ViewportSize
) -> None:
    context = browser.new_context(viewport=size)
    log_in(context, live_site, a.a_user())
    page = context.new_page()
    page.goto(f"{live_site}/t/new/?for=both")
    page.get_by_label("Name", exact=True).fill("Plum evening")
    page.get_by_label("Maximum entries").fill("2000")
    page.get_by_text("Fine-tune").click()
    page.get_by_label("Format", exact=True).select_option("single_elim")
    page.get_by_label("Advancing per table").fill("9")
    page.get_by_role("button", name="Create the draft").press("Enter")
    summary = page.locator("#errors")
    expect(summary).to_be_focused()
    expect(summary).to_be_in_viewport()
    assert summary.get_attribute("role") == "alert"
    wrong = look(page)
    page.get_by_role("link", name="Maximum entries: Ensure this value is less than or equal to 512.").press("Enter")
    most = page.get_by_label("Maximum entries")
    expect(most).to_be_focused()
    expect(most).to_have_attribute("aria-invalid", "true")
    expect(most).to_have_accessible_description("From 2 to 512. Ensure this value is less than or equal to 512.")
    expect(most).to_have_value("2000")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Plum evening")
    page.get_by_role("link", name="Advancing per table").click()
    expect(page.get_by_label("Advancing per table")).to_be_focused()
    context.close()
    assert wrong == []


@pytest.mark.slow
def test_an_error_in_a_part_that_is_folded_away_is_seen(browser: Browser, live_site: str) -> None:
    context = browser.new_context(viewport=SIZES[1])
    log_in(context, live_site, a.a_user())
    page = context.new_page()
    page.goto(f"{live_site}/t/new/?for=both")
    page.get_by_label("Name", exact=True).fill("Plum evening")
    page.get_by_text("Fine-tune").click()
    page.get_by_text("Change individual rules").click()
    page.locator("#id_option_bid_max").fill("4")
    page.get_by_text("Custom clock").click()
    page.get_by_label("Memory, in MiB").fill("1")
    page.get_by_role("button", name="Create the draft").click()
    expect(page.locator("#errors")).to_be_focused()
    wrong = look(page)
    for link in page.locator("#errors a").all():
        target = (link.get_attribute("href") or "").removeprefix("#")
        link.click()
        assert page.evaluate(FOCUSED) == target
        expect(page.locator(f"#{target}")).to_be_visible()
    context.close()
    assert wrong == []


@pytest.mark.slow
def test_groups_of_choices_and_pages_of_accounts_do_the_same(browser: Browser, live_site: str) -> None:
    context = browser.new_context(viewport=SIZES[1])
    page = context.new_page()
    page.goto(f"{live_site}/login/")
    page.get_by_label("User name").fill("nobody")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page.locator("#errors")).to_be_focused()
    wrong = look(page)
    page.locator("#errors a").click()
    expect(page.get_by_label("Password")).to_be_focused()
    log_in(context, live_site, a.a_user())
    page.goto(f"{live_site}/me/hooks/")
    page.evaluate("() => document.querySelectorAll('form').forEach(each => { each.noValidate = true })")
    page.get_by_role("main").locator("form.fields button").last.click()
    expect(page.locator("#errors")).to_be_focused()
    wrong += look(page)
    page.locator("#errors a", has_text="Send when").click()
    assert page.evaluate(FOCUSED) == "id_kinds_0"
    context.close()
    assert wrong == []
