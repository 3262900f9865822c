"""Whole matches in the browser, one for each way of playing: keys alone, a screen reader, no script, a small phone,
a line that is lost in the middle, an opponent who leaves or does not come back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db.models import F
from playwright.sync_api import Browser, BrowserContext, Page, expect

from bots.jobs.process import Process
from tables.actions.leaving import AWAY_AFTER, CLAIMED_AFTER
from tables.models import Answer, LiveSeat, LiveTable
from tests.browser.looking import sideways
from tests.tables.browsing import (
    a_house,
    asked,
    choose_by_keys,
    choose_first,
    is_done_with,
    let_bots_answer,
    play_whole,
    table_of,
    waits_for_turn,
)
from tests.tables.players import again, folded
from tests.tables.test_live_page import OUT_OF_SIGHT, SMALL, plays_one_way

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]
GAMES = [
    ("koikoi_nintendo", "2", "rounds", "2"),
    ("hawaii", "3", "rounds", "2"),
    ("nuki88", "3", "rounds", "2"),
    ("oibana", "3", "", ""),
    ("poka3", "2", "target", "2"),
]
"""One of each game: preset, seats, and what makes its match short."""
BETWEEN_TWO = [("koikoi_nintendo", "2", "rounds", "1"), ("hawaii", "2", "rounds", "1")]
PLACES = """() => [".rp-felt", ".rp-field", ".live-choices", ".live-told", ".live-bar"].map((name) => {
  const { top, bottom } = document.querySelector(name).getBoundingClientRect();
  return Math.round(top + scrollY) + (name.startsWith(".rp") ? ` ${Math.round(bottom - top)}` : "");
}).join(", ")"""
"""Where the felt, its field, what is asked and the tools stand."""
CARD_WIDTH = """() => document.querySelector(".rp-me .rp-hand .hc")?.getBoundingClientRect().width ?? 99"""
HERE_MS = 7000
"""How often a page says that it is open."""
LISTEN = """() => {
  const told = document.getElementById("live-told");
  window.said = [];
  const clean = () => told.textContent.trim().replace(/\\s+/g, " ");
  let last = clean();
  new MutationObserver(() => {
    if (clean() !== last) window.said.push(last = clean());
  }).observe(told, { subtree: true, childList: true, characterData: true });
}"""
SHIFTS = """() => {
  window.jumps = [];
  new PerformanceObserver((list) => list.getEntries().filter((entry) => !entry.hadRecentInput).forEach((entry) =>
    window.jumps.push([entry.value, entry.sources.map(({ node, previousRect: a, currentRect: b }) =>
      `${node?.className?.baseVal ?? node?.className ?? node?.nodeName} ${a.y} > ${b.y}`).join(", ")])))
    .observe({ type: "layout-shift", buffered: true });
}"""


@pytest.fixture
def another(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    """A page of a second browser."""
    context = browser.new_context(**browser_context_args)
    yield context.new_page()
    context.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """A small phone."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, reduced_motion="reduce")
    yield context
    context.close()


def sits_down(page: Page, site: str, preset: str, seats: str = "2", rule: str = "", value: str = "") -> LiveTable:
    """Open a short match against the house from the form of the lobby, with keys."""
    page.goto(f"{site}/play/?preset={preset}&rules=1")
    page.get_by_label("Players", exact=True).select_option(seats)
    if rule:
        page.locator(f'[name="option_{rule}"]').fill(value)
    page.get_by_role("button", name="Sit down").press("Enter")
    expect(page.locator(".rp-table")).to_be_visible()
    return table_of(page)


def is_over(page: Page, table: LiveTable) -> None:
    assert again(table).state == "finished"
    rematch, onward = page.get_by_role("button", name="Rematch"), page.locator("button.rp-onward")
    # The others may have played the last deal on alone: the reader still looks at the one before.
    expect(rematch.or_(onward).first).to_be_visible()
    if onward.count():
        page.keyboard.press("Enter")
    expect(rematch).to_be_visible()


