"""A thing that the search of the whole site has found, of any kind, and how near it is to the words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from accounts.phrasing import colon

Parts = tuple[tuple[str, bool], ...]
"""A text in pieces: (text, was looked for)."""
IN_TITLE, IN_OTHERS, NOWHERE = 2, 3, 5
"""Distances of a hit: a later word of its title begins so, a word of its note or its other names does, none has it."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One line of the results. note: what tells it from its namesakes; lang: of title and note, "" if the page's.
    game: whose rule it is, which stands before the title.

    parts: of an excerpt, instead of a note; named: of the title, once its words are marked. face: a bot or person,
    whose emblem stands in front; preset: whose card does; card: its code, of the card that does; fan: codes of the
    first cards of a yaku, which do.
    event: a tournament, whose state is shown; cards: the codes of a month's cards.
    """

    title: str
    url: str
    note: str = ""
    game: str = ""
    lang: str = ""
    parts: Parts = ()
    named: Parts = ()
    face: object = None
    preset: str = ""
    card: str = ""
    fan: tuple[str, ...] = ()
    event: object = None
    cards: tuple[str, ...] = ()

    @property
    def is_ruleset(self) -> bool:
        """Whether a hit among the rules is a whole ruleset: others are parts of its page."""
        return bool(self.preset) and "#" not in self.url


def word_start(word: str) -> re.Pattern[str]:
    """Return a pattern of words that begin like this one, so that "set" is not found in "preset"."""
    return re.compile((r"\b" if word[0].isalnum() else "") + re.escape(word), re.IGNORECASE)


def distance(words: str, title: str, others: Sequence[str] = ()) -> int:
    """Return how far a hit is from the words, the nearest first. words: not empty; others: its note, its other names.

    0: the title is them; 1: it begins with them; 2: a later word of it does; 3: a word of the others; 4: they stand
    elsewhere in these; NOWHERE: in none of them.
    """
    name, sought, start = title.casefold(), words.casefold(), word_start(words)
    if name.startswith(sought):
        return 0 if name == sought else 1
    if start.search(title):
        return IN_TITLE
    if any(map(start.search, others)):
        return IN_OTHERS
    return 4 if any(sought in each.casefold() for each in (title, *others)) else NOWHERE


def marked(hit: Hit, words: Sequence[str]) -> Hit:
    """Return a hit whose title and note have these words marked; an excerpt has been already. words: not empty."""
    of_game = ((f"{hit.game}{colon()}", False),) if hit.game else ()
    return replace(hit, named=of_game + _parts(hit.title, words), parts=hit.parts or _parts(hit.note, words))


def _parts(text: str, words: Sequence[str]) -> Parts:
    """Return a text in pieces: marked where a word begins so; where none does, wherever they stand.

    Two with a hyphen between them are one piece: `Koi-Koi`.
    """
    starts, anywhere = (
        re.compile(f"(?:{each})(?:-(?:{each}))*", re.IGNORECASE)
        for each in ("|".join(word_start(word).pattern for word in words), "|".join(map(re.escape, words)))
    )
    pattern = starts if starts.search(text) else anywhere
    found, at = list[tuple[str, bool]](), 0
    for each in pattern.finditer(text):
        found += [(text[at : each.start()], False), (each[0], True)]
        at = each.end()
    return tuple(part for part in (*found, (text[at:], False)) if part[0])
