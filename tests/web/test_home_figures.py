"""The felts of the home page: of which moment of a match their figures are."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.builders.matches_on_show import a_finished_match
from tests.web.test_home import felts_of, read

pytestmark = pytest.mark.django_db


def test_the_felt_says_of_which_moment_its_figures_are(client: Client) -> None:
    a_finished_match(seats=2, preset="nuki88", rounds=2)
    page = read(client)
    newest, best = (felt for _, felt in felts_of(page))
    assert not re.search(r"</b>\s*<span>", newest), "one score: that of the result"
    assert re.search(r'<p class="felt-when">\s*After deal \d+\s*</p>', best)
    assert re.search(r'<p class="felt-when">\s*Deal \d+ of 2\s*</p>', newest)
    assert "Final result" in best
    told = best.partition('class="felt-told small">')[2].partition("</p>")[0]
    assert not re.search(r" [=−\d]|= |teyaku|dekiyaku", told), told
