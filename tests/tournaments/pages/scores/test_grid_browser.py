"""Results page by keyboard in a real browser: no click from the first figure of a round to the next step."""

from __future__ import annotations

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.builders.clubs import a_called_night, tables_of, totals
from tests.tournaments.pages.floor.test_club_night import PHONE, Hall, hall
from tests.tournaments.progress.test_stations import a_hall
from tournaments.floor.announcements import announce
from tournaments.models import Match, ResultReport
from tournaments.scores.actions import Actor, submit_result

__all__ = ["hall"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(180)]


def type_row(desk: Page, *figures: int | str) -> None:
    """Type a row's figures where the focus is, Enter after each."""
    for figure in figures:
        desk.keyboard.type(str(figure))
        desk.keyboard.press("Enter")


def counted() -> list[list[int]]:
    """Return the results that count, by table."""
    rows = ResultReport.objects.filter(state="confirmed").order_by("match__table_no")
    return [list(row.body["score"]) for row in rows]


def number_in_focus(desk: Page) -> str:
    return str(desk.evaluate("() => document.activeElement.closest('.grid-row')?.dataset.number ?? ''"))


@pytest.mark.slow
def test_a_round_is_typed_without_a_click(hall: Hall) -> None:
    event = a_called_night(people=8)
    _one, two, three, four = tables_of(event)
    desk = hall.open(event.created_by)
    desk.goto(f"{hall.site}/t/{event.slug}/grid/")
    hall.look(desk)
    assert number_in_focus(desk) == "1"
    type_row(desk, 130, 110)
    assert number_in_focus(desk) == "2"
    type_row(desk, 131, 109)
    assert number_in_focus(desk) == "3"
    row = desk.locator(f"#row-{two.uuid}")
    expect(row.locator(".wrong")).to_contain_text("multiple of 5")
    expect(row.get_by_role("textbox").first).to_have_value("131")
    hall.look(desk)
    # A phone reports another table meanwhile: its figures appear, what is being typed stays.
    desk.keyboard.type("15")
    submit_result(match=four, actor=Actor(side=0), claim=totals(90, 150))
    expect(desk.locator(f"#row-{four.uuid}").get_by_role("textbox").first).to_have_value("90")
    # News of another table takes neither the refusal away nor what was typed.
    expect(row.locator(".wrong")).to_contain_text("multiple of 5")
    expect(row.get_by_role("textbox").first).to_have_value("131")
    assert number_in_focus(desk) == "3"
    type_row(desk, 0, 90)
    # Nothing else is open: the refused row is next.
    expect(desk.locator(f"#row-{three.uuid}")).to_contain_text("confirmed")
    assert number_in_focus(desk) == "2"
    desk.keyboard.press("/")
    desk.keyboard.type("4")
    desk.keyboard.press("Enter")
    assert number_in_focus(desk) == "4"
    desk.keyboard.press("Enter")
    desk.keyboard.press("Enter")
    expect(desk.locator(f"#row-{four.uuid}")).to_contain_text("confirmed")
    assert number_in_focus(desk) == "2"
    type_row(desk, 130, 110)
    expect(desk.get_by_role("link", name="Draw the next round")).to_be_focused()
    assert counted() == [[130, 110], [130, 110], [150, 90], [90, 150]]
    hall.look(desk)


@pytest.mark.slow
def test_answers_that_overtake_each_other_take_nothing_away(hall: Hall) -> None:
    """The first row's answer comes last: what it says of the others is old, and the next step gets the focus once."""
    event = a_called_night(people=6)
    desk = hall.open(event.created_by)
    desk.goto(f"{hall.site}/t/{event.slug}/grid/")
    posts: list[Route] = []
    held: list[tuple[Route, APIResponse]] = []

    def late(route: Route) -> None:
        if route.request.method != "POST" or posts:
            return route.continue_()
        posts.append(route)
        held.append((route, route.fetch()))  # the server has answered; the answer is on its way
        return None

    desk.route("**/grid/**", late)
    for figures in ((130, 110), (140, 100), (125, 115)):
        type_row(desk, *figures)
    expect(desk.locator(".grid-row[data-open]")).to_have_count(1)
    route, answer = held.pop()
    route.fulfill(response=answer)
    expect(desk.locator(".grid-row[data-open]")).to_have_count(0)
    expect(desk.get_by_role("link", name="Draw the next round")).to_be_focused()
    # A page that was asked for before does not take the focus from it, nor one that says nothing new.
    announce(tournament=event, by=event.created_by, text="Tea is ready")
    expect(desk.get_by_text("something was announced").first).to_be_visible()
    expect(desk.get_by_role("link", name="Draw the next round")).to_be_focused()


@pytest.mark.slow
def test_the_page_on_a_phone_and_without_script(hall: Hall) -> None:
    event = a_called_night(people=6)
    phone = hall.open(event.created_by, size=PHONE)
    phone.goto(f"{hall.site}/t/{event.slug}/grid/")
    hall.look(phone)
    plain = hall.browser.new_context(java_script_enabled=False, storage_state=phone.context.storage_state())
    hall.contexts.append(plain)
    page = plain.new_page()
    page.goto(f"{hall.site}/t/{event.slug}/grid/")
    boxes = page.get_by_role("textbox")
    for number, text in enumerate(("130", "110", "7", "", "150", "90")):
        boxes.nth(number).fill(text)
    boxes.nth(0).press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Table 2")
    assert ResultReport.objects.filter(state="confirmed").count() == 2
    expect(page.get_by_role("textbox").first).to_have_value("7")


NEXT = """() => {
  const at = document.activeElement;
  if (at.closest('.grid-row[data-open]') && !('saving' in at.closest('li').dataset)) return 'type';
  if (at.closest('#step') && at.closest('[action$="call-free/"]')) return 'call';
  return at.closest('#step [action$="close/"]') ? 'done' : '';
}"""
"""What somebody at the keyboard does next, by where the focus is; "" while an answer is on its way."""


@pytest.mark.slow
def test_a_double_elimination_of_eleven_at_four_tables_by_keyboard(hall: Hall) -> None:
    """Every result is typed where the focus is; matches are called as tables get free, to the champion."""
    event = a_hall(4, alone=True, people=11)
    desk = hall.open(event.created_by)
    desk.goto(f"{hall.site}/t/{event.slug}/grid/")
    hall.look(desk)
    keys = 0
    while (what := desk.wait_for_function(NEXT).json_value()) != "done" and keys < 400:
        keys += 1
        if what == "call":
            with desk.expect_navigation():
                desk.keyboard.press("Enter")
        else:
            type_row(desk, 80, 30)
    hall.look(desk)
    matches = Match.objects.filter(stage__tournament=event)
    assert (matches.count() >= 20, matches.exclude(state="confirmed").count()) == (True, 0)
