"""Texts that people may give: visible characters, and the joiners that Persian, Indic scripts and emoji need."""

from __future__ import annotations

import unicodedata
from typing import Final

JOINERS: Final = "\u200c\u200d"
"""Zero width non-joiner and joiner: format characters, so `str.isprintable` refuses them."""
VIRAMA: Final = 9
"""The combining class of the sign after which Indic letters join."""
EMOJI_PARTS: Final = ("So", "Sk")


def is_printable(text: str) -> bool:
    r"""Return whether each character can be seen, or is a joiner where it shapes what stands beside it.

    A joiner counts after an Arabic letter or its mark, after a virama (RFC 5892, appendix A) and within an emoji, and
    never at the end: elsewhere it is invisible, and two names could look the same.

    >>> is_printable("Aiko"), is_printable("Ai\u200dko"), is_printable("\u0645\u06cc\u200c\u062e")
    (True, False, True)
    """
    if text.isprintable():
        return True
    shown = "".join(each for each in text if each not in JOINERS)
    return shown.isprintable() and all(_shapes(text, at) for at, each in enumerate(text) if each in JOINERS)


def without_hidden(text: str) -> str:
    """The text without characters that cannot be seen; joiners stay, as names may hold them."""
    return "".join(each for each in text if each.isprintable() or each in JOINERS)


def _shapes(text: str, at: int) -> bool:
    """Return whether the joiner at this place has something to shape."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if not before or not after.strip() or after in JOINERS:
        return False
    base = next((each for each in reversed(text[:at]) if unicodedata.category(each) != "Mn"), "")
    is_arabic = bool(base) and unicodedata.bidirectional(base) == "AL"
    is_emoji = bool(base) and unicodedata.category(base) in EMOJI_PARTS
    return is_arabic or is_emoji or unicodedata.combining(before) == VIRAMA
