"""A club night in real browsers: the organiser's laptop, two phones of 360 px, one dispute, one late correction."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from accounts.models import User
from tests.browser.looking import Trouble, axe_violations, log_in, sideways
from tests.builders import events as a
from tests.builders.clubs import a_called_night, tables_of
from tests.services.make_run import as_run_too
from tournaments.models import Match, ResultReport, Round, Tournament
from tournaments.scores.slips import slip_token
from tournaments.standings import store

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(600)]
PHONE = ViewportSize(width=360, height=740)
LIST = "name,club\nAiko,Kyoto\nBen,Lyon\nChiyo,Kyoto\nDai,\nEmi,\nFumi,\n"


class Hall:
    """The browsers of the evening and everything that is wrong on any page they showed."""

    def __init__(self, browser: Browser, site: str) -> None:
        self.browser, self.site = browser, site
        self.wrong: list[str] = []
        self.trouble = Trouble(site)
        self.contexts: list[BrowserContext] = []

    def open(self, user: User | None = None, size: ViewportSize | None = None) -> Page:
        """One more browser."""
        context = self.browser.new_context(viewport=size or ViewportSize(width=1280, height=800))
        self.contexts.append(context)
        if user is not None:
            log_in(context, self.site, user)
        page = context.new_page()
        self.trouble.watch(page)
        return page

    def look(self, page: Page) -> None:
        """Note what is not accessible, or wider than the page."""
        page.evaluate("() => document.querySelectorAll('details.more').forEach(each => { each.open = true })")
        self.wrong += [f"{page.url}: {each}" for each in axe_violations(page) + sideways(page)]


@pytest.fixture
def hall(browser: Browser, live_site: str) -> Iterator[Hall]:
    """A hall with browsers; nothing may be wrong on any page that was looked at."""
    found = Hall(browser, live_site)
    found.trouble.allow = ("422",)
    yield found
    for context in found.contexts:
        context.close()
    assert found.wrong == []
    assert found.trouble.seen == []


def press(page: Page, name: str) -> None:
    """Press a button by its name with the keyboard."""
    page.get_by_role("button", name=name, exact=True).first.press("Enter")
    page.wait_for_load_state()


def a_swiss(hall: Hall, desk: Page) -> Tournament:
    """A six-person Swiss made, filled and started on pages."""
    desk.goto(f"{hall.site}/t/new/?for=both")
    desk.get_by_label("Name", exact=True).fill("Thursday club")
    desk.get_by_label("Who plays").select_option("people")
    desk.get_by_label("Seats at a table").select_option("2")
    desk.locator("#fine-tune > summary").press("Enter")
    desk.get_by_label("Format", exact=True).select_option("swiss")
    desk.get_by_label("Rounds", exact=True).fill("2")
    desk.get_by_label("Deals per match").fill("1")
    press(desk, "Create the draft")
    press(desk, "Announce it")
    press(desk, "Open entries")
    event = Tournament.objects.get(name="Thursday club")
    desk.goto(f"{hall.site}/t/{event.slug}/entries/")
    desk.get_by_label("One name per line").fill(LIST)
    press(desk, "Add everybody")
    press(desk, "Check everybody in")
    hall.look(desk)
    desk.goto(f"{hall.site}/t/{event.slug}/")
    press(desk, "Start")
    return event


def phones(hall: Hall, desk: Page, event: Tournament) -> tuple[Page, Page, Match]:
    """Both sides of table 1 scan their slips."""
    desk.goto(f"{hall.site}/t/{event.slug}/print/1/")
    hall.look(desk)
    links = desk.get_by_role("link", name="Open this table")
    both = []
    for address in [links.nth(n).get_attribute("href") for n in range(2)]:
        page = hall.open(size=PHONE)
        page.goto(str(address))
        assert "/e/" not in page.url
        both.append(page)
    return both[0], both[1], tables_of(event)[0]


def report(page: Page, first: int, second: int) -> None:
    """Fill in the totals and send them: three taps."""
    boxes = page.get_by_role("group", name="Points").get_by_role("textbox")
    boxes.nth(0).fill(str(first))
    boxes.nth(1).fill(str(second))
    press(page, "Send")


def enter(hall: Hall, desk: Page, match: Match, first: int, second: int) -> None:
    """The organiser types a slip in."""
    desk.goto(f"{hall.site}/m/{match.uuid}/result/")
    boxes = desk.get_by_role("group", name="Points").get_by_role("textbox")
    boxes.nth(0).fill(str(first))
    boxes.nth(1).fill(str(second))


@pytest.mark.slow
@as_run_too
def test_a_club_night_from_draft_to_final_standings(hall: Hall) -> None:
    desk = hall.open(a.a_user("organiser"))
    event = a_swiss(hall, desk)
    one, two, match = phones(hall, desk, event)
    desk.goto(f"{hall.site}/t/{event.slug}/desk/")
    press(desk, "Start round 1")
    hall.look(desk)
    for phone in (one, two):
        phone.reload()
        hall.look(phone)
    report(one, 131, 109)
    expect(one.get_by_role("alert")).to_contain_text("multiple of 5")
    report(one, 130, 110)
    expect(one.locator("#table-state")).to_contain_text("Your result is sent")
    report(two, 110, 130)  # its page has not heard of the other report, or has: a dispute either way
    expect(two.locator("#table-state")).to_contain_text("The organiser checks both")
    hall.look(two)
    desk.goto(f"{hall.site}/m/{match.uuid}/result/")
    hall.look(desk)
    said = desk.get_by_label("Use report no.")
    expect(said.locator("option")).to_contain_text(["110 – 130", "130 – 110"])  # both, the newer one first
    said.select_option("1")
    desk.get_by_label("Why?").fill("Counted the cards again.")
    press(desk, "Decide")
    for other in tables_of(event)[1:]:
        enter(hall, desk, other, 150, 90)
        press(desk, "Enter it")
    draw_and_correct(hall, desk, event, match)
    finish(hall, desk, event)


def draw_and_correct(hall: Hall, desk: Page, event: Tournament, match: Match) -> None:
    """Round 2 is drawn and called, then a result of round 1 is corrected; the draw stays."""
    desk.get_by_role("link", name="Draw the next round").click()
    hall.look(desk)
    press(desk, "Publish it")
    press(desk, "Start round 2")
    drawn = Round.objects.get(stage__tournament=event, number=2).plan
    enter(hall, desk, match, -20, 210)
    press(desk, "Preview change")
    expect(desk.get_by_text("stay as they were drawn")).to_be_visible()
    hall.look(desk)
    desk.get_by_label("Why?").fill("The slip was misread.")
    press(desk, "Correct the result")
    assert Round.objects.get(stage__tournament=event, number=2).plan == drawn
    assert ResultReport.objects.get(match=match, state="confirmed").body["score"] == [-20, 210]


def finish(hall: Hall, desk: Page, event: Tournament) -> None:
    """Round 2 by the desk, then the standings are signed."""
    screen = hall.open()
    screen.goto(f"{hall.site}/t/{event.slug}/screen/")
    hall.look(screen)
    for match in tables_of(event, 2):
        enter(hall, desk, match, 130, 110)
        press(desk, "Enter it")
    expect(screen.locator("#screen-tables li", has_text="confirmed")).to_have_count(3)
    desk.goto(f"{hall.site}/t/{event.slug}/desk/")
    expect(desk.get_by_role("link", name="Draw the next round")).to_have_count(0)
    press(desk, "Confirm and finish")
    desk.goto(f"{hall.site}/t/{event.slug}/standings/")
    expect(desk.get_by_role("link", name="Final", exact=True)).to_be_visible()
    expect(desk.get_by_role("row")).to_have_count(7)
    for path in (f"/t/{event.slug}/", f"/t/{event.slug}/standings/", f"/t/{event.slug}/roles/"):
        desk.goto(hall.site + path)
        hall.look(desk)
    assert store.differences(event.stages.get()) == []


@pytest.mark.slow
@as_run_too
def test_a_result_typed_offline_waits_on_the_phone_and_counts_once(hall: Hall) -> None:
    match = tables_of(a_called_night())[0]
    phone = hall.open(size=PHONE)
    phone.goto(f"{hall.site}/e/{slip_token(match, 0)}/")
    phone.context.set_offline(True)
    hall.trouble.allow = ("ERR_INTERNET_DISCONNECTED",)
    for _tap in range(2):
        report(phone, 130, 110)
        expect(phone.get_by_text("1 result is waiting on this phone")).to_be_visible()
    assert not ResultReport.objects.exists()
    phone.context.set_offline(False)
    expect(phone.locator("#table-state")).to_contain_text("Your result is sent")
    assert [each.body["score"] for each in ResultReport.objects.all()] == [[130, 110]]
    hall.look(phone)
