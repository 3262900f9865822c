"""Markdown into a page: safe HTML, headings with anchors, links to the site's own addresses, the text to search.

Raw HTML in a guide is shown as text, addresses other than http(s), mailto and relative ones are no links (both
markdown-it-py), and nothing inline is left for the browser policy to refuse.
"""

from __future__ import annotations

import posixpath
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

from django.templatetags.static import static
from django.urls import is_valid_path, reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from guides.shelf import DECISIONS, Guide, Shelf, folder, shelf
from web.highlighting import highlighted

EXAMPLE: Final = "https://hanami.example.org"
"""How guides name a service in what a reader types."""
TAKEN: Final = ("main", "keys", "keys-title", "contents", "foot-language")
"""Ids that the frame of a page uses already."""
WORDS_A_MINUTE: Final = 200
"""How fast somebody reads a technical text, its code included."""
SCHEMA: Final = "hanafuda-tournament-1.schema.json"
LABELS: Final = {
    "sh": "Shell",
    "bash": "Shell",
    "console": "Shell",
    "python": "Python",
    "json": "JSON",
    "toml": "TOML",
    "yaml": "YAML",
}
"""What the head of a block of code calls its language."""
UUID: Final = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-")
_PAGE: Final = re.compile(r"/(?!(?:e|i|m|ops)/)(?:[a-z]+/)+")
"""A page of the site as a sentence names it; not one that is only there for operators, with a key or with a match."""
_CODE_NAME: Final = re.compile(r"[\w.-]+")
"""What code in a sentence may be for a reader: a name; not a command, an address or a piece of JSON."""
_ROW_OF_CODES: Final = 3
"""Words that each cell beside a code has at most, where a row explains nothing."""
_NUMBER: Final = re.compile(r"^\d+\. ")
_FOR: Final = re.compile(r"^For: [^.:]+\. ?")
_NO_SLUG: Final = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading below the title. level: 2, 3, ..; anchor: its id."""

    level: int
    text: str
    anchor: str


@dataclass
class Section:
    """The plain text under a heading; `heading` is None for the text under the title.

    blocks: its paragraphs and the rows of its tables; prose: the words of each that are no code, "" for a row of codes;
    code: the lines of its code.
    """

    heading: Heading | None
    texts: list[str] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)

    @cached_property
    def text(self) -> str:
        """Everything in it as one line. Read it once the section is whole: a search reads it of every section."""
        return " ".join(" ".join(self.texts).split())


@dataclass(frozen=True, slots=True)
class Example:
    """A block of code. info: the words after the fence, "sh not-run: needs a host of its own"."""

    info: str
    content: str
    line: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A guide, read. minutes: how long that takes; dead: links that lead nowhere, which a test finds first."""

    title: str
    minutes: int
    html: SafeString
    headings: tuple[Heading, ...]
    sections: tuple[Section, ...]
    examples: tuple[Example, ...]
    links: tuple[str, ...]
    dead: tuple[str, ...]

    @property
    def contents(self) -> list[Heading]:
        """Return the headings of the table of contents."""
        return [heading for heading in self.headings if heading.level == 2]


def markdown() -> MarkdownIt:
    """Return the parser: CommonMark with tables, no raw HTML."""
    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    made.add_render_rule("fence", _code_block)
    made.add_render_rule("code_block", _code_block)
    made.add_render_rule("code_inline", _code_or_page)
    return made


def read(guide: Guide, site: str = EXAMPLE, *, on: Shelf | None = None) -> Reading:
    """Return the page of a guide; it is read again when its file changes.

    site: `https://hanami.example.com`, which takes the place of the example's address: its commands can be copied.
    on: the shelf as it is now, from who reads many guides and asked for it once.
    """
    path = folder() / guide.file
    # The time of the file and the shelf are part of the key: an edited guide is read again, also by its neighbours'
    # links.
    return _read(guide, path, path.stat().st_mtime_ns, on or shelf(), site)


@lru_cache(maxsize=512)
def _read(guide: Guide, path: Path, _written: int, on: Shelf, site: str) -> Reading:
    return reading_of(path.read_text(encoding="utf-8").replace(EXAMPLE, site), guide.file, on)


def reading_of(text: str, file: str, on: Shelf) -> Reading:
    """Read a text that stands in `file` (below docs/), whose links lead to pages of the shelf."""
    parser = markdown()
    tokens = parser.parse(text)
    title = _take_title(tokens)
    _calm_beginning(tokens)
    headings = tuple(_anchored(tokens))
    links, dead = _linked(tokens, file, on)
    _labelled(tokens)
    _framed(tokens)
    examples = [Example(t.info.strip(), t.content, t.map[0] + 1) for t in tokens if t.type in CODE and t.map]
    html = mark_safe(parser.renderer.render(tokens, parser.options, {}))  # noqa: S308  # made of escaped text above
    sections = tuple(_sections(tokens, headings))
    minutes = max(1, round(sum(len(section.text.split()) for section in sections) / WORDS_A_MINUTE))
    return Reading(title, minutes, html, headings, sections, tuple(examples), tuple(links), tuple(dead))


