"""Journeys of the desk in a browser: slips whose codes open their tables, an undo that is looked at first."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.pipeline.clubs import a_called_night, tables_of, totals
from tests.pipeline.normal_form import form_of
from tests.site.test_club_night import PHONE, Hall, enter, hall, press
from tests.site.test_my_day_phone import pages_of
from tournaments.models import ResultReport
from tournaments.services.reporting import Hand, submit_result

__all__ = ["hall"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(180), pytest.mark.slow]


def test_slips_are_four_a_page_and_a_code_opens_its_own_table(hall: Hall) -> None:
    event = a_called_night(people=8)
    desk, phone = hall.open(event.created_by), hall.open(size=PHONE)
    desk.goto(f"{hall.site}/t/{event.slug}/print/1/?sheet=slips")
    expect(desk.locator(".slips > li")).to_have_count(8)
    for paper in ("A4", "Letter"):
        assert pages_of(desk.pdf(format=paper)) == 2
    match = tables_of(event)[2]
    slip = desk.locator(".slips > li").filter(has_text=f"Table {match.table_no} ").first
    expect(slip.get_by_role("img").first).to_be_visible()
    phone.goto(str(slip.get_by_role("link", name="Open this table").get_attribute("href")))
    phone.wait_for_url(f"{hall.site}/x/{match.uuid}/")
    hall.look(phone)


def test_a_correction_is_looked_at_cancelled_and_done_as_it_was_shown(hall: Hall) -> None:
    event = a_called_night()
    for match in tables_of(event):
        submit_result(match=match, hand=Hand(user=event.created_by), claim=totals(130, 110))
    match, before = tables_of(event)[2], form_of(event)
    desk = hall.open(event.created_by)
    enter(hall, desk, match, 100, 140)
    press(desk, "See what would follow")
    shown = [
        row.inner_text()
        for row in desk.locator("table", has_text="Standings, before and after").get_by_role("row").all()
    ]
    assert len(shown) > 1
    hall.look(desk)
    desk.goto(f"{hall.site}/t/{event.slug}/desk/")  # thought better of it
    assert form_of(event) == before
    enter(hall, desk, match, 100, 140)
    press(desk, "See what would follow")
    desk.get_by_label("Why?").fill("The slip was misread.")
    press(desk, "Correct it")
    assert ResultReport.objects.get(match=match, state="confirmed").body["score"] == [100, 140]
    desk.goto(f"{hall.site}/t/{event.slug}/standings/")
    for line in shown[1:]:
        name, ranks, figures = line.split("\t")
        row = desk.get_by_role("row", name=name)
        expect(row).to_contain_text(ranks.partition("→")[2].strip())
        expect(row).to_contain_text(figures.partition("→")[2].strip())
