"""Journeys 12 and 14 of the desk in a browser: an undo that is looked at first, pools that lead to a champion."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.keyboard import Hands
from tests.builders.clubs import a_called_night, tables_of, totals
from tests.builders.normal_form import form_of
from tests.tournaments.pages.floor.test_club_night import Hall, enter, hall, press
from tests.tournaments.progress.test_people_chains import a_night, by_strength, play, stage_no
from tournaments.models import Match, ResultReport, Tournament
from tournaments.scores.actions import Actor, submit_result

__all__ = ["hall"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(180)]


def look_ahead(hall: Hall, hands: Hands, match: Match) -> None:
    """Other figures are typed, and what would follow is shown; by keyboard alone."""
    hands.page.goto(f"{hall.site}/m/{match.uuid}/result/")
    for side, points in ((0, "100"), (1, "140")):
        hands.reach(hands.page.locator(f"#f-total_{side}"), f"the points of side {side + 1}")
        hands.type(points)
    hands.press("button", "Preview change")
    expect(hands.page.get_by_role("heading", name="Consequences")).to_be_visible()


@pytest.mark.slow
def test_a_correction_is_looked_at_cancelled_and_done_as_it_was_shown(hall: Hall) -> None:
    event = a_called_night()
    for match in tables_of(event):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(130, 110))
    match, before = tables_of(event)[2], form_of(event)
    desk = hall.open(event.created_by)
    hands = Hands(desk)
    look_ahead(hall, hands, match)
    shown = [
        row.inner_text()
        for row in desk.locator("table", has_text="Standings, before and after").get_by_role("row").all()
    ]
    assert len(shown) > 1
    hall.look(desk)
    hands.press("link", "Leave it unchanged")  # thought better of it
    desk.wait_for_url(f"**/t/{event.slug}/desk/")
    assert form_of(event) == before
    look_ahead(hall, hands, match)
    hands.reach(desk.locator("#reason"), "the reason")
    hands.type("The slip was misread.")
    hands.press("button", "Correct the result")
    expect(desk.get_by_text("is corrected").first).to_be_visible()
    assert ResultReport.objects.get(match=match, state="confirmed").body["score"] == [100, 140]
    desk.goto(f"{hall.site}/t/{event.slug}/standings/")
    for line in shown[1:]:
        name, ranks, figures = line.split("\t")
        row = desk.get_by_role("row", name=name)
        expect(row).to_contain_text(ranks.partition("→")[2].strip())
        expect(row).to_contain_text(figures.partition("→")[2].strip())
    hall.look(desk)


@pytest.mark.slow
def test_journey_14_pools_are_closed_and_a_bracket_is_played_to_its_champion(hall: Hall) -> None:
    event = a_night()
    play(stage_no(event, 1))
    desk, reader = hall.open(event.created_by), hall.open()
    hands = Hands(desk)
    desk.goto(f"{hall.site}/t/{event.slug}/desk/")
    hands.press("button", "Confirm final standings")
    expect(desk.get_by_text("the final standings were confirmed").first).to_be_visible()
    desk.goto(f"{hall.site}/t/{event.slug}/draw/2/")
    hands.press("button", "Draw the next stage")
    expect(desk.get_by_role("heading", level=1)).to_be_visible()
    reader.goto(f"{hall.site}/t/{event.slug}/bracket/")
    same_in_both(reader, 3)
    hall.look(reader)
    the_bracket_is_entered(hall, desk, event)
    expect(reader.locator(".bracket .champion")).to_contain_text("Player 001")  # the page follows on its own
    same_in_both(reader, 3)
    desk.goto(f"{hall.site}/t/{event.slug}/desk/")
    hands.press("button", "Confirm and finish")
    expect(desk.get_by_text("the final standings were confirmed").first).to_be_visible()
    reader.goto(f"{hall.site}/t/{event.slug}/bracket/")
    expect(reader.locator(".bracket .champion")).to_contain_text("Player 001")
    hall.look(reader)
    reader.goto(f"{hall.site}/t/{event.slug}/")
    expect(reader.get_by_text("Player 001 wins.")).to_be_visible()


def the_bracket_is_entered(hall: Hall, desk: Page, event: Tournament) -> None:
    """Semi-finals and final: called, and every result typed in at the desk."""
    for number in (1, 2):
        if number == 2:
            desk.goto(f"{hall.site}/t/{event.slug}/next/?stage=2")
            press(desk, "Publish it")
        desk.goto(f"{hall.site}/t/{event.slug}/desk/")
        press(desk, f"Start round {number}")
        for match in Match.objects.filter(stage=stage_no(event, 2), round__number=number).order_by("table_no"):
            enter(hall, desk, match, *by_strength(match))
            press(desk, "Enter it")
            expect(desk.get_by_text("is entered").first).to_be_visible()


def same_in_both(page: Page, matches: int) -> None:
    """Drawing and list have the same matches, and every name and figure of a box stands in its line."""
    boxes = page.locator("svg.bracket [data-match]")
    expect(boxes).to_have_count(matches)
    for box in boxes.all():
        line = page.locator(f".bracket-list li[data-match='{box.get_attribute('data-match')}']").text_content()
        for text in box.locator("text").all_text_contents():
            assert text.strip().rstrip("…") in str(line)
