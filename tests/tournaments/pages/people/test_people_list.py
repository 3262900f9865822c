"""The list of people: a card each with the same parts, so that cards beside each other can be compared."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils.html import strip_tags

from tests.tournaments.pages.people.test_bot_pages import a_rated_bot

pytestmark = pytest.mark.django_db


def test_everybody_has_figures_last_events_and_a_best_bot() -> None:
    bot, _pool = a_rated_bot()
    page = Client().get("/u/").content.decode()
    cards = re.findall(r"<li data-row>.*?</li>", page, re.DOTALL)
    assert len(cards) >= 2
    for card in cards:
        slots = [strip_tags(each) for each in re.findall(r'<p class="small soft of">(.*?)</p>', card)]
        assert slots == ["Events", "Best bot"]
        assert re.findall(r"<strong>(\d+)</strong> (?:bot|tournament)", card)
    assert sum(">Plum</b>" in card for card in cards) == 1, bot.name
    assert sum("none yet" in card for card in cards) == 1, "who organised it has no bot"