@pytest.mark.parametrize(("preset", "seats", "rule", "value"), GAMES)
def test_a_whole_match_of_each_game_with_keys_alone(
    page: Page, live_site: str, process: Process, preset: str, seats: str, rule: str, value: str
) -> None:
    a_house()
    table = sits_down(page, live_site, preset, seats, rule, value)
    play_whole({0: page}, table, process, choose_by_keys)
    is_over(page, table)
    page.get_by_role("button", name="Rematch").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: str(table.uuid) not in url)


def test_a_screen_reader_hears_every_move_of_the_others_once(page: Page, live_site: str, process: Process) -> None:
    a_house()
    # A lucky hand ends a match after two moves; in a longer one there is more to hear.
    longest = (0, 0)
    for _ in range(6):
        longest = max(longest, hears_a_match(page, live_site, process), key=min)
        if min(longest) >= 4:
            return
    pytest.fail(f"no match had four moves of the other and four turns, but {longest}")


def hears_a_match(page: Page, live_site: str, process: Process) -> tuple[int, int]:
    """Play a match and compare what was said with it. Returns the moves of the other, and one's turns after them."""
    table = sits_down(page, live_site, "koikoi_nintendo", "2", "rounds", "1")
    page.evaluate(LISTEN)
    play_whole({0: page}, table, process, choose_by_keys)
    is_over(page, table)
    expect(page.locator("#live-told")).to_contain_text("The match is over.")
    said: list[str] = page.evaluate("window.said")
    fetched = "address => fetch(address).then((reply) => reply.json())"
    moves = page.evaluate(fetched, f"/play/{table.uuid}/view/")["moves"]
    others = [move["text"].split(". Deal ")[0].rstrip(".") for move in moves if move["seat"] == 1]
    assert {text: sum(text in each for each in said) for text in others} == dict.fromkeys(others, 1)
    assert not any(re.search(r"\b\d\d\.\d\b|undefined|null", text) for text in said), "in words, no codes"
    turns = sum((first["seat"], second["seat"]) == (1, 0) for first, second in pairwise(moves))
    assert sum("Your turn:" in text for text in said) >= turns, "each turn after a move of another is announced"
    return len(others), turns


def test_a_whole_match_without_a_script(browser: Browser, live_site: str, process: Process) -> None:
    a_house()
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    page = context.new_page()
    table = sits_down(page, live_site, "koikoi_nintendo", "2", "rounds", "1")
    assert again(table).seats.get(index=0).drawn_by == "service"
    while again(table).state == LiveTable.State.PLAYING:
        let_bots_answer(table, process)
        page.goto(f"{live_site}/play/{table.uuid}/")
        if folded(again(table)).question is not None:
            page.locator('.live-choices button[name="a"]').first.click()
            page.wait_for_load_state()
    page.goto(f"{live_site}/play/{table.uuid}/")
    is_over(page, table)
    expect(page.get_by_role("link", name="Watch the replay")).to_be_visible()
    assert sideways(page) == []
    context.close()


@pytest.mark.parametrize(("preset", "seats", "rule", "value"), [*GAMES[1:], *BETWEEN_TWO])
def test_a_whole_match_on_a_small_phone(
    phone: BrowserContext, live_site: str, process: Process, preset: str, seats: str, rule: str, value: str
) -> None:
    a_house()
    page = phone.new_page()
    table = sits_down(page, live_site, preset, seats, rule, value)
    wrong: list[str] = []
    places: set[str] = set()
    widths: list[float] = []

    def look() -> None:
        wrong.extend([*sideways(page), *page.evaluate(OUT_OF_SIGHT), *page.evaluate(SMALL)])
        places.add(page.evaluate(PLACES))
        widths.append(page.evaluate(CARD_WIDTH))

    def choose(shown: Page) -> None:
        look()
        choose_first(shown, between=look)

    play_whole({0: page}, table, process, choose)
    is_over(page, table)
    assert wrong == []
    assert sideways(page) == []
    if (preset, seats, rule, value) in BETWEEN_TWO:
        assert len(places) == 1, "nothing moves from the first card to the last"
        assert widths[0] >= 52
        assert min(widths) >= 48


