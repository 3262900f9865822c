"""Flowers and leaves that many cards repeat: drawn once around the origin, held once in the sprite."""

from itertools import pairwise

from .pen import (
    GOLD,
    GREEN,
    INK,
    PAPER,
    PINK,
    PURPLE,
    RED,
    Point,
    disc,
    join,
    polar,
    polygon,
    rays,
    rounded,
    scallops,
    shape,
)
from .pen import stroke as line_of


def petals(data: str, *, line: float = 1.7) -> str:
    """A part without a colour of its own: it takes the fill of the stamp's `<use>`."""
    return shape(data, "none", line=line)


def pine() -> str:
    """A scalloped fan of needles, radius 17."""
    rim = [polar(0, 0, 17, degrees) for degrees in (-92, -55, -18, 18, 55, 92)]
    bumps = "".join(f"a6 6 0 0 1 {join((b[0] - a[0], b[1] - a[1]))}" for a, b in pairwise(rim))
    fan = f"M{join(rim[0])}{bumps}Q{join((0, 6, *rim[0]))}Z"
    return shape(fan, GREEN) + line_of(rays(0, 1.7, 6, 15.3, (-66, -33, 0, 33, 66)), PAPER, line=1.3)


def plum() -> str:
    """Five round petals, radius 10."""
    threads = line_of(rays(0, 0, 3.8, 7, [72 * i for i in range(5)]), PAPER, line=1.3)
    return shape(scallops(0, 0, 6.8, 5, 36, 1.06), RED) + threads + disc(0, 0, 3, GOLD, line=1.3)


def cherry() -> str:
    """Five notched petals, radius 10."""
    data = f"M{join(polar(0, 0, 3.4, -36))}"
    for axis in range(0, 360, 72):
        left, notch, right = (polar(0, 0, radius, axis + turn) for radius, turn in ((10.8, -12), (8, 0), (10.8, 12)))
        foot = polar(0, 0, 3.4, axis + 36)
        data += f"Q{join((*polar(0, 0, 10.6, axis - 40), *left))}L{join((*notch, *right))}"
        data += f"Q{join((*polar(0, 0, 10.6, axis + 40), *foot))}"
    return petals(data + "Z", line=1.5) + line_of(rays(0, 0, 0, 5, [72 * i for i in range(5)]), RED, line=1.4)


def iris() -> str:
    """Three falls with gold tongues, two standards."""
    wing: list[Point] = [(0, -1), (10, -6), (13, 3), (10, 11), (6, 8), (2, 3)]
    crown = rounded([(0, 2), (-6, -4), (-6, -13), (-1, -11), (0, -15), (1, -11), (6, -13), (6, -4)])
    middle = rounded([(0, -4), (-7, 3), (-5, 12), (0, 16), (5, 12), (7, 3)])
    falls = rounded([(-x, y) for x, y in wing]) + rounded(wing)
    return "".join(shape(part, PURPLE, line=1.7) for part in (crown, falls, middle)) + line_of("M0 3V10", GOLD, line=3)


def peony() -> str:
    """Three rings of round petals, radius 16."""
    return (
        petals(scallops(0, 0, 13.4, 9, 20), line=2)
        + shape(scallops(0, 0, 8.6, 7, 0), PINK, line=1.7)
        + shape(scallops(0, 0, 3.8, 5, 30), GOLD, line=1.5)
    )


def broad_leaf() -> str:
    """The peony's leaf, 21 long."""
    half: list[Point] = [(5, -3), (12, -7), (6, -9), (5, -16), (2, -14)]
    outline = [(0.0, 0.0), *half, (0.0, -21.0), *[(-x, y) for x, y in reversed(half)]]
    return shape(polygon(outline), GREEN, line=1.7) + line_of("M0 0V-15", PAPER, line=1.2)


def mum() -> str:
    """Sixteen petals, radius 14."""
    seams = line_of(rays(0, 0, 5, 11.6, [22.5 * i for i in range(16)]), INK, line=1)
    return petals(scallops(0, 0, 12.6, 16)) + seams + disc(0, 0, 4.8, RED, line=1.5) + disc(0, 0, 1.8, GOLD, line=0)


def mum_leaf() -> str:
    """The chrysanthemum's lobed leaf, 19 long."""
    half: list[Point] = [(6, -1), (5, -5), (10, -7), (7, -10), (8, -15), (3, -14)]
    outline = [(0.0, 0.0), *half, (0.0, -19.0), *[(-x, y) for x, y in reversed(half)]]
    return shape(rounded(outline), GREEN, line=1.6) + line_of("M0 0V-11", PAPER, line=1.2)


def maple() -> str:
    """Seven points and a stem, size 14."""
    points: list[Point] = []
    for axis, reach in ((-124, 10), (-80, 14), (-40, 15), (0, 17), (40, 15), (80, 14), (124, 10)):
        points += [polar(0, 0, reach * share, axis + side) for share, side in ((0.7, -11), (1, 0), (0.7, 11))]
        points.append(polar(0, 0, 7, axis + (20 if axis < 124 else 40)))
    points[-1] = polar(0, 0, 4.2, 180)
    veins = line_of(rays(0, 0, 0, 9.8, (-80, -40, 0, 40, 80)), INK, line=0.9)
    return line_of("M0 0L1 13", INK) + petals(polygon(points)) + veins


def kiri_leaf() -> str:
    """A broad three-pointed leaf hanging down, 27 long."""
    half: list[Point] = [(8, -3), (16, 2), (13, 8), (14, 15), (7, 15), (3, 21)]
    outline = [(0.0, 0.0), *half, (0.0, 27.0), *[(-x, y) for x, y in reversed(half)]]
    return shape(rounded(outline), GREEN) + line_of("M0 2V20M0 2L-9 10M0 2L9 10", PAPER, line=1.3)


def susuki() -> str:
    """A susuki stalk, 37 tall, its cream plume blown to the right; the foot is the origin."""
    strands = (
        ((7, -17), (11, -2), (3, -12)),
        ((12, -22), (19, -3), (8, -15)),
        ((14, -27), (26, -9), (11, -18)),
        ((14, -33), (29, -18), (12, -21)),
        ((10, -38), (26, -28), (12, -26)),
        ((3, -36), (18, -36), (8, -28)),
    )
    plume = "".join(f"M0-15Q{join((*out, *tip))}Q{join((*back, 0, -15))}Z" for out, tip, back in strands)
    stalk = "M0-6Q-1-11 0-16"
    return line_of(stalk, INK, line=3.2) + line_of(stalk, PAPER, line=1.2) + shape(plume, PAPER, line=1.4)


STAMPS = {
    "pine": pine,
    "plum": plum,
    "cherry": cherry,
    "iris": iris,
    "peony": peony,
    "broad-leaf": broad_leaf,
    "mum": mum,
    "mum-leaf": mum_leaf,
    "maple": maple,
    "kiri-leaf": kiri_leaf,
    "susuki": susuki,
}
