"""The plates of the players in a real browser: where they stand, whose is lit, hands and captured cards on a phone."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from core.replay.reducer import position_at
from core.replay.rows import parts_of
from tests.browser.looking import sideways
from tests.builders.matches_on_show import a_finished_match
from tests.builders.replays import at, opened, replay_of
from tournaments.models import Player

pytestmark = pytest.mark.slow
GOLD = "rgb(244, 198, 74)"
PALE = "rgb(244, 238, 221)"
IN_SIGHT = """
() => [...document.querySelectorAll(".rp-tray .hc")].filter((each) => {
  const { left, right, top, bottom, width } = each.getBoundingClientRect();
  return width >= 20 && left >= 0 && right <= innerWidth && top >= 0
    && bottom <= document.querySelector(".rp-bar").getBoundingClientRect().top;
}).map((each) => each.dataset.card)
"""
OVERLAPS = """
() => [...document.querySelectorAll(".rp-seat")].filter((seat) => {
  const [hand, tray] = [".rp-hand", ".rp-kinds"].map((part) => {
    return [...seat.querySelectorAll(`${part} .hc`)].map((each) => each.getBoundingClientRect());
  });
  return hand.some((card) => tray.some((other) => card.left < other.right - 3 && other.left < card.right - 3
    && card.top < other.bottom - 3 && other.top < card.bottom - 3));
}).map((each) => each.dataset.seat)
"""
"""Seats whose captured cards lie over their hand."""
BELOW = """
() => Math.max(...[...document.querySelectorAll(".rp-me .hc, :is(.rp-me, .rp-team) h3")].map((each) => {
  return each.getBoundingClientRect().bottom;
})) - document.querySelector(".rp-bar").getBoundingClientRect().top
"""

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
  const lefts = [...hand.querySelectorAll(".hc")].map((each) => each.getBoundingClientRect().left);
  return lefts.slice(1).map((left, at) => left - lefts[at] - hand.querySelector(".hc").clientWidth);
}
"""
"""How far the cards of a hand lie apart."""
FRAMED = """
(all) => all.filter((each) => {
  const { boxShadow, zIndex } = getComputedStyle(each);
  return boxShadow.startsWith("rgb(255, 255, 255)") && zIndex === "auto";
}).length
"""


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


@pytest.mark.parametrize("teams", ["", "2x2"])
def test_hands_of_four_are_fanned_only_beside_the_field_and_little(live_site: str, page: Page, teams: str) -> None:
    """There a seventh of a card at most is covered: its number and its sign stand at the left."""
    page.set_viewport_size({"width": 1280, "height": 800})
    options: dict[str, Any] = {"teams": teams} if teams else {}
    opened(page, live_site, a_finished_match(seats=4, rounds=1, **options), "#d1m0")
    for hand in page.locator(".rp-seat .rp-hand").all():
        is_fanned = not teams and hand.locator("xpath=..").get_attribute("data-off") in ("1", "3")
        card = hand.locator(".hc").first.evaluate("each => each.clientWidth")
        assert min(hand.evaluate(STEPS)) >= (-card / 7 if is_fanned else 1)
    heights = set()
    for key in ("Home", "ArrowRight", "End"):
        page.keyboard.press(key)
        heights.add(page.evaluate(MEASURES)["felt"])
    assert len(heights) == 1 or not teams, "a field that empties stays as high"


