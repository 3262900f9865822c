"""The dashboard's one bar: what is next, the way back, and the tables as near to the top as they can be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.looking import axe_violations, log_in, sideways
from tests.builders import events as a
from tests.builders.clubs import a_called_night, a_club_night
from tests.tournaments.pages.floor.test_desk import as_one
from tests.tournaments.progress.test_people_chains import a_night
from tournaments.models import Match, Tournament

pytestmark = pytest.mark.django_db
WIDE: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}


def a_drawn_night() -> Tournament:
    """An event of eight people whose first round is drawn and not called."""
    return a_night(people=8, kind="swiss", rounds=3, min_entries=8, groups=1, then=(), ways=(), stage_name="")


@pytest.mark.thorough
def test_what_was_done_is_said_with_the_way_back_beside_it() -> None:
    event = a_drawn_night()
    client = as_one(event.created_by)
    here = f"/t/{event.slug}/desk/"
    done = client.post(f"{here}call/", {"round": "1", "stage": "1"}, follow=True).content.decode()
    toast = done[done.index('class="note success toast"') : done.index("</main>")]
    assert "Round 1 has started at 4 tables." in toast
    assert toast.index(f"/t/{event.slug}/undo/") < toast.index('id="step"')
    said = client.post(f"{here}announce/", {"text": "Tea at four."}, follow=True).content.decode()
    message = said[said.index('class="note success toast"') : said.index('class="crumbs"')]
    assert "undo/" not in message, "an announcement is not what the button would take back"


@pytest.mark.thorough
def test_what_belongs_to_the_event_is_in_one_menu() -> None:
    event = a_drawn_night()
    page = as_one(event.created_by).get(f"/t/{event.slug}/desk/").content.decode()
    menu = page[page.index('<nav class="manage"') : page.index("</nav>", page.index('<nav class="manage"'))]
    for tab in ("links/", "roles/", "screen/", "audit/", "invitations/", "share/"):
        assert f"/t/{event.slug}/{tab}" in menu, tab
    assert page.count('class="tabs"') == 1
    assert 'class="manage"' not in as_one(None).get(f"/t/{event.slug}/").content.decode()


PAGES = ("desk", "edit", "wishes", "draws", "registrations", "registrations/form", "links", "rehearsal")


@pytest.mark.parametrize("tab", [*PAGES, "invitations", "roles", "adjust", "presence", "details", "seasons"])
def test_every_page_of_an_organiser_has_the_head_of_the_event_and_the_menu(tab: str) -> None:
    event = a_club_night(people=4)
    page = as_one(event.created_by).get(f"/t/{event.slug}/{tab}/").content.decode()
    assert page.count(f"<h1>{event.name}</h1>") == page.count("<h1>") == 1
    assert page.count('class="tabs" data-sideways') == 1
    menu = page[page.index('<nav class="rail"') :].partition("</nav>")[0]
    assert menu.count('aria-current="page"') == (tab not in ("adjust", "presence"))
    assert "Dashboard" not in menu, "its tab says it above"
    assert menu.count("Next step") == 1
    assert menu.index("Next step") < menu.index("Entries") < menu.index("The event") < menu.index("Organisers")


@pytest.fixture(params=[(WIDE, 480), (PHONE, 740)], ids=["desk", "phone"])
def at(request: pytest.FixtureRequest, browser: Browser) -> Iterator[tuple[Page, int]]:
    """A browser, and the height above which the first table has to begin."""
    size, most = request.param
    context = browser.new_context(viewport=size)
    yield context.new_page(), most
    context.close()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_first_table_is_on_the_first_screen_and_a_call_is_taken_back(at: tuple[Page, int], live_site: str) -> None:
    page, most = at
    event = a_drawn_night()
    log_in(page.context, live_site, event.created_by)
    page.goto(f"{live_site}/t/{event.slug}/desk/")
    page.get_by_role("button", name="Start round 1", exact=True).click()
    toast = page.locator(".toast")
    expect(toast).to_contain_text("Round 1 has started at 4 tables.")
    expect(toast).to_have_css("position", "fixed")
    box = page.locator(".board tbody tr").first.bounding_box()
    assert box is not None
    assert box["y"] < most
    assert axe_violations(page) + sideways(page) == []
    toast.get_by_role("button", name="Undo").click()
    page.wait_for_load_state()
    assert not Match.objects.filter(stage__tournament=event, state=Match.State.CALLED).exists()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_without_script_the_message_is_a_line_and_the_menu_opens(browser: Browser, live_site: str) -> None:
    event = a_called_night(people=4)
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    log_in(context, live_site, event.created_by)
    page = context.new_page()
    page.goto(f"{live_site}/t/{event.slug}/desk/")
    page.get_by_text("Clock and announcements").click()
    page.get_by_label("Make an announcement").fill("Tea at four.")
    page.get_by_role("button", name="Announce this").click()
    expect(page.locator(".toast")).to_have_css("position", "static")
    page.get_by_text("Manage", exact=True).click()
    page.get_by_role("link", name="Roles").click()
    expect(page.get_by_text("Who runs this event")).to_be_visible()
    context.close()


INNER: Final = """(all) => all.map((one) => {
  const style = getComputedStyle(one);
  return one.getBoundingClientRect().x + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft);
})"""
"""Where what stands in boxes begins, in px."""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["desk", "phone"])
def test_before_the_first_round_all_boxes_have_one_inner_edge_and_no_button_stands_alone(
    browser: Browser, live_site: str, size: ViewportSize
) -> None:
    event = a.an_open_event(who="people", kind="swiss", rounds=2)
    page = browser.new_page(viewport=size)
    log_in(page.context, live_site, event.created_by)
    page.goto(f"{live_site}/t/{event.slug}/desk/")
    boxes = page.locator(".road, .before, .before + .command")
    assert boxes.count() == 3
    assert len({round(edge) for edge in boxes.evaluate_all(INNER)}) == 1
    tools = page.locator("#hall-tools > summary").bounding_box()
    whole = page.locator(".before + .command").bounding_box()
    assert tools is not None
    assert whole is not None
    assert tools["width"] > whole["width"] - 60, "a row that opens, as wide as its box"
    assert axe_violations(page) + sideways(page) == []
    page.close()
