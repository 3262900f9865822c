"""Names written from right to left: each is isolated, so that figures and names beside it keep their places.

Without isolation the bidirectional algorithm draws `שלום 700 – مرحبا 1080` as one run from right to left, and 700
stands with the wrong person. Names stand on every page, alone and inside sentences that code puts together, so the
rule is applied where a page leaves the site (`accounts.middleware.IsolateNames`), not where each name is written.
Source: Unicode Standard Annex 9, section 2.4; HTML, "The bdi element".
"""

from __future__ import annotations

import re
from typing import Final

RIGHT_TO_LEFT: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""Hebrew, Arabic, Syriac, Thaana, N'Ko and the other scripts of these blocks, with their marks and digits."""
WITHIN: Final = r"(?:[ .'\u2019\-\u200c\u200d\u00a0]|&\#x27;|&\#39;|&quot;)"
"""Characters between the words of one name. The site's own separators (a dash, "&", a comma) are not among them."""
RUN: Final = rf"[{RIGHT_TO_LEFT}]+(?:{WITHIN}+[{RIGHT_TO_LEFT}]+)*"
TAG: Final = r"""<!--.*?-->|<[^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*)*>"""
ISOLATED: Final = re.compile(RUN)
IN_TAGS: Final = re.compile(rf"(?P<kept>{TAG})|{RUN}", re.DOTALL)
IN_PAGE: Final = re.compile(
    r"(?P<kept><(?P<raw>script|style|textarea|bdi)\b.*?</(?P=raw)\s*>)"
    r"|(?P<text><(?P<of>title|option|svg)\b.*?</(?P=of)\s*>)"
    rf"|(?P<tag>{TAG})|{RUN}",
    re.DOTALL | re.IGNORECASE,
)
ANY: Final = re.compile(rf"[{RIGHT_TO_LEFT}]")
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"


def isolated_text(text: str) -> str:
    r"""Return a plain text with each name written from right to left between isolating characters.

    >>> isolated_text("\u05d3\u05df 700") == "\u2068\u05d3\u05df\u2069 700"
    True
    """
    return ISOLATED.sub(_by_characters, text)


def isolated_html(page: str) -> str:
    r"""Return a page or a fragment with each such name in a `bdi`; where no element can stand, between characters.

    What is sent back or read by programs (attributes, scripts, text areas) stays as it is; so does a `bdi` of the
    template.

    >>> isolated_html("<b>\u05d3\u05df</b> 700") == "<b><bdi>\u05d3\u05df</bdi></b> 700"
    True
    """
    # Two quick looks first: nearly no page has such a name, and the long expression reads every tag. The quicker one
    # settles it for most parts of a live table; a whole page names its languages.
    return IN_PAGE.sub(_in_page, page) if not _is_latin(page) and ANY.search(page) else page


def _is_latin(page: str) -> bool:
    try:
        page.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True


def _in_page(found: re.Match[str]) -> str:
    # Elements in a title, an option or a drawing would be shown as text or not at all.
    if found["text"]:
        return IN_TAGS.sub(lambda each: each[0] if each["kept"] else _by_characters(each), found["text"])
    if found["kept"] or found["tag"]:
        return found[0]
    return f"<bdi>{found[0]}</bdi>"


def _by_characters(found: re.Match[str]) -> str:
    return f"{FIRST_STRONG_ISOLATE}{found[0]}{POP_ISOLATE}"
