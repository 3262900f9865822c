"""Names that forms give to stages: kept as messages, and shown in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from django.conf import settings
from django.utils.translation import gettext, gettext_noop, override

POOLS: Final = gettext_noop("Pools")
SWISS: Final = gettext_noop("Swiss")
KNOCK_OUT: Final = gettext_noop("Knock-out")
FINAL: Final = gettext_noop("Final")
A_FINAL: Final = gettext_noop("A final")
B_FINAL: Final = gettext_noop("B final")
USUAL: Final = (POOLS, SWISS, KNOCK_OUT, FINAL, A_FINAL, B_FINAL)


def in_readers_words(name: str) -> str:
    """Return the name of a stage in the language of the page, if it is a usual one in any language; else as it is."""
    message = _known().get(name)
    return gettext(message) if message else name


@lru_cache(maxsize=1)
def _known() -> Mapping[str, str]:
    """Return the usual names in every language: earlier events keep them in the language they were made in."""
    found: dict[str, str] = {}
    for code, _name in settings.LANGUAGES:
        with override(code):
            # Not over those that are there: two names may have one word in some language.
            found = {gettext(message): message for message in USUAL} | found
    return {message: message for message in USUAL} | found
