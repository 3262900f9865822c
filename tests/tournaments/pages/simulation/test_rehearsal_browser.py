"""The rehearsal and the desk of a mixed event in a browser: they follow on their own, and fit a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from activity import wake_ups
from tests.browser.looking import Trouble, axe_violations, sideways
from tests.builders import events as a
from tests.builders.mixed import a_running_mixed_event, call_all
from tournaments.events.create import create_tournament
from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan
from tournaments.simulation import inputs as rehearsing
from tournaments.simulation import jobs as rehearsals

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(120), pytest.mark.slow]
Visit = Callable[..., Page]
PHONE = ViewportSize(width=360, height=740)


@pytest.fixture(autouse=True)
def _nothing_waits(redis_url: str) -> Iterator[None]:
    """Drop what other tests asked for."""
    wake_ups.redis_client().delete(rehearsals.WAITING)
    yield
    wake_ups.redis_client().delete(rehearsals.WAITING)


def wrong_with(page: Page) -> list[str]:
    """Return what is wrong at the size of a laptop and of a phone."""
    found = axe_violations(page) + sideways(page)
    page.set_viewport_size(PHONE)
    return found + axe_violations(page) + sideways(page)


def test_a_rehearsal_appears_without_reloading(visit: Visit, trouble: Trouble) -> None:
    then, way = StagePlan(kind="single_elim", name="Final"), AdvancementPlan(source=1, target=2, last=2)
    plan = a.a_plan(name="Plum cup", who="people", groups=2, min_entries=8, then=(then,), ways=(way,))
    event = create_tournament(by=a.a_user(), plan=plan)
    page = visit(f"/t/{event.slug}/", as_=event.created_by)
    page.locator("summary", has_text="Manage").click()
    page.get_by_role("link", name="Rehearsal").first.click()
    page.get_by_label("Entries", exact=True).fill("12")
    page.get_by_role("button", name="Rehearse").click()
    expect(page.get_by_text("Waiting for a worker.").first).to_be_visible()
    assert wrong_with(page) == []
    assert rehearsing.work_off()
    expect(page.get_by_role("heading", name="12 entries, 200 runs")).to_be_visible(timeout=20_000)
    assert wrong_with(page) == []


def test_the_desk_of_a_mixed_event_fits_a_phone(visit: Visit, trouble: Trouble) -> None:
    event = a_running_mixed_event(people=3, bots=5)
    call_all(event)
    for tab in ("desk/", "entries/"):
        page = visit(f"/t/{event.slug}/{tab}", as_=event.created_by)
        assert wrong_with(page) == [], tab
