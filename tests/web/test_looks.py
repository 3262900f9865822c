"""Pages in a real browser: accessible, nothing sideways, no other host, the same words without script."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Final, Literal

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page

from tests.browser.crawling import route_of
from tests.browser.every_page import OTHER_PAGES, other_looks
from tests.browser.keyboard import IS_SEEN
from tests.browser.looking import Trouble, axe_violations, log_in, sideways
from tests.builders.leagues import League, own_paths, public_paths
from tournaments.models import Hook, Match, Standing

Visit = Callable[..., Page]
Scheme = Literal["dark", "light"]
Looks = tuple[tuple[str, Scheme], ...]
WIDTHS = {"wide": 1280, "phone": 360}
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
ZOOMED = 320
"""1280 pixels at 400 %, in CSS pixels."""
TABLETS = (701, 768, 860)
WHOLE: Looks = (("wide", "light"), ("phone", "dark"))
"""Each width and each scheme once: here every rule is asked. In the other two looks only colours can be new."""
OF_COLOURS = ("color-contrast", "link-in-text-block")


def all_paths(league: League) -> list[str]:
    mine = [f"/t/{league.open.slug}/cancel/", f"/t/{league.draft.slug}/", f"/t/{league.private.slug}/entries/"]
    mine.append(f"/me/hooks/{Hook.objects.get(user=league.organiser).uuid}/")
    return [path for path in public_paths(league) if path not in ("/login/", "/signup/")] + own_paths(league) + mine


@pytest.mark.slow
@pytest.mark.timeout(420)
@pytest.mark.parametrize(
    "looks",
    [
        pytest.param((("phone", "dark"),), id="phone dark"),
        pytest.param((("wide", "light"),), id="wide light"),
        pytest.param((("wide", "dark"), ("phone", "light")), id="wide dark, phone light"),
    ],
)
def test_no_page_breaks_a_rule_of_accessibility_or_scrolls_sideways(
    browser: Browser, live_league: League, live_site: str, looks: Looks
) -> None:
    assert trespasses(browser, live_site, live_league, all_paths(live_league), looks) == []


def trespasses(browser: Browser, site: str, league: League, paths: list[str], looks: Looks) -> list[str]:
    """Return what is wrong with the pages of a stranger, and with these as the organiser sees them."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    found = [each for path in ("/login/", "/signup/", "/t/no-such-event/") for each in wrong(page, site, path, looks)]
    log_in(context, site, league.organiser)
    found += [each for path in paths for each in wrong(page, site, path, looks)]
    context.close()
    return found


def wrong(page: Page, site: str, path: str, looks: Looks) -> list[str]:
    """Return what is wrong with a page, loaded once and looked at in each way, everything unfolded."""
    found = []
    page.goto(site + path)
    page.evaluate("() => document.querySelectorAll('details.more').forEach(each => { each.open = true })")
    for width, scheme in looks:
        page.set_viewport_size({"width": WIDTHS[width], "height": 800})
        page.emulate_media(color_scheme=scheme)
        rules = () if (width, scheme) in WHOLE else OF_COLOURS
        found += [f"{path}, {width}, {scheme}: {each}" for each in axe_violations(page, *rules) + sideways(page)]
    # Columns appear at 700 and at 860: there they have the least room.
    for pixels in (ZOOMED, *TABLETS):
        page.set_viewport_size({"width": pixels, "height": 256})
        found += [f"{path}, {pixels} px: {each}" for each in sideways(page)]
    return found


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_no_other_page_breaks_a_rule_either(browser: Browser, live_league: League, live_site: str) -> None:
    """The desk, slips, private links, line-ups, brackets, comparisons, operators: tests/browser/every_page.py."""
    looks: Looks = tuple((width, scheme) for width in WIDTHS for scheme in SCHEMES)
    found, seen = [], set()
    for look in other_looks(live_league):
        context = browser.new_context(reduced_motion="reduce")
        page = context.new_page()
        if look.reader is not None:
            log_in(context, live_site, look.reader)
        if look.first:
            page.goto(live_site + look.first)
        for path in look.paths:
            answer = page.goto(live_site + path)
            assert answer is not None
            assert answer.status == 200, (path, answer.status)
            found += wrong(page, live_site, path, looks)
            seen.add(route_of(path))
        context.close()
    assert found == []
    assert OTHER_PAGES - seen == set()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_nothing_is_lost_when_zoomed_in_forced_colours_or_without_motion(
    browser: Browser, live_league: League, live_site: str
) -> None:
    """The same words and the same things to use as on a phone; what has the focus is seen in forced colours, too."""
    phone = browser.new_context(viewport={"width": 360, "height": 740})
    zoomed = browser.new_context(
        viewport={"width": ZOOMED, "height": 256}, forced_colors="active", reduced_motion="reduce"
    )
    lost: dict[str, object] = {}
    for context in (phone, zoomed):
        log_in(context, live_site, live_league.organiser)
    pages = phone.new_page(), zoomed.new_page()
    for path in all_paths(live_league):
        said, used = zip(*(_held(page, live_site + path) for page in pages), strict=True)
        if said[0] - said[1] or used[0] > used[1]:
            lost[path] = (said[0] - said[1], used)
        pages[1].keyboard.press("Tab")
        if not pages[1].evaluate(IS_SEEN):
            lost[path] = "the focus"
    phone.close()
    zoomed.close()
    assert lost == {}


