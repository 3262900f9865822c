"""How large the type of a poster is: as large as everybody still fits on one sheet, and never below the smallest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final
from unicodedata import east_asian_width


@dataclass(frozen=True, slots=True)
class Sheet:
    """What can be printed of a sheet, and the smallest type of a name on it. In points, as static/site/poster.css."""

    width: int
    height: int
    name: int


PAPERS: Final = {"a4": "A4", "a3": "A3", "letter": "Letter"}
"""Sizes of paper of a poster, by the word in its address."""
SHEETS: Final = {"a4": Sheet(527, 774, 28), "a3": Sheet(757, 1105, 40), "letter": Sheet(544, 722, 28)}
SCALES: Final = (100, 110, 120, 135, 150, 170, 190, 215, 240)
"""Sizes of type, in percent of the smallest: static/site/poster.css has a class for each."""
TOP: Final = 1.5
"""How much larger the first three places are."""
LEADING: Final = 1.15
SPACES: Final = (12, 25, 40, 60)
"""Room above and below a name, in hundredths of an em: more where names are too long for larger type."""
TOP_PLACES: Final = 3
PLACE: Final = 3.5
"""The column of places, in ems: three digits and "=", or one digit and "=" in the larger type."""
FAN: Final = 3.2
"""The cards above the title, with the room below them, in the smallest type."""
FIGURES: Final = 0.7
"""The line that names the figures, in the smallest type."""
# Of an em, in the widest of the fonts that pages ask for (DejaVu Sans, bold).
FULL, CAPITAL, SMALL = 1.0, 0.85, 0.7
# Lines break between words, so a line is seldom full; and printers differ by some millimetres.
USED: Final = 0.95


@dataclass(frozen=True, slots=True)
class PosterLine:
    """A line of a poster. place: from 1; below: what stands under the name in half its size, or "".

    beside: the room of the figures at its right, which is that of the widest, in ems of the first places.
    """

    place: int
    name: str
    below: str = ""
    beside: float = 0


def scale_of(paper: str, title: str, lines: Sequence[PosterLine]) -> int:
    """Return the largest of `SCALES` with which a poster is one sheet and no name takes more rows; else the first."""
    sheet = SHEETS[paper]
    rows = [_rows(line, sheet, 100) for line in lines]
    for scale in reversed(SCALES):
        is_whole = [_rows(line, sheet, scale) for line in lines] == rows
        if is_whole and _height(title, lines, sheet, scale) <= sheet.height * USED:
            return scale
    return SCALES[0]


def space_of(paper: str, title: str, lines: Sequence[PosterLine], scale: int) -> int:
    """Return the largest of `SPACES` with which a poster of a size of type is one sheet; else the first."""
    sheet = SHEETS[paper]
    fitting = (each for each in reversed(SPACES) if _height(title, lines, sheet, scale, each) <= sheet.height * USED)
    return next(fitting, SPACES[0])


def has_fan(paper: str, title: str, lines: Sequence[PosterLine]) -> bool:
    """Return whether one sheet has room for the cards above the title; the names come first."""
    sheet = SHEETS[paper]
    return _height(title, lines, sheet, SCALES[0]) <= sheet.height * USED


def width_of(text: str) -> float:
    """Return about how wide a text is, in ems."""
    return sum(_width(letter) for letter in text)


def _width(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return FULL
    return CAPITAL if letter.isupper() or letter in "mw" else SMALL


def _size(line: PosterLine, sheet: Sheet, scale: int) -> float:
    return sheet.name * scale / 100 * (TOP if line.place <= TOP_PLACES else 1)


def _rows(line: PosterLine, sheet: Sheet, scale: int) -> tuple[int, int]:
    """Return how many rows of type a name and what is below it take."""
    taken = PLACE + line.beside * TOP
    room = sheet.width * USED - taken * sheet.name * scale / 100
    size = _size(line, sheet, scale)
    return ceil(width_of(line.name) * size / room), ceil(width_of(line.below) * size / 2 / room)


def _height(title: str, lines: Sequence[PosterLine], sheet: Sheet, scale: int, space: int = SPACES[0]) -> float:
    """Return how high a poster is: the cards, the title in the smallest type of the first places, a day, the lines."""
    titles = ceil(width_of(title) * sheet.name * TOP / (sheet.width * USED))
    height = titles * sheet.name * TOP * LEADING + sheet.name * (1.6 + FAN)
    height += sheet.name * FIGURES if any(line.beside for line in lines) else 0
    for line in lines:
        name, below = _rows(line, sheet, scale)
        rank = sheet.name * scale / 100
        height += max((name + below / 2) * _size(line, sheet, scale), rank) * LEADING + 2 * space / 100 * rank * TOP
    return height
