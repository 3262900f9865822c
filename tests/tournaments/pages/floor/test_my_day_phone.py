"""Private links on phones of 360 px: the journeys of players without an account, and the organiser's cards."""

from __future__ import annotations

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from tests.browser.keyboard import Hands
from tests.builders.clubs import a_called_night, a_club_night, person, tables_of, totals
from tests.builders.paper import pages_of
from tests.builders.teams import a_drawn_night
from tests.tournaments.entries.test_links import link_of
from tests.tournaments.pages.floor.test_club_night import PHONE, Hall, enter, hall, press
from tournaments.entries.links import link_token, renew_link
from tournaments.entries.people import add_list
from tournaments.models import Match, ResultReport, Tournament
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.scores.actions import Actor, submit_result

__all__ = ["hall"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(180)]
SOON_MS = 2_000
"""Milliseconds after which another browser shows what was confirmed (site.md section 9, journey 8)."""
FOCUS = "() => [document.activeElement.tagName, document.activeElement.closest('[id]').id]"


def a_pairs_night() -> Tournament:
    """Four pairs, drawn; round 1 is called."""
    event = a_drawn_night()
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=event.stages.get().rounds.get(number=1), by=event.created_by)
    return event


def open_day(hall: Hall, event: Tournament, name: str) -> Page:
    """Somebody scans their card."""
    phone = hall.open(size=PHONE)
    phone.goto(f"{hall.site}/e/{link_token(link_of(event, name))}/")
    return phone


def sitting(match: Match, side: int) -> str:
    """The name of somebody on a side."""
    seat = match.seats.filter(side=side).select_related("player", "entry__player").first()
    assert seat is not None
    assert seat.entry is not None
    return (seat.player or seat.entry.player).name


def is_on_first_screen(page: Page, words: str) -> bool:
    """Return whether words are seen without scrolling."""
    box = page.get_by_text(words).first.bounding_box()
    return box is not None and box["y"] + box["height"] <= PHONE["height"]


@pytest.mark.slow
def test_a_private_link_leads_to_the_table_and_a_report_in_four_taps(hall: Hall) -> None:
    event = a_pairs_night()
    match = tables_of(event)[0]
    one = sitting(match, 0)
    phone = open_day(hall, event, one)
    token = link_token(link_of(event, one))
    assert token not in phone.url
    assert token not in phone.content()
    names = match.seats.filter(side=0).exclude(player__name=one).values_list("player__name", flat=True)
    partner = str(names[0])
    for words in (f"Table {match.table_no}", partner, "Report the result"):
        assert is_on_first_screen(phone, words), words
    hall.look(phone)
    phone.get_by_role("link", name="Report the result").click()  # the first tap
    boxes = phone.get_by_role("group", name="Points").get_by_role("textbox")
    boxes.nth(0).click()
    phone.keyboard.type("130")
    boxes.nth(1).click()
    phone.keyboard.type("110")
    phone.get_by_role("button", name="Send", exact=True).click()  # the fourth
    expect(phone.locator("#table-state")).to_contain_text("Your result is sent")
    assert ResultReport.objects.get().body["side"] == 0
    hall.look(phone)
    phone.get_by_role("link", name="My page").click()
    expect(phone.locator("#my-now")).to_contain_text("reported")
    phone.go_back()
    phone.go_back()
    assert token not in phone.url
    by_keyboard(hall, event, tables_of(event)[1])


def by_keyboard(hall: Hall, event: Tournament, match: Match) -> None:
    """The same at another table without touching anything: as many acts as there were taps."""
    phone = open_day(hall, event, sitting(match, 0))
    hands = Hands(phone)
    hands.press("link", "Report the result")
    phone.wait_for_url(f"**/x/{match.uuid}/")
    hands.reach(phone.locator("#f-total_0"), "the first box")
    hands.type("130")
    hands.reach(phone.locator("#f-total_1"), "the second box")
    hands.type("110")
    hands.press("button", "Send")
    expect(phone.locator("#table-state")).to_contain_text("Your result is sent")
    assert hands.acts <= 4
    assert ResultReport.objects.filter(match=match).count() == 1
    hall.look(phone)


