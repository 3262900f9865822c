"""Sources of the rules by the name under which clauses and options cite them, with their titles.

A citation is the name and a place in the source: "000 Setup; 001 Préparation". `rules 5` and `ours` are rulings of this
project: a decision where sources are silent or disagree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

OURS: Final = "ours"
TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "000": "Sakura · Fuda Wiki",
        "001": "Sakura (jeu) · Wikipédia",
        "002": "Nuki Hachi-hachi · Fuda Wiki",
        "003": "Sakura (card game) · Wikipedia, 2020-04-21",
        "004": "Poka · Fuda Wiki",
        "FW": "Hachi-hachi, Sakura, Poka · Fuda Wiki",
        "Nintendo": "Koi-Koi · Nintendo",
        "Fuda Wiki (DS)": "Daredemo Asobi Taizen · Fuda Wiki",
        "Fuda Wiki (Koi-Koi Japan)": "Koi-Koi Japan · Fuda Wiki",
        "Fuda Wiki (DS, Koi-Koi Japan)": "Daredemo Asobi Taizen, Koi-Koi Japan · Fuda Wiki",
        "French Fuda Wiki": "Koi-Koi (fr) · Fuda Wiki",
        "Fuda Wiki": "Koi-Koi · Fuda Wiki",
        "open-hanafuda-ai": "suzukiplan/open-hanafuda-ai · GitHub",
        "KoiKoi-AI": "guansanghai/KoiKoi-AI · GitHub",
        "Board Game Arena": "Koi-Koi · Board Game Arena",
    }
)
"""Titles as the sources have them, in their own language."""
_NAMES: Final = "|".join(re.escape(name) for name in sorted(TITLES, key=len, reverse=True))
_CITED: Final = re.compile(rf"(?<!\w)(?:(?P<name>{_NAMES})|rules(?:\.md)? [\d.]*\d|ours)(?!\w)")


class Part(NamedTuple):
    """A piece of a citation. source: a name of `TITLES` or `OURS`, "" for the words between."""

    source: str
    text: str


def parts_of(citation: str) -> Iterator[Part]:
    """Yield a citation in pieces.

    >>> list(parts_of("000 Setup; rules 5"))
    [Part(source='000', text='000'), Part(source='', text=' Setup; '), Part(source='ours', text='rules 5')]
    """
    at = 0
    for found in _CITED.finditer(citation):
        if found.start() > at:
            yield Part("", citation[at : found.start()])
        yield Part(found["name"] or OURS, found[0])
        at = found.end()
    if at < len(citation):
        yield Part("", citation[at:])
