"""The catalogues: compiled, whole in their placeholders, and shown."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from playwright.sync_api import Browser

from scripts.compile_messages import LOCALE, compiled, messages
from tests.browser.looking import log_in, sideways, too_long
from tests.builders import events as a
from tests.builders.leagues import League, own_paths, public_paths

PLACEHOLDER = re.compile(r"%\([a-z_]+\)[sd]")
CATALOGUES = sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("source", CATALOGUES, ids=lambda path: path.parts[-3])
def test_the_compiled_catalogue_is_that_of_its_source(source: Path) -> None:
    is_same = source.with_suffix(".mo").read_bytes() == compiled(source.read_text(encoding="utf-8"))
    # Not compared in the assertion: pytest would look for minutes for how a megabyte differs.
    assert is_same, "run: python scripts/compile_messages.py"


@pytest.mark.thorough
@pytest.mark.parametrize("source", CATALOGUES, ids=lambda path: path.parts[-3])
def test_every_translation_keeps_the_placeholders(source: Path) -> None:
    for key, translation in messages(source.read_text(encoding="utf-8")).items():
        if not key:
            continue
        asked = set(PLACEHOLDER.findall(key))
        for form in translation.split("\0"):
            assert set(PLACEHOLDER.findall(form)) <= asked, (key, form)
        if "\0" not in key:
            assert set(PLACEHOLDER.findall(translation)) == asked, (key, translation)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"),
    [("fr", ("Tournois", "Palmarès", "Se connecter")), ("ja", ("大会", "番付", "ログイン")), ("en", ("Leaderboard",))],
)
def test_the_site_speaks_the_language_of_the_browser(client: Client, language: str, words: tuple[str, ...]) -> None:
    page = client.get("/", headers={"Accept-Language": language}).content.decode()
    assert f'<html lang="{language}"' in page
    for word in words:
        assert word in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "refused", "problem"),
    [
        ("fr", "Ce n’est pas une archive zip lisible", "bot.py, ligne 1\N{NO-BREAK SPACE}: le ( de la ligne 1"),
        ("ja", "読み取れるzipではありません", "bot.py 1行目：1行目の ( が閉じられていません"),
    ],
)
def test_what_is_wrong_with_an_upload_is_said_in_the_reader_s_language(
    client: Client, language: str, refused: str, problem: str
) -> None:
    client.force_login(a.a_user(), backend="django.contrib.auth.backends.ModelBackend")
    for name, data, words in (("bot.zip", b"PK and nothing else", refused), ("bot.py", b"x = (\n", problem)):
        form = {"name": "Plum", "file": SimpleUploadedFile(name, data), "plays": ["hawaii"]}
        page = client.post("/b/new/", form, headers={"Accept-Language": language}, follow=True).content.decode()
        assert words in html.unescape(page), page


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_longer_words_still_fit_a_phone(browser: Browser, live_league: League, live_site: str) -> None:
    slug = live_league.finished.slug
    for language in ("fr", "ja"):
        page = browser.new_page(viewport={"width": 360, "height": 740}, locale=language)
        for path in (
            "/",
            "/t/",
            f"/t/{slug}/",
            f"/t/{slug}/standings/",
            f"/t/{slug}/rounds/",
            "/ladder/hawaii/",
            "/queue/",
        ):
            page.goto(live_site + path)
            assert sideways(page) == [], (language, path)
        page.close()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_words_four_tenths_longer_are_neither_cut_nor_wider_than_a_phone(
    browser: Browser, live_league: League, live_site: str
) -> None:
    """A pseudo-language: what a translation nobody has made yet may bring."""
    context = browser.new_context()
    log_in(context, live_site, live_league.organiser)
    page, found = context.new_page(), {}
    for path in public_paths(live_league) + own_paths(live_league):
        for width in (360, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(live_site + path)
            if wrong := too_long(page):
                found[f"{path} at {width}"] = wrong
    context.close()
    assert found == {}
