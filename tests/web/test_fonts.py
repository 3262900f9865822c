"""Fonts and sheets: light, our own, with their licences, loaded first; nothing moves when they arrive."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page

from tests.browser.looking import log_in
from tests.browser.sheets import served_bytes
from tests.builders import clubs
from tests.builders.leagues import League, own_paths, public_paths
from tests.services.processes import ROOT

FOLDER: Final = ROOT / "static" / "site" / "fonts"
MAX_FONTS: Final = 100_000
MAX_SHIFT: Final = 0.01
SHEET: Final = re.compile(r'<link rel="stylesheet" href="/static/(site/[^"]+)"')
SHIFTS: Final = """
window.shift = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => { window.shift += entry.value; }))
  .observe({type: "layout-shift", buffered: true});
"""
ARRIVED: Final = (
    "() => document.fonts.ready.then(() => [...document.fonts].filter((f) => f.status === 'loaded').length)"
)


def test_fonts_weigh_little_and_lie_beside_their_licences() -> None:
    files = {path.name: path.read_bytes() for path in FOLDER.glob("*.woff2")}
    assert set(files) == {"inter.woff2", "mincho.woff2", "mincho-ja.woff2"}
    assert all(data.startswith(b"wOF2") for data in files.values())
    assert sum(map(len, files.values())) <= MAX_FONTS
    # All that a page in Latin letters loads.
    assert len(files["inter.woff2"]) + len(files["mincho.woff2"]) < MAX_FONTS / 2
    for name in ("inter", "mincho"):
        licence = (FOLDER / f"LICENSE-{name}").read_text(encoding="utf-8")
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence
        assert "Copyright" in licence


@pytest.mark.thorough(keep=1)
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "fonts"),
    [
        ("en", ["inter.woff2", "mincho.woff2"]),
        ("fr", ["inter.woff2", "mincho.woff2"]),
        ("ja", ["inter.woff2", "mincho.woff2", "mincho-ja.woff2"]),
    ],
)
def test_every_page_loads_the_fonts_of_its_language_first(client: Client, language: str, fonts: list[str]) -> None:
    for path in ("/", "/rules/", "/no/such/page/"):
        page = client.get(path, headers={"accept-language": language}).content.decode()
        loaded = re.findall(r'<link rel="preload" href="([^"]+)" as="font" type="font/woff2" crossorigin>', page)
        assert [each.rpartition("/")[2] for each in loaded] == fonts, path
        assert page.index("preload") < page.index("stylesheet")


def test_our_rules_swap_and_each_stand_in_has_our_measures() -> None:
    sheet = (ROOT / "static" / "site" / "site.css").read_text(encoding="utf-8")
    faces = re.findall(r"@font-face \{([^}]*)\}", sheet)
    ours = [each for each in faces if "url(" in each]
    assert len(ours) == 3
    assert all("font-display: swap" in each for each in ours)
    stand_ins = [each for each in faces if "local(" in each]
    assert len(stand_ins) >= 4
    for each in stand_ins:
        assert all(f"{what}-override: " in each for what in ("ascent", "descent", "line-gap")), each
        assert "size-adjust: " in each


@pytest.mark.thorough
@pytest.mark.django_db
def test_the_sheets_of_a_page_are_light(league: League, as_user: Callable[..., Client]) -> None:
    """All sheets of the site that one page names; the viewer's own has its bound in its own test."""
    assert too_heavy(as_user(league.organiser), public_paths(league) + own_paths(league)) == {}
    assert too_heavy(Client(), public_paths(league)) == {}


@pytest.mark.thorough
@pytest.mark.django_db
def test_the_sheets_of_a_club_night_are_light(as_user: Callable[..., Client]) -> None:
    """The same of the pages that its organiser and its wall show while it is on."""
    event = clubs.a_called_night()
    (table, *_others) = clubs.tables_of(event)
    paths = [f"/t/{event.slug}/{tab}/" for tab in ("desk", "entries", "screen", "grid", "rounds", "roles")]
    paths += [f"/m/{table.uuid}/", f"/m/{table.uuid}/result/", f"/u/{event.created_by.username}/", "/nowhere/"]
    assert too_heavy(as_user(event.created_by), paths) == {}


def too_heavy(client: Client, paths: list[str]) -> dict[str, tuple[int, set[str]]]:
    """Return the pages whose sheets weigh too much, with their weight in bytes and their names."""
    heavy = {}
    for path in paths:
        sheets = set(SHEET.findall(client.get(path, follow=True).content.decode()))
        weight = served_bytes(*sheets)
        if weight >= 36_000:
            heavy[path] = (weight, sheets)
    return heavy


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("width", [1280, 360])
def test_nothing_moves_when_the_fonts_arrive_late(
    browser: Browser, live_league: League, live_site: str, width: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    log_in(context, live_site, live_league.owner)
    context.add_init_script(SHIFTS)
    shifts: dict[str, Any] = {}
    for path in ("/", "/t/", f"/t/{live_league.finished.slug}/standings/", "/rules/hawaii/", "/me/", "/search/?q=plum"):
        page = context.new_page()
        page.route("**/*.woff2", _late)
        page.goto(live_site + path)
        assert page.evaluate(ARRIVED) >= 2
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        shifts[path] = page.evaluate("window.shift")
        page.close()
    context.close()
    assert {path: shift for path, shift in shifts.items() if shift >= MAX_SHIFT} == {}


def _late(route: Any) -> None:
    """Let a font through once the page was shown without it."""
    page: Page = route.request.frame.page
    page.wait_for_load_state("domcontentloaded")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    route.continue_()