ALL_DRAWN: Final = """() => {
  for (const row of document.querySelectorAll(".results > li")) row.style.contentVisibility = "visible";
  for (const age of document.querySelectorAll("main time")) age.textContent = "";
}"""
"""Rows that come into sight later are drawn then; before, their text is in the page but not in `innerText`. Ages go:
a second later they say something else.
"""


def _held(page: Page, address: str) -> tuple[set[str], int]:
    """The words of a page (no figures: some count seconds, some are drawn by lot), and how many things can be used."""
    page.goto(address)
    if page.locator("hanami-replay").count():  # its script brings buttons
        page.wait_for_selector('hanami-replay[data-state="ready"]')
    if page.locator("[data-vf-here]").count():  # and the verifier's shows its own once it has its words
        page.wait_for_selector("[data-vf-here]:not([hidden])", state="attached")
    if page.locator("hanami-verify").count():  # which says what it found one line after the other
        page.wait_for_selector('hanami-verify:is([data-state="done"], [data-state="bad"])')
    page.evaluate(ALL_DRAWN)
    words = page.locator("main").inner_text().split()
    things = "all => all.filter((each) => each.checkVisibility()).length"
    used = page.locator("main").locator("a, button, input, select, textarea, summary").evaluate_all(things)
    return {word for word in words if any(map(str.isalpha, word)) and not any(map(str.isdigit, word))}, used


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_no_page_has_errors_or_asks_another_host(trouble: Trouble, visit: Visit, live_league: League) -> None:
    page = visit("/", as_=live_league.organiser)
    for path in all_paths(live_league):
        page.goto(f"http://{trouble.host}{path}")
    assert trouble.seen == []


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_the_words_are_there_without_script(browser: Browser, live_league: League, live_site: str) -> None:
    """A page says with script what it says without, but for the line of live news and buttons that need it."""
    Match.objects.exclude(finished_at=None).update(finished_at=timezone.now() - timedelta(hours=3))
    scripted, plain = browser.new_page(), browser.new_page(java_script_enabled=False)
    missing = {}
    for path in public_paths(live_league):
        texts = []
        for page in (scripted, plain):
            page.goto(live_site + path)
            texts.append(set(page.locator("main").inner_text().replace("Pause updates", "").split()))
        with_script, without = texts
        live = {"Live", "Live,", "updated"} | {word for word in with_script if word.count(":") == 2}
        buttons = set(" ".join(scripted.locator("main button").all_inner_texts()).split())
        if lost := with_script - without - live - buttons:
            missing[path] = lost
    assert missing == {}


