"""A move in a real browser: its beats in time, figures that wait for the cards, speed, and yaku that rise."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from core.replay.document import Replay
from core.replay.reducer import scenes
from core.replay.rows import gain_of, made_in
from core.replay.words import split
from tests.builders.matches_on_show import a_finished_match
from tests.builders.replays import at, opened, replay_of
from tests.tournaments.pages.matches.test_plates import GOLD, colour_of_plate

pytestmark = pytest.mark.slow


@pytest.fixture
def moving(browser: Browser) -> Iterator[Page]:
    """A page of a reader who wants motion; those of the other tests want none."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="no-preference")
    yield context.new_page()
    context.close()


FLIERS = """
() => Object.fromEntries([...document.querySelectorAll(".rp-flier")].map((each) => {
  const box = each.getBoundingClientRect();
  return [each.dataset.card, [box.left + box.width / 2, box.top + box.height / 2, box.width].map(Math.round)];
}))
"""
"""Centre and width of every card in flight."""
LIE = """
() => Object.fromEntries([...document.querySelectorAll(".rp-table [data-card]")].map((each) => {
  const box = each.getBoundingClientRect();
  return [each.dataset.card, [box.left + box.width / 2, box.top + box.height / 2].map(Math.round)];
}))
"""
STAY = LIE.replace("[data-card]", "[data-card]:not(.away)")
"""The same of the cards that do not fly."""
FIGURES = """
() => Object.fromEntries([
  ["pile", document.querySelector(".rp-pile small").innerText],
  ...[...document.querySelectorAll(".rp-fig b")].map((each) => [each.parentElement.dataset.side, each.innerText]),
  ...[...document.querySelectorAll(".rp-kind > span")].map((each) => [
    each.closest("section").ariaLabel + each.querySelector("use").getAttribute("href").split("#")[1], each.innerText]),
])
"""
"""What stands at the pile, at the accounts and above the cards of a kind."""
COVERED = """
() => {
  const own = document.querySelector(".rp-float").getBoundingClientRect();
  const said = ":is(.rp-name, .rp-dealer, .rp-tag, .rp-fig b, .rp-fig span:not(.sr), .rp-open)";
  return [...document.querySelectorAll(`.rp-table ${said}`)]
    .filter((each) => each.checkVisibility({opacityProperty: true}))
    .filter((each) => {
      const its = each.getBoundingClientRect();
      return its.left < own.right && its.right > own.left && its.top < own.bottom && its.bottom > own.top;
    }).map((each) => each.textContent);
}
"""
"""Words of the table that a gain lies on."""
AT = """
(time) => {
  for (const one of document.querySelector("hanami-replay").motion.running) { one.pause(); one.currentTime = time; }
}
"""


def a_move_with_all_beats(replay: Replay) -> tuple[int, str, str, str]:
    """Return a move of the first deal that takes with hand and pile: (number, hand card, its partner, pile card)."""
    for move in replay.deals[0].moves:
        parts = split(move)
        hand = [effect for effect in parts.hand if effect.source[0] == "h" and effect.target[0] == "c"]
        under = [effect for effect in parts.hand if effect.source == "f" and effect.target[0] == "c"]
        flip = [effect for effect in parts.flip if effect.source == "p" and effect.target[0] == "c"]
        if hand and len(under) == 1 and flip:
            return move.number, hand[0].card, under[0].card, flip[0].card
    raise AssertionError("no move takes twice")


def test_the_beats_of_a_move_are_distinct_in_time(live_site: str, moving: Page) -> None:
    match = a_finished_match(seats=2, rounds=1)
    number, hand, partner, pile = a_move_with_all_beats(replay_of(match))
    opened(moving, live_site, match, f"#d1m{number - 1}")
    before = moving.evaluate(LIE)
    moving.keyboard.press("ArrowRight")
    at_ms: dict[int, dict[str, list[int]]] = {}
    for moment in (0, 180, 320, 430, 540, 680, 940):
        moving.evaluate(AT, moment)
        at_ms[moment] = moving.evaluate(FLIERS)
        for card, place in moving.evaluate(STAY).items() if moment <= 680 else ():
            near(place, before[card])
    near(at_ms[0][hand], before[hand])
    beside = [before[partner][0] + 10, before[partner][1] + 12]
    near(at_ms[180][hand], beside)
    assert at_ms[180][partner][:2] == at_ms[0][partner][:2], "its partner waits for it"
    assert at_ms[180][hand] == at_ms[320][hand], "it rests"
    assert at_ms[320][pile][:2] == at_ms[0][pile][:2], "the pile waits until it lies"
    assert at_ms[430][pile] not in (at_ms[320][pile], at_ms[540][pile]), "its card is turned"
    assert at_ms[540][pile] == at_ms[680][pile], "and rests"
    assert at_ms[540][hand] == at_ms[180][hand]
    moving.evaluate("document.querySelector('hanami-replay').motion.finish()")
    after = moving.evaluate(LIE)
    for card in (hand, partner, pile):
        near(at_ms[940][card], after[card])
    assert moving.locator(".rp-flier").count() == 0
    assert moving.locator(".rp-table .away").count() == 0


def near(found: list[int], wanted: list[int], by: int = 4) -> None:
    """Cards lie a little turned: their boxes differ by a pixel or two."""
    assert all(abs(one - other) <= by for one, other in zip(found, wanted, strict=False)), (found, wanted)


def test_a_second_key_press_skips_the_rest(live_site: str, moving: Page) -> None:
    opened(moving, live_site, a_finished_match(seats=2, rounds=1))
    moving.keyboard.press("ArrowRight")
    first = moving.evaluate(FLIERS)
    assert first
    moving.keyboard.press("ArrowRight")
    assert at(moving) == "#d1m2"
    assert set(moving.evaluate(FLIERS)).isdisjoint(first), "only the second move's cards fly"
    moving.keyboard.press("Home")
    assert moving.evaluate(FLIERS) == {}


