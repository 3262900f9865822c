"""Code on pages in colour: a few classes of words, made by the server: the browser policy allows no inline style."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Literal, Name, _TokenType
from pygments.util import ClassNotFound

CLASSES: Final[tuple[tuple[_TokenType, str], ...]] = (
    (Comment, "hc"),
    (Keyword, "hk"),
    (Name.Tag, "hk"),
    (Literal.String, "hs"),
    (Literal.Number, "hn"),
    (Name.Function, "hf"),
    (Name.Class, "hf"),
    (Name.Builtin, "hf"),
    (Generic.Prompt, "hc"),
)
"""What has a colour, in `static/site/highlight.css`. The rest is ink: a page with fewer marks is lighter and calmer."""
MAX_LENGTH: Final = 20_000
"""Characters: longer texts are data, which nobody reads for its syntax."""


@lru_cache(maxsize=512)
def highlighted(text: str, language: str) -> SafeString:
    """Return code as HTML in which comments, words of the language, texts and numbers are marked.

    language: by its usual name, "python"; of an unknown one the text is returned plain.
    """
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return _text(text)
    if len(text) > MAX_LENGTH:
        return _text(text)
    return _joined([(_class_of(kind, lexer), value) for kind, value in lexer.get_tokens(text)])


@lru_cache(maxsize=32)
def highlighted_lines(text: str, language: str) -> tuple[SafeString, ...]:
    """Return the lines of a text, without their ends, marked like `highlighted`; plain if the language is unknown.

    For files that are read whole: the caller bounds their length. The cache holds few, as files are longer than the
    examples of guides.
    """
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return tuple(_text(line) for line in text.split("\n"))
    lines: list[list[tuple[str, str]]] = [[]]
    for kind, value in lexer.get_tokens(text):
        # A text in three quotes is one piece of many lines.
        first, *further = value.split("\n")
        name = _class_of(kind, lexer)
        lines[-1].append((name, first))
        lines += [[(name, each)] for each in further]
    return tuple(_joined([piece for piece in line if piece[1]]) for line in lines)


def _joined(pieces: Sequence[tuple[str, str]]) -> SafeString:
    """Mark pieces (class, text); neighbours of one class become one mark."""
    runs = ((name, "".join(value for _name, value in group)) for name, group in groupby(pieces, key=lambda one: one[0]))
    return format_html_join("", "{}", ((_marked(name, value),) for name, value in runs))


def _marked(name: str, value: str) -> SafeString:
    return format_html('<span class="{}">{}</span>', name, _text(value)) if name else _text(value)


def _text(value: str) -> SafeString:
    """Escape what stands between tags. Quotes may stay: as entities they are 3 kB of a guide with long listings."""
    return mark_safe(html.escape(value, quote=False))  # noqa: S308  # escaped here


def _class_of(kind: _TokenType, lexer: Lexer) -> str:
    if kind is Name.Builtin and "sh" in lexer.aliases:
        return ""  # found wherever it stands: the `test` of `hanami test` as well
    return next((name for parent, name in CLASSES if kind in parent), "")
