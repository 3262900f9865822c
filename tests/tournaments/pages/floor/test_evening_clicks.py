"""A whole evening at the desk, counted: 22 people, five rounds and a final table, on paper and with phones."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.builders import events as a
from tests.builders.clubs import totals
from tests.tournaments.pages.floor.test_club_night import Hall, hall
from tournaments.models import Match, Tournament
from tournaments.scores.actions import Actor, accept_result, submit_result
from tournaments.standings import store

__all__ = ["hall"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(600), pytest.mark.slow]
PEOPLE = 22
ROUNDS = 5
FIGURES = {3: (100, 80, 60), 4: (90, 60, 50, 40), 5: (80, 60, 50, 30, 20)}
"""Results of one deal by the number of people at a table; each has a winner."""
MAX_TO_ROUND_1 = 19
MAX_ON_PAPER, MAX_WITH_PHONES = 60, 30


class Desk:
    """The organiser's laptop. clicks: on buttons and links; figures and names are typed."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.clicks = hall, 0
        self.page: Page = hall.open(a.a_user("organiser"))

    def click(self, wanted: Locator) -> None:
        """Click on something and wait for the page that it leads to."""
        self.clicks += 1
        wanted.click()
        self.page.wait_for_load_state()

    def button(self, name: str) -> None:
        """Click on a button."""
        self.click(self.page.get_by_role("button", name=name, exact=True).first)

    def link(self, name: str) -> None:
        """Click on a link."""
        self.click(self.page.get_by_role("link", name=name, exact=True).first)


def prepared(desk: Desk) -> Tournament:
    """Make the event, write everybody down, start it: until round 1 is drawn."""
    page = desk.page
    page.goto(f"{desk.hall.site}/t/new/")
    page.get_by_label("How many people", exact=True).fill(str(PEOPLE))
    page.get_by_label("How many tables", exact=True).fill("6")
    desk.button("Show formats that fit")
    desk.hall.look(page)
    desk.click(page.get_by_role("link", name="Use this Swiss rounds, then a final table"))
    desk.click(page.get_by_text("Fine-tune"))
    desk.hall.look(page)
    page.get_by_label("Name", exact=True).fill("Club night")
    page.get_by_label("Rounds", exact=True).fill(str(ROUNDS))
    page.get_by_label("Deals per match").fill("1")
    desk.button("Create the draft")
    desk.link("Dashboard")
    desk.button("Announce it")
    desk.button("Open entries")
    desk.link("Paste a list")
    page.get_by_label("One name per line").fill("\n".join(f"Guest {n:02}" for n in range(1, PEOPLE + 1)))
    desk.button("Add everybody")
    desk.button("Check everybody in")
    desk.link("Dashboard")
    desk.hall.look(page)
    expect(page.locator(".check-in [aria-pressed=true]")).to_have_count(PEOPLE)
    desk.button("Start")
    # With the one that prints and calls round 1: nineteen from nothing, as before the first questions.
    assert desk.clicks < MAX_TO_ROUND_1
    return Tournament.objects.get(name="Club night")


def tables(event: Tournament) -> list[Match]:
    """Return the tables that are being played."""
    return list(Match.objects.filter(stage__tournament=event, state="called").order_by("table_no"))


def typed(desk: Desk, event: Tournament) -> None:
    """Type every table of the round, by keyboard alone."""
    keys = desk.page.keyboard
    called = tables(event)
    expect(desk.page.locator(".grid-row [autofocus]")).to_be_focused()
    for match in called:
        for figure in FIGURES[match.seats_n]:
            keys.type(str(figure))
            keys.press("Enter")
    expect(desk.page.locator("#step .main").first).to_be_focused()


def on_phones(event: Tournament) -> None:
    """Let two sides of every table report the same result."""
    for match in tables(event):
        submit_result(match=match, actor=Actor(side=0), claim=totals(*FIGURES[match.seats_n]))
        accept_result(match=match, actor=Actor(side=1))


def the_final_is_drawn(desk: Desk) -> None:
    """Sign the Swiss and draw the final table of its first four."""
    desk.button("Confirm final standings")
    desk.click(desk.page.get_by_role("link", name="See who advances, and draw it"))
    desk.button("Draw the next stage")


def finished(desk: Desk, event: Tournament, bound: int) -> None:
    """Nothing is left to do, and it did not take more clicks than promised."""
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    assert event.stages.count() == 2
    assert all(store.differences(stage) == [] for stage in event.stages.all())
    print(f"clicks at the desk: {desk.clicks}, at most {bound}")
    assert desk.clicks <= bound


def test_an_evening_on_paper(hall: Hall) -> None:
    desk = Desk(hall)
    event = prepared(desk)
    desk.button("Print and start round 1")
    for number in range(1, ROUNDS + 1):
        assert f"/print/{number}/" in desk.page.url
        desk.link("Enter results")
        typed(desk, event)
        if number < ROUNDS:
            desk.link("Draw the next round")
            desk.button("Publish, print and call")
    hall.look(desk.page)
    the_final_is_drawn(desk)
    desk.button("Print and start round 1")
    desk.link("Enter results")
    typed(desk, event)
    desk.button("Confirm and finish")
    finished(desk, event, MAX_ON_PAPER)


def test_an_evening_with_phones(hall: Hall) -> None:
    desk = Desk(hall)
    event = prepared(desk)
    desk.button("Start round 1")
    for number in range(1, ROUNDS + 1):
        on_phones(event)
        if number < ROUNDS:
            desk.link("Draw the next round")
            desk.button("Publish and call")
    the_final_is_drawn(desk)
    desk.button("Start round 1")
    on_phones(event)
    desk.button("Confirm and finish")
    finished(desk, event, MAX_WITH_PHONES)
