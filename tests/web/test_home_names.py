"""Names on the home pages: the reader's own in the greeting, those of players in a row."""

from __future__ import annotations

import re

import pytest
from django.test import Client

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
