"""The plates of the players on a phone: hands, what was captured, names and figures, and what they push nowhere."""

from __future__ import annotations

import re
from itertools import pairwise, product

import pytest
from playwright.sync_api import Page, expect

from core.replay.document import Deal, Replay
from core.replay.facts import standings
from core.replay.reducer import position_at
from tests.browser.looking import sideways
from tests.builders.matches_on_show import a_finished_match
from tests.builders.replays import opened, replay_of
from tests.tournaments.pages.matches.test_plates import STEPS
from tournaments.models import Player

pytestmark = pytest.mark.slow
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
UNITS = """
(all) => all.map((each) => {
  const sum = each.querySelector("b");
  const points = each.querySelector("[data-of]")?.getBoundingClientRect() ?? { right: 0 };
  const isSaid = getComputedStyle(sum, "::after").display !== "none";
  const end = each.closest(".rp-seat").getBoundingClientRect().right;
  return [isSaid ? sum.scrollHeight - sum.clientHeight : 99, points.right - end];
})
"""
"""How far a seat's sum is higher than its line (99 where its word is not said) and its points stand out of the seat, in
pixels.
"""
FRAMED = """
(all) => all.filter((each) => {
  const { boxShadow, zIndex } = getComputedStyle(each);
  return boxShadow.startsWith("rgb(255, 255, 255)") && zIndex === "auto";
}).length
"""


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
            shown = page.locator(".rp-seat:has(.rp-tray) [data-of]:visible").count()
            goes_on = move < len(deal.moves)
            told = told_of(replay_of(match), deal, move)
            assert shown == goes_on * len(told), "of who has captured nothing no nought; at the end the results say it"
    assert len(tops) == len(heights) == 1, (tops, heights)


def told_of(replay: Replay, deal: Deal, move: int) -> list[int]:
    """Return the sides that have captured something in a deal, or lost points to yaku of others."""
    trays = position_at(replay, deal, move).trays
    figures = standings(trays, replay.game, replay.options)
    return [side for side, tray in enumerate(trays) if tray or figures[side]]


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_on_a_phone_each_sum_says_that_it_is_a_total_beside_the_points_of_the_deal(
    live_site: str, page: Page, seats: int
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=seats, rounds=1)
    last = len(replay_of(match).deals[0].moves)
    for move in (0, last - 2, last):
        opened(page, live_site, match, f"?d=1&m={move}")
        assert page.locator(".rp-others .rp-fig [data-of]").count() >= (seats - 1) * (move > 0)
        for cut, over in page.locator(".rp-others .rp-fig").evaluate_all(UNITS):
            assert cut <= 1, "its word is not below the line"
            assert over <= 0, "both fit their plate"


@pytest.mark.parametrize("seats", [4, 6])
def test_on_a_phone_what_the_own_seat_captured_lies_beside_its_hand(live_site: str, page: Page, seats: int) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=seats, rounds=1)
    beside = 0
    for move in range(len(replay_of(match).deals[0].moves)):
        opened(page, live_site, match, f"?d=1&m={move}")
        hand, taken = (
            page.locator(f".rp-me {part} .hc").evaluate_all("all => all.map((e) => e.getBoundingClientRect().toJSON())")
            for part in (".rp-hand", ".rp-kinds")
        )
        assert all(card["width"] >= 34 for card in taken), move
        if hand and taken:
            beside += 1
            assert max(card["right"] for card in hand) <= min(card["left"] for card in taken) + 3, move
            assert abs(hand[0]["bottom"] - taken[0]["bottom"]) < 16, "in one row"
    assert beside


def test_on_a_phone_each_card_that_moved_into_a_pile_is_outlined(live_site: str, page: Page) -> None:
    """In the order of the pile: one that was raised would cover the months of the others."""
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=4, rounds=1, preset="french")
    for move in range(1, len(replay_of(match).deals[0].moves) + 1):
        opened(page, live_site, match, f"?d=1&m={move}")
        for pile in page.locator(".rp-kind:has(.moved)").all():
            assert pile.locator(".hc").evaluate_all(FRAMED) == pile.locator(".moved").count(), move


def test_on_a_phone_captures_of_six_lie_by_kind_also_those_that_moved(live_site: str, page: Page) -> None:
    """The counts above a strip are those of its parts, from left to right; no other kind covers a card that moved."""
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=6, rounds=1)
    framed = 0
    for move in range(1, len(replay_of(match).deals[0].moves)):
        opened(page, live_site, match, f"?d=1&m={move}")
        for strip in page.locator(".rp-others .rp-kinds:has(.moved)").all():
            kinds = strip.evaluate(
                """(strip) => [...strip.querySelectorAll('.rp-kind')].map((kind) => [...kind.querySelectorAll('.hc')]
                  .map((card) => [card.getBoundingClientRect().left, card.classList.contains('moved')]))"""
            )
            lefts = [left for kind in kinds for left, _is_moved in sorted(kind)]
            assert lefts == sorted(lefts), move
            width = strip.locator(".hc").first.evaluate("card => card.getBoundingClientRect().width")
            steps = [right - left for kind in kinds for (left, _), (right, _) in pairwise(sorted(kind))]
            for kind, after in pairwise(kinds):
                is_plain = len(after) == 1 or not all(is_moved for _left, is_moved in after)
                if steps and is_plain and (moved := [left for left, is_moved in kind if is_moved]):
                    framed += 1
                    assert min(after)[0] - max(moved) >= min(2 * min(steps), width) - 1, (move, lefts)
    assert framed


