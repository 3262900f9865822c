"""The table in a real browser: what fits a phone, moments, guessing, swipes, tabs, sounds."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from core.replay.moments import best_moments
from core.replay.reducer import position_at
from engine.game import game_of
from engine.games import PRESETS
from tests.browser.looking import axe_violations, sideways
from tests.builders.matches_on_show import a_finished_match
from tests.builders.replays import at, opened, replay_of, words
from tournaments.models import Player

pytestmark = pytest.mark.slow


PHONE: Any = {"width": 360, "height": 740}
BOXES = """
() => Object.fromEntries([".rp-field", ".rp-me .rp-hand", ".rp-steps"].map((name) => {
  const { left, top, right, bottom } = document.querySelector(name).getBoundingClientRect();
  return [name, [left, top, right, bottom].map(Math.round)];
}))
"""
WHOLE = "each => Object.values(each.getBoundingClientRect().toJSON()).map(Math.round)"  # sums differ by 64ths


def seats_of(preset: str) -> int:
    """Four, or as many as the game has at most."""
    return min(4, game_of(PRESETS[preset].game).seat_range[-1])


# -- a phone ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_field_own_hand_and_controls_are_on_a_phones_first_screen(live_site: str, page: Page, preset: str) -> None:
    page.set_viewport_size(PHONE)
    match = a_finished_match(seats=seats_of(preset), preset=preset, rounds=2)
    last = len(replay_of(match).deals[0].moves)
    for move in (0, last // 2, last - 1, last):
        page.goto("about:blank")
        opened(page, live_site, match, f"#d1m{move}")
        boxes = page.evaluate(BOXES)
        assert page.evaluate("scrollY") == 0
        for name, (left, top, right, bottom) in boxes.items():
            assert 0 <= left <= right <= PHONE["width"], (move, name, boxes)
            assert 0 <= top <= bottom <= PHONE["height"], (move, name, boxes)
        assert boxes[".rp-me .rp-hand"][3] <= boxes[".rp-steps"][1], (move, boxes)
        assert sideways(page) == []


@pytest.mark.parametrize(("seats", "field", "hand"), [(2, 44, 44), (4, 51, 51), (6, 40, 44)])
def test_cards_are_as_large_as_a_phone_lets_them_be(
    live_site: str, page: Page, seats: int, field: int, hand: int
) -> None:
    """In two rows where one would make them small, and not cut off by the controls."""
    page.set_viewport_size(PHONE)
    opened(page, live_site, a_finished_match(seats=seats, rounds=1))
    width = "all => Math.min(...all.map((each) => each.clientWidth))"
    assert page.locator(".rp-places .hc").evaluate_all(width) >= field
    assert page.locator(".rp-me .rp-hand .hc").evaluate_all(width) >= hand
    pile = page.locator(".rp-pile > small").evaluate("each => [each.clientHeight, each.scrollWidth - each.clientWidth]")
    assert pile[0] < 24, "on one line"
    assert pile[1] <= 0
    expect(page.locator(".here")).to_have_text(re.compile("–" if seats == 2 else f"{seats} players"))
    if seats == 4:
        assert page.locator(".rp-others .rp-hand .hc").evaluate_all(width) >= 44, "the others' cards have room as well"


def test_a_swipe_steps_and_the_sheet_has_views_and_speed(live_site: str, browser: Browser) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True)
    page = opened(context.new_page(), live_site, a_finished_match(seats=4, rounds=1), "#d1m3")
    swipe = """(by) => {
      const table = document.querySelector(".rp-table");
      const touch = (x) => new Touch({ identifier: 1, target: table, clientX: x, clientY: 300 });
      table.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(180)], bubbles: true }));
      table.dispatchEvent(new TouchEvent("touchend", { changedTouches: [touch(180 + by)], bubbles: true }));
    }"""
    for by, place in ((-80, "#d1m4"), (80, "#d1m3"), (-20, "#d1m3")):
        page.evaluate(swipe, by)
        assert at(page) == place
    sheet = page.locator("#rp-more")
    expect(sheet).to_be_hidden()
    page.get_by_role("button", name="View, speed and more").click()
    expect(sheet).to_be_visible()
    sheet.get_by_role("link", name="Kiri").click()
    expect(page).to_have_url(re.compile("#d1m3s2$"))
    assert axe_violations(page) == []
    context.close()


# -- moments ---------------------------------------------------------------------------------------------------------


def test_a_deal_and_the_match_end_with_a_card_of_results(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=3, rounds=2)
    first, last = replay_of(match).deals
    opened(page, live_site, match, f"#d1m{len(first.moves) - 4}")
    card, felt = page.locator(".rp-end"), page.locator(".rp-felt")
    before = felt.evaluate(WHOLE)
    opened(page, live_site, match, f"#d1m{len(first.moves)}")
    expect(card).to_be_visible()
    assert felt.evaluate(WHOLE) == before, "it lies over the table, which stays as it was"
    assert first.winner is not None
    expect(card.get_by_role("heading")).to_contain_text("wins deal 1")
    expect(card.locator("tbody tr")).to_have_count(3)
    card.get_by_role("link", name="Next deal").click()
    assert at(page) == "#d2m0"
    expect(card).to_have_count(0)
    page.keyboard.press("End")
    expect(card.get_by_role("heading")).to_contain_text("the match")
    expect(card.get_by_role("link")).to_have_count(0)
    assert at(page) == f"#d2m{len(last.moves)}"
    assert axe_violations(page) == []


@pytest.mark.parametrize("width", [730, 1040, 1280])
@pytest.mark.parametrize(
    ("preset", "seats"), [("hawaii", 2), ("nuki88", 3), ("hawaii", 4), ("french", 4), ("hawaii", 6)]
)
def test_the_card_of_results_covers_no_seat(live_site: str, page: Page, preset: str, seats: int, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    match = a_finished_match(seats=seats, preset=preset, rounds=1)
    Player.objects.filter(entries__tournament=match.stage.tournament).update(name="Sampler Light")
    opened(page, live_site, match, f"#d1m{len(replay_of(match).deals[0].moves)}")
    left, top, _width, _height, _top, right, bottom, _left = page.locator(".rp-end").evaluate(WHOLE)
    shown = ".rp-seat :is(.rp-name, .rp-dealer, .rp-tag, .rp-fig b, .rp-kinds .hc, .rp-hand .hc)"
    for other in page.locator(shown).evaluate_all(f"all => all.map({WHOLE})"):
        if other[2]:
            assert other[6] <= top or bottom <= other[1] or other[5] <= left or right <= other[0], (other, top, bottom)
    name = page.locator(".rp-end .won th").first.evaluate(
        """each => {
          const words = document.createRange();
          words.selectNodeContents(each);
          return words.getBoundingClientRect().height;
        }"""
    )
    assert name < 30, "the star stands beside the name"
    if seats < 4 and width > 1200:
        rules = page.locator(".rp-end tbody tr").evaluate_all(
            """all => all.slice(1).map((row, at) => row.getBoundingClientRect().top
              - Math.max(...[...all[at].children].map((each) => each.getBoundingClientRect().bottom)))"""
        )
        assert min(rules) >= 4, "no rule touches the words above it"


def test_on_a_phone_the_rows_of_results_fill_their_card(live_site: str, page: Page) -> None:
    page.set_viewport_size(PHONE)
    match = a_finished_match(seats=4, rounds=1, preset="french", teams="2x2")
    opened(page, live_site, match, f"#d1m{len(replay_of(match).deals[0].moves)}")
    card = page.locator(".rp-end").evaluate(WHOLE)
    rows = page.locator(".rp-end table").evaluate(WHOLE)
    assert card[6] - rows[6] < 20, (card, rows)


def test_names_on_a_phone_are_one_line_each(live_site: str, page: Page) -> None:
    page.set_viewport_size(PHONE)
    match = a_finished_match(seats=4, rounds=1)
    Player.objects.filter(entries__tournament=match.stage.tournament).update(name="Sampler Guard of the North")
    opened(page, live_site, match)
    heights = "all => all.map((each) => each.clientHeight)"
    assert max(page.locator(".rp-others .rp-name").evaluate_all(heights)) < 24
    widths = page.locator(".rp-moves .rp-who").evaluate_all("all => all.map((each) => each.clientWidth)")
    assert len(set(widths)) == 1, "no move leaves its name less room than another"


def test_names_of_pairs_beside_the_field_stay_beside_their_emblems(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 730, "height": 900})
    match = a_finished_match(seats=4, rounds=1, teams="2x2")
    Player.objects.filter(entries__tournament=match.stage.tournament).update(name="Yaku Guard")
    opened(page, live_site, match)
    for number in range(3):
        crest, name = (
            page.locator(f".rp-others h3 > .{part}").nth(number).evaluate(WHOLE) for part in ("rp-crest", "rp-name")
        )
        assert abs(crest[1] + crest[3] - name[1] - name[3]) < 8, "in one line"


def test_the_best_moments_are_visited_one_after_the_other(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=2, rounds=6)
    opened(page, live_site, match)
    places = [f"#d{place.deal}m{place.move}" for place in best_moments(replay_of(match))]
    for place in (*places, places[0]):
        page.get_by_role("button", name="Best moments").click()
        expect(page).to_have_url(re.compile(f"{place}$"))
    expect(page.locator('[data-rp="done"]')).to_have_text(f"Best moment 1 of {len(places)}")
    page.keyboard.press("b")
    expect(page).to_have_url(re.compile(f"{places[1]}$"))


def test_best_moments_that_cannot_be_loaded_say_so(live_site: str, page: Page) -> None:
    """Their script comes when it is asked for: without a connection nothing else stops."""
    opened(page, live_site, a_finished_match(seats=2, rounds=2))
    page.route("**/jumps*.js", lambda route: route.abort())
    page.get_by_role("button", name="Best moments").click()
    expect(page.locator('[data-rp="failed"]')).to_be_visible()
    page.keyboard.press("ArrowRight")
    assert at(page) == "#d1m1"


# -- what the reader does --------------------------------------------------------------------------------------------


def test_a_guess_is_compared_and_counted(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=2, rounds=1)
    replay = replay_of(match)
    opened(page, live_site, match)
    page.get_by_role("button", name="Guess the next move").click()
    done = page.locator('[data-rp="done"]')
    move = replay.deals[0].moves[0]
    hand = position_at(replay, replay.deals[0], 0).hands[move.seat]
    played = next(effect.card for effect in move.effects if effect.source[0] == "h")
    expect(page.locator(".pick")).to_have_count(len(hand))
    assert set(page.locator(".pick").evaluate_all("all => all.map((each) => each.dataset.card)")) == set(hand)
    page.locator(f'.pick[data-card="{played}"]').click()
    expect(done).to_have_text(f"{replay.names[move.seat]} chose the same card. Right: 1 of 1.")
    assert at(page) == "#d1m1"
    move = replay.deals[0].moves[1]
    played = next(effect.card for effect in move.effects if effect.source[0] == "h")
    page.locator(f'.pick:not([data-card="{played}"])').first.press("Enter")
    expect(done).to_contain_text("instead. Right: 1 of 2.")
    assert at(page) == "#d1m2"
    page.get_by_role("button", name="Guess the next move").click()
    assert page.locator(".pick").count() == 0
    expect(done).to_have_text("")


def test_a_seat_has_a_colour_and_an_emblem_everywhere(live_site: str, page: Page) -> None:
    opened(page, live_site, a_finished_match(seats=7, rounds=3), "#d1m9")
    own = "(each) => getComputedStyle(each).getPropertyValue('--own')"
    seats = page.locator(".rp-seat").evaluate_all(f"all => all.map({own})")
    assert len(set(seats)) == 7
    for seat in range(7):
        places = page.locator(f".rp-table .s{seat}, .rp-moves .s{seat}, .rp-score .s{seat}, .rp-line .s{seat}")
        assert set(places.evaluate_all(f"all => all.map({own})")) == {seats[(seat - 1) % 7]}
    emblems = page.locator(".rp-score tbody use").evaluate_all("all => all.map((each) => each.getAttribute('href'))")
    assert len(set(emblems)) == 7


def test_a_lamp_shows_who_moves_next(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=4, rounds=1)
    moves = replay_of(match).deals[0].moves
    opened(page, live_site, match)
    for move in moves[:4]:
        lit = page.locator(".rp-seat.turn")
        expect(lit).to_have_attribute("data-seat", str(move.seat))
        expect(lit.locator("h3")).to_contain_text("to move")
        page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    expect(page.locator(".rp-seat.turn")).to_have_count(0)


def test_who_only_watches_has_a_plate_and_no_more(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=4, preset="oibana", rounds=1)
    opened(page, live_site, match, "?d=1&m=6")
    places = "all => all.map((each) => [each.dataset.seat, each.dataset.off])"
    written = page.locator(".rp-seat").evaluate_all(places)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.locator(".rp-seat").evaluate_all(places) == written, "the script seats as the server does"
    watchers = page.locator(".rp-seat.out")
    expect(watchers).to_have_count(2)
    for number in range(2):
        expect(watchers.nth(number)).to_contain_text("watches")
        expect(watchers.nth(number).locator(".rp-hand, .rp-kinds").first).to_be_hidden()


@pytest.mark.parametrize("seats", range(2, 8))
def test_seats_stand_around_the_field_in_turn(live_site: str, page: Page, seats: int) -> None:
    """Counter-clockwise from the reader, nobody over anybody, all inside a window of 1280 by 900."""
    page.set_viewport_size({"width": 1280, "height": 900})
    opened(page, live_site, a_finished_match(seats=seats, rounds=1), "#d1m6")
    boxes = page.evaluate(
        "() => [...document.querySelectorAll('.rp-table [data-off], .rp-field')].map((each) => {"
        " const all = [each, ...each.querySelectorAll(':scope > *')].map((one) => one.getBoundingClientRect())"
        "   .filter((box) => box.width);"
        " return [each.dataset.off ?? 'f', Math.min(...all.map((box) => box.left)), Math.min(...all.map((b) => b.top)),"
        "   Math.max(...all.map((box) => box.right)), Math.max(...all.map((box) => box.bottom))]; })"
    )
    places = {name: box for name, *box in boxes}
    assert max(box[3] for box in places.values()) <= 900
    for one, other in pairwise(sorted(places.items())):
        (a, b, c, d), (left, top, right, bottom) = one[1], other[1]
        assert c <= left + 1 or right <= a + 1 or d <= top + 1 or bottom <= b + 1, (one, other)
    field = places["f"]
    assert places["0"][1] >= field[3] - 1, "the reader sits at the bottom"
    if seats > 2:
        assert places["1"][0] >= field[2] - 1, "the next player at the right"
        assert places[str(seats - 1)][2] <= field[0] + 1, "the last one at the left"


def test_sounds_are_off_until_they_are_wanted(live_site: str, page: Page) -> None:
    page.add_init_script(
        "window.contexts = 0; const own = AudioContext;"
        " window.AudioContext = class extends own { constructor() { super(); window.contexts += 1; } };"
    )
    opened(page, live_site, a_finished_match(seats=2, rounds=1))
    page.keyboard.press("ArrowRight")
    assert page.evaluate("window.contexts") == 0
    button = page.get_by_role("button", name="Sound")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    page.wait_for_function("() => window.contexts === 1")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("window.contexts") == 1
    button.click()
    assert button.get_attribute("aria-pressed") == "false"


def test_a_column_of_the_score_leads_to_its_deal(live_site: str, page: Page) -> None:
    opened(page, live_site, a_finished_match(seats=2, rounds=4), "#d2m3")
    assert page.locator(".rp-strip .now").evaluate_all("all => all.map((each) => each.cellIndex)") == [2] * 3
    beside = page.locator(".rp-steps a small")
    expect(beside).to_have_text(["Deal 1", "Deal 3"])
    page.get_by_role("link", name="Deal 4", exact=True).click()
    assert at(page) == "#d4m0"
    expect(beside).to_have_text(["Deal 3", "Deal 4"])
    assert page.locator(".rp-chart .now").get_attribute("data-deal") == "4"


def test_the_score_scrolls_to_its_deal_on_a_phone_beside_names_and_totals(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    opened(page, live_site, a_finished_match(seats=2, rounds=12), "#d1m0")
    for deal in (1, 7, 12):
        page.evaluate("at => { location.hash = at; }", f"#d{deal}m0")
        expect(page.locator(".rp-strip thead .now")).to_contain_text(str(deal))
        now, name, total = page.locator(".rp-strip").evaluate(
            """strip => ['thead .now', 'tbody th', 'tbody .rp-sum'].map((part) =>
            strip.querySelector(part).getBoundingClientRect().toJSON())"""
        )
        assert name["left"] >= 0, deal
        assert total["right"] <= 360, deal
        assert name["right"] - 1 <= now["left"], deal
        assert now["right"] <= total["left"] + 1, deal


@pytest.mark.parametrize("width", [360, 1280])
def test_a_name_stands_whole_at_the_end_of_its_line(live_site: str, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    opened(page, live_site, a_finished_match(seats=4, rounds=3))
    found = page.evaluate(
        """() => [...document.querySelectorAll('.rp-ends text')].map((name) => {
          name.textContent = 'Sampler Mondays';
          const [box, all] = [name, name.ownerSVGElement].map((each) => each.getBoundingClientRect());
          const height = all.top + name.getAttribute('y') / 100 * all.height;
          return [box.right - all.right, (box.top + box.bottom) / 2 - height];
        })"""
    )
    assert len(found) == 4
    assert all(over <= 0 and abs(off) < 3 for over, off in found), found


def test_a_link_to_the_replay_leaves_the_heading_whole(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=2, rounds=1)
    page.set_viewport_size({"width": 1280, "height": 600})
    opened(page, live_site, match)
    page.locator("#replay").evaluate("each => each.scrollIntoView()")
    top = page.locator("h1").evaluate("each => each.getBoundingClientRect().top")
    assert top >= 0


def test_the_keys_fit_a_phone_and_are_closed_by_a_key(live_site: str, page: Page) -> None:
    page.set_viewport_size(PHONE)
    opened(page, live_site, a_finished_match(seats=2, rounds=1))
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys of the replay")
    expect(keys).to_be_visible()
    box = keys.bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= PHONE["height"]
    page.keyboard.press("ArrowRight")
    assert at(page) == "", "a key that is read about does nothing"
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    page.keyboard.press("ArrowRight")
    assert at(page) == "#d1m1"


def test_the_narration_keeps_its_height_and_opens_on_a_phone(live_site: str, page: Page) -> None:
    page.set_viewport_size(PHONE)
    match = a_finished_match(seats=4, rounds=1)
    opened(page, live_site, match, "#d1m5")
    place, height = page.locator('[data-rp="words"]'), "each => each.clientHeight"
    closed = place.evaluate(height)
    place.evaluate("each => { each.textContent = each.textContent.repeat(5); }")
    assert place.evaluate(height) == closed
    place.click()
    assert place.evaluate(height) > closed
    opened(page, live_site, match, f"#d1m{len(replay_of(match).deals[0].moves)}")
    assert "wins it" not in words(page), "the card on the table says so"
    assert place.evaluate("each => each.scrollHeight <= each.clientHeight + 1")
