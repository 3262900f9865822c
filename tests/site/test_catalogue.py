"""No word escapes: what is marked is translated, what is translated is still said, and pages hold no English."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.test import Client

from scripts.compile_messages import LOCALE, entries, messages
from tests.site.extracting import extracted, key_of, written
from tests.site.leagues import League

LANGUAGES = ("fr", "ja")
PLACEHOLDER = re.compile(r"%\([a-z_0-9]+\)[sd]|%[sd]|%%")
# Words that only English has; names of people, bots and events of the tests hold none of them.
ENGLISH = re.compile(
    r"\b(the|of|and|is|are|was|with|without|not|you|your|this|that|from|every|which|has|have|who|it|its|by|for|nobody)\b"
)
# Places for code, names and what people wrote; the list of languages speaks each in its own tongue.
SOURCE = re.compile(r"\b00\d\b")  # a place in the rules document, cited in its own words
UNSPOKEN = frozenset(("script", "style", "code", "pre", "textarea", "select", "template", "svg"))


def catalogue(language: str) -> str:
    """The source of a language's catalogue."""
    return (LOCALE / language / "LC_MESSAGES" / "django.po").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def marked() -> dict[str, set[str]]:
    """Every message that is marked, and where."""
    return extracted()


def test_the_extraction_sees_every_mark(marked: dict[str, set[str]]) -> None:
    assert len(marked) > 2000
    assert "accounts/forms.py" in marked["User name"]  # code
    assert "templates/my_day/_now.html" in marked["not known yet"]
    assert key_of("checked in", "here") in marked  # a context
    assert key_of("", "%(n)s link opened", "%(n)s links opened") in marked  # a plural


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated(language: str, marked: dict[str, set[str]]) -> None:
    known = messages(catalogue(language))
    assert {key: sorted(where) for key, where in marked.items() if key not in known} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_empty_fuzzy_or_twice(language: str) -> None:
    text = catalogue(language)
    assert not re.search(r"^#(,.*fuzzy|~)", text, re.MULTILINE)
    found = list(entries(text))
    keys = [(entry.get("msgctxt", ""), entry["msgid"]) for entry in found]
    assert sorted(keys) == sorted(set(keys))
    assert [e for e in found if not all(value for name, value in e.items() if name.startswith("msgstr"))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_translated_that_is_not_said_any_more(language: str, marked: dict[str, set[str]]) -> None:
    said = written()
    stale = [key for key in messages(catalogue(language)) if key and key not in marked]
    assert [key for key in stale if not said & set(key.rpartition("\x04")[2].split("\0"))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_are_those_of_the_message(language: str) -> None:
    for key, translation in messages(catalogue(language)).items():
        if not key:
            continue
        forms = key.rpartition("\x04")[2].split("\0")
        allowed = {mark for form in forms for mark in PLACEHOLDER.findall(form)}
        for form in translation.split("\0"):
            found = set(PLACEHOLDER.findall(form))
            assert found <= allowed if len(forms) > 1 else found == allowed, (key, form)


def test_french_never_breaks_a_line_before_its_double_signs() -> None:
    wrong = [text for key, text in messages(catalogue("fr")).items() if key and re.search(r" [:;?!»]|« ", text)]
    assert wrong == []


class Texts(HTMLParser):
    """What a reader reads of a page: texts, placeholders, labels and titles."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag opens; its readable attributes count."""
        self._inside += tag in UNSPOKEN
        self.found += [value for name, value in attrs if name in ("placeholder", "aria-label", "title") and value]

    def handle_endtag(self, tag: str) -> None:
        """A tag closes."""
        self._inside -= tag in UNSPOKEN

    def handle_data(self, data: str) -> None:
        """A text."""
        if not self._inside:
            self.found.append(" ".join(data.split()))


def english(page: str) -> list[str]:
    """The texts of a page that are English."""
    reader = Texts()
    reader.feed(page)
    return [text for text in reader.found if ENGLISH.search(text) and not SOURCE.search(text)]


def test_an_english_page_is_seen_to_be_english(client: Client) -> None:
    assert len(english(client.get("/about/", headers={"Accept-Language": "en"}).content.decode())) > 5


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_hold_no_english(client: Client, league: League, language: str) -> None:
    client.force_login(league.organiser, backend="django.contrib.auth.backends.ModelBackend")
    left = {}
    for path in pages(league):
        answer = client.get(path, headers={"Accept-Language": language})
        assert answer.status_code == (404 if path == "/nowhere/" else 200), path
        page = answer.content.decode().replace(league.draft.name, "")  # a name that somebody gave
        if found := english(page):
            left[path] = found
    assert left == {}


def pages(league: League) -> list[str]:
    """Pages of the site, of events in every state, of a bot and an account.

    Still left out, for they show English: rounds and matches (stored reasons of draws), `/api/docs/` (descriptions of
    fields). Never tried: draws, desk, links, my day, rehearsal, log, other presets.
    """
    of_site = ["/", "/t/", "/t/import/", "/ladder/", "/queue/", "/rules/", "/rules/compare/", "/about/", "/fairness/"]
    of_people = ["/b/", "/c/", "/c/new/", "/me/", "/me/tokens/", "/nowhere/", "/t/new/"]
    inner = ("", "standings/", "entries/", "crosstable/", "wishes/")
    events = [f"/t/{event.slug}/{page}" for event in (*league.events, league.draft) for page in inner]
    rules = [f"/rules/{name}/" for name in ("hawaii",)]
    return [*of_site, *of_people, *events, *rules, f"/b/{league.bot.slug}/"]
