"""The head of a bot: all of it over the overview, one line over the other tabs; what its versions are said to be."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils.html import strip_tags

from accounts.models import User
from bots.models import Bot
from tests.builders import events as a
from tests.tournaments.pages.people.test_bot_pages import TABS, a_match, a_rated_bot, read
from tests.tournaments.pairing.test_rated_seeds import a_pool, rated
from tournaments.models import Rating, Tournament

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]


@pytest.mark.thorough
def test_the_head_says_how_strong_it_is_and_where_it_stands(as_user: Become) -> None:
    plum, _pool = a_rated_bot()
    page = read(as_user(None), f"/b/{plum.slug}/")
    assert "<strong>27.0</strong>" in page
    assert "mean 30.0 ± 2.0" in page
    assert '<a href="/ladder/hawaii/?seats=2&amp;sides=2"> <strong>1</strong></a> <span>of 3</span>' in page
    assert '<strong>3</strong> won</span> <span class="whole"><strong>0</strong> lost</span>' in page
    assert page.count('aria-current="page"') == 1
    assert read(as_user(plum.owner), f"/b/{plum.slug}/").count("New version") == 1


@pytest.mark.thorough
def test_the_other_tabs_say_in_one_line_whose_they_are(as_user: Become) -> None:
    plum, _pool = a_rated_bot()
    for tab in TABS[1:]:
        page = read(as_user(None), f"/b/{plum.slug}/{tab}")
        head = page.partition('<header class="portrait brief">')[2].partition("</header>")[0]
        told = strip_tags(head).split()
        assert told[:2] == ["Plum", "by"]
        assert told[3:] == [
            "Rating",
            "(lower",
            "bound)",
            "27.0",
            "Hawaii,",
            "2",
            "seats",
            "mean",
            "30.0",
            "±",
            "2.0",
            "Play",
            "this",
            "bot",
        ]
        assert page.count('aria-current="page"') == 1
        own = (
            read(as_user(plum.owner), f"/b/{plum.slug}/{tab}").partition("portrait brief")[2].partition("</header>")[0]
        )
        assert own.count("New version") == 1
        assert "Rename" not in own


@pytest.mark.thorough
def test_its_last_results_stand_at_the_head_of_its_first_page(as_user: Become) -> None:
    plum, _pool = a_rated_bot()
    event = Tournament.objects.get(name="Moon league")
    kiri = Bot.objects.get(name="Kiri")
    a_match(event, {plum: (2, 100), kiri: (1, 900)})
    a_match(event, {plum: (1, 300), kiri: (1, 300)})
    page = read(as_user(None), f"/b/{plum.slug}/")
    lately = page.split('aria-label="Last results, the newest first"')[1].split("</ol>")[0]
    assert re.findall(r'<span class="sr">(\w+)</span>', lately) == ["tied", "lost", "won", "won", "won"]
    for tab in TABS[1:]:
        assert "Last results" not in read(as_user(None), f"/b/{plum.slug}/{tab}")


def test_the_head_shows_the_rating_of_the_list_of_bots(as_user: Become) -> None:
    plum, most_played = a_rated_bot()
    rated(a_pool(preset="hawaii", seats=4, sides=4), plum.pk, 40, 1, version=plum.active_version)
    page, listed = (read(as_user(None), path) for path in (f"/b/{plum.slug}/", "/b/"))
    head = strip_tags(page.partition('<dl class="strength">')[2].partition("</dl>")[0]).split()
    assert head[:5] == ["Rating", "(lower", "bound)", "37.0", "Hawaii,"]
    assert "37.0" in listed
    assert "mean 40.0 ± 2.0" in listed
    chosen = read(as_user(None), f"/b/{plum.slug}/?pool={most_played.pk}").partition('<dl class="strength">')[2]
    assert "37.0" not in chosen.partition("</dl>")[0]


def test_a_rating_without_a_curve_has_its_figures_beside_its_strip(as_user: Become) -> None:
    plum, _pool = a_rated_bot(1)
    page = read(as_user(None), f"/b/{plum.slug}/")
    figures = page.partition('<figure class="few">')[2].partition("</dl>")[0]
    assert re.findall(r"<dd>([^<]+)</dd>", figures) == ["27.0", "30.0", "28.0 – 32.0"]


def test_an_active_version_has_one_word_for_its_state(as_user: Become) -> None:
    plum, _pool = a_rated_bot()
    a.a_version(plum)
    page = read(as_user(None), f"/b/{plum.slug}/versions/")
    rows = [strip_tags(row) for row in re.findall(r"<li data-row>.*?</li>", page)]
    assert [re.findall(r"\b(?:active|ready)\b", row) for row in rows] == [["ready"], ["active"]]


def test_a_version_shows_its_best_rating_and_its_deal_sets_on_all_leaderboards(as_user: Become) -> None:
    plum, _pool = a_rated_bot()
    first = plum.active_version
    better = rated(a_pool(preset="french"), plum.pk, 43, 1, version=first)
    Rating.objects.filter(version=first).update(events=4, pending=1)
    Rating.objects.filter(pk=better.pk).update(events=6)
    a.a_version(plum)
    page = read(as_user(None), f"/b/{plum.slug}/versions/")
    newer, older = (
        " ".join(strip_tags(row).split()) for row in re.findall(r"<li data-row>.*?</li>", page, flags=re.DOTALL)
    )
    assert "not yet rated" in newer
    assert "Best rating 40.0 French, 2 seats" in older
    assert "12 deal sets in all" in older
    assert "in all" not in newer
