"""What tells results in a real browser: the card at the end of a deal, and the score as lines above their columns."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.looking import sideways
from tests.builders.matches_on_show import a_finished_match
from tests.builders.replays import opened, replay_of

pytestmark = pytest.mark.slow
PHONE: Any = {"width": 360, "height": 740}
WIDE: Any = {"width": 1280, "height": 800}
BOX = "each => each.getBoundingClientRect().toJSON()"
BOXES = "all => all.map((each) => each.getBoundingClientRect().toJSON())"


@pytest.mark.parametrize(
    ("preset", "seats", "rounds"),
    [("hawaii", 2, 1), ("nuki88", 3, 6), ("oibana", 3, 3), ("hawaii", 4, 1), ("hawaii", 6, 1)],
)
def test_on_a_phone_the_card_of_results_lies_in_the_field(
    live_site: str, page: Page, preset: str, seats: int, rounds: int
) -> None:
    """Also where hands are left, as all others dropped out; the controls do not jump."""
    page.set_viewport_size(PHONE)
    match = a_finished_match(seats=seats, preset=preset, rounds=rounds)
    for deal in replay_of(match).deals:
        opened(page, live_site, match, f"?d={deal.number}&m={len(deal.moves)}")
        card, field, bar = (page.locator(part).evaluate(BOX) for part in (".rp-end", ".rp-field", ".rp-bar"))
        assert field["top"] <= card["top"], deal.number
        assert card["bottom"] <= field["bottom"], deal.number
        for seat in page.locator(".rp-seat").evaluate_all(BOXES):
            assert seat["bottom"] <= field["top"] or field["bottom"] <= seat["top"], (deal.number, seat, field)
            assert seat["bottom"] <= bar["top"] + 1, deal.number
        assert sideways(page) == []


@pytest.mark.parametrize("size", [PHONE, WIDE])
@pytest.mark.parametrize(("preset", "seats"), [("paradise", 2), ("hawaii", 3), ("hawaii", 6)])
def test_columns_of_results_lie_apart_below_their_heads(
    live_site: str, page: Page, preset: str, seats: int, size: Any
) -> None:
    page.set_viewport_size(size)
    match = a_finished_match(seats=seats, preset=preset, rounds=1)
    opened(page, live_site, match, f"#d1m{len(replay_of(match).deals[0].moves)}")
    table = page.locator(".rp-end table").evaluate(BOX)
    words = """all => all.map((each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      return range.getBoundingClientRect().toJSON();
    })"""
    deal, total = page.locator(".rp-end thead th").evaluate_all(words)
    assert total["right"] <= table["right"], "no head runs past the rule"
    assert total["left"] - deal["right"] >= 12
    for column, head in ((3, deal), (4, total)):
        for figure in page.locator(f".rp-end tbody td:nth-child({column})").evaluate_all(words):
            assert abs(figure["right"] - head["right"]) < 1


def test_what_one_side_takes_is_one_part_and_stays_whole(live_site: str, page: Page) -> None:
    page.set_viewport_size(PHONE)
    match = a_finished_match(seats=2, preset="paradise", rounds=12)
    found = 0
    for deal in replay_of(match).deals:
        taken = [line for line in deal.lines if line.code == "opp_yaku"]
        if len({line.side for line in taken}) == len(taken):
            continue
        found += 1
        opened(page, live_site, match, f"#d{deal.number}m{len(deal.moves)}")
        for part in page.locator(".rp-end .how > :first-child > span").all():
            assert part.evaluate("each => each.clientHeight") < 20, part.inner_text()
        told = page.locator(".rp-end .how > :first-child > span").all_inner_texts()
        assert sum("'s " in each for each in told) == len({line.side for line in taken})
    assert found


def test_on_a_phone_lines_show_the_whole_match_and_columns_are_whole(live_site: str, page: Page) -> None:
    """The lines with names at their ends fit the screen; the table alone scrolls."""
    page.set_viewport_size(PHONE)
    opened(page, live_site, a_finished_match(seats=2, rounds=12), "#d1m0")
    for deal in (1, 6, 12):
        page.evaluate("at => { location.hash = at; }", f"#d{deal}m0")
        expect(page.locator(".rp-strip thead .now")).to_contain_text(str(deal))
        page.wait_for_timeout(100)  # the browser lets a column snap into its place
        total, name = (page.locator(part).first.evaluate(BOX) for part in (".rp-strip .rp-sum", ".rp-strip tbody th"))
        marks = page.locator(".rp-chart rect").evaluate_all(BOXES)
        assert len(marks) == 12
        assert all(mark["left"] >= 0 and mark["right"] <= 260 for mark in marks), deal
        expect(page.locator(".rp-chart .now")).to_have_attribute("data-deal", str(deal))
        for end in page.locator(".rp-ends text").evaluate_all(BOXES):
            assert end["left"] >= marks[-1]["right"]
            assert end["right"] <= PHONE["width"]
        for cell in page.locator(".rp-strip thead th:not(.rp-sum)").evaluate_all(BOXES):
            is_in = cell["right"] > name["right"] + 1 and cell["left"] < total["left"] - 1
            assert not is_in or (cell["left"] >= name["right"] - 1 and cell["right"] <= total["left"] + 1), deal


def test_a_seat_is_chosen_where_its_knowledge_is_shown(live_site: str, page: Page) -> None:
    opened(page, live_site, a_finished_match(seats=3, rounds=1), "#d1m5")
    page.get_by_role("button", name="Knowledge").click()
    choice = page.get_by_role("navigation", name="What could this seat know?")
    expect(page.locator("#rp-known")).to_contain_text("Choose a player")
    choice.get_by_role("link", name="Kiri").press("Enter")
    expect(page).to_have_url(re.compile("#d1m5s2$"))
    expect(page.locator(".rp-cal li")).to_have_count(12)
    expect(choice.get_by_role("link", name="Kiri")).to_have_attribute("aria-current", "true")
    expect(choice.get_by_role("link", name="Kiri")).to_be_focused()


def test_the_field_has_the_room_of_a_hand_whose_player_only_watches(live_site: str, page: Page) -> None:
    page.set_viewport_size(WIDE)
    match = a_finished_match(seats=3, preset="oibana", rounds=12)
    felts, fields = set(), set()
    for deal in replay_of(match).deals:
        for move in (0, len(deal.moves) // 2, len(deal.moves)):
            opened(page, live_site, match, f"?d={deal.number}&m={move}")
            felts.add(page.locator(".rp-felt").evaluate("each => Math.round(each.clientHeight)"))
            is_out = page.locator(".rp-me.out").count() > 0
            fields.add((is_out, page.locator(".rp-field").evaluate("each => each.clientHeight")))
    assert len(felts) == 1, "nothing jumps"
    assert dict(fields)[True] >= dict(fields)[False] + 50


def test_many_yaku_of_two_stay_inside_the_card_of_their_result(live_site: str, page: Page) -> None:
    matches = (a_finished_match(seats=2, preset="koikoi_fuda", rounds=12) for _ in range(30))
    match, deal = next(
        (match, deal)
        for match in matches
        for deal in replay_of(match).deals[:-1]
        if len({line.yaku for line in deal.lines if line.yaku}) > 2
    )
    sizes: tuple[Any, ...] = (PHONE, {"width": 800, "height": 800}, WIDE)
    for size in sizes:
        page.set_viewport_size(size)
        opened(page, live_site, match, f"?d={deal.number}&m={len(deal.moves)}")
        card = page.locator(".rp-end").evaluate(BOX)
        fans = page.locator(".rp-end .rp-kind .hc").evaluate_all(BOXES)
        assert len(fans) > 6
        for part in (*fans, *page.locator(".rp-end :is(tbody th, .rp-onward)").evaluate_all(BOXES)):
            assert card["left"] <= part["left"] <= part["right"] <= card["right"], size
            assert card["top"] <= part["top"] <= part["bottom"] <= card["bottom"], size
        assert sideways(page) == []


@pytest.mark.parametrize("size", [PHONE, WIDE])
def test_of_pairs_plates_of_a_side_stand_between_results_and_what_it_captured(
    live_site: str, page: Page, size: Any
) -> None:
    page.set_viewport_size(size)
    match = a_finished_match(seats=4, preset="french", teams="2x2", rounds=1)
    last = len(replay_of(match).deals[0].moves)
    opened(page, live_site, match, f"#d1m{last - 1}")
    height = page.locator(".rp-felt").evaluate(BOX)["height"]
    for view in ("", "s3"):
        opened(page, live_site, match, f"#d1m{last}{view}")
        felt, results = (page.locator(part).evaluate(BOX) for part in (".rp-felt", ".rp-end"))
        assert abs(felt["height"] - height) <= 2, "controls do not jump"
        labels = page.locator("[data-off] .rp-letter").all_inner_texts()
        assert sorted(labels) == ["A1", "A2", "B1", "B2"]
        for team in "AB":
            tray = page.locator(f".rp-team[data-team={team}]").evaluate(BOX)
            assert tray["bottom"] <= felt["bottom"]
            for plate in page.locator(f"[data-off][data-team={team}] h3").evaluate_all(BOXES):
                assert results["bottom"] <= plate["top"] + 1, (team, view)
                assert plate["bottom"] <= tray["top"] + 1, (team, view)
                assert plate["left"] >= tray["left"] - 1, (team, view)
                assert plate["right"] <= tray["right"] + 1, (team, view)
            for card in page.locator(f".rp-team[data-team={team}] .rp-kind .hc").evaluate_all(BOXES):
                assert card["bottom"] <= tray["bottom"], (team, view)


def test_what_pairs_captured_has_its_size_where_only_the_table_is_shown(live_site: str, browser: Browser) -> None:
    """The frame of the newest match has no sheet of the score, which gives rows of a replay their height."""
    match = a_finished_match(seats=4, preset="french", teams="2x2", rounds=1)
    with browser.new_context(viewport={"width": 1072, "height": 700}, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{live_site}/m/newest/?d=1&m={len(replay_of(match).deals[0].moves)}")
        expect(page.locator(".rp-end")).to_be_visible()
        widths = [card["width"] for card in page.locator(".rp-team .rp-kind .hc").evaluate_all(BOXES)]
    assert widths
    assert 20 <= min(widths) <= max(widths) <= 60, widths


@pytest.mark.parametrize(("preset", "seats"), [("koikoi_nintendo", 2), ("oibana", 4), ("hawaii", 6)])
def test_on_a_phone_the_controls_stay_where_they_are_below_results_and_long_words(
    live_site: str, page: Page, preset: str, seats: int
) -> None:
    page.set_viewport_size(PHONE)
    match = a_finished_match(seats=seats, preset=preset, rounds=4)
    tops, clips, long = set(), set(), 0
    for deal in replay_of(match).deals:
        for move in (1, len(deal.moves)):
            opened(page, live_site, match, f"?d={deal.number}&m={move}")
            tops.add(round(page.locator(".rp-steps").evaluate(BOX)["top"]))
            clips.add(page.locator(".rp-where").evaluate("each => getComputedStyle(each).clipPath"))
            long += page.locator(".rp-words.long").count()
    assert len(tops) == 1
    assert clips == {"none"}, "the number of the move is said above the longest words"
    assert long or preset != "oibana"
