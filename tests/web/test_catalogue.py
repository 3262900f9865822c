"""Catalogue of messages: what is marked is translated, what is translated is still said, and pages hold no English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from typing import Final

import pytest
from django.test import Client

from core.standings.tiebreaks import TIE_BREAKS
from engine.games import GAMES
from scripts.compile_messages import LOCALE, entries, messages
from tests.browser.every_page import Look, other_looks
from tests.browser.extracting import ROOT, extracted, key_of, written
from tests.builders.leagues import League, own_paths, public_paths

LANGUAGES = ("fr", "ja")
PLACEHOLDER = re.compile(r"%\([a-z_0-9]+\)[sd]|%[sd]|%%")
# Words that only English has; names of people, bots and events of the tests hold none of them.
ENGLISH = re.compile(
    r"\b(the|of|and|is|are|was|with|without|not|you|your|this|that|from|every|which|has|have|who|it|its|by|for|nobody)\b"
)
# Places for code, names and what people wrote; the list of languages speaks each in its own tongue.
SOURCE = re.compile(r"\b00\d\b")  # a place in the rules document, cited in its own words
UNSPOKEN = frozenset(("script", "style", "code", "pre", "textarea", "select", "template", "svg"))
EMPTY = frozenset(("area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr", "use", "path"))
POINT = re.compile(r"(?<![\w.:/-])[-−]?\d+\.\d+(?![\w.-])")
"""A decimal point between figures; not in dates, addresses, versions of three parts."""
NO_FIGURE = re.compile(r"Python 3\.\d+|(?:CC0|License) \d\.\d|(?:\d\d\.\d ){2,}")
"""Its version, those of licences, and cards by their codes."""
GUIDE = re.compile(r"<title>.*?</title>|<p class=\"here\".*?</p>", re.DOTALL)


def catalogue(language: str) -> str:
    """The source of a language's catalogue."""
    return (LOCALE / language / "LC_MESSAGES" / "django.po").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def marked() -> dict[str, set[str]]:
    """Return every message that is marked, and where."""
    return extracted()


@pytest.mark.thorough
def test_the_extraction_sees_every_mark(marked: dict[str, set[str]]) -> None:
    assert len(marked) > 2000
    assert "accounts/forms.py" in marked["User name"]  # code
    assert "templates/my_day/_now.html" in marked["not known yet"]
    assert key_of("checked in", "checked in") in marked  # a context
    assert key_of("", "%(n)s link opened", "%(n)s links opened") in marked  # a plural


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated(language: str, marked: dict[str, set[str]]) -> None:
    known = messages(catalogue(language))
    assert {key: sorted(where) for key, where in marked.items() if key not in known} == {}


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_empty_fuzzy_or_twice(language: str) -> None:
    text = catalogue(language)
    assert not re.search(r"^#(,.*fuzzy|~)", text, re.MULTILINE)
    found = list(entries(text))
    keys = [(entry.get("msgctxt", ""), entry["msgid"]) for entry in found]
    assert sorted(keys) == sorted(set(keys))
    assert [e for e in found if not all(value for name, value in e.items() if name.startswith("msgstr"))] == []


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_translated_that_is_not_said_any_more(language: str, marked: dict[str, set[str]]) -> None:
    said = written()
    stale = [key for key in messages(catalogue(language)) if key and key not in marked]
    assert [key for key in stale if not said & set(key.rpartition("\x04")[2].split("\0"))] == []


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_pure_packages_say_of_games_and_tie_breaks_is_translated(language: str) -> None:
    """Their words bear no mark: the code that shows them translates them."""
    said = [text for each in TIE_BREAKS.values() for text in (each.name, each.description)]
    for game in GAMES.values():
        said += [text for clause in game.words.clauses for text in (clause.title, clause.text)]
        said += [each.name for each in game.words.combinations] + list(game.words.lines.values())
        said += [one.text for table in (game.words.moves, game.words.events) for one in table.values()]
        options = [text for option in game.options for text in (option.meaning, *option.meanings)]
        said += [text for text in options if re.search("[A-Za-z]{2}", text)]
    known = messages(catalogue(language))
    assert [text for text in said if text and text not in known] == []


