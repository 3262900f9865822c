"""A rating over time as a drawing: the mean as a line, its 95 % interval as a band, in the units of an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final

from core.ratings.model import Rating

WIDTH: Final = 640
HEIGHT: Final = 220
LEFT: Final = 34
RIGHT: Final = 8
EDGE: Final = 10
STEPS: Final = (1, 2, 5, 10, 20, 50, 100)
MAX_LINES: Final = 6


@dataclass(frozen=True, slots=True)
class Tick:
    """A line across at a value."""

    y: float
    value: int


@dataclass(frozen=True, slots=True)
class Curve:
    """A drawing. line: points of the mean; band: the outline of the interval; dots: (x, y) of every point."""

    line: str
    band: str
    dots: tuple[tuple[float, float], ...]
    ticks: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT


def curve_of(ratings: Sequence[Rating]) -> Curve | None:
    """Draw ratings in their order, at even distances; None of fewer than two."""
    if len(ratings) < 2:
        return None
    spans = [rating.interval for rating in ratings]
    step = next((each for each in STEPS if _height(spans, each) <= each * MAX_LINES), STEPS[-1])
    low = floor(min(low for low, _high in spans) / step) * step
    high = ceil(max(high for _low, high in spans) / step) * step

    def across(at: int) -> float:
        return round(LEFT + at * (WIDTH - LEFT - RIGHT) / (len(ratings) - 1), 1)

    def up(value: float) -> float:
        return round(HEIGHT - EDGE - (value - low) * (HEIGHT - 2 * EDGE) / (high - low), 1)

    dots = tuple((across(at), up(rating.mu)) for at, rating in enumerate(ratings))
    upper = [(across(at), up(top)) for at, (_bottom, top) in enumerate(spans)]
    lower = [(across(at), up(bottom)) for at, (bottom, _top) in enumerate(spans)]
    ticks = tuple(Tick(up(value), value) for value in range(low, high + 1, step))
    return Curve(_points(dots), _points([*upper, *reversed(lower)]), dots, ticks)


def _height(spans: Sequence[tuple[float, float]], step: int) -> int:
    """Return the height from the first line below everything to the first one above."""
    lowest, highest = min(low for low, _high in spans), max(high for _low, high in spans)
    return (ceil(highest / step) - floor(lowest / step)) * step


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def thinned(count: int, most: int) -> list[int]:
    """Choose at most `most` of the places 0 .. count - 1, evenly spread, the first and the last among them."""
    if count <= most:
        return list(range(count))
    return sorted({round(at * (count - 1) / (most - 1)) for at in range(most)})
