"""Check-in on the dashboard: a tile for everybody who is entered, and what is next once they have come."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page

from tests.browser.looking import log_in
from tests.builders.clubs import a_called_night, a_club_night, person
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
Become = Callable[..., Client]


@pytest.mark.thorough
def test_people_are_checked_in_on_the_dashboard_before_round_1(as_user: Become) -> None:
    event = a_club_night(people=4)
    event.entries.update(state="entered")
    client, here = as_user(event.created_by), f"/t/{event.slug}/desk/"
    page = client.get(here).content.decode()
    assert page.count('aria-pressed="false"') == 4
    assert "No round is drawn yet" not in page
    assert re.search(r"<button>\s*Start\s*</button>", page), "to start is no advice while nobody is here"
    sent = {"entry": str(person(event, "Ben").uuid), "back": "desk"}
    assert client.post(f"{here}here/", sent).headers["Location"] == f"{here}#here-{sent['entry']}"
    page = client.get(here).content.decode()
    assert (page.count('aria-pressed="true"'), page.count('aria-pressed="false"')) == (1, 3)
    assert client.post(f"{here}away/", sent).headers["Location"] == f"{here}#here-{sent['entry']}"
    assert client.post(f"{here}all-here/", {"back": "desk"}).headers["Location"] == here
    page = client.get(here).content.decode()
    assert page.count('aria-pressed="true"') == 4
    assert re.search(r'<button class="main">\s*Start', page)
    assert "Check everybody in" not in page
    # Elsewhere the same forms lead back to the list of people, and nobody is sent to a page of their choice.
    assert (
        client.post(f"{here}here/", sent | {"back": "//evil"})
        .headers["Location"]
        .startswith(f"/t/{event.slug}/entries/#here-")
    )


def test_an_event_without_people_takes_the_first_name_in_its_first_step(as_user: Become) -> None:
    event = a_club_night(people=4)
    event.entries.all().delete()
    page = as_user(event.created_by).get(f"/t/{event.slug}/desk/").content.decode()
    step = page[page.index('<li aria-current="step">') :].partition("</li>")[0]
    assert f'action="/t/{event.slug}/desk/add/"' in step
    assert 'name="name"' in step
    assert f'href="/t/{event.slug}/entries/#paste-list"' in step
    assert re.search(r"\d more entries are needed first.", page)


def test_the_way_to_round_1_names_each_thing_once(as_user: Become) -> None:
    event = a_club_night(people=4)
    event.entries.all().delete()
    page = as_user(event.created_by).get(f"/t/{event.slug}/desk/").content.decode()
    main = page[page.index('<section class="check-in"') : page.index("</main>")]
    assert main.count("Add people") == 1
    assert main.count("Start") == 1, "in the last of the three steps"
    assert main.count("more entries are needed first") == 1
    assert main.index("The first round is drawn") < main.index("more entries are needed first")


def test_below_the_steps_stand_the_time_until_the_start_the_entries_and_the_code(as_user: Become) -> None:
    event = a_club_night(people=4)
    Tournament.objects.filter(pk=event.pk).update(starts_at=timezone.now() + timedelta(days=3, minutes=5))
    event.entries.all().delete()
    page = as_user(event.created_by).get(f"/t/{event.slug}/desk/").content.decode()
    order = [page.index(each) for each in ('class="road"', 'id="before"', 'id="hall-tools"', 'id="undo"')]
    assert order == sorted(order)
    before = " ".join(page.partition('id="before"')[2].partition("</section>")[0].split())
    assert '<p class="large">3 days</p>' in before
    assert f"0 of {event.max_entries}" in before
    assert before.count('class="qr"') == 1
    Tournament.objects.filter(pk=event.pk).update(starts_at=timezone.now() - timedelta(minutes=5))
    page = as_user(event.created_by).get(f"/t/{event.slug}/desk/").content.decode()
    assert "Planned start" in page.partition('id="before"')[2]


@pytest.mark.slow
def test_the_steps_and_what_stands_below_are_three_equal_columns(
    page: Page, live_site: str, transactional_db: None
) -> None:
    event = a_club_night(people=4)
    event.entries.all().delete()
    log_in(page.context, live_site, event.created_by)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{live_site}/t/{event.slug}/desk/")
    boxes = "all => all.map((each) => each.getBoundingClientRect().toJSON())"
    for parts in (".road > li", ".before > div"):
        found = page.locator(parts).evaluate_all(boxes)
        assert [len({round(box[side]) for box in found}) for side in ("top", "left")] == [1, 3], parts
    row = page.locator(".before > div").evaluate_all(boxes)
    assert len({round(box["width"]) for box in row}) == 1
    begins = [
        page.locator(parts).evaluate_all("all => all.map((each) => Math.round(each.getBoundingClientRect().left))")
        for parts in (".road > li > strong", ".before > div > :first-child")
    ]
    assert begins[0] == begins[1], "one grid for both cards"
    tabs, rail, head = (
        page.locator(each).first.evaluate(f"each => ({boxes})([each])[0]")
        for each in ("nav.tabs", ".rail [aria-current]", ".check-in .round-head")
    )
    assert 24 <= rail["top"] - tabs["bottom"] <= 32
    assert rail["top"] == head["top"], "both columns begin at one line"


@pytest.mark.parametrize("changes", [{"state": "draft"}, {"visibility": "private"}])
def test_what_strangers_do_not_find_has_no_code(as_user: Become, changes: dict[str, str]) -> None:
    event = a_club_night(people=4)
    Tournament.objects.filter(pk=event.pk).update(**changes)
    page = as_user(event.created_by).get(f"/t/{event.slug}/desk/").content.decode()
    assert 'id="before"' in page
    assert 'class="qr"' not in page


def test_while_tables_play_nothing_of_that_is_left(as_user: Become) -> None:
    event = a_called_night(people=4)
    page = as_user(event.created_by).get(f"/t/{event.slug}/desk/").content.decode()
    assert 'id="before"' not in page
    assert page.count('class="command"') == 1


def test_where_nobody_is_entered_no_count_of_nobody_is_shown(as_user: Become) -> None:
    event = a_club_night(people=4)
    people = as_user(event.created_by).get(f"/t/{event.slug}/entries/").content.decode()
    assert "<strong>4</strong>/4" in people
    event.entries.all().delete()
    for tab in ("entries/", "desk/", "screen/"):
        page = as_user(event.created_by).get(f"/t/{event.slug}/{tab}").content.decode()
        assert "</strong>/0" not in page, tab
