"""Footnotes of the rules: which sources a page rests on, by number, and the places in them that its rules cite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from core.rulebook.sources import TITLES, parts_of


@dataclass(frozen=True, slots=True)
class Footnote:
    """A source. number: from 1, in the order in which the page cites them; is_ours: a ruling of this site."""

    number: int
    title: str
    is_ours: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a citation: a source with number and title, or words between (number 0)."""

    number: int
    text: str
    is_ours: bool = False


def footnotes_of(citations: Iterable[str]) -> dict[str, Footnote]:
    """Return the sources that citations name, each once, in their order."""
    names = dict.fromkeys(part.source for text in citations for part in parts_of(text) if part.source)
    return {
        name: Footnote(number, _title(name), is_ours=name not in TITLES) for number, name in enumerate(names, start=1)
    }


def pieces_of(citation: str, notes: Mapping[str, Footnote]) -> list[Piece]:
    """Return a citation with each source as the footnote that it is."""
    pieces = []
    for part in parts_of(citation):
        note = notes.get(part.source)
        pieces.append(Piece(note.number, note.title, note.is_ours) if note else Piece(0, part.text))
    return pieces


def _title(source: str) -> str:
    return TITLES.get(source) or _("Rulings of Hanami where the sources are silent or disagree")