def test_on_a_phone_both_totals_of_two_are_equally_large(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=2, rounds=1)
    last = len(replay_of(match).deals[0].moves)
    for move in (last // 2, last):
        opened(page, live_site, match, f"?d=1&m={move}")
        sizes = page.locator(".rp-fig b").evaluate_all("all => all.map((each) => getComputedStyle(each).fontSize)")
        assert len(sizes) == 2
        assert len(set(sizes)) == 1, sizes
    winner = (
        page.locator(".rp-seat:has(.rp-name)")
        .filter(has=page.locator(".rp-name"))
        .evaluate_all("all => all.map((each) => getComputedStyle(each.querySelector('.rp-name'), '::after').content)")
    )
    assert [mark for mark in winner if "★" in mark], "the plate of the winner has a star"


def test_on_a_phone_the_winner_of_six_has_a_star_where_there_is_room(live_site: str, page: Page) -> None:
    """Beside the total; at the foot beside the name."""
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=6, rounds=6)
    for deal in replay_of(match).deals:
        opened(page, live_site, match, f"?d={deal.number}&m={len(deal.moves)}")
        won = set(re.findall(r"s\d", str(page.locator(".rp-end tr.won").first.get_attribute("class"))))
        starred = page.locator(".rp-table .rp-seat").evaluate_all(
            """all => all.filter((seat) => [...seat.querySelectorAll(".rp-name, .rp-fig b")]
              .some((each) => getComputedStyle(each, "::after").content.includes("★"))).map((seat) => seat.className)"""
        )
        assert [won & set(each.split()) for each in starred] == [won], deal.number
        assert sideways(page) == []


def test_on_a_phone_the_hand_of_two_stays_in_the_middle(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=2, rounds=1)
    middles = []
    for move in range(len(replay_of(match).deals[0].moves)):
        opened(page, live_site, match, f"#d1m{move}")
        cards = page.locator(".rp-me .rp-hand .hc").evaluate_all(
            "all => all.map((each) => each.getBoundingClientRect())"
        )
        if cards:
            middles.append((min(card["left"] for card in cards) + max(card["right"] for card in cards)) / 2)
    assert len(middles) > 12
    assert all(abs(middle - 180) < 16 for middle in middles), middles


def test_on_a_phone_captures_of_six_take_the_room_of_a_hand_that_is_played(live_site: str, page: Page) -> None:
    """With how many there are of each kind above them."""
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=6, rounds=1)
    opened(page, live_site, match, f"#d1m{len(replay_of(match).deals[0].moves)}")
    rooms = page.locator(".rp-others .rp-seat:has(.rp-kind .hc)").evaluate_all(
        """all => all.map((seat) => {
          const box = (name) => seat.querySelector(name).getBoundingClientRect();
          const counts = [...seat.querySelectorAll('.rp-kind > span')];
          const kinds = [...seat.querySelectorAll('.rp-kind')];
          return [box('.rp-kinds .hc').bottom - box('.rp-kind > span').top, box('.rp-tray').width - seat.clientWidth,
            box('.rp-kinds .hc').top - box('.rp-kind > span').bottom,
            counts.map((each) => each.checkVisibility() ? +each.lastChild.data : 0).join(),
            kinds.map((each) => each.querySelectorAll('.hc').length).join()];
        })"""
    )
    assert rooms
    for height, narrower, gap, counts, kinds in rooms:
        assert height >= 12 + 20 * 1.625, "cards of four kinds are 20 px wide"
        assert narrower >= -12
        assert gap >= -2, "a count stands above its cards; it is less high than its line"
        assert counts == kinds


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


def test_on_a_phone_hands_of_eight_lie_in_two_rows_during_the_bids(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=4, preset="oibana", rounds=1)
    for move in (0, 2):
        opened(page, live_site, match, f"?d=1&m={move}")
        for hand in page.locator(".rp-others .rp-hand").all():
            assert min(hand.locator(".hc").evaluate_all("all => all.map((each) => each.clientWidth)")) >= 38
            lefts = hand.locator(".hc").evaluate_all("all => all.map((each) => each.getBoundingClientRect().left)")
            assert min(abs(after - before) for before, after in pairwise(lefts)) >= 18, "each month can be read"
        assert page.evaluate(BELOW) <= 0, move
        assert sideways(page) == []


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


@pytest.mark.parametrize(
    ("preset", "seats", "teams"), [("hawaii", 2, "solo"), ("french", 4, "2x2"), ("hawaii", 6, "solo")]
)
def test_each_card_of_a_kind_leaves_an_edge_in_sight(
    live_site: str, page: Page, preset: str, seats: int, teams: str
) -> None:
    """A number above a kind of which fewer cards are seen would look wrong."""
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=seats, preset=preset, teams=teams, rounds=2)
    measured = 0
    for deal in replay_of(match).deals:
        for move in (len(deal.moves) // 2, len(deal.moves) * 3 // 4, len(deal.moves)):
            opened(page, live_site, match, f"?d={deal.number}&m={move}")
            trays = ".rp-me .rp-kind, .rp-team .rp-kind, [data-n='2'] [data-off='1'] .rp-kind"
            edges = page.locator(trays).evaluate_all(
                "all => all.map((each) => [...each.querySelectorAll('.hc')]"
                ".map((card) => card.getBoundingClientRect().left))"
            )
            for lefts in edges:
                steps = [after - before for before, after in pairwise(sorted(lefts))]
                assert min(steps, default=5) >= 4.5, (deal.number, move, lefts)
                measured += len(steps)
            for tray in page.locator(".rp-me, .rp-team, [data-n='2'] [data-off='1']").all():
                assert tray.evaluate("each => each.scrollWidth - each.clientWidth") <= 0, (deal.number, move)
    assert measured
