"""Drawing of the course of a sequential test: positions of its lines, in the units of the drawing. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 640
HEIGHT: Final = 260
LEFT, RIGHT, TOP, BOTTOM = 66, 12, 16, 32
MAXIMUM: Final = 400
"""Corners of the path at most: a phone shows no more."""
ROWS: Final = 25


@dataclass(frozen=True, slots=True)
class Plot:
    """The drawing. path: "x,y x,y .." of the ratio; upper, lower, zero: heights of the lines; ticks: (x, deal sets)."""

    path: str
    upper: float
    lower: float
    zero: float
    end: tuple[float, float]
    ticks: tuple[tuple[float, int], ...]
    rows: tuple[tuple[int, float], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    floor: int = HEIGHT - BOTTOM


def plot_of(points: Sequence[tuple[int, float]], bounds: tuple[float, float]) -> Plot:
    """Return the drawing. points: (deal sets judged, ratio) from (0, 0) on. bounds: (lower, upper)."""
    ratios = [ratio for _count, ratio in points]
    # A little air above and below, or the lines would lie on the frame.
    low, high = min(bounds[0], *ratios, 0.0) * 1.08, max(bounds[1], *ratios, 0.0) * 1.08
    # The first deal sets must not be stretched over the whole width.
    last = max(10, points[-1][0])

    def across(count: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * count / last, 1)

    def down(ratio: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - ratio) / (high - low), 1)

    points_shown = thinned(points, MAXIMUM)
    return Plot(
        path=" ".join(f"{across(count)},{down(ratio)}" for count, ratio in points_shown),
        upper=down(bounds[1]),
        lower=down(bounds[0]),
        zero=down(0.0),
        end=(across(points[-1][0]), down(points[-1][1])),
        ticks=tuple((across(count), count) for count in ticks(last)),
        rows=tuple(every(points, ROWS)),
    )


def thinned(points: Sequence[tuple[int, float]], most: int) -> list[tuple[int, float]]:
    """Return at most `most` of the points: of each stretch its lowest and its highest, and the last one."""
    if len(points) <= most:
        return list(points)
    # Two corners a stretch, and room for the last point.
    stretch = -(-len(points) // (most // 2 - 1))
    points_shown: list[tuple[int, float]] = []
    for start in range(0, len(points), stretch):
        part = points[start : start + stretch]
        # The extremes: a ratio that touched a bound must touch it in the drawing, too.
        ends = {min(part, key=lambda point: point[1]), max(part, key=lambda point: point[1])}
        points_shown += sorted(ends)
    return points_shown if points_shown[-1] == points[-1] else [*points_shown, points[-1]]


def every(points: Sequence[tuple[int, float]], most: int) -> list[tuple[int, float]]:
    """Return at most `most` of the points, evenly spaced, the last one among them."""
    step = max(1, -(-(len(points) - 1) // (most - 1)))
    points_shown = list(points[step::step])
    return points_shown if not points_shown or points_shown[-1] == points[-1] else [*points_shown, points[-1]]


def ticks(last: int) -> list[int]:
    """Return round numbers of deal sets below the plot, four to eight of them."""
    step = 1
    while last / step > 8:
        # 1, 2, 5, 10, 20, 50, ..
        step = step * 2 if str(step)[0] in "15" else step * 5 // 2
    return list(range(0, last + 1, step))
