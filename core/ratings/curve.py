"""A rating over time as a drawing: the mean as a line, its 95 % interval as a band.

Line and band lie in a square of `SIZE` units, which a page stretches to the width it has; dots, lines across and marks
are in percent of it, so that circles and letters keep their shape on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final

from core.ratings.model import Rating

SIZE: Final = 1000
EDGE: Final = 4
"""Percent that stay free above and below."""
BAR: Final = 0.6
"""Half the width of the interval of a rating that stands alone, in percent."""
STEPS: Final = (1, 2, 5, 10, 20, 50, 100)
MAX_LINES: Final = 6


@dataclass(frozen=True, slots=True)
class Tick:
    """A line across at a value. y: percent from the top."""

    y: float
    value: int


@dataclass(frozen=True, slots=True)
class Curve:
    """A drawing. line: points of the mean; band: the outline of the interval; dots: (x, y) of every point in percent.

    Every point has a column of its own of the same width, and stands in the middle of it.
    """

    line: str
    band: str
    dots: tuple[tuple[float, float], ...]
    ticks: tuple[Tick, ...]
    size: int = SIZE


def curve_of(ratings: Sequence[Rating]) -> Curve | None:
    """Draw ratings in their order, at even distances; None of no rating. One alone is a dot with its interval."""
    if not ratings:
        return None
    spans = [rating.interval for rating in ratings]
    step = next((each for each in STEPS if _height(spans, each) <= each * MAX_LINES), STEPS[-1])
    low = floor(min(low for low, _high in spans) / step) * step
    high = ceil(max(high for _low, high in spans) / step) * step

    def up(value: float) -> float:
        return round(100 - EDGE - (value - low) * (100 - 2 * EDGE) / (high - low), 2)

    places = [round((at + 0.5) * 100 / len(ratings), 2) for at in range(len(ratings))]
    dots = tuple((x, up(rating.mu)) for x, rating in zip(places, ratings, strict=True))
    edges = places if len(places) > 1 else [places[0] - BAR, places[0] + BAR]
    reaches = spans if len(spans) > 1 else spans * 2
    upper = [(x, up(top)) for x, (_bottom, top) in zip(edges, reaches, strict=True)]
    lower = [(x, up(bottom)) for x, (bottom, _top) in zip(edges, reaches, strict=True)]
    ticks = tuple(Tick(up(value), value) for value in range(low, high + 1, step))
    return Curve(_points(dots), _points([*upper, *reversed(lower)]), dots, ticks)


def _height(spans: Sequence[tuple[float, float]], step: int) -> int:
    """Return the height from the first line below everything to the first one above."""
    lowest, highest = min(low for low, _high in spans), max(high for _low, high in spans)
    return (ceil(highest / step) - floor(lowest / step)) * step


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x * SIZE / 100:g},{y * SIZE / 100:g}" for x, y in points)


def thinned(count: int, most: int) -> list[int]:
    """Choose at most `most` of the places 0 .. count - 1, evenly spread, the first and the last among them."""
    if count <= most:
        return list(range(count))
    return sorted({round(at * (count - 1) / (most - 1)) for at in range(most)})
