"""What is asked at a table, in a real browser: the words follow the play, and nothing moves for the choices."""

from __future__ import annotations

from collections import Counter

import pytest
from playwright.sync_api import Browser, Page, expect

from tables.models import LiveTable
from tests.tables.browsing import waits_for_turn
from tests.tables.over_http import session_of
from tests.tables.players import a_table, folded, guest

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.thorough]
TABLES = 40
"""Of 60 deals, 28 had a card with two ways: twelve in a row without one came once in about two thousand."""
PLACES = """() => [".rp-felt", ".rp-field", ".rp-me .rp-hand", ".live-choices", ".live-bar", ".foot"].map((name) => {
  const { top, bottom } = document.querySelector(name).getBoundingClientRect();
  return [name, Math.round(top), Math.round(bottom)];
})"""
OUTSIDE = """() => {
  const { bottom } = document.querySelector(".live-choices").getBoundingClientRect();
  return [...document.querySelectorAll(".live-choices button.on")]
    .filter((each) => each.getBoundingClientRect().bottom > bottom || each.scrollHeight > each.clientHeight)
    .map((each) => each.textContent);
}"""
"""Buttons that stand out of the strip, or whose words stand out of them."""
LONG_NAMES = """() => {
  for (const each of document.querySelectorAll(".live-choices button.on span")) {
    each.textContent = "Play Chrysanthemum Chaff 2 and take Chrysanthemum Blue Ribbon";
  }
}"""

MORE_CARDS = """() => {
  const cards = document.querySelector(".rp-places");
  for (const last = cards.querySelector("li"); cards.children.length < 18;) cards.append(last.cloneNode(true));
}"""

FILLED = """() => {
  const at = (name) => document.querySelector(name).getBoundingClientRect();
  const rows = [...document.querySelectorAll(".live-side .rp-yaku li")].map((row) => row.getBoundingClientRect());
  const end = at(".live-side .rp-yaku").bottom;
  return {
    below: innerHeight - at(".live-choices").bottom,
    cut: rows.filter((row) => row.top < end - 1 && row.bottom > end + 1).map((row) => row.bottom),
    side: at(".rp-felt").bottom - at(".live-side").bottom,
    wide: document.documentElement.scrollWidth - innerWidth,
  };
}"""
"""How a wide table fills its window; `cut`: where rows of the yaku end that are seen in part."""


@pytest.fixture
def two_ways(live_site: str, page: Page) -> tuple[LiveTable, str]:
    """A table whose reader holds a card that may take either of two; with that card."""
    for _ in range(TABLES):
        table, people = a_table("koikoi_nintendo", [guest("Plum"), guest("Crane")])
        question = folded(table).question
        assert question is not None
        ways = Counter(str(action.to_json().get("play")) for action in question.legal)
        card, number = ways.most_common(1)[0]
        if number == 2:
            session = session_of(people[question.seat])
            page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site}])
            return table, card
    pytest.fail("no deal with a card that has two ways")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1024, 768), (800, 900), (360, 740)])
def test_the_words_follow_the_play_and_nothing_moves(
    page: Page, live_site: str, two_ways: tuple[LiveTable, str], width: int, height: int
) -> None:
    table, card = two_ways
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{live_site}/play/{table.uuid}/")
    waits_for_turn(page)
    told, hand_card = page.locator("#live-told"), page.locator(f'.rp-me .rp-hand [data-card="{card}"]')
    assert told.inner_text().split("\n")[0].strip() == "Your turn: which card of the hand to play"
    before = page.evaluate(PLACES)
    hand_card.click()
    expect(page.locator(".live-choices button.on")).to_have_count(2)
    assert told.inner_text().split("\n")[0].strip() == "Your turn: which card to take"
    assert page.evaluate(PLACES) == before
    assert page.evaluate(OUTSIDE) == []
    page.evaluate(LONG_NAMES)
    assert page.evaluate(OUTSIDE) == []
    page.keyboard.press("Escape")
    assert "which card of the hand" in told.inner_text()


