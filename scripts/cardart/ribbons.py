"""The ribbons. Poetry ribbons carry the two texts of real decks, red ones nothing, blue ones stripes in some themes."""

from collections.abc import Callable
from functools import partial

from .pen import INDIGO, INK, PAPER, RED, Point, join, place, polygon, shape, stamp, stroke

HALF, LENGTH = 9.0, 64.0
Run = list[Point]
"""One movement of the brush: a start, then three points for each cubic curve; two points are a straight stroke."""
KANA: dict[str, list[Run]] = {
    "a": [
        [(-4, 2.5), (-1, 2.5), (2, 2.2), (4, 1.5)],
        [(-0.5, 0), (-1, 3), (-1, 6), (0, 9.5)],
        [
            (2.5, 3.5),
            (1, 7),
            (-1, 9.5),
            (-3, 9.5),
            (-5.2, 9.5),
            (-4.5, 6.5),
            (-1, 5),
            (2, 3.8),
            (5, 5),
            (5, 7.5),
            (5, 9.5),
            (3.5, 10.5),
            (2, 11),
        ],
    ],
    # As decks have it: the old letter made of 可, which looks like の under a lid.
    "ka": [
        [(-4, 1.5), (-1, 1.5), (2, 1), (4, 0)],
        [
            (0, 3.5),
            (-0.5, 7),
            (-2.5, 9),
            (-4, 8),
            (-5.5, 6),
            (-3, 3.5),
            (0.5, 3),
            (4.5, 3),
            (5.5, 6.5),
            (3.5, 9),
            (2.5, 10.5),
            (1, 11),
            (0, 11),
        ],
    ],
    "yo": [
        [(0.5, 3.5), (4, 3)],
        [(0.5, 0), (1, 4), (1, 8), (0, 9.5), (-1.5, 11.5), (-4.5, 10.5), (-4, 9), (-3.5, 7), (1, 8), (4, 10.5)],
    ],
    "ro": [
        [(-3, 1.5), (2.5, 1)],
        [(2.5, 1), (-4, 7.5)],
        [(-4, 7.5), (0, 4), (4.5, 5), (4.5, 7.5), (4.5, 10), (1.5, 11), (-1, 10.5)],
    ],
    "shi": [[(-2.5, 0), (-3, 4), (-3.5, 8), (-2.5, 10), (-1, 12), (2.5, 11), (4, 8)]],
    "mi": [
        [(-3, 1.5), (1, 1)],
        [(1, 1), (0, 5), (-2, 9.5), (-3.5, 9.5), (-5, 9.5), (-4.5, 6.5), (-2, 6.5), (1, 6.5), (3, 8), (5, 9.5)],
        [(3, 4.5), (3, 7.5), (2, 9.5), (0.5, 11)],
    ],
    "no": [
        [
            (0.5, 2.5),
            (0, 6),
            (-2, 9.5),
            (-3.5, 9),
            (-5.5, 8),
            (-4, 2.5),
            (0.5, 2),
            (5, 1.5),
            (6, 7),
            (3.5, 9.5),
            (2.5, 10.5),
            (1, 11),
            (0, 11),
        ],
    ],
}
"""Letters in a box 10 wide and 11 tall, x = 0 in its middle."""
TEXTS = {"akayoroshi": ("a", "ka", "yo", "ro", "shi"), "miyoshino": ("mi", "yo", "shi", "no")}
"""あかよろし hangs in the pine and the plum, みよしの in the cherry."""


def slip(fill: str) -> str:
    """A hanging paper slip around the origin, with its thread."""
    corners: list[Point] = [(-HALF, -LENGTH / 2), (HALF, -LENGTH / 2), (HALF, LENGTH / 2), (-HALF, LENGTH / 2)]
    return stroke(f"M0 {-LENGTH / 2:g}L3 {-LENGTH / 2 - 8:g}", INK, line=1.6) + shape(polygon(corners), fill)


def brushed(run: Run) -> str:
    """Path data of one movement of the brush."""
    first, *rest = run
    return f"M{join(first)}{'L' if len(rest) == 1 else 'C'}{join(value for point in rest for value in point)}"


def written(letters: tuple[str, ...]) -> str:
    """Path data of letters one below the other, down the middle of a slip."""
    pitch = (LENGTH - 4) / len(letters)
    size = (pitch - 1.6) / 10.5
    out = ""
    for i, letter in enumerate(letters):
        top = -LENGTH / 2 + 2.6 + pitch * i
        out += "".join(brushed(place(run, 0, top, size)) for run in KANA[letter])
    return out


def poetry(text: str) -> str:
    """A red slip with one of the two texts."""
    return slip(RED) + stroke(written(TEXTS[text]), INK, line=2)


def blue(*, is_striped: bool) -> str:
    """A blue slip: plain as in real decks, or striped from side to side so that it is no question of colour."""
    if not is_striped:
        return slip(INDIGO)
    stripes = "".join(f"M-7 {level}L7 {level - 7}" for level in range(-23, 30, 8))
    return slip(INDIGO) + stroke(stripes, PAPER, line=2)


def slips(*, is_striped: bool) -> dict[str, Callable[[], str]]:
    """Return all slips by name, as stamps around the origin. is_striped: the blue ones."""
    drawn: dict[str, Callable[[], str]] = {text: partial(poetry, text) for text in TEXTS}
    return drawn | {"red-slip": partial(slip, RED), "blue-slip": partial(blue, is_striped=is_striped)}


def hung(name: str, x: float, y: float, turn: float) -> str:
    """One of the slips, its middle at (x, y), turned clockwise by `turn` degrees."""
    return stamp(name, x, y, 1, turn)
