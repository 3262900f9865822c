"""Search in the guides: every word has to stand in a section; titles and headings come first. No index, no script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.games import PRESETS
from guides.reading import Section, read
from guides.shelf import AUDIENCES, DECISIONS, FOR_DEVELOPERS, Guide, shelf
from web.search_hits import Hit, word_start

MAX_WORDS: Final = 8
MAX_LENGTH: Final = 80
MAX_FOUND: Final = 30
LONG: Final = 170
"""Characters of an excerpt that ends within a sentence; a whole sentence may have a few more."""
WHOLE: Final = 200
"""Characters of an excerpt that ends with a sentence, at most."""
BEFORE: Final = 120
"""Of them before the first word found, at most, where the excerpt begins with a sentence."""
AMID: Final = 50
"""The same where that sentence is longer, so that the excerpt begins amid it."""
ENDS: Final = re.compile(r"[.!?][)”\"]?(?= [A-Z“\"(])|[.!?][)”\"]?$")
"""Where a sentence ends: not after the name of a file, which a small letter follows."""
CLAUSE: Final = re.compile(r"[,;:]?(?= [(·–])|[,;:](?= )")
_ID: Final = "(?:" + "|".join(map(re.escape, PRESETS)) + ")"
DATA: Final = re.compile(r"""\s*["{}\[\]]""")
"""How a line of JSON begins: it is searched, but no reader learns from it what a section is about."""
IDS: Final = re.compile(rf"(?: \(|: ){_ID}(?:, {_ID})*\)?")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of an excerpt. hit: it is a word that was looked for."""

    text: str
    hit: bool


@dataclass(frozen=True, slots=True)
class Found:
    """A section that has all words. url: leads to it; heading: "" for what stands under the title."""

    guide: Guide
    url: str
    heading: str
    excerpt: tuple[Part, ...]


def find(query: str, *, prose: bool = False, audiences: Sequence[str] | None = None) -> list[Found]:
    """Return the sections with all words of the query, best first; none for a query without words.

    prose: leave out what only code and rows of codes say; audiences: of whose guides, None for all.
    """
    # Bounded: each word is looked for in every section of every guide.
    words = [word_start(word) for word in query[:MAX_LENGTH].split()[:MAX_WORDS]]
    if not words:
        return []
    on = shelf()
    scored = [
        (_score(words, guide, section, prose=prose), found)
        for guide in (*on.guides, *on.decisions)
        if audiences is None or guide.audience in audiences
        for section in read(guide, on=on).sections
        if (found := _found(words, guide, section, prose=prose))
    ]
    # Stable: of equal sections the order of the shelf remains.
    scored.sort(key=lambda pair: -pair[0])
    return [found for _points, found in scored[:MAX_FOUND]]


def hits_of(query: str, *, for_developers: bool = False) -> list[Hit]:
    """Return the same for the search of the whole site, whose readers look for no code.

    for_developers: the guides for those who run or change the service, and the decisions, instead of all others.
    """
    audiences = FOR_DEVELOPERS if for_developers else [each for each in AUDIENCES if each not in FOR_DEVELOPERS]
    return [
        Hit(
            each.guide.title + (f": {each.heading}" if each.heading else ""),
            each.url,
            lang="en",
            parts=_parts_of(each),
        )
        for each in find(query, prose=True, audiences=audiences)
    ]


def _heading(section: Section, *, prose: bool) -> str:
    """Return the heading, "" under the title; for readers of the whole site without the ids of presets, which say
    nothing to them: what is not shown is not found either.
    """
    heading = section.heading.text if section.heading else ""
    return IDS.sub("", heading) if prose else heading


def _parts_of(found: Found) -> tuple[tuple[str, bool], ...]:
    return tuple((part.text, part.hit) for part in found.excerpt)


def _found(words: Sequence[re.Pattern[str]], guide: Guide, section: Section, *, prose: bool) -> Found | None:
    heading = _heading(section, prose=prose)
    title = guide.title if section.heading is None else ""
    everything = " ".join((title, heading, *(section.prose if prose else [section.text])))
    if not all(word.search(everything) for word in words):
        return None
    url = guide.url + (f"#{section.heading.anchor}" if section.heading else "")
    return Found(guide, url, heading, tuple(_excerpt(words, section, prose=prose)))


def _score(words: Sequence[re.Pattern[str]], guide: Guide, section: Section, *, prose: bool) -> int:
    """Return the rank of a section: guides before decisions; a word in the title or a heading outweighs any number
    below.
    """
    heading = _heading(section, prose=prose) or guide.title
    named = sum(60 * bool(word.search(heading)) + 30 * bool(word.search(guide.title)) for word in words)
    # Below 30, the worth of one word in a title. What only code says comes last.
    blocks = section.prose if prose else section.blocks
    often = min(20, sum(len(word.findall(block)) for block in blocks for word in words))
    return named + often + (1000 if guide.audience != DECISIONS else 0)


def _excerpt(words: Sequence[re.Pattern[str]], section: Section, *, prose: bool) -> Iterator[Part]:
    """Yield a paragraph, the row of a table or a line of code, from shortly before the first word in it."""
    either = "|".join(word.pattern for word in words)
    # Two with a hyphen between them are one piece, as in titles: `Koi-Koi`.
    pattern = re.compile(f"(?:{either})(?:-(?:{either}))*", re.IGNORECASE)
    # Of prose each block with what is searched in it: it is shown with the code of its sentences.
    said = zip(section.blocks, section.prose if prose else section.blocks, strict=True)
    lines = [(" ".join(each.split()), searched) for each, searched in said if searched]
    if not prose:
        lines += [(" ".join(each.split()), each) for each in section.code if not DATA.match(each)]
    # A section that is found by its heading alone is shown by how it begins.
    text = next((shown for shown, searched in lines if pattern.search(searched)), lines[0][0] if lines else "")
    shown, at = shortened(text, pattern), 0
    for hit in pattern.finditer(shown):
        yield Part(shown[at : hit.start()], hit=False)
        yield Part(hit[0], hit=True)
        at = hit.end()
    yield Part(shown[at:], hit=False)


def shortened(text: str, pattern: re.Pattern[str]) -> str:
    """Return a part of a text: from the sentence of the first hit, or a few words before it, to the end of one."""
    first = pattern.search(text)
    middle, after = first.span() if first else (0, 0)
    sentence = text.rfind(". ", 0, middle) + 2 if ". " in text[:middle] else 0
    begin = sentence if middle - sentence <= BEFORE else text.find(" ", middle - AMID, middle) + 1 or middle
    return ("… " if begin and begin != sentence else "") + _ended(text[begin:], after - begin)


def _ended(text: str, least: int) -> str:
    """Return the beginning of a text, to the end of a sentence, a clause or a word. least: letters of it, at least."""
    if len(text) <= LONG:
        return text
    if ends := [each.end() for each in ENDS.finditer(text) if least <= each.end() <= WHOLE]:
        return text[: ends[-1]]
    clauses = [each.start() for each in CLAUSE.finditer(text, max(least, LONG // 2), LONG)]
    end = clauses[-1] if clauses else text.rfind(" ", least, LONG)
    return text[: end if end > 0 else LONG] + " …"