def test_a_phone_has_what_is_asked_and_the_tools_next_to_the_hand(
    page: Page, live_site: str, two_ways: tuple[LiveTable, str]
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_site}/play/{two_ways[0].uuid}/")
    waits_for_turn(page)
    boxes = [
        page.locator(each).bounding_box() for each in (".rp-me .rp-hand", "#live-told", ".live-tools", ".live-moves")
    ]
    hand, told, tools, moves = [each for each in boxes if each is not None]
    assert hand["y"] + hand["height"] < told["y"] < hand["y"] + hand["height"] + 24
    assert told["y"] + told["height"] <= tools["y"] + 1
    assert tools["y"] + tools["height"] <= 740
    assert moves["y"] > tools["y"] + tools["height"]


def test_the_keys_are_not_offered_to_a_finger(browser: Browser, live_site: str) -> None:
    table, people = a_table("koikoi_nintendo", [guest("Plum"), guest("Crane")])
    for has_touch, number in ((True, 0), (False, 1)):
        context = browser.new_context(has_touch=has_touch, is_mobile=has_touch)
        context.add_cookies([{"name": "sessionid", "value": session_of(people[0]), "url": live_site}])
        page = context.new_page()
        page.goto(f"{live_site}/play/{table.uuid}/")
        expect(page.get_by_role("button", name="Sound")).to_be_visible()
        expect(page.get_by_role("button", name="Keys")).to_have_count(number)
        context.close()


def test_a_full_field_moves_nothing_on_a_phone(page: Page, live_site: str, two_ways: tuple[LiveTable, str]) -> None:
    table, card = two_ways
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_site}/play/{table.uuid}/")
    waits_for_turn(page)
    before = page.evaluate(PLACES)
    page.evaluate(MORE_CARDS)
    assert page.evaluate(PLACES) == before
    page.locator(f'.rp-me .rp-hand [data-card="{card}"]').click()
    expect(page.locator(".aim").first).to_be_visible()
    assert page.locator(".aim").first.evaluate("(aim) => aim.getBoundingClientRect().width") >= 44


@pytest.mark.parametrize(("preset", "seats"), [("koikoi_nintendo", 2), ("hawaii", 3), ("hawaii", 4), ("hawaii", 7)])
def test_a_wide_table_uses_the_height_of_its_window(page: Page, live_site: str, preset: str, seats: int) -> None:
    table, people = a_table(preset, [guest(f"Plum {number}") for number in range(seats)])
    question = folded(table).question
    assert question is not None
    session = session_of(people[question.seat])
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site}])
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{live_site}/play/{table.uuid}/")
    waits_for_turn(page)
    found = page.evaluate(FILLED)
    assert 0 <= found["below"] < 24, "it is seen whole, and little is left empty"
    assert found["cut"] == [], "the list of yaku ends with a whole row"
    assert abs(found["side"]) <= 1
    assert found["wide"] <= 0


@pytest.mark.parametrize("width", [1024, 1199, 1280])
def test_a_hand_of_eight_lies_in_one_row_and_off_the_captures(page: Page, live_site: str, width: int) -> None:
    table, people = a_table("hawaii", [guest("Plum"), guest("Crane")])
    page.context.add_cookies([{"name": "sessionid", "value": session_of(people[0]), "url": live_site}])
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{live_site}/play/{table.uuid}/")
    boxes = page.locator(".rp-me .rp-hand .hc").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().toJSON())"
    )
    taken = page.locator(".rp-me .rp-kinds").evaluate("each => each.getBoundingClientRect().left")
    assert len(boxes) > 6
    assert max(box["top"] for box in boxes) - min(box["top"] for box in boxes) < 6
    assert max(box["right"] for box in boxes) <= taken


def test_on_a_phone_leaving_stands_in_line_with_the_tools(browser: Browser, live_site: str) -> None:
    table, people = a_table("koikoi_nintendo", [guest("Plum"), guest("Crane")])
    context = browser.new_context(has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740})
    context.add_cookies([{"name": "sessionid", "value": session_of(people[0]), "url": live_site}])
    page = context.new_page()
    page.goto(f"{live_site}/play/{table.uuid}/")
    boxes = [page.locator(each).bounding_box() for each in (".live-tools button >> nth=0", "#live-leave summary")]
    tool, leave = (each["y"] + each["height"] / 2 for each in boxes if each is not None)
    assert abs(tool - leave) <= 1
    line = page.locator("#live-leave summary").evaluate("(each) => getComputedStyle(each).lineHeight")
    assert line == "44px", "its words stand in the middle of what a finger touches"
    context.close()
