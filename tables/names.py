"""Names that nobody may have at a table: those with nothing to see, and those of the house's own seats."""

from __future__ import annotations

import re
from functools import cache
from typing import Final
from unicodedata import normalize

from django.conf import settings
from django.utils.translation import override

from tables.house import LEVEL_OF, called

BLANKS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that are drawn as nothing and count as printable: fillers of Hangul, an empty cell of Braille."""
WITHOUT_BLANKS: Final = str.maketrans(dict.fromkeys(BLANKS, " "))
NUMBER: Final = re.compile(r"\d+$")
"""Several bots of one level are numbered at their table (`tables.house.called`)."""


def visible_part(name: str) -> str:
    r"""Return what can be seen of a name, without the spaces.

    >>> visible_part("\u3164\u3164"), visible_part("O Tsuru")
    ('', 'OTsuru')
    """
    return "".join(name.translate(WITHOUT_BLANKS).split())


def is_of_house(name: str) -> bool:
    """Return whether a seat of the house is called so in a language of the site, or one of its bots everywhere.

    Case, spaces and the width of letters make no difference.
    """
    key = _key(name)
    return key in _bots() or NUMBER.sub("", key) in _levels()


def _key(name: str) -> str:
    return normalize("NFKC", visible_part(name)).casefold()


@cache
def _bots() -> frozenset[str]:
    return frozenset(map(_key, LEVEL_OF))


@cache
def _levels() -> frozenset[str]:
    """Return the names that people read, of every level in every language of the site."""
    names: set[str] = set()
    for language, _shown in settings.LANGUAGES:
        with override(language):
            names |= {_key(called(bot)) for bot in LEVEL_OF}
    return frozenset(names)
