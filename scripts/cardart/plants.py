"""The twelve plants, placed and grown; stamps.py holds what repeats, layouts.py says where on which card they stand."""

import math
from collections.abc import Iterable

from .pen import (
    ASH,
    GOLD,
    GREEN,
    INK,
    PAPER,
    PINK,
    PURPLE,
    RED,
    Point,
    cord,
    disc,
    dots,
    join,
    place,
    polar,
    shape,
    stamp,
    stroke,
)

Curve = tuple[Point, Point, Point, Point]
"""A cubic curve: start, two points that pull, end."""


def leaf(x: float, y: float, length: float, width: float, turn: float, fill: str = GREEN, *, line: float = 1.5) -> str:
    """A pointed leaf growing from (x, y); turn 0 points up."""
    tip, left, right = place([(0, -length), (-width, -length / 2), (width, -length / 2)], x, y, 1, turn)
    return shape(f"M{join((x, y))}Q{join((*left, *tip))}Q{join((*right, x, y))}Z", fill, line=line)


def pine(x: float, y: float, radius: float) -> str:
    """One pine cloud: a scalloped fan of needles over a flat foot."""
    return stamp("pine", x, y, radius / 17)


def plum(x: float, y: float, radius: float, turn: float = 0) -> str:
    """A plum blossom: five round petals, a light heart, stamens."""
    return stamp("plum", x, y, radius / 10, turn)


def plum_bud(x: float, y: float, radius: float = 3) -> str:
    """A closed plum blossom."""
    return disc(x, y, radius, RED, line=1.5)


def cherry(x: float, y: float, radius: float, fill: str = PINK, turn: float = 0) -> str:
    """A cherry blossom: five petals, each with its notch."""
    return stamp("cherry", x, y, radius / 10, turn, fill)


def wisteria(x: float, y: float, rows: int, width: float, fill: str = PURPLE) -> str:
    """A hanging raceme: pairs of petals that lean outwards and dwindle to a tip, `rows` of them, 6.4 px apart."""
    petals, hearts = "", []
    for row in range(rows, 0, -1):
        share = 1 - (row - 1) / rows
        length, level = 4.2 + width * 0.56 * share, y + 6.4 * (row - 1)
        turns = (128.0, -128.0) if row < rows else (180.0,)
        for turn in turns:
            ends = place(
                [(0, -length), (-length * 0.62, -length * 0.42), (length * 0.62, -length * 0.42)], x, level, 1, turn
            )
            tip, left, right = ends
            petals += f"M{join((x, level))}Q{join((*left, *tip))}Q{join((*right, x, level))}Z"
            hearts.append(place([(0, -length * 0.62)], x, level, 1, turn)[0])
    stem = stroke(f"M{join((x, y - 4))}V{join((y + 6.4 * (rows - 1),))}", INK, line=2)
    return stem + shape(petals, fill, line=1.5) + dots(hearts, 0.8, PAPER)


def spray(x: float, y: float, length: float, turn: float, fill: str = GREEN) -> str:
    """A feathered leaf: three leaflets from one foot, as wisteria and bush clover wear them."""
    return "".join(leaf(x, y, length, length * 0.42, turn + swing, fill, line=1.4) for swing in (-58, 58, 0))


def iris(x: float, y: float, size: float = 1) -> str:
    """An iris: three falls with gold tongues, two standards."""
    return stamp("iris", x, y, size)


def blade(x: float, foot: float, top: float, lean: float, width: float = 5) -> str:
    """A sword leaf of the iris, from (x, foot) up to `top`, leaning by `lean`."""
    tip = (x + lean, top)
    bend = (x + lean * 0.1, (foot + top) / 2)
    return shape(
        f"M{join((x - width / 2, foot))}Q{join((bend[0] - width / 2, bend[1], *tip))}"
        f"Q{join((bend[0] + width / 2, bend[1], x + width / 2, foot))}Z",
        GREEN,
        line=1.5,
    )


def peony(x: float, y: float, radius: float, fill: str = RED) -> str:
    """A peony: three rings of round petals."""
    return stamp("peony", x, y, radius / 16, 0, fill)


def broad_leaf(x: float, y: float, size: float, turn: float) -> str:
    """A three-pointed peony leaf with its middle vein."""
    return stamp("broad-leaf", x, y, size, turn)


def along(curve: Curve, share: float) -> tuple[Point, float]:
    """Return the point at `share` (0 to 1) of a cubic curve, and the direction there in degrees (0 points up)."""
    rest = 1 - share
    parts = (rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3)
    x, y = (sum(part * point[axis] for part, point in zip(parts, curve, strict=True)) for axis in (0, 1))
    slopes = (-(rest**2), rest**2 - 2 * rest * share, 2 * rest * share - share**2, share**2)
    dx, dy = (sum(part * point[axis] for part, point in zip(slopes, curve, strict=True)) for axis in (0, 1))
    return (x, y), math.degrees(math.atan2(dx, -dy))