@pytest.mark.thorough(keep=1)
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


# -- nothing is said that is not marked -------------------------------------------------------------------------------

MARKED = re.compile(r"{%\s*blocktranslate\b.*?endblocktranslate\s*%}|{#.*?#}", re.DOTALL)
TAG = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
NOT_READ = re.compile(r"<(script|style|code|pre|kbd|svg)\b.*?</\1>", re.DOTALL)
CODE = re.compile(r'<(?:p|span) class="(?:code|sub code|hash)">.*?</(?:p|span)>', re.DOTALL)
READ = re.compile(r'\b(?:aria-label|title|placeholder|alt)="([^"]*)"')
HTML = re.compile(r"<[^>]*>|&\w+;", re.DOTALL)
WORD = re.compile(r"[A-Za-z]{2,}")
FORMATS = frozenset(("API", "CSV", "JSON", "FIDE", "TRF", "iCal", "SHA", "sha", "CC"))
NAMES = FORMATS | {"Hanami", "Hawaii", "Paradise", "French", "Poka", "version"}
"""Names of the service, of formats, of licences, of rulesets, of acts in the audit: the same in every language."""
PURE = tuple(
    ["tables/play"]
    + [f"bots/{name}" for name in ("sdk", "runner", "house", "protocol")]
    + [f"core/{name}" for name in ("formats", "standings", "ratings", "interchange", "simulation", "statistics")]
)
"""Packages whose errors are for programmers, or are said again by anyone who calls them."""


def test_templates_say_nothing_that_is_not_marked() -> None:
    """Pages and mails: outside of marks there are names alone."""
    left = {}
    for path in (ROOT / "templates").rglob("*"):
        if path.suffix not in (".html", ".txt"):
            continue
        text = CODE.sub(" ", TAG.sub(" ", MARKED.sub(" ", path.read_text(encoding="utf-8"))))
        texts = [*READ.findall(text), HTML.sub(" ", NOT_READ.sub(" ", text))]
        if words := {word for each in texts for word in WORD.findall(each)} - NAMES:
            left[str(path.relative_to(ROOT))] = words
    assert left == {}


