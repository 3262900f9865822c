"""The replay viewer in a real browser: journeys 21 and 22 of site.md, keys, links, seats, phone, weight."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.utils.translation import gettext, override
from playwright.sync_api import Browser, Page, expect

from activity.journal import publish
from core.replay.book import book
from core.replay.reducer import position_at
from core.replay.words import deal_text
from engine.game import game_of
from tests.browser.keyboard import Hands
from tests.browser.looking import axe_violations
from tests.browser.sheets import served_bytes
from tests.builders.matches_on_show import a_finished_match, a_match, a_stage, finish
from tests.builders.replays import ENGLISH, READY, at, opened, replay_of, without_script, words
from tests.tables.test_scripts import loaded
from tournaments.domain_events.matches import MatchConfirmed

FOLDER = settings.BASE_DIR / "static" / "table"
TABLES: list[dict[str, Any]] = [
    {"seats": 2},
    {"seats": 3, "preset": "paradise"},
    {"seats": 4, "teams": "2x2", "forfeit": {"deal": 1, "move": 3, "code": "crash"}},
    {"seats": 7},
    {"seats": 4, "preset": "french"},
    {"seats": 3, "preset": "enwiki2020"},
    {"seats": 4, "preset": "oibana"},
    {"seats": 3, "preset": "nuki88"},
    {"seats": 2, "preset": "poka5"},
]
DRAWN_OFTEN = (2, 3, 6, 8)
"""Teams, seven seats, and two games that are not Sakura; the slow run draws every table, loaded at every place."""
NOTES_MOTION = """
window.moved = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) { window.moved.push(this); return animate.apply(this, how); };
"""
"""Script that notes all that was ever set in motion: an animation of a third of a second may be over before a test
looks.
"""
OUTLINE = """
(names) => {
  const line = (node) => {
    if (node.nodeType === 3) return node.data.trim().replace(/\\s+/g, ' ');
    const own = [node.tagName.toLowerCase(), node.getAttribute('class'), node.getAttribute('aria-label'),
      node.dataset.card, node.dataset.team, node.getAttribute('href')].filter(Boolean).join('|');
    return [own, ...[...node.childNodes].map(line).filter((each) => each !== '')];
  };
  const part = (name) => [...document.querySelector(`[data-rp="${name}"]`).childNodes].map(line);
  return Object.fromEntries(names.map((name) => [name, part(name).filter((each) => each !== '')]));
}
"""
"""Tags, classes, labels, cards, teams and words of the parts with these names."""
MOVES = """() => document.querySelector('[data-rp="moves"]').textContent.replace(/\\s+/g, '')"""


# -- the journeys ---------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_journey_21_a_link_to_a_move_steps_and_survives_a_reload(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=4, rounds=4)
    said = [deal_text(replay_of(match), ENGLISH, deal) for deal in replay_of(match).deals]
    opened(page, live_site, match, "#d3m17")
    assert words(page) == said[2][17]
    for key, (deal, move) in (("Right", (3, 18)), ("Right", (3, 19)), ("Left", (3, 18)), ("Down", (4, 0))):
        page.keyboard.press(f"Arrow{key}")
        assert words(page) == said[deal - 1][move]
        assert at(page) == f"#d{deal}m{move}"
    hands = Hands(page)
    hands.to("link", "Next move")
    page.keyboard.press("Enter")
    assert words(page) == said[3][1]
    page.reload()
    page.wait_for_selector(READY)
    assert words(page) == said[3][1]
    Hands(page).reach(page.locator("footer a").last, "the last link of the page")  # past the viewer: no trap
    assert axe_violations(page) == []


@pytest.mark.slow
def test_journey_22_a_seat_view_has_no_foreign_hand_in_the_page(live_site: str, browser: Browser, page: Page) -> None:
    match = a_finished_match(seats=4, rounds=3)
    replay = replay_of(match)
    deal, move = 3, 11
    hands = position_at(replay, replay.deals[deal - 1], move).hands
    opened(page, live_site, match, f"#d{deal}m{move}s2")
    shown = set(page.locator("[data-card]").evaluate_all("cards => cards.map((card) => card.dataset.card)"))
    assert page.locator('[data-rp="text"]').text_content() == "", "of the view of all hands nothing is left"
    page.keyboard.press("t")
    expect(page.locator('[data-rp="text"] dt').first).to_be_visible()
    text = page.locator('[data-rp="text"]').text_content() or ""
    for seat, hand in enumerate(hands):
        assert shown & set(hand) == (set(hand) if seat == 1 else set())
        assert all((ENGLISH["cards"][card] in text) == (seat == 1) for card in hand)
    plain = without_script(browser)
    plain.goto(f"{live_site}/m/{match.uuid}/?d={deal}&m={move}&s=2")
    assert words(plain) == words(page)
    faces = set(plain.locator("[data-card]").evaluate_all("cards => cards.map((card) => card.dataset.card)"))
    assert faces == shown
    plain.goto(f"{live_site}/m/{match.uuid}/?d={deal}&m=17")
    assert words(plain) == deal_text(replay, ENGLISH, replay.deals[deal - 1])[17]
    assert axe_violations(page) == []
    plain.context.close()


@pytest.mark.slow
def test_everything_works_without_script(live_site: str, browser: Browser) -> None:
    match = a_finished_match(seats=2, rounds=2)
    said = deal_text(replay_of(match), ENGLISH, replay_of(match).deals[0])
    page = without_script(browser)
    page.goto(f"{live_site}/m/{match.uuid}/")
    assert words(page) == said[0]
    for move in (1, 2, 3):
        page.get_by_role("link", name="Next move").click()
        assert words(page) == said[move]
    page.get_by_role("link", name="Previous move").click()
    assert words(page) == said[2]
    page.locator('.rp-moves a[data-move="9"]').click()
    assert words(page) == said[9]
    page.get_by_role("link", name="Next deal").click()
    assert "Deal 2 of 2, move 0" in page.locator(".rp-where").inner_text()
    page.get_by_label("Point of view").get_by_role("link", name="Kiri").click()
    assert page.locator(".rp-me .rp-name").inner_text() == "Kiri"
    page.context.close()


# -- script and server say and draw the same ------------------------------------------------------------------------


@pytest.mark.slow
def test_the_script_says_every_move_as_the_server_does(live_site: str, page: Page) -> None:
    for table in TABLES:
        match = a_finished_match(**table, rounds=3)
        replay = replay_of(match)
        opened(page, live_site, match)
        said = page.evaluate(
            "() => { const el = document.querySelector('hanami-replay');"
            " return el.replay.deals.map((deal) =>"
            "   [null, ...deal.moves].map((_, move) => el.words.at({deal: deal.number, move}))); }"
        )
        assert said == [deal_text(replay, book("en", str, replay.game), deal) for deal in replay.deals], table


@pytest.mark.django_db
def test_who_plays_for_one_side_has_its_letter_and_edge(client: Client) -> None:
    page = client.get(f"/m/{a_finished_match(seats=4, teams='2x2', rounds=1).uuid}/").content.decode()
    marked = re.findall(r'data-team="(.)"[^>]*>\s*<h3>\s*<span class="rp-letter">(..?)<', page)
    assert sorted(marked) == [(team, team + mate) for team in "AB" for mate in ("", "1", "2")], "a tray, two seats"


@pytest.mark.slow
def test_both_put_their_words_together_as_french_and_japanese_do(live_site: str, browser: Browser) -> None:
    match = a_finished_match(seats=4, teams="2x2", rounds=1)
    replay = replay_of(match)
    for language, sign in (("fr", "\N{NO-BREAK SPACE}; "), ("ja", "。")):
        page = opened(browser.new_page(locale=language), live_site, match)
        with override(language):
            said = deal_text(replay, book(language, gettext, replay.game), replay.deals[0])
        heard = page.evaluate(
            "() => { const el = document.querySelector('hanami-replay'); const [deal] = el.replay.deals;"
            " return [null, ...deal.moves].map((_, move) => el.words.at({deal: 1, move})); }"
        )
        assert heard == said
        assert sign in said[1]
        assert not re.search(r"[^\N{NO-BREAK SPACE}0-9][;:] ", said[-1])
        page.close()


@pytest.mark.slow
@pytest.mark.parametrize("table", [TABLES[n] for n in DRAWN_OFTEN])
def test_the_script_draws_the_table_the_server_drew(
    live_site: str, browser: Browser, page: Page, table: dict[str, Any]
) -> None:
    """Opened at a move, and at others that the address goes on to."""
    draws_alike(live_site, browser, page, table, opens_each=False)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_the_script_draws_every_table_wherever_it_is_opened(
    live_site: str, browser: Browser, page: Page, table: dict[str, Any]
) -> None:
    draws_alike(live_site, browser, page, table, opens_each=True)


def draws_alike(site: str, browser: Browser, page: Page, table: dict[str, Any], *, opens_each: bool) -> None:
    """Compare four places of one match. opens_each: the page is loaded again for each."""
    match = a_finished_match(**table, rounds=2)
    combinations = game_of(replay_of(match).game).words.combinations
    parts = ["table", "text", "known", *(["yaku"] if any(each.cards for each in combinations) else [])]
    plain = without_script(browser)
    for deal, move, view in ((1, 0, 0), (1, 9, 0), (2, 14, 2), (2, 99, 1)):
        plain.goto(f"{site}/m/{match.uuid}/?d={deal}&m={move}&s={view}")
        if opens_each or (move, view) == (0, 0):
            page.goto("about:blank")
            opened(page, site, match, f"#d{deal}m{move}s{view}")
            page.keyboard.press("k")
            page.wait_for_function("() => document.querySelector('hanami-replay').panels")
            expect(page.locator('[data-rp="text"] dt')).to_have_count(0)  # nothing is drawn that nobody sees
            page.keyboard.press("t")
            expect(page.locator('[data-rp="text"] dt').first).to_be_visible()
        else:
            page.evaluate(f"location.hash = '#d{deal}m{move}s{view}'")
        where = '[data-rp="where"]'
        expect(page.locator(where)).to_have_text(plain.locator(where).inner_text(), use_inner_text=True)
        assert page.evaluate(OUTLINE, parts) == plain.evaluate(OUTLINE, parts), (deal, move, view)
        assert page.evaluate(MOVES) == plain.evaluate(MOVES), (deal, move, view)
    plain.context.close()


# -- keys, pointers, regions ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_keys_step_deals_seats_and_panels(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=4, rounds=3)
    last = len(replay_of(match).deals[-1].moves)
    opened(page, live_site, match)
    for key, place in (
        ("End", f"#d3m{last}"), ("ArrowUp", "#d2m0"), ("ArrowUp", "#d1m0"), ("ArrowLeft", "#d1m0"),
        ("ArrowDown", "#d2m0"), ("ArrowRight", "#d2m1"), ("3", "#d2m1s3"), ("7", "#d2m1s3"),
        ("0", "#d2m1"), ("Home", "#d1m0"),
    ):  # fmt: skip
        page.keyboard.press(key)
        # What a seat knows is loaded for the first who looks as one.
        page.wait_for_function("(place) => ['', place].includes(location.hash)", arg=place)
    page.keyboard.press("t")
    assert page.locator("#rp-text").get_attribute("open") is not None
    for key, panel in (("y", "#rp-yaku"), ("k", "#rp-known"), ("k", ".rp-moves")):
        page.keyboard.press(key)
        expect(page.locator(panel)).to_be_visible()
        assert page.locator(".rp-panel:visible").count() == 1
    for key, speed in (("+", "2"), ("+", "4"), ("+", "4"), ("-", "2"), ("-", "1"), ("-", "½"), ("-", "½"), ("+", "1")):
        page.keyboard.press(key)
        expect(page.get_by_role("button", name=f"Speed {speed}×")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys of the replay")).to_be_visible()
    assert page.locator("#keys").get_attribute("open") is None
    page.keyboard.press("Escape")


@pytest.mark.slow
def test_shift_steps_half_a_move(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=2, rounds=1)
    deal = replay_of(match).deals[0]
    opened(page, live_site, match)
    pile = page.locator(".rp-pile small").last
    assert pile.inner_text() == "Pile: 24"
    first = deal.moves[0]
    page.keyboard.press("Shift+ArrowRight")
    where = page.locator(".rp-where")
    expect(where).to_contain_text("½")
    assert pile.inner_text() == "Pile: 24"
    hand_part = {effect.card for effect in first.effects if effect.source == "h0" or effect.target == "c0"}
    assert page.locator("[data-card].moved, [data-card]").count() >= len(hand_part)
    page.keyboard.press("Shift+ArrowRight")
    expect(page).to_have_url(re.compile("#d1m1$"))
    assert pile.inner_text() == "Pile: 23"
    page.keyboard.press("Shift+ArrowLeft")
    expect(where).to_contain_text("½")
    assert pile.inner_text() == "Pile: 24"
    page.keyboard.press("Shift+ArrowLeft")
    expect(where).not_to_contain_text("½")
    assert at(page) == "#d1m0"


@pytest.mark.slow
def test_the_table_moves_under_a_click(live_site: str, page: Page) -> None:
    opened(page, live_site, a_finished_match(seats=3, rounds=2))
    page.get_by_role("link", name="Next move").click()
    assert at(page) == "#d1m1"
    page.locator('.rp-moves a[data-move="5"]').click()
    assert at(page) == "#d1m5"
    page.get_by_role("link", name="Deal 2", exact=True).click()
    assert at(page) == "#d2m0"
    page.get_by_label("Point of view").get_by_role("link", name="Kiri").click()
    expect(page).to_have_url(re.compile("#d2m0s2$"))  # what a seat knows is loaded first
    page.evaluate("location.hash = '#d1m2s3'")
    expect(page.locator(".rp-me .rp-name")).to_have_text("Lani")


# -- a match that is still to be played -----------------------------------------------------------------------------


@pytest.mark.slow
def test_the_replay_appears_by_itself_when_the_match_is_recorded(live_site: str, page: Page) -> None:
    match = a_match(a_stage(rounds=1))
    page.goto(f"{live_site}/m/{match.uuid}/")
    expect(page.locator(".livebar")).to_contain_text("Live", timeout=60_000)
    assert page.locator("hanami-replay").count() == 0
    finish(match)
    with transaction.atomic():
        publish(MatchConfirmed(match.channel))
    page.wait_for_selector(READY, timeout=60_000)
    page.get_by_role("link", name="Next move").click()
    assert at(page) == "#d1m1"


# -- phone, light and dark, weight ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_phone_needs_no_sideways_scroll_and_has_big_controls(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for table in TABLES:
        opened(page, live_site, a_finished_match(**table, rounds=2), "#d1m8")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, table
        assert page.evaluate(
            "[...document.querySelectorAll('.rp :not([data-sideways] *)')].every((each) => "
            "each.getBoundingClientRect().right <= 361)"
        ), table
        sizes = "all => all.map((each) => each.getBoundingClientRect()).map((box) => Math.min(box.width, box.height))"
        controls = page.locator(".rp-steps > *").evaluate_all(sizes)
        assert controls, table
        assert min(controls) >= 44, table
        sheet = page.locator(".rp-seat:not(.out) > .rp-tray").first
        if table.get("preset") == "poka5":  # nothing is captured there
            expect(sheet).to_have_count(0)
            continue
        # Between two its cards lie open in the row, too.
        is_sheet = "each => each.matches(':popover-open')"
        assert not sheet.evaluate(is_sheet)
        page.locator(".rp-seat:not(.out) > .rp-open").first.click()
        assert sheet.evaluate(is_sheet)
        page.keyboard.press("Escape")
        assert not sheet.evaluate(is_sheet)


@pytest.mark.slow
def test_no_barrier_that_axe_finds(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=4, rounds=2, forfeit={"deal": 1, "move": 6, "code": "illegal"})
    opened(page, live_site, match, "#d1m10s2")
    page.locator("#rp-text summary").click()
    looks: list[tuple[int, Any]] = [(width, scheme) for width in (360, 1280) for scheme in ("light", "dark")]
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        assert axe_violations(page) == [], (width, scheme)


@pytest.mark.slow
def test_nothing_breaks_the_content_policy(live_site: str, page: Page) -> None:
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    opened(page, live_site, a_finished_match(seats=4, rounds=1), "#d1m3")
    page.keyboard.press("ArrowRight")
    assert heard == []
    drawn = page.locator("[data-card] use").first.evaluate("use => use.getBBox().width")
    assert drawn > 0, "the sprite was not loaded"


@pytest.mark.slow
def test_motion_is_left_away_when_it_is_not_wanted(live_site: str, browser: Browser) -> None:
    match = a_finished_match(seats=2, rounds=1)
    motions: list[tuple[Any, bool]] = [("reduce", False), ("no-preference", True)]
    for wanted, moves in motions:
        context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion=wanted)
        context.add_init_script(script=NOTES_MOTION)
        page = opened(context.new_page(), live_site, match)
        page.keyboard.press("ArrowRight")
        assert page.evaluate("window.moved.some((each) => each.matches('[data-card]'))") is moves
        assert page.evaluate("getComputedStyle(document.querySelector('[data-card]')).animationName") == "none"
        context.close()


def test_the_viewer_is_light() -> None:
    """Its scripts, unminified, with that of a page about one moment, and its style."""
    found = loaded(FOLDER / "replay.js", {FOLDER / "demonstrate.js"})
    assert len(found) > 5
    assert sum(path.stat().st_size for path in found) < 70_000
    assert served_bytes("table/table.css", "table/phone.css") < 20_000


def test_the_script_has_no_dependency_and_no_inline_code() -> None:
    for path in FOLDER.glob("*.js"):
        text = path.read_text()
        assert "eval(" not in text
        assert "http://" not in text
        assert "https://" not in text
