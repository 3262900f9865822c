"""Emblems: the telling square of each card on a ground and in an edge of the colour that the page gives them."""

from typing import Final

from .pen import PAPER, num

SIDE: Final = 56
"""Of an emblem's box, in px."""
EDGE: Final = 4.5
"""1.6 px of an emblem that is shown 20 px wide."""
MIDDLE: Final = (5.0, 22.0, 54.0)
WINDOWS: Final[dict[tuple[int, int], tuple[float, float, float]]] = {
    (1, 1): (16, 8, 46),
    (1, 3): (14, 16, 42),
    (1, 4): (8, 36, 48),
    (2, 1): (5, 36, 48),
    (2, 2): (9, 9, 53),
    (2, 3): (26, 6, 36),
    (2, 4): (8, 32, 40),
    (3, 1): (4, 40, 56),
    (3, 2): (9, 40, 53),
    (3, 3): (24, 38, 40),
    (3, 4): (6, 38, 50),
    (4, 1): (2, 36, 58),
    (4, 3): (16, 8, 42),
    (4, 4): (30, 24, 32),
    (5, 1): (4, 34, 56),
    (5, 3): (20, 10, 40),
    (5, 4): (6, 14, 52),
    (6, 1): (22, 6, 40),
    (6, 2): (9, 9, 53),
    (6, 3): (9, 34, 42),
    (6, 4): (8, 20, 54),
    (7, 1): (3, 46, 54),
    (7, 3): (22, 16, 42),
    (7, 4): (8, 30, 44),
    (8, 1): (3, 12, 64),
    (8, 2): (6, 24, 46),
    (8, 3): (8, 30, 48),
    (8, 4): (10, 38, 48),
    (9, 1): (3, 39, 56),
    (9, 2): (9, 46, 53),
    (9, 3): (24, 12, 36),
    (9, 4): (17, 20, 42),
    (10, 1): (21, 19, 40),
    (10, 2): (9, 9, 53),
    (10, 3): (4, 38, 34),
    (10, 4): (32, 46, 30),
    (11, 1): (16, 8, 46),
    (11, 2): (4, 40, 52),
    (11, 3): (9, 22, 53),
    (11, 4): (4, 32, 50),
    (12, 1): (16, 4, 46),
    (12, 2): (10, 56, 44),
    (12, 3): (12, 20, 44),
    (12, 4): (6, 36, 50),
}
"""By month and rank: left, top and side of the square of the card that an emblem shows; else `MIDDLE`."""


def ground() -> str:
    """Paper with a tint of the colour of the text around it."""
    side = num(2 * SIDE)
    paper = f'<rect width="{side}" height="{side}" fill="{PAPER}" stroke="none"/>'
    return paper + f'<rect width="{side}" height="{side}" fill="currentColor" fill-opacity=".36" stroke="none"/>'


def edge() -> str:
    """The edge, drawn last so that it trims what reaches it: a ring, and what of the square lies outside of it."""
    side, inset, radius = num(2 * SIDE), num(2 * EDGE), num(SIDE - 2 * EDGE)
    square, arc = f"M0 0H{side}V{side}H0z", f"a{radius} {radius} 0 10"
    hole = f"M{num(SIDE)} {inset}{arc}0 {num(2 * SIDE - 4 * EDGE)}{arc}0-{num(2 * SIDE - 4 * EDGE)}z"
    return f'<path fill="currentColor" fill-rule="evenodd" stroke="none" d="{square}{hole}"/>'


def cut(picture: str, month: int, rank: int) -> str:
    """Return the square of a card's picture, as large as an emblem."""
    left, top, side = WINDOWS.get((month, rank), MIDDLE)
    size = SIDE / side
    return f'<g transform="scale({size:.3g})translate({num(-2 * left)} {num(-2 * top)})">{picture}</g>'
