"""The undo button on a phone of 360 px, without script: look first, then one press."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.looking import axe_violations, log_in, sideways
from tests.builders.clubs import a_called_night, person, tables_of, totals
from tournaments.entries.people import withdraw_person
from tournaments.models import Entry
from tournaments.scores.actions import Actor, submit_result


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(120)
def test_on_a_phone_without_script_a_wrong_click_is_taken_back(browser: Browser, live_site: str) -> None:
    event = a_called_night(people=4)
    submit_result(match=tables_of(event)[0], actor=Actor(user=event.created_by), claim=totals(130, 110))
    withdraw_person(entry=person(event, "Ben"), by=event.created_by)
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    log_in(context, live_site, event.created_by)
    page = context.new_page()
    page.goto(f"{live_site}/t/{event.slug}/desk/")
    page.get_by_role("link", name="What undo changes").click()
    expect(page.get_by_text("Ben: withdrawn → playing")).to_be_visible()
    page.get_by_role("button", name="Undo it").click()
    expect(page.get_by_text("Undone: “Ben left the event”.")).to_be_visible()
    assert page.url.endswith(f"/t/{event.slug}/desk/")
    assert person(event, "Ben").state == Entry.State.ACTIVE
    context.close()
    seeing = browser.new_page(viewport={"width": 360, "height": 740})
    log_in(seeing.context, live_site, event.created_by)
    for path in ("desk/", "undo/"):
        seeing.goto(f"{live_site}/t/{event.slug}/{path}")
        expect(seeing.get_by_text("the result of table 1, round 1 was entered").first).to_be_visible()
        assert (axe_violations(seeing), sideways(seeing)) == ([], [])
    seeing.goto(f"{live_site}/t/{event.slug}/")
    seeing.locator("#organise-more > summary").click()
    assert (axe_violations(seeing), sideways(seeing)) == ([], [])
    seeing.get_by_role("link", name="Undo the last action").click()
    expect(seeing.get_by_text("the result of table 1, round 1 was entered").first).to_be_visible()
    seeing.close()