CODE: Final = ("fence", "code_block")
CELLS: Final = ("th_open", "td_open")


def _take_title(tokens: list[Token]) -> str:
    """Remove and return the first heading, which the frame of the page shows; without the number of its file."""
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h1":
            title = text_of(tokens[at + 1])
            del tokens[at : at + 3]
            return _NUMBER.sub("", title)
    return ""


def _calm_beginning(tokens: list[Token]) -> None:
    """Set what stands under the title in italics ("For: authors. Ten minutes ..") as an introduction.

    The audience is left out where more follows: the page says it above the title.
    """
    if len(tokens) < 3 or tokens[0].type != "paragraph_open":
        return
    inside = tokens[1].children or []
    marks = [each for each in inside if each.type in ("em_open", "em_close")]
    if len(marks) != 2 or inside[0] is not marks[0] or inside[-1] is not marks[1]:
        return
    tokens[0].attrSet("class", "lede")
    tokens[1].children = inside[1:-1]
    first = tokens[1].children[0]
    rest = _FOR.sub("", first.content)
    if rest or len(tokens[1].children) > 1:
        first.content = rest


def text_of(token: Token) -> str:
    """Return the words of an inline token, without marks."""
    return _words(token.children or [])


def _words(pieces: Sequence[Token]) -> str:
    return "".join(each.content if each.type != "softbreak" else " " for each in pieces)


def _prose_of(token: Token) -> str:
    """Return the same without code that is more than a name."""
    pieces = token.children or []
    return _words([each for each in pieces if each.type != "code_inline" or _CODE_NAME.fullmatch(each.content)])


def slug_of(text: str) -> str:
    """Return the anchor of a heading, as the usual hosts of repositories make it."""
    return _NO_SLUG.sub("", text.lower()).strip().replace(" ", "-")


def _anchored(tokens: list[Token]) -> Iterator[Heading]:
    # A heading "Contents" must not get the id of the page's own table of contents.
    seen = dict.fromkeys(TAKEN, 1)
    for at, token in enumerate(tokens):
        if token.type != "heading_open":
            continue
        text = text_of(tokens[at + 1])
        slug = slug_of(text) or "part"
        times = seen.get(slug, 0)
        seen[slug] = times + 1
        anchor = f"{slug}-{times}" if times else slug
        token.attrSet("id", anchor)
        yield Heading(int(token.tag[1]), text, anchor)


def _linked(tokens: Sequence[Token], file: str, on: Shelf) -> tuple[list[str], list[str]]:
    """Put the site's addresses in the place of paths. Returns all links as written, and the dead ones."""
    links, dead = [], []
    for child in (child for token in tokens for child in token.children or []):
        name = {"link_open": "href", "image": "src"}.get(child.type)
        if name is None:
            continue
        written = str(child.attrGet(name) or "")
        links.append(written)
        found = _picture(written, file) if child.type == "image" else _address(written, file, on)
        if found is None:
            dead.append(written)
        # A dead link stays on the page: a test fails for it, a reader does not.
        child.attrSet(name, found or "#main")
        if child.type == "image" and found is not None:
            _sized(child, written, file)
    return links, dead


def _address(written: str, file: str, on: Shelf) -> str | None:
    """Return the address that a link leads to: a page of the shelf, its own page, another host; None if nowhere."""
    if written.startswith(("https://", "http://", "mailto:", "#")):
        return written
    path, mark, anchor = written.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
    if target == SCHEMA:
        return reverse("event-schema")
    if target in (DECISIONS, f"{DECISIONS}/README.md"):
        return reverse("decisions")
    if target in (".", "README.md"):
        return reverse("guides")
    guide = on.of_file(target)
    return guide.url + mark + anchor if guide else None


def _picture(written: str, file: str) -> str | None:
    name = _picture_name(written, file)
    return static(f"docs/{name}") if name else None


