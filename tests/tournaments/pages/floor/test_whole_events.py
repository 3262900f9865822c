"""Whole events of people by the form and the organiser's next step alone: none ends anywhere but at its end."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.builders import events as a
from tests.tournaments.pages.floor.test_club_night import Hall, hall
from tests.tournaments.pages.floor.test_evening_clicks import FIGURES
from tournaments.models import Match, Stage, Tournament
from tournaments.standings import store

__all__ = ["hall"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(600), pytest.mark.slow]

TWO: Final = {**FIGURES, 2: (130, 110)}
"""Figures by the number of sides: each has a winner, and every table of a form its own multiple of them."""
MAX_STEPS: Final = 80
# What is chosen on the form; the rest is left as it is offered. One deal a match, so that every round is short.
EVENTS: Final[dict[str, tuple[int, Mapping[str, str]]]] = {
    "Knock-out of 13": (13, {"seats": "2", "kind": "single_elim", "third_place": "on"}),
    "Double elimination of 11": (11, {"seats": "2", "kind": "double_elim"}),
    "Swiss of 9 by victories": (9, {"seats": "2", "kind": "swiss", "rounds": "4", "scoring": "round_victory"}),
    "Rotating partners": (12, {"seats": "4", "kind": "rotation", "rounds": "3", "option_teams": "2x2"}),
    "Pools to a cup": (12, {"seats": "2", "template": "pools", "groups": "3", "go_on": "2", "min_entries": "12"}),
    "Swiss to a cup": (10, {"seats": "2", "template": "swiss", "rounds": "3", "cut": "4", "final": "double_elim"}),
    "Tables to a final": (22, {"seats": "4", "template": "swiss", "rounds": "2", "cut": "4"}),
    "Round robin": (6, {"seats": "2", "kind": ""}),
    "Lives": (9, {"seats": "3", "kind": "lives", "rounds": "2"}),
    "Private evening": (8, {"seats": "4", "kind": "pods", "rounds": "3", "visibility": "private"}),
}


def fill(page: Page, chosen: Mapping[str, str]) -> None:
    """Fill the form in, wherever a field is folded away."""
    page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true })")
    for name, value in chosen.items():
        field = page.locator(f"form.fields [name={name}], form [name={name}]").last
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
        elif value == "on":
            field.check()
        else:
            field.fill(value)


def created(desk: Page, site: str, name: str, listed: str, chosen: Mapping[str, str]) -> Tournament:
    """Make the draft, open it, add everybody of a list and check them in."""
    desk.goto(f"{site}/t/new/?for=people&format=own")
    fill(desk, {"name": name, "max_entries": "32", "option_rounds": "1", **chosen})
    desk.get_by_role("button", name="Create the draft").click()
    event = Tournament.objects.get(name=name)
    for label in ("Announce it", "Open entries"):
        desk.goto(f"{site}/t/{event.slug}/desk/")
        desk.locator("#step .main").click()
        expect(desk.get_by_role("button", name=label)).to_have_count(0)
    desk.get_by_role("link", name="Paste a list", exact=True).first.click()
    desk.get_by_label(re.compile("One (name|person) per line")).fill(listed)
    desk.get_by_role("button", name="Add everybody").click()
    desk.get_by_role("button", name="Check everybody in").click()
    return event


def entered(desk: Page, site: str, event: Tournament) -> None:
    """Type what is called into the results page."""
    desk.goto(f"{site}/t/{event.slug}/grid/")
    expect(desk.locator(".grid-form")).to_be_visible()
    for match in Match.objects.filter(stage__tournament=event, state="called").order_by("round__number", "table_no"):
        row = desk.locator(f"#row-{match.uuid}")
        if row.count():  # of a round that is shown
            type_row(row, match.table_no or 0)
            expect(row.locator(".grid-row[data-open]")).to_have_count(0)


def type_row(row: Locator, number: int) -> None:
    """Figures of one deal, other ones at every table; Enter after the last saves the row."""
    boxes = row.locator("input.num")
    points = [n for n in range(boxes.count()) if not (boxes.nth(n).get_attribute("name") or "").endswith("won")]
    figures = TWO[len(points)]
    # By the number of the table, so that not the same seat wins everywhere.
    figures = figures[number % len(figures) :] + figures[: number % len(figures)]
    for at, figure in zip(points, figures, strict=True):
        boxes.nth(at).fill(str(figure))
    row.get_by_role("button").first.click()


def next_step(desk: Page, site: str, event: Tournament) -> bool:
    """Do what the dashboard leads to. Returns False where it leads nowhere: the end."""
    desk.goto(f"{site}/t/{event.slug}/desk/")
    main = desk.locator("main .main").first
    if main.count() and main.inner_text().strip() != "Enter results":
        main.click()
        desk.wait_for_load_state()
        confirm = desk.locator("main button.main").first
        if "/next/" in desk.url or "/draw/" in desk.url:
            confirm.click()
            desk.wait_for_load_state()
        return True
    if Match.objects.filter(stage__tournament=event, state="called").exists():
        entered(desk, site, event)
        return True
    return False


@pytest.mark.parametrize("name", EVENTS)
def test_the_next_step_leads_from_the_form_to_the_last_standings(hall: Hall, name: str) -> None:
    people, chosen = EVENTS[name]
    desk = hall.open(a.a_user("organiser"))
    guests = "\n".join(f"Guest {n:02}" for n in range(1, people + 1))
    event = created(desk, hall.site, name, guests, chosen)
    steps = 0
    while event.state != Tournament.State.FINISHED:
        assert steps < MAX_STEPS
        assert next_step(desk, hall.site, event), f"{desk.url} leads nowhere"
        hall.look(desk)
        steps += 1
        event.refresh_from_db()
    assert all(stage.state == Stage.State.CLOSED for stage in event.stages.all())
    assert all(store.differences(stage) == [] for stage in event.stages.all())
    desk.goto(f"{hall.site}/t/{event.slug}/ranking/")
    hall.look(desk)
    assert desk.locator("tbody tr").count() >= people
    hall.trouble.allow = (*hall.trouble.allow, "404")
    stranger = hall.open()
    answer = stranger.goto(f"{hall.site}/t/{event.slug}/")
    assert answer is not None
    assert answer.status == (404 if chosen.get("visibility") == "private" else 200)
