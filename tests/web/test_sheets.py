"""Style sheets are written to be read and served without what only their readers need."""

import re
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.management import call_command
from playwright.sync_api import Page

from config.static import HashedStaticFiles, minified
from tests.browser.sheets import own_sheets

WIDEST: Final = 120
TWO_RULES: Final = re.compile(r"\}\s*[^\s}/]")
RULES: Final = """(css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return [...sheet.cssRules].map((rule) => rule.cssText);
}"""


@pytest.mark.thorough
def test_a_sheet_has_one_rule_a_line() -> None:
    crowded = {}
    for path in own_sheets():
        lines = path.read_text(encoding="utf-8").splitlines()
        crowded[path.name] = [line for line in lines if len(line) > WIDEST or TWO_RULES.search(line)]
    assert len(crowded) > 50
    assert {name: lines for name, lines in crowded.items() if lines} == {}


@pytest.mark.thorough
def test_a_sheet_is_served_with_the_same_rules(page: Page) -> None:
    """Chromium's own reading of both; space counts in a selector, and not beside the comma of a function."""
    for path in own_sheets():
        written = path.read_text(encoding="utf-8")
        served = minified(written)
        assert len(served) < len(written)
        assert rules(page, served) == rules(page, written), path.name
    assert rules(page, ".a {.b :not(.c) {top: 0}}") != rules(page, ".a {.b:not(.c) {top: 0}}")


def rules(page: Page, sheet: str) -> list[str]:
    """Return a sheet's rules as the browser reads them, values that it keeps as written on equal terms."""
    return [re.sub(r"\s*([,/*(){};])\s*", r"\1", re.sub(r"\s+", " ", rule)) for rule in page.evaluate(RULES, sheet)]


def test_the_address_of_a_file_is_made_once_until_files_are_collected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = HashedStaticFiles(location=tmp_path, base_url="/static/")
    asked: list[str] = []
    newest = ["plum.1.css"]

    def stored_name(name: str) -> str:
        asked.append(name)
        return newest[-1]

    monkeypatch.setattr(files, "stored_name", stored_name)
    assert {files.url("plum.css") for _ in range(3)} == {"/static/plum.1.css"}
    assert asked == ["plum.css"]
    newest.append("plum.2.css")
    list(files.post_process({}, dry_run=True))
    assert files.url("plum.css") == "/static/plum.2.css"


@pytest.mark.thorough
def test_what_is_collected_is_small(tmp_path: Path, settings: Any) -> None:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES, "staticfiles": {"BACKEND": "config.static.HashedStaticFiles"}
    }  # fmt: skip
    for _ in range(2):  # what was collected is collected once more by the next start
        call_command("collectstatic", interactive=False, verbosity=0)
    (sheet,) = tmp_path.glob("site/site.????????????.css")
    text = sheet.read_text(encoding="utf-8")
    assert "/*" not in text
    assert "\n" not in text
    assert re.search(r"url\(\"?fonts/inter\.[0-9a-f]{12}\.woff2", text)
    assert (tmp_path / "site" / "site.css").stat().st_size < 28_000
    assert sheet.with_name(sheet.name + ".gz").exists()


@pytest.mark.thorough
@pytest.mark.parametrize("line", ["a {b: c} d {e: f}", "  .x {y: z} }"])
def test_two_rules_in_a_line_are_seen(line: str) -> None:
    assert bool(TWO_RULES.search(line)) is (line[0] == "a")


def test_a_page_with_a_felt_asks_for_the_look_of_its_yaku() -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in Path("templates").glob("**/*.html")}
    shown = {name for name, text in pages.items() if "pages/_felt.html" in text and "{% extends" in text}
    assert {"home.html", "home_own.html", "first.html"} <= shown
    assert [name for name in shown if "site/felt_sets.css" not in pages[name]] == []
