"""How many letters fit into a box of the bracket's drawing: SVG does not cut a text."""

from __future__ import annotations

from itertools import accumulate
from typing import Final
from unicodedata import east_asian_width

SHORT: Final = 175
"""Room for a name and its figure in a box of the drawing, beside seed and emblem; a common letter takes 10."""
BOLD: Final = 10
"""So much less room a winner has, whose letters are bold."""
FIGURE: Final = 12
"""Room of a digit, which are all of one width; the gap before the figure takes as much."""
TO_COME: Final = 240
"""Room for somebody who is to come: smaller letters, and neither seed nor figure beside them."""
WINNER_ROOM: Final = 160
"""The same of the champion, in larger letters."""
WIDE: Final = ("W", "F")
"""Classes of letters that are as wide as two others: Japanese ones."""
NARROW: Final = frozenset("fijlrtI.,'’- ")
BROAD: Final = frozenset("mwMWQOG")


def fitted(name: str, room: int) -> str:
    """Return a name cut to the room that there is, in tenths of a common letter."""
    widths = [_width(letter) for letter in name]
    if sum(widths) <= room:
        return name
    ends = accumulate(widths)
    return name[: sum(end + 10 <= room for end in ends)].rstrip() + "…"


def _width(letter: str) -> int:
    """Return the room that a letter takes in the text font, in tenths of a common one, rounded up."""
    if east_asian_width(letter) in WIDE:
        return 20
    if letter in NARROW:
        return 6
    if letter in BROAD:
        return 14
    return 12 if letter.isupper() else 10
