"""The pen: inks, numbers, and the few path shapes that every drawing is made of. Units: the 64 x 104 card box."""

import math
from collections.abc import Iterable

from .compact import compact

WIDTH, HEIGHT = 64, 104
PAPER = "#FBF4E2"
# Three hex digits each: they stand in the sprite again and again.
INK, RED, GOLD, GREEN = "#211", "#C32", "#EB3", "#375"
PURPLE, INDIGO, PINK, ASH = "#75A", "#247", "#FBB", "#BA8"
INKS = (INK, RED, GOLD, GREEN, PURPLE, INDIGO, PINK, ASH)

Point = tuple[float, float]


def num(value: float) -> str:
    """A coordinate with one decimal, as short as SVG allows: 3.0 -> "3", 0.5 -> ".5"."""
    text = f"{value:.1f}".removesuffix(".0")
    text = text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
    return "0" if text in ("-0", "") else text


def join(values: Iterable[float]) -> str:
    """Coordinates in a row; a minus sign separates on its own."""
    out = ""
    for value in values:
        text = num(value)
        out += text if not out or text.startswith("-") else " " + text
    return out


def polar(x: float, y: float, radius: float, degrees: float) -> Point:
    """The point at `radius` from (x, y); 0 degrees points up, growing clockwise."""
    angle = math.radians(degrees)
    return x + radius * math.sin(angle), y - radius * math.cos(angle)


def place(points: Iterable[Point], x: float, y: float, size: float = 1, turn: float = 0) -> list[Point]:
    """Points drawn around the origin, moved to (x, y), scaled and turned clockwise by `turn` degrees."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return [(x + size * (px * cos - py * sin), y + size * (px * sin + py * cos)) for px, py in points]


def polygon(points: Iterable[Point]) -> str:
    """Path data of a closed straight-sided shape."""
    first, *rest = points
    return f"M{join(first)}L{join(value for point in rest for value in point)}Z"


def rounded(points: Iterable[Point]) -> str:
    """Path data of a closed soft shape: the points pull the outline, the middles of the sides lie on it."""
    ring = list(points)
    middles = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True)]
    start = middles[-1]
    curves = "".join(f"Q{join((*pull, *middle))}" for pull, middle in zip(ring, middles, strict=True))
    return f"M{join(start)}{curves}Z"


def rays(x: float, y: float, inner: float, outer: float, degrees: Iterable[float]) -> str:
    """Path data of straight strokes pointing away from (x, y)."""
    return "".join(f"M{join(polar(x, y, inner, d))}L{join(polar(x, y, outer, d))}" for d in degrees)


def scallops(x: float, y: float, radius: float, petals: int, turn: float = 0, bulge: float = 1.0) -> str:
    """Path data of a ring of round petals whose feet lie on a circle of `radius`."""
    points = [polar(x, y, radius, turn + 360 * i / petals) for i in range(petals)]
    chord = 2 * radius * math.sin(math.pi / petals)
    arc = num(chord / 2 * bulge)
    out = f"M{join(points[-1])}"
    for before, after in zip(points[-1:] + points[:-1], points, strict=True):
        out += f"a{arc} {arc} 0 0 1 {join((after[0] - before[0], after[1] - before[1]))}"
    return out + "Z"


def shape(data: str, fill: str, *, line: float = 2, stroke: str = INK) -> str:
    """A filled path. `line` 0 leaves the outline away; 2 and INK are inherited from the card, so they cost nothing."""
    attributes = f' fill="{fill}"' if fill != "none" else ""
    if line == 0:
        attributes += ' stroke="none"'
    elif line != 2:
        attributes += f' stroke-width="{num(line * 2)}"'
    if line and stroke != INK:
        attributes += f' stroke="{stroke}"'
    return f'<path{attributes} d="{compact(data)}"/>'


def stroke(data: str, colour: str = INK, *, line: float = 2) -> str:
    """An open line without fill."""
    return shape(data, "none", line=line, stroke=colour)


def cord(data: str, fill: str, width: float) -> str:
    """A band of `width` that follows a line, with the 2 px outline on both sides."""
    return stroke(data, INK, line=width) + stroke(data, fill, line=width - 3)


def disc(x: float, y: float, radius: float, fill: str, *, line: float = 2) -> str:
    """A circle, outlined like `shape`."""
    # Whole half pixels, as `compact` writes them; the arcs must meet where they began.
    radius = round(radius * 2) / 2
    r = num(radius)
    return shape(
        f"M{join((x - radius, y))}a{r} {r} 0 1 1 {join((2 * radius, 0))}a{r} {r} 0 1 1 {join((-2 * radius, 0))}Z",
        fill,
        line=line,
    )


def dots(points: Iterable[Point], radius: float, colour: str = INK) -> str:
    """Any number of round dots in one path (round caps on lines without length)."""
    return stroke("".join(f"M{join(point)}h0" for point in points), colour, line=2 * radius)


def moved(content: str, x: float, y: float, size: float, turn: float = 0) -> str:
    """A finished drawing around the origin, put at (x, y). Inside the sprite one unit is half a pixel."""
    spin = f"rotate({num(turn)})" if turn else ""
    return f'<g transform="translate({num(2 * x)} {num(2 * y)}){spin}scale({size:g})">{content}</g>'


def card_box(fill: str, *, inset: float, line: float = 0) -> str:
    """The rounded rectangle of the whole card."""
    x, r = num(2 * inset), 10
    look = f' fill="{fill}"' + (f' stroke-width="{num(line * 2)}"' if line else ' stroke="none"')
    width, height = num(2 * (WIDTH - 2 * inset)), num(2 * (HEIGHT - 2 * inset))
    return f'<rect x="{x}" y="{x}" width="{width}" height="{height}" rx="{r}"{look}/>'


def stamp(
    name: str, x: float, y: float, size: float, turn: float = 0, fill: str = "none", *, is_mirrored: bool = False
) -> str:
    """A drawing that the sprite holds once, put at (x, y); `fill` is what its uncoloured parts take."""
    spin = f"rotate({num(turn)})" if turn else ""
    look = f' fill="{fill}"' if fill != "none" else ""
    scale = f"scale(-{size:.2g} {size:.2g})" if is_mirrored else f"scale({size:.2g})" if size != 1 else ""
    return f'<use href="#{name}"{look} transform="translate({num(2 * x)} {num(2 * y)}){spin}{scale}"/>'
