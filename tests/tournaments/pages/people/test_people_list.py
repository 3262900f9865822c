"""The list of people: a row each with the same cells, so that rows can be compared, and two lines of it on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from django.test import Client
from django.utils.html import strip_tags
from playwright.sync_api import Page

from tests.browser.looking import axe_violations, sideways
from tests.builders import events as a
from tests.tournaments.pages.people.test_bot_pages import a_rated_bot

pytestmark = pytest.mark.django_db
Visit = Callable[..., Page]
HEADS = ["Person", "Best bot", "Rating", "Bots", "Organised", "Latest event"]

MIDDLES = """all => all.map((row) => [...row.querySelectorAll("th a, .figure > *, .best b, td.num:not(.figure)")]
  .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect())
  .map(({top, bottom}) => (top + bottom) / 2))"""


def cells(row: str) -> list[str]:
    """The texts of the cells of a row."""
    found = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)
    return [" ".join(strip_tags(each).split()) for each in found]


def test_everybody_has_a_row_of_the_same_cells() -> None:
    bot, _pool = a_rated_bot()
    unrated = a.a_bot(a.a_user("zelkova"))
    page = Client().get("/u/").content.decode()
    (head, *rows) = re.findall(r"<tr.*?</tr>", page, re.DOTALL)
    assert [each.removesuffix(" ▴") for each in cells(head)] == HEADS
    assert re.findall(r'<th[^>]*aria-sort="ascending"[^>]*>Person', head), "what orders the rows"
    found = [dict(zip(HEADS, cells(row), strict=True)) for row in rows]
    assert len(found) >= 3
    for each in found:
        assert int(each["Bots"]) + int(each["Organised"]) > 0
        assert bool(each["Best bot"]) == bool(re.match(r"Rating \d", each["Rating"]))
    said = {each["Person"].split()[-1]: (each["Best bot"], each["Rating"]) for each in found}
    best, rating = said[f"@{bot.owner.username}"]
    assert best.startswith(f"{bot.name} ")
    assert re.fullmatch(r"Rating \d+\.\d \(mean .+ ± .+\)", rating)
    assert said[f"@{unrated.owner.username}"] == ("", "not yet rated")
    assert [said[each["Person"].split()[-1]] for each in found if each["Bots"] == "0"] == [("", "")], "nothing is said"
    assert "none yet" not in page


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 360])
def test_rows_are_of_one_height_and_nothing_of_them_is_cut(visit: Visit, transactional_db: None, width: int) -> None:
    a_rated_bot()
    page = visit("/u/")
    page.set_viewport_size({"width": width, "height": 740})
    rows = page.locator("tr[data-row]")
    heights = rows.evaluate_all("all => all.map((each) => Math.round(each.getBoundingClientRect().height))")
    assert len(heights) >= 2
    assert 64 <= min(heights) <= max(heights) <= 72
    wide = "all => all.filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1).length"
    assert page.locator("tr[data-row] :is(th, td, div, span, a, b)").evaluate_all(wide) == 0
    for middles in rows.evaluate_all(MIDDLES):
        apart = [low - high for high, low in pairwise(sorted(middles)) if low - high > 10]
        assert width == 1280 or len(apart) == 1, "on a phone a row is two lines"
    assert (axe_violations(page), sideways(page)) == ([], [])
