"""The podium of an event that is over, in a browser: cards apart, on one line, names in whole words."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.browser.looking import sideways
from tests.builders import events as a
from tests.builders.seasons import a_finished_event
from tests.tournaments.pages.events.test_newest_results import played_out

SIZES: Final[tuple[ViewportSize, ...]] = ({"width": 360, "height": 740}, {"width": 1280, "height": 860})
NAMES: Final = ("Maximilianopolis the Second", "Aiko", "Konstantinopolitanischer", "Ben of the long table")
BOXES: Final = """(all) => all.map((one) => {
  const box = one.getBoundingClientRect();
  return [box.left, box.right, box.bottom];
})"""
BROKEN: Final = """(all) => all.filter((one) => {
  const text = document.createRange();
  text.selectNodeContents(one);
  const lines = new Set([...text.getClientRects()].map((line) => line.top));
  return lines.size > one.textContent.trim().split(/\\s+/).length;
}).length"""
ABOVE = "all => all.map((each) => parseFloat(getComputedStyle(each).paddingTop))"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("ranks", [(1, 1, 1, 4), (1, 2, 3, 4), (1, 1, 3, 3), (1, 2, 2, 2)])
def test_cards_of_a_podium_stand_beside_each_other_and_names_are_whole_words(
    browser: Browser, live_site: str, ranks: tuple[int, ...]
) -> None:
    event = a_finished_event(a.a_user(), dict(zip(NAMES, ranks, strict=True)))
    for size in SIZES:
        page = browser.new_page(viewport=size)
        page.goto(f"{live_site}/t/{event.slug}/")
        (left, right, _bottom), *_none = page.locator(".ending").evaluate_all(BOXES)
        cards = sorted(page.locator(".podium .card").evaluate_all(BOXES))
        assert 1 <= len(cards) <= 3
        assert left < cards[0][0]
        assert cards[-1][1] < right
        assert all(one[1] < other[0] for one, other in pairwise(cards))
        firsts = page.locator(".podium .p1 .card").evaluate_all(BOXES)
        assert len({round(bottom) for _left, _right, bottom in firsts}) == 1
        assert page.locator(".podium .name").evaluate_all(BROKEN) == 0
        assert set(page.locator(".podium .name").evaluate_all(ABOVE)) == {8}, "names are at the tops of their steps"
        assert sideways(page) == []
        page.close()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_where_the_first_eight_went_out_has_room_on_the_narrowest_phone(browser: Browser, live_site: str) -> None:
    stage = played_out(8)
    page = browser.new_page(viewport={"width": 320, "height": 740})
    page.goto(f"{live_site}/t/{stage.tournament.slug}/")
    assert page.locator("#top thead th").last.inner_text() == "Reached"
    reached = page.locator("#top tbody .num").all_inner_texts()
    assert reached == ["Champion", "Final", *["Semi-finals"] * 2, *["Quarter-finals"] * 4]
    assert sideways(page) == []
    page.close()
