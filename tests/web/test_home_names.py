"""Names on the home pages: the reader's own in the greeting, those of players in a row."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from playwright.sync_api import Page

from accounts.models import User
from tests.builders import events as a
from tests.builders.matches_on_show import a_finished_match
from tests.web.test_home import read

pytestmark = pytest.mark.django_db


def test_a_name_is_greeted_as_a_whole_with_the_width_by_which_its_size_is_chosen(client: Client) -> None:
    person = a.a_user("hana")
    User.objects.filter(pk=person.pk).update(display_name="花子 <b>")
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    assert 'Welcome back, <span class="whole" data-width="8">花子 &lt;b&gt;</span>' in read(client)


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