@pytest.mark.slow
def test_a_number_in_the_standings_opens_its_explanation_on_a_phone(
    browser: Browser, live_league: League, live_site: str
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(f"{live_site}/t/{live_league.finished.slug}/standings/")
    for summary in page.locator("details.why > summary").all():
        summary.click()
        assert sideways(page) == []
        assert page.locator("details.why[open]").count() == 1
    panel = page.locator("details.why[open] .panel")
    assert panel.is_visible()
    assert axe_violations(page) == []
    context.close()


@pytest.mark.slow
def test_a_change_of_rank_stands_between_rank_and_name_on_a_phone(
    browser: Browser, live_league: League, live_site: str
) -> None:
    event = live_league.finished
    rows = Standing.objects.filter(stage__tournament=event)
    for row in rows.filter(after_round=0):
        rows.filter(entry=row.entry).exclude(after_round=0).update(rank=5 - row.row)
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(f"{live_site}/t/{event.slug}/standings/")
    boxes = page.evaluate("""() => [...document.querySelectorAll(".standings tbody tr")].map((row) =>
        [".rank", ".move", "th", ".key"].map((each) => row.querySelector(each).getBoundingClientRect().toJSON()))""")
    assert len(boxes) == 4
    assert page.locator(".standings .move span[title]").count() >= 3
    for rank, move, name, key in boxes:
        assert rank["left"] < move["left"] < move["right"] <= name["left"] < name["right"] <= key["left"]
    assert len({name["left"] for _rank, _move, name, _key in boxes}) == 1
    heights = page.evaluate(
        "() => [...document.querySelectorAll('.standings tbody tr')].map((row) => row.offsetHeight)"
    )
    assert max(heights) - min(heights) <= 1
    assert max(heights) <= 80, "with the line of the owner, as here there are several"
    context.close()


@pytest.mark.slow
def test_everything_on_a_page_can_be_reached_by_keyboard(visit: Visit, live_league: League) -> None:
    page = visit(f"/t/{live_league.finished.slug}/standings/")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "main"
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("() => document.activeElement.tagName + ':' + document.activeElement.innerText"))
    assert any(each.startswith("SUMMARY:") for each in reached)
    page.locator("details.why > summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("details.why[open]").count() == 1
    page.keyboard.press("Escape")
    assert page.locator("details.why[open]").count() == 0


@pytest.mark.thorough
def test_keys_go_to_the_search_field_and_open_the_help_unless_switched_off(visit: Visit, live_league: League) -> None:
    page = visit("/t/")
    page.keyboard.press("/")
    assert page.evaluate("() => document.activeElement.id") == "f-q"
    page.keyboard.type("/?")
    assert page.locator("#f-q").input_value() == "/?"
    page.locator("h1").click()
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="Keys").is_visible()
    page.keyboard.press("Escape")
    assert not page.get_by_role("dialog", name="Keys").is_visible()
    live_league.owner.letter_keys = False
    live_league.owner.save()
    page = visit("/t/", as_=live_league.owner)
    page.keyboard.press("/")
    assert page.evaluate("() => document.activeElement.tagName") == "BODY"


@pytest.mark.slow
def test_filters_swap_the_list_and_keep_the_address(visit: Visit, live_league: League) -> None:
    page = visit("/t/")
    page.get_by_role("navigation", name="When").get_by_role("link", name="Over").click()
    page.wait_for_url("**/t/?*when=past*")
    page.get_by_role("rowheader", name="Spring league").wait_for()
    assert page.get_by_role("rowheader", name="Hawaii tables").count() == 0
    page.go_back()
    page.get_by_role("rowheader", name="Hawaii tables").wait_for()


@pytest.mark.slow
def test_a_click_anywhere_in_a_row_follows_its_link(visit: Visit, live_league: League) -> None:
    page = visit("/t/")
    page.get_by_role("row", name="Spring league").get_by_role("cell").last.click()
    page.wait_for_url(f"**/t/{live_league.finished.slug}/")
