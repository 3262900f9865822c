"""The ranking, its posters and certificates as people see and print them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from playwright.sync_api import Page

from tests.browser.looking import axe_violations, sideways
from tests.builders.paper import pages_of
from tests.tournaments.progress.test_people_chains import a_night, play_and_close
from tournaments.models import Tournament
from tournaments.ranking.set_prizes import CategoryPlan, PrizePlan, set_prizes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.timeout(240)]
CUT = "() => [...document.querySelectorAll('.leaf')].filter((one) => one.scrollHeight > one.clientHeight + 1).length"
"""How many certificates hide a part of what they say."""
PEOPLE = ["W" * 60, "花札" * 30, "Aiko", "Ben", "Chiyo", "Dai"]


def a_finished_night() -> Tournament:
    """Six people, two of them with sixty letters, a prize each for the first and for a category."""
    event = a_night(kind="round_robin", groups=1, then=(), ways=(), listed="\n".join(PEOPLE), name="N" * 60)
    play_and_close(event, 1)
    event.refresh_from_db()
    prizes = [PrizePlan("Golden fan " + "w" * 60, amount=Decimal("12.50")), PrizePlan("Book", category=1, last=2)]
    changes = {"publish": "end", "currency": "EUR"}
    categories = [CategoryPlan("Visitors", "club", club="Lyon", is_named=True)]
    set_prizes(tournament=event, by=event.created_by, changes=changes, categories=categories, prizes=prizes)
    return event


def test_pages_fit_a_phone_and_print_as_many_sheets_as_people(visit: Callable[..., Page]) -> None:
    event = a_finished_night()
    here = f"/t/{event.slug}/"
    wrong: list[str] = []
    paths = ("", "ranking/", "ranking/poster-a4/", "prizes/", "certificates/?who=all")
    for path in paths:
        page = visit(here + path, as_=event.created_by)
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            wrong += [f"{width} {path}: {each}" for each in (*sideways(page), *axe_violations(page))]
    assert wrong == []
    for paper in ("a4", "letter"):
        page = visit(f"{here}certificates/?who=all&paper={paper}&language=ja", as_=event.created_by)
        assert page.evaluate(CUT) == 0
        printed = page.pdf(prefer_css_page_size=True)
        assert pages_of(printed) == len(PEOPLE)
    for paper in ("a4", "a3", "letter"):
        page = visit(f"{here}ranking/poster-{paper}/", as_=event.created_by)
        page.set_viewport_size({"width": 1280, "height": 800})
        size = page.evaluate("() => parseFloat(getComputedStyle(document.querySelector('.poster tbody th')).fontSize)")
        assert size >= 28 * 96 / 72, "letters that are read from two metres"
        printed = page.pdf(prefer_css_page_size=True)
        assert pages_of(printed) <= 2