def test_scripts_bring_no_words_of_their_own() -> None:
    """The words of the browser come with the page or in a file of words."""
    left = {}
    for path in (ROOT / "static").rglob("*.js"):
        bare = re.sub(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        texts = [one for mark in "\"'`" for one in re.findall(rf"{mark}([^{mark}\n]*){mark}", bare)]
        said = [HTML.sub(" ", re.sub(r"\${[^}]*}", " ", text)) for text in texts]
        whole = [text for text in said if "$" not in text and len(text.split()) > 2]
        if found := [text for text in whole if ENGLISH.search(text)]:
            left[path.name] = found
    assert left == {}


@pytest.mark.thorough
def test_refusals_are_said_in_marked_words() -> None:
    """An error with a stable code has no bare English sentence, but for those of the API's own grammar."""
    left = []
    for path in (
        file
        for package in ("accounts", "activity", "bots", "core", "tables", "tournaments", "web")
        for file in (ROOT / package).rglob("*.py")
    ):
        place = str(path.relative_to(ROOT))
        if not place.startswith(PURE) and not {"api", "management"} & set(path.parts):
            left += [f"{place}:{line}" for line in bare_refusals(path)]
    assert left == []


def bare_refusals(path: Path) -> Iterator[int]:
    """Lines in which something is made with a `code` and a sentence that nobody marked."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args or "code" not in {word.arg for word in node.keywords}:
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("info", "warning"):
            continue  # a line of the operators' log
        first = node.args[0]
        parts = first.values if isinstance(first, ast.JoinedStr) else [first]
        texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if len(WORD.findall(" ".join(texts))) > 1:
            yield node.lineno


class Texts(HTMLParser):
    """Parser of the words of a page in its language: texts, placeholders, labels and titles. Texts marked as another
    language (guides, names of languages), and code, are left out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag opens; its readable attributes count."""
        is_left_out = tag in UNSPOKEN or (tag != "html" and "lang" in dict(attrs))
        if not is_left_out and not self._is_inside:
            self.found += [value for name, value in attrs if name in ("placeholder", "aria-label", "title") and value]
        if tag not in EMPTY:
            self._open.append((tag, is_left_out))

    def handle_endtag(self, tag: str) -> None:
        """A tag closes, and with it what was left open in it."""
        is_open = any(name == tag for name, _is_left_out in self._open)
        while is_open and self._open.pop()[0] != tag:
            continue

    def handle_data(self, data: str) -> None:
        """A text."""
        if not self._is_inside:
            self.found.append(" ".join(data.split()))

    @property
    def _is_inside(self) -> bool:
        return any(is_left_out for _tag, is_left_out in self._open)


def english(page: str) -> list[str]:
    """The texts of a page that are English."""
    reader = Texts()
    reader.feed(page)
    return [text for text in reader.found if ENGLISH.search(text) and not SOURCE.search(text)]


def test_an_english_page_is_seen_to_be_english(client: Client) -> None:
    assert len(english(client.get("/about/", headers={"Accept-Language": "en"}).content.decode())) > 5


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_hold_no_english_and_figures_as_the_language_writes_them(league: League, language: str) -> None:
    """Look at every page that any test looks at, as anyone who may see it; guides say of themselves that they are
    English.
    """
    asked = {"Accept-Language": language}
    names = {league.draft.name, "Before the start", "Between rounds", "Pools and a cup", "Cup that is on", "Asked for"}
    names |= {"Closed league of", "The next league of", "pools-and-a-cup", "peony-in-the-rain", "of-the-staff"}
    left: dict[str, list[str]] = {}
    strangers = Look(None, "", tuple(public_paths(league)))
    for look in chain([strangers], signed_in(league), other_looks(league)):
        client = Client()
        if look.reader is not None:
            client.force_login(look.reader, backend="django.contrib.auth.backends.ModelBackend")
        if look.first:
            client.get(look.first, follow=True, headers=asked)
        for path in look.paths:
            answer = client.get(path, follow=True, headers=asked)
            assert answer.status_code == (404 if path == "/nowhere/" else 200), path
            page = answer.content.decode()
            page = GUIDE.sub("", page) if path.startswith("/docs/") else page
            for name in names:
                page = page.replace(name, "")
            page = LONG_NAME.sub("", page)
            if found := english(page) + foreign_figures(page, language):
                left[path] = found
    assert left == {}


LONG_NAME: Final = re.compile(r"(?:[A-Z]\w* (?:cup )?of )?w{30,}")
"""What those who make the pages give as names that are as long as can be."""


def signed_in(league: League) -> Iterator[Look]:
    """The same pages for anyone who runs the events, and those that are theirs alone."""
    inner = ("", "entries/", "rounds/", "standings/", "crosstable/", "wishes/")
    events = [f"/t/{event.slug}/{page}" for event in (*league.events, league.draft) for page in inner]
    yield Look(league.organiser, "", (*own_paths(league), *events, "/c/new/", "/nowhere/"))
    yield Look(league.owner, "", (f"/b/{league.bot.slug}/", f"/b/{league.failed.bot.slug}/v/1/"))


def foreign_figures(page: str, language: str) -> list[str]:
    """Texts with a decimal point where the language writes a comma, and drawings with a comma in a coordinate."""
    if language != "fr":
        return []
    reader = Texts()
    reader.feed(page)
    drawn = re.findall(r'\s(?:x|y|x1|x2|y1|y2|cx|cy|r|dy|width|height)="\d+,\d+"', page)
    return [text for text in reader.found if POINT.search(NO_FIGURE.sub("", text))] + drawn
