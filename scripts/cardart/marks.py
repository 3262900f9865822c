"""Marks that a card wears besides its picture: plant tab with the month numeral, category glyph, pips, frame, backs."""

import math

from .pen import (
    ASH,
    GOLD,
    GREEN,
    INDIGO,
    INK,
    PAPER,
    PINK,
    PURPLE,
    RED,
    WIDTH,
    card_box,
    disc,
    dots,
    join,
    place,
    polygon,
    rays,
    shape,
    stamp,
    stroke,
)

# One for each month; no two months in a row have the same ink.
TAB_INKS = (GREEN, RED, PINK, PURPLE, INDIGO, RED, ASH, INK, GOLD, RED, INDIGO, PURPLE)
# Strokes instead of a font: an SVG sprite cannot rely on any font, and outlines of one would weigh more. Each digit is
# a list of polylines in a box of 6 x 10.
DIGITS = (
    ((0, 2, 0, 8, 2, 10, 4, 10, 6, 8, 6, 2, 4, 0, 2, 0, 0, 2),),
    ((1, 2, 3.5, 0, 3.5, 10),),
    ((0, 2, 2, 0, 4, 0, 6, 2, 6, 4, 0, 10, 6.2, 10),),
    ((0, 1, 2, 0, 4, 0, 6, 2, 4.5, 4.6, 2.4, 4.6, 4.5, 4.6, 6, 7.2, 4, 10, 2, 10, 0, 9),),
    ((4.4, 10, 4.4, 0, 0, 6.6, 6.4, 6.6),),
    ((5.8, 0, 0.6, 0, 0.4, 4.6, 4, 4.2, 6, 6.2, 6, 8.2, 4, 10, 2, 10, 0, 9),),
    ((5.2, 0, 2.4, 1.4, 0, 5.6, 0, 8, 2, 10, 4, 10, 6, 8, 6, 6.6, 4, 4.8, 2, 4.8, 0.4, 6.4),),
    ((0, 0, 6, 0, 2.4, 10),),
    (
        (2, 4.6, 0.4, 3, 0.4, 1.6, 2, 0, 4, 0, 5.6, 1.6, 5.6, 3, 4, 4.6, 2, 4.6, 0, 6.6, 0, 8.4, 2, 10, 4, 10, 6, 8.4),
        (6, 8.4, 6, 6.6, 4, 4.6),
    ),
    ((5.6, 3.6, 4, 5.2, 2, 5.2, 0, 3.4, 0, 2, 2, 0, 4, 0, 6, 2, 6, 4.4, 3.6, 8.6, 0.8, 10),),
)
GLYPHS = ("bright", "animal", "ribbon", "chaff")
GLYPH_X, GLYPH_Y = 10.5, 27.5


def numeral(
    month: int,
    colour: str,
    *,
    x: float = GLYPH_X,
    top: float = 5.6,
    size: float = 1,
    stretch: float = 1,
    line: float = 2.2,
) -> str:
    """The month in strokes, 10 px high at size 1, centred at x: no font is needed. stretch: how much taller it is."""
    text = str(month)
    narrow = 0.82 if len(text) == 2 else 1
    width = 6 if len(text) == 1 else 11.5
    data = ""
    for column, digit in enumerate(text):
        left = -width / 2 + column * 7 - (1.2 if len(text) == 2 and column == 0 else 0)
        for run in DIGITS[int(digit)]:
            points = [
                (x + size * (left + run[i] * narrow), top + size * stretch * run[i + 1]) for i in range(0, len(run), 2)
            ]
            data += f"M{join(points[0])}L{join(v for point in points[1:] for v in point)}"
    return stroke(data, colour, line=line)


def numeral_tab(month: int) -> str:
    """The plant tab: its colour and the month's numeral."""
    ink = TAB_INKS[month - 1]
    tab = shape("M1 20V6a5 5 0 0 1 5-5H20V15a5 5 0 0 1-5 5Z", ink)
    # Dark figures on the three light inks.
    return tab + numeral(month, INK if ink in (PINK, ASH, GOLD) else PAPER)


def large_tab(month: int) -> str:
    """The tab of the contrast theme: a numeral of 28 px (20 px tall) on plain ground."""
    right = 22 if month < 10 else 33
    tab = f"M1 28V6a5 5 0 0 1 5-5H{right}V23a5 5 0 0 1-5 5Z"
    return shape(tab, PAPER) + numeral(month, INK, x=(right + 1.5) / 2, top=5.8, size=1.7, line=3.6)


def signs(category: str, x: float, y: float, size: float = 1) -> str:
    """The sign of a kind around (x, y): rayed ring, diamond, bar, dot."""
    s = size
    if category == "bright":
        beams = stroke(rays(x, y, 3.2 * s, 5.4 * s, [45 * i for i in range(8)]), INK, line=1.3 * s)
        return beams + disc(x, y, 2.1 * s, PAPER, line=1.4 * s)
    if category == "animal":
        return shape(polygon(place([(0, -4.6), (3.7, 0), (0, 4.6), (-3.7, 0)], x, y, s)), INK, line=0)
    if category == "ribbon":
        return shape(polygon(place([(-0.6, -5), (2.8, -4.4), (0.6, 5), (-2.8, 4.4)], x, y, s)), INK, line=0)
    return dots([(x, y)], 2.3 * s)


def glyph(category: str, *, x: float = GLYPH_X, y: float = GLYPH_Y, size: float = 1) -> str:
    """The sign of a kind on its roundel. It hides what lies beneath, so it can be overlaid."""
    return disc(x, y, 7 * size, PAPER, line=1.6 * size) + signs(category, x, y, size)


def pips(count: int) -> str:
    """Draw one or two pips in the bottom right corner, which tell twin chaff apart."""
    if not count:
        return ""
    width = 4 + 7 * count
    back = shape(f"M{join((62 - width, 103))}V95a4 4 0 0 1 4-4H62.5V98a5 5 0 0 1-5 5Z", PAPER, line=1.6)
    return back + dots([(62 - width + 5.5 + 7 * i, 97) for i in range(count)], 2)


def makers_mark(x: float, y: float) -> str:
    """The mark of Hanami as printed decks carry their maker's: a red seal with a notched cherry blossom in it."""
    seal = f"M{join((x - 8, y - 10))}h16a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2h-16a2 2 0 0 1-2-2v-16a2 2 0 0 1 2-2Z"
    return shape(seal, RED) + stamp("cherry", x, y + 0.5, 0.82, 0, PAPER)


def paper() -> str:
    """The card's ground, drawn first."""
    return card_box(PAPER, inset=1)


def frame() -> str:
    """The card's edge, drawn last so that it trims what reaches it."""
    return card_box("none", inset=1.5, line=3)


def back(ground: str, line: str) -> str:
    """A card's back: waves of rings in one colour on the other."""
    waves = ""
    for row in range(7):
        for column in range(5 if row % 2 else 4):
            x, y = 8 + 16 * column - (8 if row % 2 else 0), 16 + 14 * row
            for radius in (8, 4):
                waves += _ring(x, y, radius)
    return card_box(ground, inset=1) + stroke(waves, line, line=1.6)


def _ring(x: float, y: float, radius: int) -> str:
    """The upper half of a circle, as far as it lies within the frame: beyond its round corners it would be seen."""
    left, right = max(x - radius, 1), min(x + radius, WIDTH - 1)
    begin, end = (round(y - math.sqrt(radius**2 - (edge - x) ** 2), 1) for edge in (left, right))
    return f"M{join((left, begin))}a{radius} {radius} 0 0 1 {join((right - left, end - begin))}"
