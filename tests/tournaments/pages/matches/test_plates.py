"""The plates of the players in a real browser: where they stand, whose is lit, how their cards lie."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from core.replay.rows import parts_of
from tests.builders.matches_on_show import a_finished_match
from tests.builders.replays import at, opened, replay_of

pytestmark = pytest.mark.slow
GOLD = "rgb(244, 198, 74)"
PALE = "rgb(244, 238, 221)"
MEASURES = """
() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  return {
    felt: Math.round(box(".rp-felt").height),
    places: document.querySelectorAll(".rp-places li").length,
    widths: [...document.querySelectorAll(".rp-places .hc")].map((each) => each.clientWidth),
    end: box(".rp-bar").bottom,
  };
}
"""
PAIRS = """
() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const [plate, near] = ['[data-off="2"] .rp-name', ".rp-me .rp-name"].map((name) => Math.round(box(name).right));
  return [Math.round(box(".rp-felt").height), box(".rp-more").bottom, plate, near];
}
"""
STEPS = """
(hand) => {
  const all = [...hand.querySelectorAll(".hc")].map((each) => each.getBoundingClientRect());
  return all.slice(1).map(({ left, top }, at) => {
    const before = all[at];
    return top < before.bottom - 9 ? left - before.left - hand.querySelector(".hc").clientWidth : top - before.bottom;
  });
}
"""
"""How far the cards of a hand lie apart; those of a second row, how far below the first."""
PLATE = "each => [Math.round(each.getBoundingClientRect().top), Math.round(each.getBoundingClientRect().width)]"


@pytest.mark.parametrize(("seats", "preset", "width", "felt"), [(3, "nuki88", 60, 440), (6, "hawaii", 55, 480)])
def test_three_and_six_fill_the_window_and_no_card_of_the_field_changes_its_size(
    live_site: str, page: Page, seats: int, preset: str, width: int, felt: int
) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(reduced_motion="reduce")
    match = a_finished_match(seats=seats, preset=preset, rounds=1)
    opened(page, live_site, match, "#d1m0")
    seen: set[int] = set()
    heights: set[int] = set()
    for _move in range(len(replay_of(match).deals[0].moves) + 1):
        found = page.evaluate(MEASURES)
        if found["places"] <= 12:  # a third row lies in the height of two
            seen |= set(found["widths"])
        heights.add(found["felt"])
        assert found["end"] <= 800, "the controls are in view"
        page.keyboard.press("ArrowRight")
    assert len(seen) == len(heights) == 1, (seen, heights)
    assert min(seen) >= width
    assert min(heights) >= felt


def test_three_plates_of_one_width_stand_above_the_field_of_six(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    match = a_finished_match(seats=6, rounds=1)
    for move in (0, len(replay_of(match).deals[0].moves)):
        opened(page, live_site, match, f"?d=1&m={move}")
        above = [page.locator(f'[data-off="{offset}"]').evaluate(PLATE) for offset in (4, 3, 2)]
        assert max(width for _top, width in above) - min(width for _top, width in above) <= 4, above
        assert len({top for top, _width in above}) == 1, above


@pytest.mark.parametrize("teams", ["", "2x2"])
def test_hands_of_four_are_fanned_only_beside_the_field_and_little(live_site: str, page: Page, teams: str) -> None:
    """There most of a card stays in sight, its number and its sign at the left: 32 pixels at least."""
    page.set_viewport_size({"width": 1280, "height": 800})
    options: dict[str, Any] = {"teams": teams} if teams else {}
    opened(page, live_site, a_finished_match(seats=4, rounds=1, **options), "#d1m0")
    for hand in page.locator(".rp-seat .rp-hand").all():
        is_fanned = hand.locator("xpath=..").get_attribute("data-off") in ("1", "3")
        card = hand.locator(".hc").first.evaluate("each => each.clientWidth")
        assert min(hand.evaluate(STEPS)) >= (max(-card * 0.4, 32 - card) if is_fanned else 1)
    heights = set()
    for key in ("Home", "ArrowRight", "End"):
        page.keyboard.press(key)
        heights.add(page.evaluate(MEASURES)["felt"])
    assert len(heights) == 1 or not teams, "a field that empties stays as high"


def test_pairs_fit_a_window_of_800_and_who_sits_opposite_stays_beside_the_hand(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(reduced_motion="reduce")
    match = a_finished_match(seats=4, rounds=1, teams="2x2")
    last = len(replay_of(match).deals[0].moves)
    heights, plates = set(), set()
    for move in (0, 1, 9, 14, last):
        opened(page, live_site, match, f"?d=1&m={move}")
        felt, end, plate, near = page.evaluate(PAIRS)
        assert end <= 800, "the views and tools are in sight"
        heights.add(felt)
        # At its end, with no hand left, the plates of a side stand in one line.
        plates |= {(plate, near)} if move < last else set()
    assert len(heights) == 1, heights
    ((plate, near),) = plates
    assert plate == near, "beside the hand, as the plate of the near seat"


def test_a_plate_stands_beside_its_hand_and_the_options_in_one_row(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 860})
    opened(page, live_site, a_finished_match(seats=4, rounds=3), "#d1m4")
    box = "each => each.getBoundingClientRect().toJSON()"
    for offset in (0, 2):
        seat = page.locator(f'.rp-seat[data-off="{offset}"]')
        plate, hand, taken = (seat.locator(part).evaluate(box) for part in ("h3", ".rp-hand", ".rp-kinds"))
        assert 0 <= hand["left"] - plate["right"] <= 24
        assert 0 <= taken["left"] - hand["right"] <= 24
    tops = page.locator(".rp-more :is(a, button)").evaluate_all(
        "all => all.map((each) => { const { top, bottom } = each.getBoundingClientRect(); return (top + bottom) / 2; })"
    )
    assert max(tops) - min(tops) < 2
    thumbs = page.locator(".rp-moves .rp-cards svg").first.evaluate(box)
    assert thumbs["width"] >= 24
    assert thumbs["height"] >= 36


def test_names_have_room_beside_the_cards_of_every_move(live_site: str, page: Page) -> None:
    """Also where a move lays several hand cards."""
    matches = (a_finished_match(seats=3, rounds=12) for _ in range(30))
    match, deal = next(
        (match, deal.number)
        for match in matches
        for deal in replay_of(match).deals
        if any(len(parts_of(move)) > 3 for move in deal.moves)
    )
    opened(page, live_site, match, f"?d={deal}")
    rooms = page.locator(".rp-moves .rp-who").evaluate_all("all => all.map((each) => each.clientWidth)")
    assert min(rooms) >= 74, rooms


def test_three_cards_taken_at_once_stay_in_the_line_of_their_move(live_site: str, page: Page) -> None:
    matches = (a_finished_match(seats=6, rounds=12) for _ in range(30))
    match, deal = next(
        (match, deal.number)
        for match in matches
        for deal in replay_of(match).deals
        if any(len(parts) == 2 and max(len(part.taken) for part in parts) > 2 for parts in map(parts_of, deal.moves))
    )
    opened(page, live_site, match, f"?d={deal}")
    found = page.locator(".rp-moves .rp-row:has(svg:nth-of-type(4)):not(:has(.rp-cards > :nth-child(3)))").evaluate_all(
        """all => all.map((row) => {
          const tops = [...row.querySelectorAll(".rp-cards > *")].map((each) => each.getBoundingClientRect().top);
          return [Math.max(...tops) - Math.min(...tops), row.querySelector(".rp-who").clientWidth];
        })"""
    )
    assert found
    for apart, name in found:
        assert apart < 4
        assert name >= 74


def test_gold_is_who_moved_pale_who_is_next_and_white_what_moved(live_site: str, page: Page) -> None:
    """The words tell of who moved: the same seat stands out on the felt."""
    match = a_finished_match(seats=4, rounds=1)
    opened(page, live_site, match, "#d1m3")
    edge = "each => getComputedStyle(each).boxShadow"
    assert page.locator(".rp-table .moved").first.evaluate(edge).startswith("rgb(255, 255, 255)")
    deal = replay_of(match).deals[0]
    number = next(n for n, (one, then) in enumerate(pairwise(deal.moves), start=1) if n > 2 and one.seat != then.seat)
    opened(page, live_site, match, f"#d1m{number}")
    moved, turn = page.locator(".rp-seat.mover"), page.locator(".rp-seat.turn")
    expect(moved).to_have_attribute("data-seat", str(deal.moves[number - 1].seat))
    assert colour_of_plate(moved) == GOLD
    assert colour_of_plate(turn) == PALE
    page.keyboard.press("Home")
    assert colour_of_plate(turn) == PALE
    assert page.locator(".rp-seat.mover").count() == 0, "nobody has moved yet"
    opened(page, live_site, match, f"?d=1&m={len(deal.moves)}")
    gold = [seat.get_attribute("data-seat") for seat in page.locator(".rp-seat").all() if colour_of_plate(seat) == GOLD]
    assert gold == [str(deal.winner)], "at the end of a deal it is who has won"


def colour_of_plate(seat: Locator) -> str:
    return str(seat.locator(".rp-name").evaluate("each => getComputedStyle(each).backgroundColor"))


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_the_controls_stay_where_they_are_through_a_match(live_site: str, page: Page, seats: int) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(reduced_motion="reduce")
    opened(page, live_site, a_finished_match(seats=seats, rounds=3), "#d1m0")
    tops, place = set(), ""
    while place != at(page):
        place = at(page)
        tops.add(page.locator(".rp-play").evaluate("each => Math.round(each.getBoundingClientRect().top)"))
        page.keyboard.press("ArrowRight")
    assert place.startswith("#d3m")
    assert len(tops) == 1


def test_hands_beside_the_field_of_four_are_almost_as_large_and_lie_inside(live_site: str, page: Page) -> None:
    """Also a hand of eight, during the bids; the field is as wide then as when two play on and two watch."""
    page.set_viewport_size({"width": 1280, "height": 800})
    widths, fields = [], []
    for preset, moves in (("hawaii", (0,)), ("oibana", (0, 5))):
        match = a_finished_match(seats=4, preset=preset, rounds=1)
        for move in moves:
            opened(page, live_site, match, f"?d=1&m={move}")
            fields.append(page.locator(".rp-field").evaluate("each => Math.round(each.clientWidth)"))
            for seat in page.locator('.rp-seat:is([data-off="1"], [data-off="3"]):not(.out)').all():
                widths += seat.locator(".rp-hand .hc").evaluate_all("all => all.map((each) => each.clientWidth)")
                assert seat.locator(".rp-hand").evaluate("each => each.scrollWidth <= each.clientWidth + 1")
    assert min(widths) >= 44, widths
    assert len(set(fields)) == 1, fields


@pytest.mark.parametrize(("seats", "width"), [(2, 1280), (4, 1280), (6, 1280), (2, 360), (6, 360)])
def test_the_pile_stays_while_the_cards_beside_it_become_few(
    live_site: str, page: Page, seats: int, width: int
) -> None:
    """With up to eight places, until the last card of the field is taken; where no card waits beside it."""
    page.set_viewport_size({"width": width, "height": 800})
    match = a_finished_match(seats=seats, rounds=3)
    lefts: set[int] = set()
    few = 0
    for deal in replay_of(match).deals:
        for move in range(0, len(deal.moves), 2):
            opened(page, live_site, match, f"?d={deal.number}&m={move}")
            cards = page.locator(".rp-places .hc").count()
            waits = width < 720 and page.locator(".rp-up").count()
            if cards == 0 or cards > 4 or waits or page.locator(".rp-places li").count() > 8:
                continue
            few += cards < 4
            box = page.locator(".rp-stack").bounding_box()
            assert box is not None
            lefts.add(round(box["x"]))
    assert few
    assert max(lefts) - min(lefts) <= 6, lefts


def test_of_two_of_a_kind_that_have_just_moved_the_first_has_room(live_site: str, page: Page) -> None:
    """Twice as much as cards that have not moved."""
    page.set_viewport_size({"width": 1280, "height": 800})
    match = a_finished_match(seats=6, rounds=6)
    kinds = """all => all.map((kind) => [true, false].map((isMoved) => [...kind.querySelectorAll(".hc")]
      .filter((card) => card.matches(".moved") === isMoved).map((card) => card.getBoundingClientRect().left)))"""
    seen = 0
    for deal in replay_of(match).deals[:3]:
        for move in range(1, len(deal.moves) + 1):
            opened(page, live_site, match, f"#d{deal.number}m{move}")
            for moved, others in page.locator(".rp-tray .rp-kind").evaluate_all(kinds):
                if len(moved) > 1 and 1 < len(others) < 7:
                    seen += 1
                    steps = [after - before for before, after in pairwise(sorted(others))]
                    room = min(after - before for before, after in pairwise(sorted(moved)))
                    assert room > 1.8 * min(steps), (deal.number, move, moved, others)
    assert seen
