"""The frame of every page: sections, the menu of the account, what is live; by keyboard, by touch, without script."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, ViewportSize, expect

from accounts.models import User
from tests.browser.keyboard import Hands
from tests.browser.looking import axe_violations, log_in, sideways
from tests.builders import events as a
from tests.builders.leagues import League
from tests.services.processes import ROOT

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
SECTIONS: Final = ("Play", "Watch", "Tournaments", "Leaderboard", "Rules", "Learn")
PHONE: Final[ViewportSize] = {"width": 360, "height": 740}
BAR: Final = re.compile(r'<nav class="nav".*?</nav>', re.DOTALL)


@pytest.mark.thorough
def test_the_bar_has_six_sections_and_marks_the_one_that_is_open(league: League, client: Client) -> None:
    for path, section in (("/play/", "Play"), ("/m/", "Watch"), ("/t/", "Tournaments"), ("/seasons/", "Tournaments"),
                          ("/ladder/hawaii/", "Leaderboard"),
                          ("/rules/", "Rules"), ("/docs/", "Learn"), ("/api/docs/", "Learn"),
                          ("/about/", "")):  # fmt: skip
        bar = BAR.findall(client.get(path).content.decode())[0]
        assert re.findall(r"</svg>(\w+)</a>", bar) == list(SECTIONS)
        assert re.findall(r'aria-current="true">\s*<svg.*?</svg>(\w+)</a>', bar) == ([section] if section else []), path


@pytest.mark.thorough
def test_what_a_phone_keeps_behind_more_is_marked_there(league: League, client: Client) -> None:
    behind = ("/rules/", "/docs/", "/b/", "/u/", "/clubs/", "/seasons/", "/data/", "/queue/", "/about/")
    for path in (*behind, "/learn/", "/api/docs/", "/kit/", "/fairness/", "/play/", "/m/", "/t/", "/ladder/", "/"):
        bar = BAR.findall(client.get(path).content.decode())[0]
        assert ("data-here" in bar) == (path not in ("/play/", "/m/", "/t/", "/seasons/", "/ladder/", "/")), path
        assert tuple(re.findall(r'<li><a href="([^"]+)"', bar)) == behind


def test_what_left_the_bar_is_still_to_be_found(as_user: Become) -> None:
    page = as_user(a.a_user("ann", is_staff=True)).get("/about/").content.decode()
    foot = page[page.index('<footer class="foot">') :]
    menu = re.findall(r'<details class="menu">.*?</details>', page, re.DOTALL)[0]
    assert 'href="/queue/"' in foot
    assert 'href="/b/"' in foot
    for address in ("/me/", "/u/ann/", "/b/?mine=1", "/t/?when=mine", "/ops/", "/logout/"):
        assert f'"{address}"' in menu, address
    assert "/logout/" not in page.replace(menu, "")


def test_the_line_under_the_header_has_a_colour_for_every_month() -> None:
    sheet = (ROOT / "static" / "site" / "site.css").read_text(encoding="utf-8")
    coloured = set(re.findall(r'\[data-month="(\d+)"\] \{--month: (#[0-9a-f]{6})', sheet))
    # November is the colour that stands for all the others.
    assert {int(month) for month, _colour in coloured} == set(range(1, 13)) - {11}
    assert len({colour for _month, colour in coloured}) == 11


def test_the_way_to_a_page_is_set_with_one_sign() -> None:
    ways = re.compile(r'<p class="crumbs">(.*?)</p>', re.DOTALL)
    texts = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in (ROOT / "templates").rglob("*.html")
    }
    found = {name for name, text in texts.items() for way in ways.findall(text) if re.search(r"</a>\s*[/›]", way)}
    assert found == set()


def test_red_is_for_the_brand_and_for_what_is_wrong(league: League, client: Client) -> None:
    page = client.get(f"/b/{league.failed.bot.slug}/").content.decode()
    assert re.search(r'<span class="state bad">.*?failed</span>', page, re.DOTALL)
    running = client.get(f"/t/{league.running.slug}/").content.decode()
    assert re.search(r'<span class="state live">.*?running</span>', running, re.DOTALL)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_on_a_phone_the_header_is_one_row_and_the_sections_lie_at_the_foot(
    browser: Browser, live_league: League, live_site: str
) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, reduced_motion="reduce")
    log_in(context, live_site, live_league.owner)
    page = context.new_page()
    page.goto(f"{live_site}/t/{live_league.finished.slug}/standings/")
    header = page.locator(".top").bounding_box()
    assert header is not None
    assert header["height"] <= 56
    # A phone has room for five under the thumb; the last one opens to what else there is.
    bar, more = page.locator(".nav"), page.locator(".nav summary")
    shown = [bar.get_by_role("link", name=name) for name in ("Play", "Watch", "Tournaments", "Leaderboard")]
    expect(bar.get_by_role("link", name="Rules")).to_be_hidden()
    places = [each.bounding_box() for each in [*shown, more]]
    assert all(box is not None and box["y"] > 740 - 60 and min(box["height"], box["width"]) >= 44 for box in places)
    expect(page.locator(".here")).to_contain_text("Standings")
    page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    foot = page.locator(".foot").bounding_box()
    assert foot is not None
    assert foot["y"] + foot["height"] <= 740 - 55, "the bar covers the end of the page"
    assert axe_violations(page) + sideways(page) == []
    page.evaluate("() => scrollTo(0, 0)")
    more.tap()
    assert axe_violations(page) + sideways(page) == []
    bar.get_by_role("link", name="Rules").tap()
    page.wait_for_url(f"{live_site}/rules/")
    context.close()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("width", [1280, 360])
def test_the_section_that_is_open_does_not_push_the_others(width: int, page: Page, live_site: str) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    places = []
    for path in ("/about/", "/t/", "/rules/", "/m/"):
        page.goto(f"{live_site}{path}")
        bar = page.locator(":is(.nav > a, .nav > .further > summary):visible")
        places.append(bar.evaluate_all("all => all.map((each) => each.getBoundingClientRect().x)"))
    assert places[1:] == places[:1] * 3


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_menu_of_the_account_opens_by_keyboard_and_closes_by_escape(
    visit: Callable[..., Page], live_league: League
) -> None:
    page = visit("/about/", as_=live_league.owner)
    menu = page.locator("details.menu")
    hands = Hands(page)
    hands.reach(menu.locator("summary"), "Account")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Log out")).to_be_visible()
    assert axe_violations(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Log out")).to_be_hidden()
    expect(menu.locator("summary")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("h1").click()
    expect(page.get_by_role("button", name="Log out")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_one_logs_out_without_script(browser: Browser, live_league: League, live_site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    log_in(context, live_site, live_league.owner)
    page = context.new_page()
    page.goto(f"{live_site}/about/")
    page.locator("details.menu summary").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()
    context.close()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_what_is_live_is_a_dot_whose_button_comes_out_for_keys_pointer_and_finger(
    visit: Callable[..., Page], live_league: League
) -> None:
    page = visit("/queue/")
    says, button = page.locator(".livebar .says"), page.get_by_role("button", name="Pause updates")
    expect(page.locator(".livebar")).to_have_attribute("data-state", "live")
    is_cut = "each => getComputedStyle(each).clipPath !== 'none'"
    assert says.evaluate(is_cut)
    button.focus()
    assert not says.evaluate(is_cut)
    page.locator("h1").click()
    assert says.evaluate(is_cut)
    page.locator(".livebar .dot").click()
    assert not says.evaluate(is_cut)
    button.click()
    expect(page.locator(".livebar")).to_contain_text("Paused at")


OVERLAPS: Final = """() => {
  const box = (each) => each.getBoundingClientRect();
  const links = [...document.querySelectorAll('.nav > a, .nav > details')].filter((each) => each.offsetWidth);
  const beside = [...document.querySelectorAll('.find-all, .me')].map(box).filter((one) => one.width);
  const over = box(links.at(-1)).right - Math.min(...beside.map((one) => one.left));
  return Math.max(over, document.documentElement.scrollWidth - innerWidth);
}"""
"""By how many pixels the sections of the header lie over what stands right of them, or the page over its window."""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("language", ["en", "fr", "ja"])
def test_the_header_of_a_wide_window_has_room_for_all_of_it(
    browser: Browser, live_league: League, live_site: str, language: str
) -> None:
    live_league.owner.display_name = "A name that is as long as a name may ever be"
    live_league.owner.language = language
    live_league.owner.save()
    for user in (None, live_league.owner):
        context = browser.new_context()
        context.add_cookies([{"name": "django_language", "value": language, "url": live_site}])
        if user is not None:
            log_in(context, live_site, user)
        page = context.new_page()
        page.goto(f"{live_site}/about/")
        assert page.get_attribute("html", "lang") == language
        over: dict[int, int] = {}
        for width in range(701, 1300, 17):
            page.set_viewport_size({"width": width, "height": 800})
            over[width] = page.evaluate(OVERLAPS)
        assert {width: pixels for width, pixels in over.items() if pixels > 0} == {}
        context.close()
