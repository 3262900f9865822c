"""The same drawing in the dress of the contrast theme: pure inks on white, every outline half as wide again."""

import re
from types import MappingProxyType
from typing import Final

from .pen import ASH, GOLD, GREEN, INDIGO, INK, PAPER, PINK, PURPLE, RED

WHITE: Final = "#FFF"
LOUD: Final = MappingProxyType(
    {
        PAPER: WHITE,
        INK: "#000",
        RED: "#D10",
        GOLD: "#FC0",
        GREEN: "#063",
        PURPLE: "#84C",
        INDIGO: "#03A",
        PINK: "#F9C",
        ASH: "#CCC",
    }
)
"""What each ink becomes; lightness keeps its order, so grey pictures stay told apart."""
OUTLINE: Final = 3
"""Of every shape, in px; the classic theme has 2."""
ELEMENT: Final = re.compile(r"<(path|rect)([^>]*)/>")
INK_NAME: Final = re.compile(r"#[0-9A-F]{3,6}(?=\")")
WIDTH: Final = re.compile(r'stroke-width="([\d.]+)"')


def widened(match: re.Match[str]) -> str:
    """Return one element with a wider outline. Open lines keep their width but for the finest, which would break up."""
    kind, rest = match.groups()
    filled = ' fill="' in rest
    width = WIDTH.search(rest)
    if width:
        wanted = float(width[1]) + (1 if filled else 0)
        rest = WIDTH.sub(f'stroke-width="{max(wanted, 2.6):g}"', rest)
    return f"<{kind}{rest}/>"


def loud(drawing: str) -> str:
    """A classic drawing in the contrast theme."""
    recoloured = INK_NAME.sub(lambda ink: LOUD.get(ink[0], ink[0]), drawing)
    return ELEMENT.sub(widened, recoloured)
