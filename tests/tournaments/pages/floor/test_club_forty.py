"""Forty people from the template to a slip: journeys 3 to 6. The organiser uses the keyboard alone."""

from __future__ import annotations

import hashlib

import pytest
from playwright.sync_api import Page, expect

from tests.browser.keyboard import Hands
from tests.builders import events as a
from tests.builders.paper import codes_on, pages_of
from tests.tournaments.pages.floor.test_club_night import PHONE, Hall, hall
from tournaments.models import Entry, Match, PartnerDraw, Tournament

__all__ = ["hall"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(180), pytest.mark.slow]
NAMES = [f"Person {number:02}" for number in range(1, 41)]


def test_forty_people_from_the_template_to_a_slip(hall: Hall) -> None:
    desk = hall.open(a.a_user("organiser"))
    event = journey_3(hall, desk)
    journey_4(hall, desk, event)
    journey_5(hall, desk, event)
    journey_6(hall, desk, event)


def journey_3(hall: Hall, desk: Page) -> Tournament:
    """The template fits the room; the draft is published; a stranger finds it."""
    hands = Hands(desk)
    desk.goto(f"{hall.site}/t/new/")
    desk.get_by_label("How many people", exact=True).fill("40")
    desk.get_by_label("How many tables", exact=True).fill("10")
    hands.press("button", "Show formats that fit")
    hands.press("link", "Hanafuda Hawaii 2016: pairs drawn on the day")
    said = desk.get_by_role("status").filter(has_text="4 pools x 5 pairs")
    expect(said).to_contain_text("10 tables are enough.")
    hall.look(desk)
    hands.write("Name", "Club of forty")
    hands.press("button", "Create the draft")
    expect(desk.get_by_role("heading", name="Club of forty")).to_be_visible()
    stranger = hall.open()
    hall.trouble.allow = ("404", "422")
    assert (stranger.goto(desk.url) or pytest.fail("no answer")).status == 404
    hands.press("button", "Announce it")
    expect(desk.get_by_role("button", name="Open entries")).to_be_visible()
    stranger.goto(desk.url)
    expect(stranger.get_by_role("heading", name="Club of forty")).to_be_visible()
    hall.look(stranger)
    hands.press("button", "Open entries")
    expect(desk.get_by_text("Entries are open").first).to_be_visible()
    return Tournament.objects.get()


def journey_4(hall: Hall, desk: Page, event: Tournament) -> None:
    """One name is there twice: its line is named, nobody is entered, the list stays to be put right."""
    hands = Hands(desk)
    desk.goto(f"{hall.site}/t/{event.slug}/entries/")
    box = desk.locator("#paste-list")
    hands.reach(box, "the list")
    hands.type("\n".join([*NAMES[:16], NAMES[2], *NAMES[17:]]))
    hands.press("button", "Add everybody")
    expect(desk.get_by_role("alert")).to_contain_text("“Person 03” appears in line 3 and in line 17")
    assert not Entry.objects.exists()
    hall.look(desk)
    assert box.input_value().split("\n")[16] == "Person 03"
    hands.reach(box, "the list")
    hands.type("\n".join(NAMES))
    hands.press("button", "Add everybody")
    expect(desk.get_by_text("40 people are entered.")).to_be_visible()
    assert Entry.objects.count() == 40
    hands.press("button", "Check everybody in")
    expect(desk.get_by_text("40 people, 40 checked in")).to_be_visible()
    hall.look(desk)


def journey_5(hall: Hall, desk: Page, event: Tournament) -> None:
    """The commitment stands there first; the seed that comes out of it hashes to it; a second draw is in the log."""
    hands = Hands(desk)
    desk.goto(f"{hall.site}/t/{event.slug}/partners/")
    committed = desk.locator(".hash").first.inner_text()
    hands.press("button", "Draw partners")
    expect(desk.get_by_text("20 teams are drawn.")).to_be_visible()
    seed = bytes(PartnerDraw.objects.get(tournament=event, number=1).secret)
    assert seed.hex() in desk.content()
    assert committed == f"sha256:{hashlib.sha256(seed).hexdigest()}"
    desk.get_by_text("Redraw everybody").press("Enter")
    desk.locator("#redraw-reason").press_sequentially("Two had left")
    desk.get_by_role("button", name="Redraw the people of draw 1").press("Enter")
    expect(desk.get_by_text("Draw 2: 20 teams")).to_be_visible()
    hall.look(desk)
    desk.goto(f"{hall.site}/t/{event.slug}/feed/")
    expect(desk.get_by_text("Two had left").first).to_be_visible()
    hall.look(desk)


def journey_6(hall: Hall, desk: Page, event: Tournament) -> None:
    """Round 1 is called; slips are three a sheet; a code that was printed, read back, opens its own table."""
    desk.goto(f"{hall.site}/t/{event.slug}/")
    Hands(desk).press("button", "Start")
    expect(desk.get_by_text("The event is running").first).to_be_visible()
    desk.goto(f"{hall.site}/t/{event.slug}/desk/")
    Hands(desk).press("button", "Start round 1")
    expect(desk.get_by_text("has started at").first).to_be_visible()
    desk.goto(f"{hall.site}/t/{event.slug}/print/1/?sheet=slips")
    tables = Match.objects.filter(round__number=1, stage__tournament=event, state="called").order_by("table_no")
    expect(desk.locator(".slips > li")).to_have_count(2 * len(tables))
    hall.look(desk)
    links = desk.get_by_role("link", name="Open this table").evaluate_all("all => all.map((each) => each.href)")
    for paper in ("A4", "Letter"):
        printed = desk.pdf(format=paper)
        assert pages_of(printed) == -(-len(links) // 3)
        for sheet in range(pages_of(printed)):
            assert sorted(codes_on(printed, sheet)) == sorted(links[3 * sheet : 3 * sheet + 3])
    phone = hall.open(size=PHONE)
    for code, match in zip(codes_on(printed, 0), (tables[0], tables[0], tables[1]), strict=True):
        phone.goto(code)
        phone.wait_for_url(f"{hall.site}/x/{match.uuid}/")
        expect(phone.get_by_role("heading", level=1)).to_contain_text(f"Table {match.table_no}")
    hall.look(phone)