def test_nothing_jumps_at_the_table(phone: BrowserContext, live_site: str, process: Process) -> None:
    a_house()
    page = phone.new_page()
    page.add_init_script(f"({SHIFTS})()")
    table = sits_down(page, live_site, "koikoi_nintendo", "2", "rounds", "1")
    jumps: list[Any] = []

    def choose(shown: Page) -> None:
        jumps[:] = shown.evaluate("window.jumps")
        choose_first(shown)

    play_whole({0: page}, table, process, choose)
    is_over(page, table)
    assert sum(value for value, _what in jumps) < 0.01, jumps


def test_a_match_whose_line_is_lost_in_the_middle_goes_on(page: Page, live_site: str, process: Process) -> None:
    a_house()
    # Two deals: one may be decided by the cards that were dealt, before anybody plays one.
    table = sits_down(page, live_site, "koikoi_nintendo", "2", "rounds", "2")
    lost = 0

    def choose(shown: Page) -> None:
        nonlocal lost
        own = Answer.objects.filter(table=table, seat=0).count()
        # Once, at the first card that is played after the first answer.
        if lost or not own or not shown.locator(".pick").count():
            choose_first(shown)
            return
        lost += 1
        shown.context.set_offline(True)
        n = asked(shown)
        choose_first(shown)
        expect(shown.locator("#live-net")).to_have_text("No connection. Your move is kept, and sent when it is back.")
        assert Answer.objects.filter(table=table, seat=0).count() == own
        shown.context.set_offline(False)
        is_done_with(shown, n)
        expect(shown.locator("#live-net")).to_be_hidden()
        assert Answer.objects.filter(table=table, seat=0).count() == own + 1

    play_whole({0: page}, table, process, choose)
    assert lost == 1
    is_over(page, table)


def two_people_with_a_clock(page: Page, another: Page, site: str) -> tuple[LiveTable, Page, Page]:
    """A live table of two browsers; who is asked comes first."""
    page.goto(f"{site}/play/")
    page.get_by_label("Against").select_option("people")
    page.get_by_label("Clock").select_option("live")
    page.get_by_role("button", name="Sit down").click()
    table = table_of(page)
    another.goto(page.url)
    another.get_by_label("Your name at the table").fill("Crane")
    another.get_by_role("button", name="Sit down").click()
    for each in (page, another):
        expect(each.locator(".rp-table")).to_be_visible()
    question = folded(again(table)).question
    assert question is not None
    return table, *((page, another) if question.seat == 0 else (another, page))


def looked_last(table: LiveTable, seat: int, before: timedelta) -> None:
    """Let somebody have looked at their table so long ago, as if the clock had gone on without them."""
    LiveSeat.objects.filter(table=table, index=seat).update(seen_at=F("seen_at") - before)


def test_an_opponent_who_is_gone_is_shown_and_claimed_after_a_minute(page: Page, another: Page, live_site: str) -> None:
    table, gone, stays = two_people_with_a_clock(page, another, live_site)
    seat = folded(again(table)).question.seat  # type: ignore[union-attr]
    waits_for_turn(gone)
    gone.goto("about:blank")
    expect(stays.locator(".rp-others .rp-mark")).to_have_count(0)
    looked_last(table, seat, AWAY_AFTER)
    expect(stays.locator(".rp-others .rp-mark")).to_have_text("away")
    expect(stays.get_by_role("button", name="Claim the match")).to_have_count(0)
    looked_last(table, seat, CLAIMED_AFTER - AWAY_AFTER)
    stays.get_by_role("button", name="Claim the match").click()
    expect(stays.get_by_role("button", name="Rematch")).to_be_visible()
    assert again(table).state == "finished"
    assert again(table).answers.get().code == "gone"
    expect(stays.locator(".live-result li").first).to_contain_text("1.")
    expect(stays.locator("#live-told")).to_contain_text("was away too long.")
    expect(stays.locator(".rp-others .rp-mark")).to_have_text("away too long")
    # The news of a match that is over reach a page when its reader comes back to it.
    gone.goto(stays.url)
    gone.get_by_role("button", name="Rematch").click()
    expect(gone.get_by_role("heading", name="Seats")).to_be_visible()
    stays.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(stays.locator(".live-result")).to_contain_text("wants a rematch.")