def clover(curve: Curve, nodes: int, *, size: float = 8) -> str:
    """A long bush clover spray: at each node a leaf to either side, between the nodes red blossoms in pairs."""
    leaves, blossoms = "", ""
    for node in range(1, nodes + 1):
        share = (node - 0.5) / nodes
        (x, y), turn = along(curve, share)
        length = size * (1.2 - 0.4 * share)
        for side in (-52, 52):
            ends = place(
                [(0, -length), (-length * 0.5, -length * 0.6), (length * 0.5, -length * 0.6)], x, y, 1, turn + side
            )
            tip, left, right = ends
            leaves += f"M{join((x, y))}Q{join((*left, *tip))}Q{join((*right, x, y))}Z"
        at, heading = along(curve, min(share + 0.5 / nodes, 1))
        for side in (-46, 46):
            blossoms += f"M{join(polar(*at, 1.8, heading + side))}L{join(polar(*at, 4.4, heading + side))}"
    stem = f"M{join(curve[0])}C{join(value for point in curve[1:] for value in point)}"
    return (
        stroke(stem, INK, line=2)
        + shape(leaves, GREEN, line=1.3)
        + stroke(blossoms, INK, line=5.6)
        + stroke(blossoms, RED, line=3.4)
    )


def hill(crest: float, *, fill: str = INK, lean: float = 0, has_grass: bool = True) -> str:
    """The susuki hill, `crest` is the height of the top; short grass where nothing taller grows."""
    top = 32 + lean
    body = f"M6 102a4 4 0 0 1-4-4V{join((crest + 26,))}Q{join((top - 22, crest - 2, top, crest))}"
    body += f"Q{join((top + 24, crest + 3, 62, min(crest + 34, 97)))}V98a4 4 0 0 1-4 4Z"
    if not has_grass:
        return shape(body, fill)
    grass = ""
    for row, level in enumerate(range(int(crest) + 12, 100, 11)):
        for column in range(3 + row % 2, 62, 9):
            over = level - (crest + 6 + abs(column - top) ** 1.75 / 22)
            grass += f"M{join((column, level))}l3-6" if over > 6 else ""
    return shape(body, fill) + stroke(grass, PAPER, line=1.3)


def susuki(spots: Iterable[tuple[float, float, float]], *, is_mirrored: bool = False) -> str:
    """Drooping plumes, each (x and y of its foot, size), all bent by one wind: to the right unless mirrored."""
    return "".join(stamp("susuki", x, y, size, is_mirrored=is_mirrored) for x, y, size in spots)


def mum(x: float, y: float, radius: float, fill: str = GOLD) -> str:
    """A chrysanthemum: sixteen petals around a heart."""
    return stamp("mum", x, y, radius / 14, 0, fill)


def mum_leaf(x: float, y: float, size: float, turn: float) -> str:
    """The lobed leaf of the chrysanthemum."""
    return stamp("mum-leaf", x, y, size, turn)


def maple(x: float, y: float, size: float, turn: float = 0, fill: str = RED) -> str:
    """A maple leaf: seven points and a stem."""
    return stamp("maple", x, y, size / 14, turn, fill)


def willow(x: float, top: float, foot: float, sway: float) -> str:
    """One hanging willow strand, leaves to both sides."""
    leaves = ""
    count = int((foot - top) / 8)
    for i in range(1, count + 1):
        share = i / count
        px, py = x + sway * share * share, top + (foot - top) * share
        side = 4 if i % 2 else -4
        leaves += f"M{join((px, py - 2))}q{join((side, 2, side, 7))}"
    line = f"M{join((x, top))}Q{join((x, (top + foot) / 2, x + sway, foot))}"
    return stroke(line + leaves, INK, line=4) + stroke(line + leaves, GREEN, line=2.2)


def kiri_leaf(x: float, y: float, size: float, turn: float) -> str:
    """A paulownia leaf: broad, three-pointed, hanging from (x, y)."""
    return stamp("kiri-leaf", x, y, size, turn)


def kiri_spike(x: float, foot: float, notified: int, turn: float = 0, fill: str = PURPLE) -> str:
    """An upright paulownia flower: `notified` pairs on a stem, a bud on top."""
    stem_tip = place([(0, -4 - notified * 6)], x, foot, 1, turn)[0]
    spots = [
        place([(dx, -5 - i * 6)], x, foot, 1, turn)[0]
        for i in range(notified)
        for dx in (-4.6 + i * 0.7, 4.6 - i * 0.7)
    ]
    spots.append(stem_tip)
    stem = stroke(f"M{join((x, foot))}L{join(stem_tip)}", INK, line=2)
    return stem + dots(spots, 4.1) + dots(spots, 2.7, fill) + dots([(px, py + 1) for px, py in spots], 0.9, PAPER)


def bough(data: str, width: float = 6, fill: str = ASH) -> str:
    """A branch or trunk along path `data`."""
    return cord(data, fill, width)
