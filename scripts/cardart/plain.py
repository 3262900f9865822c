"""The cards of the text theme: month, kind and number, large and without a picture."""

from .marks import numeral, signs
from .pen import INK, PAPER, Point, dots, polygon, shape, stroke

LEFT, TALL = 17.0, 3.4
"""Where the numeral is centred, and how tall: it is read where cards cover all but the left of each other."""
MIDDLE = 32.0
SIGN_Y = 70.0
BOLT: list[Point] = [(36, 52), (20, 74), (31, 74), (24, 90), (45, 66), (33, 66), (42, 52)]
RIBBON: list[Point] = [(21, 52), (43, 52), (43, 90), (21, 90)]


def ribbon(month: int) -> str:
    """A slip with the texture of its kind: written strokes, nothing, hatching."""
    slip = shape(polygon(RIBBON), PAPER)
    if month <= 3:
        return slip + stroke("M36 57L29 61L36 66L28 71L35 76L29 81L34 86", INK, line=3)
    if month in (6, 9, 10):
        return slip + stroke("M22 62L36 52M22 74L42 60M22 86L42 72M28 90L42 81", INK, line=2.4)
    return slip


def picture(month: int, rank: int, category: str, pips: int) -> str:
    """The large sign in the middle. Twin chaff has one or two dots; the Lightning is a bolt."""
    if (month, rank) == (11, 4):
        return shape(polygon(BOLT), INK)
    if (month, rank) == (12, 2):
        return dots([(MIDDLE, SIGN_Y)], 13) + dots([(MIDDLE, SIGN_Y)], 8, PAPER)
    if category == "chaff":
        return dots([(MIDDLE, SIGN_Y)] if pips < 2 else [(20, SIGN_Y), (44, SIGN_Y)], 9)
    return ribbon(month) if category == "ribbon" else signs(category, MIDDLE, SIGN_Y, 3.6)


def plain(month: int, rank: int, category: str, pips: int) -> str:
    """A card of the text theme, without its frame."""
    x, size, line = (LEFT, 2.7, 6.0) if month < 10 else (LEFT + 2.5, 1.75, 4.6)
    figure = numeral(month, INK, x=x, top=8.5, size=size, stretch=TALL / size, line=line)
    return figure + picture(month, rank, category, pips)