def _picture_name(written: str, file: str) -> str | None:
    """Return the name of a picture in docs/images/; None if it is none of them."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(file), written))
    head, _slash, name = target.rpartition("/")
    # Only names that are there: `../` in a guide reaches no other file.
    return name if head == "images" and name in {path.name for path in (folder() / "images").glob("*.webp")} else None


def _sized(image: Token, written: str, file: str) -> None:
    """Set width and height of a lossy WebP, so that nothing moves once it is loaded."""
    name = _picture_name(written, file)
    if name:
        with (folder() / "images" / name).open("rb") as opened:
            # Behind the chunk headers (20 bytes), frame tag and start code (6): two numbers of 14 bits (RFC 6386, 9.1).
            width, height = (number & 0x3FFF for number in struct.unpack("<HH", opened.read(30)[26:]))
        image.attrSet("width", str(width))
        image.attrSet("height", str(height))
        image.attrSet("loading", "lazy")


def _framed(tokens: Sequence[Token]) -> None:
    """Make a picture that is a paragraph of its own a link to itself, in a box that scrolls where it is too narrow.

    A link that is a paragraph of its own becomes a button.
    """
    for at, token in enumerate(tokens):
        children = tokens[at + 1].children or [] if token.type == "paragraph_open" else []
        if [each.type for each in children] == ["link_open", "text", "link_close"]:
            children[0].attrSet("class", "btn main")
        if len(children) == 1 and children[0].type == "image":
            token.attrSet("class", "shot")
            token.attrSet("data-sideways", "")
            link = Token("link_open", "a", 1, attrs={"href": children[0].attrs["src"]})
            tokens[at + 1].children = [link, *children, Token("link_close", "a", -1)]


def _labelled(tokens: Sequence[Token]) -> None:
    """Label cells with their column, for narrow screens; alignment becomes a class, for inline styles are refused."""
    column, heads, in_head = 0, list[str](), False
    for at, token in enumerate(tokens):
        if token.type == "thead_open":
            heads, in_head = [], True
        elif token.type == "thead_close":
            in_head = False
        elif token.type == "tr_open":
            column = 0
        elif token.type in ("th_open", "td_open"):
            if token.attrs.pop("style", "") == "text-align:right":
                token.attrSet("class", "num")
            _label(token, tokens[at + 1], heads, column, in_head=in_head)
            column += 1


def _label(cell: Token, inside: Token, heads: list[str], column: int, *, in_head: bool) -> None:
    if in_head:
        for first in (inside.children or [])[:1]:
            first.content = first.content if first.type == "code_inline" else capfirst(first.content)
        heads.append(text_of(inside))
        cell.attrSet("scope", "col")
    elif column and column < len(heads):
        cell.attrSet("data-label", heads[column])


def _code_block(_renderer: object, tokens: Sequence[Token], at: int, _options: Any, _env: Any) -> str:
    """Return a block of code with a place for its button, which a script shows; the block is made of text alone."""
    token = tokens[at]
    language = token.info.split()[0] if token.info.split() else "text"
    label = "" if language == "text" else LABELS.get(language, language)
    return (
        f'<div class="code-block" data-label="{escape(label)}">'
        f'<pre tabindex="0" data-copied data-sideways><code class="language-{escape(language)}">'
        f"{highlighted(token.content, language)}</code></pre></div>\n"
    )


def _code_or_page(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Return code within a sentence; the path of a page, `/learn/`, leads there unless it stands within a link."""
    code = renderer.code_inline(tokens, at, options, env)
    path = tokens[at].content
    is_in_link = sum(each.nesting for each in tokens[:at] if each.tag == "a") > 0
    if is_in_link or not _PAGE.fullmatch(path) or not is_valid_path(path):
        return code
    return f'<a href="{path}">{code}</a>'


def _sections(tokens: Sequence[Token], headings: Sequence[Heading]) -> Iterator[Section]:
    waiting = list(headings)
    section, cells = Section(None), list[Token]()
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            yield section
            section, cells = Section(waiting.pop(0)), []
        elif token.type == "tr_close":
            section.blocks.append(" · ".join(filter(None, map(text_of, cells))))
            section.prose.append("" if _are_codes(cells) else " · ".join(filter(None, map(_prose_of, cells))))
            cells = []
        elif token.type == "inline" and tokens[at - 1].type != "heading_open":
            section.texts.append(text_of(token))
            if tokens[at - 1].type in CELLS:
                cells.append(token)
            else:
                section.blocks.append(text_of(token))
                section.prose.append(_prose_of(token))
        elif token.type in CODE:
            # Nobody searches for an example's ids, and they say nothing to who reads what was found.
            lines = [line for line in token.content.splitlines() if not UUID.search(line)]
            section.texts += lines
            section.code += lines
    yield section


def _are_codes(cells: Sequence[Token]) -> bool:
    """Return whether a row lists what belongs to a code, "02.1 · Plum · animal", and says nothing about it."""
    first = next((each for each in cells[0].children or [] if each.content), None)
    return (
        first is not None
        and first.type == "code_inline"
        and all(len(text_of(each).split()) <= _ROW_OF_CODES for each in cells[1:])
    )
