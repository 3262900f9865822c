"""What a card wears besides its picture: plant tab with the month numeral, category glyph, pips, frame, backs."""

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
    card_box,
    disc,
    dots,
    join,
    polygon,
    rays,
    shape,
    stroke,
)

TAB_INKS = (GREEN, RED, PINK, PURPLE, INDIGO, RED, ASH, INK, GOLD, RED, INDIGO, PURPLE)
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


def numeral(month: int, colour: str) -> str:
    """The month in strokes, centred at x 10.5 between y 5 and 15: no font is needed."""
    text = str(month)
    width = 6 if len(text) == 1 else 11.5
    data = ""
    for place, digit in enumerate(text):
        left = GLYPH_X - width / 2 + place * 7 - (1.2 if len(text) == 2 and place == 0 else 0)
        for run in DIGITS[int(digit)]:
            points = [
                (left + run[i] * (0.82 if len(text) == 2 else 1), 5.6 + run[i + 1]) for i in range(0, len(run), 2)
            ]
            data += f"M{join(points[0])}L{join(v for point in points[1:] for v in point)}"
    return stroke(data, colour, line=2.2)


def tab_shape() -> str:
    """The tab in the top left corner, without its colour."""
    return shape("M1 20V6a5 5 0 0 1 5-5H20V15a5 5 0 0 1-5 5Z", "none")


def numeral_tab(month: int) -> str:
    """The plant tab: its colour and the month's numeral."""
    ink = TAB_INKS[month - 1]
    return f'<use href="#tab" fill="{ink}"/>' + numeral(month, INK if ink in (PINK, ASH, GOLD) else PAPER)


def glyph(category: str) -> str:
    """The roundel under the tab: rayed ring, diamond, bar, dot. It hides what lies beneath, so it can be overlaid."""
    x, y = GLYPH_X, GLYPH_Y
    drawn = {
        "bright": stroke(rays(x, y, 3.2, 5.4, [45 * i for i in range(8)]), INK, line=1.3)
        + disc(x, y, 2.1, PAPER, line=1.4),
        "animal": shape(polygon([(x, y - 4.6), (x + 3.7, y), (x, y + 4.6), (x - 3.7, y)]), INK, line=0),
        "ribbon": shape(
            polygon([(x - 0.6, y - 5), (x + 2.8, y - 4.4), (x + 0.6, y + 5), (x - 2.8, y + 4.4)]), INK, line=0
        ),
        "chaff": dots([(x, y)], 2.3),
    }
    return disc(x, y, 7, PAPER, line=1.6) + drawn[category]


def pips(count: int) -> str:
    """One or two pips in the bottom right corner tell twin chaff apart."""
    if not count:
        return ""
    width = 4 + 7 * count
    back = shape(f"M{join((62 - width, 103))}V95a4 4 0 0 1 4-4H62.5V98a5 5 0 0 1-5 5Z", PAPER, line=1.6)
    return back + dots([(62 - width + 5.5 + 7 * i, 97) for i in range(count)], 2)


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
                waves += f"M{join((x - radius, y))}a{radius} {radius} 0 0 1 {2 * radius} 0"
    return card_box(ground, inset=1) + stroke(waves, line, line=1.6)