def test_a_page_at_which_nothing_happens_says_that_it_is_open_and_does_not_look(
    page: Page, another: Page, live_site: str
) -> None:
    page.clock.install()
    looks: list[str] = []
    two_people_with_a_clock(page, another, live_site)
    page.on("request", lambda request: looks.append(request.url) if "/view/" in request.url else None)
    for _each in range(2):  # what came while both sat down is seen at the first
        looks.clear()
        with page.expect_response("**/play/here/**") as said:
            page.clock.run_for(HERE_MS)
    assert (said.value.status, looks) == (304, [])


def test_an_opponent_who_leaves_ends_the_match_for_both(page: Page, another: Page, live_site: str) -> None:
    table, leaves, stays = two_people_with_a_clock(page, another, live_site)
    clock = stays.locator(".turn [data-clock]")
    expect(clock).to_have_text(re.compile(r"^[0-3]:\d\d$"))
    leaves.get_by_text("Leave the table").click()
    leaves.get_by_role("button", name="Leave", exact=True).click()
    for each in (leaves, stays):
        expect(each.get_by_role("button", name="Rematch")).to_be_visible()
    assert again(table).answers.get().code == "left"
    expect(stays.locator("#live-told")).to_contain_text("The match is over.")


def test_greetings_are_said_once_and_muted(page: Page, another: Page, live_site: str) -> None:
    _table, one, two = two_people_with_a_clock(page, another, live_site)
    two.evaluate(LISTEN)
    one.get_by_text("Greet", exact=True).click()
    one.get_by_role("button", name="Good luck!").click()
    expect(two.locator(".live-greeting")).to_have_text("Good luck!")
    expect(two.locator("#live-told")).to_contain_text("Good luck!")
    two.get_by_text("Greet", exact=True).click()
    mute = two.get_by_role("button", name="Mute the greetings of others")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    expect(two.locator(".live-greeting")).to_have_count(0)
    n = asked(one)
    plays_one_way(one)
    is_done_with(one, n)
    said: list[str] = two.evaluate("window.said")
    assert sum("Good luck!" in text for text in said) == 1


def test_the_replay_is_shared_by_the_clipboard(page: Page, live_site: str, process: Process) -> None:
    a_house()
    table = sits_down(page, live_site, "poka3", "2", "target", "1")
    play_whole({0: page}, table, process, choose_first)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share the replay").click()
    expect(page.locator("[data-shared]")).to_have_text("Link copied.")
    assert page.evaluate("navigator.clipboard.readText()") == f"{live_site}/m/{table.uuid}/"
    page.evaluate("navigator.share = (what) => { window.shared = what; return Promise.resolve(); }")
    page.get_by_role("button", name="Share the replay").click()
    assert page.evaluate("window.shared.url") == f"{live_site}/m/{table.uuid}/"


DEALT = """() => {
  window.dealt = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    if (timing.fill === "backwards") window.dealt.push(timing.duration);
    return animate.call(this, frames, timing);
  };
}"""


@pytest.mark.parametrize(("motion", "flies"), [("reduce", False), ("no-preference", True)])
def test_the_cards_of_a_deal_are_dealt_only_where_motion_is_welcome(
    page: Page, another: Page, live_site: str, motion: Any, flies: bool
) -> None:
    for each in (page, another):
        each.add_init_script(f"({DEALT})()")
        each.emulate_media(reduced_motion=motion)
    two_people_with_a_clock(page, another, live_site)
    durations: list[float] = page.evaluate("window.dealt")
    assert (len(durations) > 20) is flies
    assert all(ms <= 250 for ms in durations)
