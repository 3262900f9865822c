"""Names on the home pages: the reader's own in the greeting, those of players in a row."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page

from accounts.models import User
from tests.builders import events as a
from tests.builders.matches_on_show import a_finished_match
from tests.web.test_home import read
from tournaments.models import Tournament
from web.presets import event_title, ladder_name, month_title

pytestmark = pytest.mark.django_db


def test_a_name_is_greeted_as_a_whole_with_the_width_by_which_its_size_is_chosen(client: Client) -> None:
    person = a.a_user("hana")
    User.objects.filter(pk=person.pk).update(display_name="花子 <b>")
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    assert 'Welcome back, <span class="whole" data-width="8">花子 &lt;b&gt;</span>' in read(client)


def ladders_of(page: str) -> tuple[str, list[str]]:
    """Return what the heading of the ladders says beside their word, and their names."""
    section = page.partition('<table class="fold ladders">')
    heading = section[0].rpartition("<h2>")[2].partition("</h2>")[0]
    names = re.findall(
        r"<a [^>]*>\s*(.*?)\s*</a>", "".join(re.findall(r'<th scope="row">.*?</th>', section[2], re.DOTALL))
    )
    return " ".join(re.sub(r"<[^>]+>", " ", heading).split()).removeprefix("Ladders").strip(), names


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Honolulu"])
def test_ladders_have_their_own_month_in_their_heading_and_their_game_as_name(client: Client, zone: str) -> None:
    """Around its end the ladders of a month stand beside those of the next: then each says its own."""
    client.cookies["zone"] = zone
    now = timezone.localtime()
    before = now.replace(day=1) - timedelta(days=40)
    ladders = [
        a.a_running_event(kind="ladder", rounds=8, name=ladder_name(preset, before)) for preset in ("hawaii", "french")
    ]
    assert ladders_of(read(client)) == (month_title(before), ["French", "Hawaii"])
    Tournament.objects.filter(pk=ladders[0].pk).update(name=ladder_name("hawaii", now))
    assert ladders_of(read(client)) == (
        "",
        [event_title(ladder_name("french", before)), f"Hawaii ladder, {month_title(now)}"],
    )


def test_an_event_that_is_named_for_its_game_says_it_once(client: Client) -> None:
    matches = [a_finished_match(seats=2, rounds=1) for _ in range(2)]
    for name, times in (("Hawaii evening", 1), ("Evening of friends", 2)):
        Tournament.objects.update(name=name)
        row = read(client).partition(f'<a href="/m/{matches[0].uuid}/">')[2].partition("</p>")[0]
        assert row.partition('class="dots">')[2].count("<span>") == times, name


def test_the_frame_names_a_ladder_of_this_month_by_its_game(client: Client) -> None:
    a_finished_match(seats=2, rounds=1)
    now = timezone.localtime()
    for month, said in ((now, "Hawaii · ladder"), (now - timedelta(days=400), None)):
        name = ladder_name("hawaii", month)
        Tournament.objects.update(name=name)
        title = client.get("/m/newest/").content.decode().partition("<h1>")[2].partition("</a>")[0]
        assert " ".join(title.partition("</span>")[2].split()) == (said or event_title(name))


def test_replays_stand_in_the_column_that_has_less(client: Client) -> None:
    for _ in range(2):
        a_finished_match(seats=2, rounds=1)
    a.an_open_event()
    Tournament.objects.exclude(state="registration").update(state="finished")
    a.a_running_event(kind="ladder", rounds=8)
    page = read(client)
    assert page.index("New replays") < page.index(">Ladders")
    a.a_running_event()
    page = read(client)
    assert page.index("On now") < page.index("Coming up") < page.index(">Ladders") < page.index("New replays")


def test_the_dash_between_two_names_goes_with_the_second(client: Client) -> None:
    match = a_finished_match(seats=3, rounds=1)
    a_finished_match(seats=2, rounds=1)
    row = read(client).partition(f'<a href="/m/{match.uuid}/">')[2].partition("</a>")[0]
    assert re.findall(r"<i>–&nbsp;</i>", row) == ["<i>–&nbsp;</i>"] * 2
    assert row.count("–") == 2


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_on_a_phone_each_side_of_two_has_a_line_with_its_figure(live_site: str, page: Page) -> None:
    matches = [a_finished_match(seats=2, rounds=1) for _ in range(3)]
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(live_site)
    row = page.locator(f'.replay-rows li:has([href*="{matches[0].uuid}"])')
    names, figures = (
        row.locator(part).evaluate_all("all => all.map((each) => each.getBoundingClientRect().toJSON())")
        for part in (".whole", ".num span")
    )
    assert len(names) == len(figures) == 2
    for name, figure in zip(names, figures, strict=True):
        assert abs(name["top"] - figure["top"]) <= 2
    assert names[1]["top"] >= names[0]["bottom"] - 1
    assert abs(figures[0]["right"] - figures[1]["right"]) <= 1
