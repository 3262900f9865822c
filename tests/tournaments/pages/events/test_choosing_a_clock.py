"""An organiser with a browser chooses a clock and changes it. Not among the tests of pages: they hold a transaction."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import Trouble, axe_violations, log_in, sideways
from tests.builders import events as a
from tournaments.models import Tournament
from tournaments.progress.run import publish_tournament


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_an_organiser_chooses_a_custom_clock_and_changes_it(
    page: Page, live_site: str, transactional_db: None, trouble: Trouble
) -> None:
    log_in(page.context, live_site, a.a_user("hoku"))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_site}/t/new/?for=bots")
    page.get_by_label("Name", exact=True).fill("Moon league")
    page.get_by_label("Custom:").or_(page.get_by_label("Custom.")).check()
    page.get_by_text("Custom clock").click()
    page.get_by_label("CPU per move, in ms").fill("250")
    assert sideways(page) == []
    assert axe_violations(page) == []
    page.get_by_role("button", name="Create the draft").click()
    expect(page.get_by_text("Custom: 250 ms per move, bank of 1 s per deal, 60 s per match (CPU time)")).to_be_visible()
    event = Tournament.objects.get()
    publish_tournament(tournament=event, by=event.created_by)
    page.get_by_role("link", name="Change the clock").click()
    assert axe_violations(page) == []
    assert sideways(page) == []
    page.get_by_label("Quick:").check()
    page.get_by_role("button", name="Use this clock").click()
    expect(page.get_by_text("Quick: 20 ms per move")).to_be_visible()
