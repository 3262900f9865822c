"""Emblems: the telling square of each card on a ground and in an edge of the colour that the page gives them."""

from typing import Final

from .pen import PAPER, num

SIDE: Final = 56
"""Of an emblem's box, in px."""
EDGE: Final = 4.5
"""1.6 px of an emblem that is shown 20 px wide."""
MIDDLE: Final = (5.0, 22.0, 54.0)
WINDOWS: Final[dict[tuple[int, int], tuple[float, float, float]]] = {
    (1, 1): (6, 10, 54),
    (2, 1): (4, 32, 56),
    (2, 2): (9, 9, 53),
    (3, 2): (9, 40, 53),
    (3, 1): (4, 40, 56),
    (4, 1): (2, 24, 60),
    (5, 1): (4, 34, 56),
    (6, 1): (3, 10, 58),
    (6, 2): (9, 9, 53),
    (7, 1): (3, 44, 58),
    (8, 1): (4, 14, 58),
    (8, 2): (4, 12, 58),
    (9, 1): (3, 37, 58),
    (9, 2): (9, 46, 53),
    (10, 1): (5, 17, 56),
    (11, 1): (11, 6, 52),
    (11, 2): (2, 38, 60),
    (11, 4): (4, 10, 56),
    (12, 1): (3, 2, 59),
    (12, 2): (4, 45, 56),
}
"""By month and rank: left, top and side of the square of the card that an emblem shows; else `MIDDLE`."""


def ground() -> str:
    """Paper with a tint of the colour of the text around it."""
    side = num(2 * SIDE)
    paper = f'<rect width="{side}" height="{side}" fill="{PAPER}" stroke="none"/>'
    return paper + f'<rect width="{side}" height="{side}" fill="currentColor" fill-opacity=".36" stroke="none"/>'


def edge() -> str:
    """The edge, drawn last so that it trims what reaches it."""
    inset, side = num(EDGE), num(2 * SIDE - 2 * EDGE)
    size = f'x="{inset}" y="{inset}" width="{side}" height="{side}"'
    return f'<rect {size} stroke="currentColor" stroke-width="{num(2 * EDGE)}"/>'


def cut(picture: str, month: int, rank: int) -> str:
    """Return the square of a card's picture, as large as an emblem."""
    left, top, side = WINDOWS.get((month, rank), MIDDLE)
    size = SIDE / side
    return f'<g transform="scale({size:.3g})translate({num(-2 * left)} {num(-2 * top)})">{picture}</g>'