def test_figures_change_as_the_cards_arrive(live_site: str, moving: Page) -> None:
    match = a_finished_match(seats=2, rounds=1)
    number, *_cards = a_move_with_all_beats(replay_of(match))
    opened(moving, live_site, match, f"#d1m{number - 1}")
    before = moving.evaluate(FIGURES)
    moving.keyboard.press("ArrowRight")
    for moment in (0, 430, 900):
        moving.evaluate(AT, moment)
        shown = moving.evaluate(FIGURES)
        assert {name: shown[name] for name in before if name in shown} == before, moment
    moving.evaluate("document.querySelector('hanami-replay').motion.finish()")
    after = moving.evaluate(FIGURES)
    assert after["pile"] != before["pile"]
    moving.keyboard.press("ArrowLeft")
    moving.keyboard.press("ArrowRight")
    expect(moving.locator(".rp-pile small").first).to_have_text(after["pile"])


@pytest.mark.parametrize("width", [1280, 360])
def test_a_gain_appears_beside_its_figure_and_over_no_words(live_site: str, moving: Page, width: int) -> None:
    moving.set_viewport_size({"width": width, "height": 740})
    match = a_finished_match(seats=2, rounds=1)
    replay = replay_of(match)
    for scene in scenes(replay, replay.deals[0]):
        if gain_of(replay, scene) <= 0:
            continue
        opened(moving, live_site, match, f"#d1m{scene.move.number - 1}")
        moving.keyboard.press("ArrowRight")
        moving.evaluate(AT, 1100)
        assert moving.locator(".rp-float").inner_text().startswith("+")
        assert moving.evaluate(COVERED) == [], scene.move.number


def test_speed_scales_the_beats(live_site: str, moving: Page) -> None:
    opened(moving, live_site, a_finished_match(seats=2, rounds=1))
    rates = "() => [...new Set(document.querySelector('hanami-replay').motion.running.map((one) => one.playbackRate))]"
    for rate in (2, 4):
        moving.keyboard.press("+")
        moving.keyboard.press("ArrowRight")
        assert moving.evaluate(rates) == [rate]


def test_a_yaku_rises_in_the_middle_and_is_marked_in_the_list(live_site: str, moving: Page) -> None:
    match = a_finished_match(seats=2, rounds=12)
    replay = replay_of(match)
    deal, move, made = next(
        (deal.number, scene.move.number, found)
        for deal in replay.deals
        for scene in scenes(replay, deal)
        if (found := made_in(replay, scene))
    )
    opened(moving, live_site, match, f"#d{deal}m{move - 1}")
    moving.keyboard.press("ArrowRight")
    rising = moving.locator(".rp-rise")
    expect(rising.locator(".hc")).to_have_count(3)
    assert made[0] in rising.inner_text()
    assert rising.evaluate("each => each.closest('[aria-hidden=true]') !== null"), "the words say it already"
    expect(moving.locator(f'.rp-moves a[data-move="{move}"] .rp-who i').first).to_have_text(made[0])
    moving.keyboard.press("y")
    expect(moving.locator("#rp-yaku li.done").first).to_be_visible()


def test_every_yaku_of_a_move_rises_with_its_own_cards(live_site: str, moving: Page) -> None:
    """What a game counts by kinds, as four brights, is told by an event of the move alone."""
    match = a_finished_match(seats=2, preset="koikoi_nintendo", rounds=12)
    replay = replay_of(match)
    deal, move, names = next(
        (deal.number, scene.move.number, {*made_in(replay, scene), *told})
        for deal in replay.deals
        for scene in scenes(replay, deal)
        if (told := [str(event["yaku"]) for event in scene.move.events if event.get("yaku")])
    )
    opened(moving, live_site, match, f"#d{deal}m{move - 1}")
    moving.keyboard.press("ArrowRight")
    sets = moving.locator(".rp-rise div")
    expect(sets).to_have_count(len(names))
    cards = [each.locator(".hc").count() for each in sets.all()]
    assert min(cards) >= 2
    expect(moving.locator(f'.rp-moves a[data-move="{move}"] .rp-who i').filter(has_not_text="!!")).to_have_count(
        len(names)
    )


def golden(page: Page) -> list[int]:
    """Return the seats whose name stands on gold."""
    return [
        int(seat.get_attribute("data-seat") or "")
        for seat in page.locator(".rp-table [data-seat]").all()
        if colour_of_plate(seat) == GOLD
    ]


def test_who_moves_is_lit_from_the_first_card_until_the_next_move(live_site: str, moving: Page) -> None:
    match = a_finished_match(seats=2, rounds=1)
    first = replay_of(match).deals[0].moves[0].seat
    opened(moving, live_site, match, "#d1m0")
    assert golden(moving) == [], "nobody has moved"
    moving.keyboard.press("ArrowRight")
    moving.evaluate(AT, 1)
    assert golden(moving) == [first], "its cards fly"
    moving.evaluate("document.querySelector('hanami-replay').motion.finish()")
    assert golden(moving) == [first]


def test_a_card_from_the_pile_has_a_back_in_its_corner(live_site: str, moving: Page) -> None:
    match = a_finished_match(seats=2, rounds=1)
    number, move = next((n, one) for n, one in enumerate(replay_of(match).deals[0].moves, start=1) if one.flip)
    opened(moving, live_site, match, f"#d1m{number}")
    marked = "all => all.map((each) => each.closest('[data-card]').dataset.card)"
    assert moving.locator(".rp-table .from").evaluate_all(marked) == [move.flip]