@pytest.mark.slow
def test_same_moves_the_standings_elsewhere_and_different_goes_to_the_organiser(hall: Hall) -> None:
    event = a_called_night()
    match, other, early = tables_of(event)
    submit_result(match=early, actor=Actor(user=event.created_by), claim=totals(125, 115))
    watcher, phone = hall.open(), open_day(hall, event, sitting(match, 1))
    watcher.goto(f"{hall.site}/t/{event.slug}/standings/")
    Hands(watcher).reach(watcher.locator("details.why > summary").nth(1), "a number of the standings")
    held = watcher.evaluate(FOCUS)
    report_at(hall, event, match)
    expect(phone.locator("#my-now")).to_contain_text("same or different")
    hall.look(phone)
    phone.get_by_role("link", name="See the result").click()
    press(phone, "Same")
    expect(watcher.get_by_role("row", name=sitting(match, 0))).to_contain_text("130", timeout=SOON_MS)
    assert watcher.evaluate(FOCUS) == held
    hall.look(watcher)
    report_at(hall, event, other)
    second = open_day(hall, event, sitting(other, 1))
    second.get_by_role("link", name="See the result").click()
    press(second, "Different")
    desk = hall.open(event.created_by)
    desk.goto(f"{hall.site}/m/{other.uuid}/result/")
    expect(desk.get_by_text("disputed").first).to_be_visible()
    desk.get_by_label("Use report no.").select_option("1")
    desk.get_by_label("Why?").fill("Counted the cards again.")
    press(desk, "Decide")
    desk.goto(f"{hall.site}/t/{event.slug}/feed/")
    expect(desk.get_by_text(f"{event.created_by.shown_name}").first).to_be_visible()
    expect(desk.get_by_text("ruled on a dispute").first).to_be_visible()
    expect(second.locator("#table-state")).to_contain_text("is confirmed and counts")
    hall.look(desk)
    hall.look(second)


def report_at(hall: Hall, event: Tournament, match: Match) -> None:
    """The first side of a table reports by its own link."""
    page = open_day(hall, event, sitting(match, 0))
    page.get_by_role("link", name="Report the result").click()
    boxes = page.get_by_role("group", name="Points").get_by_role("textbox")
    boxes.nth(0).fill("130")
    boxes.nth(1).fill("110")
    press(page, "Send")
    expect(page.locator("#table-state")).to_contain_text("Your result is sent")


@pytest.mark.slow
def test_a_result_kept_on_the_phone_is_told_on_the_day_and_counts_once(hall: Hall) -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    phone = open_day(hall, event, sitting(match, 0))
    hall.trouble.allow = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch")
    phone.get_by_role("link", name="Report the result").click()
    expect(phone.get_by_role("heading", name="Report the result")).to_be_visible()
    phone.context.set_offline(True)
    boxes = phone.get_by_role("group", name="Points").get_by_role("textbox")
    boxes.nth(0).fill("130")
    boxes.nth(1).fill("110")
    phone.get_by_role("button", name="Send", exact=True).click()
    expect(phone.get_by_text("1 result is waiting on this phone")).to_be_visible()
    phone.route("**/report/", lambda route: route.abort())
    phone.context.set_offline(False)
    phone.goto(f"{hall.site}/e/my/{person(event, sitting(match, 0)).uuid}/")
    expect(phone.get_by_text("1 result waiting on this phone")).to_be_visible()
    hall.look(phone)
    assert not ResultReport.objects.exists()
    phone.unroute("**/report/")
    phone.evaluate("() => window.dispatchEvent(new Event('online'))")
    expect(phone.get_by_text("1 result waiting on this phone")).to_be_hidden()
    expect(phone.locator("#my-now")).to_contain_text("reported")
    assert [each.body["score"] for each in ResultReport.objects.all()] == [[130, 110]]


