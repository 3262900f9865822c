"""The three ribbon kinds: poetry (written strokes), plain, and hatched. Texture tells them apart, not only colour."""

from .pen import INDIGO, INK, PAPER, RED, Point, join, place, polygon, shape, stroke

HALF, LENGTH = 9.0, 64.0
BRUSH: list[list[Point]] = [
    [(-4, -25), (4, -28), (4, -22), (-1, -18)],
    [(3, -21), (-8, -14), (-3, -10), (4, -13)],
    [(0, -8), (0, -4), (-1, 0), (-4, 2)],
    [(-2, -3), (8, -6), (2, 6), (0, 9)],
    [(-4, 9), (2, 6), (6, 10), (1, 14)],
    [(1, 14), (-6, 20), (-3, 25), (4, 21)],
]


def slip(x: float, y: float, turn: float, fill: str) -> str:
    """The hanging paper slip centred at (x, y), with its thread."""
    corners: list[Point] = [(-HALF, -LENGTH / 2), (HALF, -LENGTH / 2), (HALF, LENGTH / 2), (-HALF, LENGTH / 2)]
    thread = place([(0, -LENGTH / 2), (3, -LENGTH / 2 - 8)], x, y, 1, turn)
    return stroke(f"M{join(thread[0])}L{join(thread[1])}", INK, line=1.6) + shape(
        polygon(place(corners, x, y, 1, turn)), fill
    )


def lines(runs: list[list[Point]], x: float, y: float, turn: float) -> str:
    """Path data of several polylines drawn around the origin."""
    out = ""
    for run in runs:
        points = place(run, x, y, 1, turn)
        out += f"M{join(points[0])}L{join(v for point in points[1:] for v in point)}"
    return out


def poetry(x: float, y: float, turn: float) -> str:
    """A red slip with a written line down the middle: five brush strokes, none of them a real letter."""
    brush = "".join(
        f"M{join(here[0])}C{join(v for point in here[1:] for v in point)}"
        for here in (place(run, x, y, 1, turn) for run in BRUSH)
    )
    return slip(x, y, turn, RED) + stroke(brush, INK, line=2.6)


def plain(x: float, y: float, turn: float) -> str:
    """A red slip with nothing on it but its light edge."""
    return slip(x, y, turn, RED)


def hatch(x: float, y: float, turn: float) -> str:
    """A blue slip hatched from side to side."""
    runs: list[list[Point]] = [[(-7, level), (7, level - 7)] for level in range(-23, 30, 8)]
    return slip(x, y, turn, INDIGO) + stroke(lines(runs, x, y, turn), PAPER, line=2)
