"""How many letters fit into a box of the bracket's drawing: SVG does not cut a text.

Widths and rooms are tenths of a pixel, in the bold text font at 15 px. A narrow box has smaller letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Final
from unicodedata import east_asian_width

DIGIT: Final = 98


@dataclass(frozen=True, slots=True)
class Rooms:
    """alone: for a name beside seed and emblem, while its match has no figures; with_figure: where a figure stands at
    the right, less its digits.

    to_come: for somebody who is to come: smaller letters, and neither seed nor figure beside them. winner: for the
    champion, in larger letters of the other font.
    """

    alone: int
    with_figure: int
    to_come: int
    winner: int


WIDE_ROOMS: Final = Rooms(1820, 1740, 2350, 1540)
NARROW_ROOMS: Final = Rooms(1485, 1405, 1930, 1330)

WIDTHS: Final = (
    ("ijlI,.'’:! ", 45),
    ("tfr()-1", 66),
    ("mwMW", 146),
    ("EFJLPRSTBZ", 100),
)
"""Letters that are much narrower or wider than others, each group as wide as its widest common one."""
CAPITAL, OTHER, JAPANESE = 115, 95, 150


def fitted(name: str, room: int) -> str:
    """Return a name cut to the room that there is."""
    widths = [_width(letter) for letter in name]
    if sum(widths) <= room:
        return name
    ends = accumulate(widths)
    return name[: sum(end + 120 <= room for end in ends)].rstrip() + "…"


def _width(letter: str) -> int:
    """Return the room that a letter takes."""
    if east_asian_width(letter) in ("W", "F"):
        return JAPANESE
    known = next((width for letters, width in WIDTHS if letter in letters), 0)
    return known or (CAPITAL if letter.isupper() else OTHER)