def test_pairs_fit_a_window_of_800_and_who_sits_opposite_stays_beside_the_hand(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(reduced_motion="reduce")
    match = a_finished_match(seats=4, rounds=1, teams="2x2")
    seen = set()
    for move in (0, 1, 9, 14, len(replay_of(match).deals[0].moves)):
        opened(page, live_site, match, f"?d=1&m={move}")
        felt, end, plate, near = page.evaluate(PAIRS)
        assert end <= 800, "the views and tools are in sight"
        seen.add((felt, plate, near))
    assert len(seen) == 1, seen
    ((_felt, plate, near),) = seen
    assert plate == near, "beside the hand, as the plate of the near seat"


def test_on_a_phone_a_tag_moves_no_hand_and_no_captures_are_not_said(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=3, preset="nuki88", rounds=6)
    heights = set()
    for deal in replay_of(match).deals:
        for move in (0, len(deal.moves)):
            opened(page, live_site, match, f"?d={deal.number}&m={move}")
            tops = page.locator(".rp-others .rp-hand:has(.hc)").evaluate_all(
                "all => all.map((each) => Math.round(each.getBoundingClientRect().bottom))"
            )
            assert len(set(tops)) <= 1, (deal.number, move)
            heights.add(page.locator(".rp-felt").evaluate("each => each.clientHeight"))
            for label in page.locator(".rp-others .rp-label").all():
                assert label.evaluate("each => !each.offsetHeight || getComputedStyle(each).clipPath !== 'none'")
    assert len(heights) == 1, "the controls do not jump"


def test_on_a_phone_no_seat_of_six_is_higher_for_a_tag_or_for_points(live_site: str, page: Page) -> None:
    """The field stays where it is from deal to deal; who deals is told by a letter, and no figure is bare."""
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=6, rounds=3)
    tops, heights = set(), set()
    for deal in replay_of(match).deals:
        for move in (0, 3, len(deal.moves) // 2, len(deal.moves)):
            opened(page, live_site, match, f"?d={deal.number}&m={move}")
            tops.add(page.locator(".rp-field").evaluate("each => Math.round(each.getBoundingClientRect().top)"))
            heights |= set(page.locator(".rp-others .rp-seat").evaluate_all("all => all.map((e) => e.clientHeight)"))
            for tag in page.locator(".rp-others .rp-dealer").all():
                expect(tag).to_have_text("dealer")
                assert tag.evaluate("each => each.clientWidth") < 24
            for pile in page.locator(".rp-others .rp-kinds:has(.moved)").all():
                moved = pile.locator(".moved").count()
                assert pile.locator(".hc").evaluate_all(FRAMED) == moved, "each has a frame, none covers the next"
            shown = page.locator(".rp-seat:has(.rp-tray) [data-of]:visible")
            assert shown.count() == page.locator(".rp-seat").count(), "a nought is said as well"
    assert len(tops) == len(heights) == 1, (tops, heights)


def test_on_a_phone_each_card_that_moved_into_a_pile_is_outlined(live_site: str, page: Page) -> None:
    """In the order of the pile: one that was raised would cover the months of the others."""
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=4, rounds=1, preset="french")
    for move in range(1, len(replay_of(match).deals[0].moves) + 1):
        opened(page, live_site, match, f"?d=1&m={move}")
        for pile in page.locator(".rp-kind:has(.moved)").all():
            assert pile.locator(".hc").evaluate_all(FRAMED) == pile.locator(".moved").count(), move


def test_on_a_phone_captures_of_six_take_the_room_of_a_hand_that_is_played(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=6, rounds=1)
    opened(page, live_site, match, f"#d1m{len(replay_of(match).deals[0].moves)}")
    rooms = page.locator(".rp-others .rp-kinds:has(.hc)").evaluate_all(
        "all => all.map((each) => [each.querySelector('.hc').clientWidth, each.clientWidth,"
        " each.closest('.rp-seat').clientWidth])"
    )
    assert rooms
    for card, width, seat in rooms:
        assert card >= 34
        assert width >= seat - 12


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


def test_gold_is_who_moved_ringed_who_is_next_and_white_what_moved(live_site: str, page: Page) -> None:
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
    assert colour_of_plate(turn) != GOLD
    assert turn.locator(".rp-name").evaluate(edge).startswith(PALE)
    page.keyboard.press("Home")
    assert turn.locator(".rp-name").evaluate(edge).startswith(PALE)
    assert page.locator(".rp-seat.mover").count() == 0, "nobody has moved yet"
    opened(page, live_site, match, f"?d=1&m={len(deal.moves)}")
    gold = [seat.get_attribute("data-seat") for seat in page.locator(".rp-seat").all() if colour_of_plate(seat) == GOLD]
    assert gold == [str(deal.winner)], "at the end of a deal it is who has won"


def colour_of_plate(seat: Locator) -> str:
    return str(seat.locator(".rp-name").evaluate("each => getComputedStyle(each).backgroundColor"))


@pytest.mark.parametrize(("preset", "seats"), [("hawaii", 6), ("hawaii", 7), ("french", 4)])
def test_long_names_push_nothing_below_the_table_on_a_phone(
    live_site: str, page: Page, preset: str, seats: int
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=seats, preset=preset, rounds=1)
    for n, player in enumerate(Player.objects.filter(seats__match=match)):
        Player.objects.filter(pk=player.pk).update(name=f"Sampler Guard {n}")
    for move in range(0, len(replay_of(match).deals[0].moves), 4):
        opened(page, live_site, match, f"?d=1&m={move}")
        assert page.evaluate(BELOW) <= 0, move