@pytest.mark.slow
def test_without_script_everything_of_the_day_is_done(hall: Hall) -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    plain = hall.browser.new_context(java_script_enabled=False, viewport=PHONE)
    hall.contexts.append(plain)
    page = plain.new_page()
    page.goto(f"{hall.site}/e/{link_token(link_of(event, sitting(match, 0)))}/")
    page.get_by_role("link", name="Report the result").click()
    boxes = page.get_by_role("group", name="Points").get_by_role("textbox")
    boxes.nth(0).fill("130")
    boxes.nth(1).fill("110")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_text("Your result is sent").first).to_be_visible()
    page.get_by_role("link", name="My page").click()
    expect(page.get_by_role("link", name="Drop out")).to_be_visible()
    other = plain.new_page()
    plain.clear_cookies()  # another phone
    other.goto(f"{hall.site}/e/{link_token(link_of(event, sitting(match, 1)))}/")
    other.get_by_role("link", name="See the result").click()
    other.get_by_role("button", name="Same").click()
    expect(other.get_by_text("The result is confirmed and counts.")).to_be_visible()
    plain.clear_cookies()
    page.goto(f"{hall.site}/e/{link_token(link_of(event, sitting(match, 0)))}/")
    page.get_by_role("link", name="Drop out").click()
    page.get_by_role("button", name="Drop out").click()
    expect(page.get_by_role("heading", name="You have left")).to_be_visible()
    page.get_by_role("button", name="Keep playing after all").click()
    expect(page.get_by_text("You stay in the event.")).to_be_visible()


@pytest.mark.slow
def test_cards_are_printed_eight_a_page_and_one_link_is_copied(hall: Hall) -> None:
    event = a_club_night()
    more = "\n".join(f"Guest {n} of the {n}th table" for n in range(1, 12))
    add_list(tournament=event, by=event.created_by, data=more.encode())
    desk = hall.open(event.created_by)
    desk.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=hall.site)
    desk.goto(f"{hall.site}/t/{event.slug}/entries/")
    desk.get_by_role("link", name="Links", exact=True).click()
    press(desk, "Make 17 missing links")
    desk.get_by_role("link", name="Show Aiko").click()
    desk.get_by_role("button", name="Copy the link").click()
    expect(desk.get_by_role("button", name="Copied")).to_be_visible()
    token = link_token(link_of(event, "Aiko"))
    assert desk.evaluate("() => navigator.clipboard.readText()").endswith(f"/e/{token}/")
    hall.look(desk)
    desk.get_by_role("link", name="Private links").or_(desk.get_by_role("link", name="Print the cards")).last.click()
    desk.goto(f"{hall.site}/t/{event.slug}/links/cards/")
    expect(desk.locator(".link-cards > li")).to_have_count(17)
    hall.look(desk)
    for paper in ("A4", "Letter"):
        assert pages_of(desk.pdf(format=paper, prefer_css_page_size=False)) == 3


@pytest.mark.slow
def test_a_dead_link_says_so_on_the_phone_and_the_new_one_opens(hall: Hall) -> None:
    event = a_called_night()
    phone = open_day(hall, event, "Aiko")
    hall.trouble.allow = ("404",)
    old = link_token(link_of(event, "Aiko"))
    renew_link(entry=person(event, "Aiko"), by=event.created_by)
    for path in (f"/e/{old}/", f"/e/my/{person(event, 'Aiko').uuid}/", "/e/aaaaa-aaaaa-aaaaa-aaaaa/"):
        phone.goto(hall.site + path)
        expect(phone.get_by_role("heading", name="What you can do")).to_be_visible()
        hall.look(phone)
    phone.goto(f"{hall.site}/e/{link_token(link_of(event, 'Aiko')).replace('-', '').lower()}/")
    expect(phone.locator("#my-now")).to_contain_text("Table")


@pytest.mark.slow
def test_the_day_follows_its_table_from_the_desk(hall: Hall) -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    phone, desk = open_day(hall, event, sitting(match, 0)), hall.open(event.created_by)
    enter(hall, desk, match, 150, 90)
    press(desk, "Enter it")
    expect(phone.locator("#my-tables")).to_contain_text("150 : 90")
    expect(phone.locator("#my-place")).to_contain_text("Place 1 of 6")
    hall.look(phone)
    assert settings.SESSION_COOKIE_HTTPONLY
