"""Teams whose members sit apart, in a real browser: made, line-ups by hand and by the captain, played, looked at."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.looking import Trouble, axe_violations, log_in, sideways
from tests.builders import boards as b
from tournaments.entries.lineups import leave_team
from tournaments.models import Match, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(240), pytest.mark.slow]


def look(page: Page) -> list[str]:
    """Return what is wrong on the page with everything on it open."""
    page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true })")
    return [f"{page.url}: {each}" for each in axe_violations(page) + sideways(page)]


@pytest.mark.parametrize("width", [360, 1280])
def test_a_team_night_in_a_browser(browser: Browser, live_site: str, width: int) -> None:
    event = b.a_running_night(people=4, team_score="meetings")
    home = f"{live_site}/t/{event.slug}"
    context = browser.new_context(viewport=ViewportSize(width=width, height=800))
    log_in(context, live_site, event.created_by)
    page = context.new_page()
    trouble = Trouble(live_site)
    trouble.watch(page)
    wrong = set_a_line_up(page, home)
    wrong += by_the_captain(browser, page, home, width)
    leave_team(member=b.named(event, "De3"), by=event.created_by)
    b.play(event, 1)
    b.draw(event)
    wrong += call_and_enter(page, home, event)
    for tab in ("rounds/?round=1", "rounds/?round=2", "standings/", "standings/?members=1", "crosstable/", "partners/"):
        page.goto(f"{home}/{tab}")
        wrong += look(page)
    for sheet in ("", "?sheet=names", "?sheet=lineups", "?sheet=slips"):
        page.goto(f"{home}/print/2/{sheet}")
        wrong += look(page)
    page.goto(f"{home}/rounds/?round=1")
    expect(page.get_by_role("table").first).to_contain_text("Board")
    page.goto(f"{home}/standings/")
    expect(page.get_by_text("This was settled before round 1.")).to_be_visible()
    page.get_by_role("link", name="Members", exact=True).click()
    expect(page.get_by_role("cell", name="Boars").first).to_be_visible()
    context.close()
    assert wrong == []
    assert [each for each in trouble.seen if "422" not in each] == []  # the line-up that is refused on the way


def set_a_line_up(page: Page, home: str) -> list[str]:
    """By keyboard: another order of Boars from round 2 on, shown first; a late one is refused."""
    page.goto(f"{home}/lineups/")
    expect(page.get_by_text("Round 2 is open.")).to_be_visible()
    wrong = look(page)
    page.get_by_role("link", name="Change Boars").press("Enter")
    page.get_by_label("Board 1", exact=True).select_option(label="Bo4")
    page.get_by_role("button", name="Preview the changes").press("Enter")
    expect(page.get_by_role("heading", name="Boars from round 2 on")).to_be_visible()
    wrong += look(page)
    page.get_by_role("button", name="Set this line-up").press("Enter")
    expect(page.get_by_text("The line-up of Boars holds from round 2 on.")).to_be_visible()
    page.get_by_role("link", name="Change Boars").click()
    page.get_by_label("Board 2", exact=True).select_option(label="Bo4")
    page.get_by_role("button", name="Preview the changes").press("Enter")
    expect(page.get_by_text("Bo4 cannot sit on two boards at once.")).to_be_visible()
    return wrong + look(page)


def by_the_captain(browser: Browser, page: Page, home: str, width: int) -> list[str]:
    """Without an account and without scripts, by the address that the organiser has."""
    page.goto(f"{home}/lineups/")
    address = page.get_by_role("link", name="Captain's page Geese").get_attribute("href") or ""
    phone = browser.new_context(viewport=ViewportSize(width=width, height=740), java_script_enabled=False)
    own = phone.new_page()
    own.goto(address)
    expect(own.get_by_role("heading", name="Line-up of Geese")).to_be_visible()
    own.get_by_label("Board 3", exact=True).select_option(label="Ge4")
    own.get_by_role("button", name="Preview the changes").click()
    own.get_by_role("button", name="Set this line-up").click()
    expect(own.get_by_text("The line-up of Geese holds from round 2 on.")).to_be_visible()
    expect(own.get_by_text("Boars")).to_have_count(0)  # nobody else's line-up
    phone.close()
    return []


def call_and_enter(page: Page, home: str, event: Tournament) -> list[str]:
    """Round 2 at the desk: its boards stand under their meetings; the empty board is entered by the call."""
    page.goto(f"{home}/desk/")
    wrong = look(page)
    page.get_by_role("button", name="Start round 2", exact=True).press("Enter")
    expect(page.get_by_text("Round 2 has started at 6 tables.")).to_be_visible()
    assert Match.objects.filter(round=b.round_of(event, 2), state=Match.State.CONFIRMED).count() == 1
    table = Match.objects.filter(round=b.round_of(event, 2), state=Match.State.CALLED).order_by("table_no").first()
    assert table is not None
    page.get_by_role("link", name=f"Enter table {table.table_no}", exact=True).click()
    wrong += look(page)
    page.locator("#f-total_0").fill("120")
    page.locator("#f-total_1").fill("85")
    page.get_by_role("button", name="Enter it").press("Enter")
    expect(page.get_by_text(f"Table {table.table_no} is entered.")).to_be_visible()
    return wrong + look(page)


def test_the_template_makes_an_event_of_teams(browser: Browser, live_site: str) -> None:
    event = b.a_team_night()
    context = browser.new_context(viewport=ViewportSize(width=360, height=740))
    log_in(context, live_site, event.created_by)
    page = context.new_page()
    page.goto(f"{live_site}/t/new/?template=teams")
    wrong = look(page)
    expect(page.get_by_label("Boards per team")).to_have_value("4")
    page.get_by_label("Name", exact=True).fill("Team match")
    page.get_by_role("button", name="Create the draft").press("Enter")
    expect(page.get_by_role("heading", name="Team match")).to_be_visible()
    made = Tournament.objects.get(name="Team match")
    assert (made.boards, made.team_score, made.partners) == (4, "meetings", "entered")
    context.close()
    assert wrong == []