def test_on_a_phone_watchers_push_nothing_below_the_table_and_have_their_names(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=4, preset="oibana", rounds=2)
    duels = 0
    places = [(deal.number, move) for deal in replay_of(match).deals for move in range(1, len(deal.moves) + 1, 2)]
    for (deal, move), seat in product(places, range(3)):
        opened(page, live_site, match, f"?d={deal}&m={move}&s={seat}")
        assert page.evaluate(BELOW) <= 0, (deal, move, seat)
        name = page.locator(".rp-me .rp-name")
        assert name.evaluate("each => each.scrollWidth <= each.clientWidth"), (deal, move, seat)
        duels += page.locator(".rp-me.out").count()
    assert duels, "the seat below the table watches, too"
    width, height = page.locator(".rp-play").evaluate("each => [each.offsetWidth, each.offsetHeight]")
    assert width == height, "a circle"


@pytest.mark.parametrize("seats", [5, 6, 7])
def test_on_a_phone_the_hands_of_many_can_be_read(live_site: str, page: Page, seats: int) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=seats, preset="enwiki2020", rounds=2)
    for deal in replay_of(match).deals:
        for move in range(0, len(deal.moves) + 1, 2):
            opened(page, live_site, match, f"?d={deal.number}&m={move}")
            widths = page.locator(".rp-others .rp-hand .hc").evaluate_all("all => all.map((each) => each.clientWidth)")
            assert min(widths, default=36) >= 34, (deal.number, move)
            assert page.evaluate(BELOW) <= 0, (deal.number, move)
            assert sideways(page) == []


def test_on_a_phone_a_whole_hand_of_eight_lies_in_two_rows_until_something_is_captured(
    live_site: str, page: Page
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=2, rounds=1)
    heights, counts, steps = [], [], []
    for move in (0, 3):
        opened(page, live_site, match, f"?d=1&m={move}")
        rows = page.locator(".rp-me .rp-hand .hc").evaluate_all(
            "all => all.map((each) => each.getBoundingClientRect().bottom).sort((a, b) => a - b)"
        )
        counts.append(2 if rows[-1] - rows[0] > 40 else 1)
        heights.append(page.locator(".rp-felt").evaluate("each => each.clientHeight"))
        steps.append(min(page.locator(".rp-others .rp-hand").evaluate(STEPS)))
        assert page.evaluate(BELOW) <= 0, move
    assert counts == [2, 1]
    assert steps[0] >= -2, "the other hand lies open where nothing is captured"
    assert len(set(heights)) == 1, "the controls do not jump"


def test_a_phone_shows_open_hands_and_what_was_captured(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for seats in (2, 4, 7):
        opened(page, live_site, a_finished_match(seats=seats, rounds=1), "#d1m5")
        for seat in page.locator(".rp-others .rp-seat").all():
            expect(seat.locator(".rp-hand .hc").first).to_be_visible()
            expect(seat.locator(".rp-open")).to_be_visible()
        if seats > 2:
            short = page.locator(".rp-others [data-of]").first
            expect(short).to_be_visible()
            assert "pts" in str(short.get_attribute("data-of"))
        counts = page.locator(".rp-open i").evaluate_all("all => all.map((each) => each.innerText)")
        cards = page.locator(".rp-kinds .hc").count()
        assert sum(int(text) for text in counts) == cards > 0


@pytest.mark.parametrize(
    ("preset", "seats"), [("hawaii", 2), ("koikoi_nintendo", 2), ("paradise", 2), ("oibana", 3), ("oibana", 4)]
)
def test_on_a_phone_captures_are_in_sight_beside_the_hands_where_two_play(
    live_site: str, page: Page, preset: str, seats: int
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=seats, preset=preset, rounds=12 if seats > 2 else 2)
    replay, seen = replay_of(match), 0
    for deal in replay.deals:
        for move in range(1, len(deal.moves) + 1, 3):
            position = position_at(replay, deal, move)
            # Seats that dropped out have captured nothing.
            if sum(map(bool, position.trays)) != 2:
                continue
            opened(page, live_site, match, f"?d={deal.number}&m={move}")
            if page.locator(".rp-seat:not(.out)").count() != 2 or page.locator(".rp-me.out").count():
                continue
            # At three and four seats a hand of seven takes two rows.
            if seats > 2 and page.locator(".rp-me .rp-hand .hc").count() > 6:
                continue
            if page.locator(".rp-places li").count() > 12:
                for numbers in page.locator(".rp-seat:not(.out) .rp-open i").all():
                    expect(numbers).to_be_visible()  # beside a third row of the field
                continue
            seen += 1
            assert sorted(page.evaluate(IN_SIGHT)) == sorted(card for tray in position.trays for card in tray)
            assert page.evaluate(OVERLAPS) == []
            assert page.evaluate(BELOW) <= 0, "the own hand is not cut off by the words"
            assert sideways(page) == []
    assert seen


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
