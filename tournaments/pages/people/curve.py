"""What a page draws of a bot's rating besides the curve itself: columns to point at, days, marks of versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from core.ratings.curve import Curve
from tournaments.ratings.history import History, Point

COLUMNS: Final = 20
"""Columns that can be pointed at, at most: narrower ones would be missed by a finger."""
DAYS: Final = 4
"""Days named below the curve, at most."""
MIN_POINTS: Final = 3
"""Points of a curve, at least."""
SPAN: Final = timedelta(days=2)
"""A curve says something once it is that long, or once it has moved."""
APART: Final = 9.0
"""Percent between two marks that are labelled, at least."""


@dataclass(frozen=True, slots=True)
class Column:
    """A stretch of the curve. points: how many points are in it; last: the newest of them."""

    points: int
    last: Point


@dataclass(frozen=True, slots=True)
class Day:
    """A day below the curve. x: percent from the left."""

    x: float
    at: datetime


@dataclass(frozen=True, slots=True)
class Mark:
    """The first point of a version. x: percent from the left; is_named: there is room for its number."""

    x: float
    version: int
    is_named: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """A curve with what is around it. columns: each of the same number of points, the first perhaps of more.

    is_shown: there is something to see in it.
    """

    curve: Curve
    columns: tuple[Column, ...]
    days: tuple[Day, ...]
    marks: tuple[Mark, ...]
    is_shown: bool

    @property
    def is_one_day(self) -> bool:
        """True where first and last point are of one day: both are then named with their time."""
        return len(self.days) > 1 and len({day.at.date() for day in self.days}) == 1

    @property
    def labels(self) -> Iterator[tuple[Column, Day | None]]:
        """Each column with the day that is named below it, None below most."""
        total, left = sum(column.points for column in self.columns), 0.0
        for column in self.columns:
            right = left + column.points * 100 / total
            yield column, next((day for day in self.days if left <= day.x < right), None)
            left = right


def drawing_of(history: History) -> Drawing | None:
    """Return what is drawn of a history; None where it has no point."""
    curve, points = history.curve, history.points
    if curve is None:
        return None
    return Drawing(curve, _columns(points), _days(points, curve), _marks(points), _says_something(points))


def _says_something(points: Sequence[Point]) -> bool:
    """Return whether a curve is worth its room: two days, several versions, or moves beyond its interval."""
    if len(points) < MIN_POINTS:
        return False
    times = [point.at for point in points if point.at is not None]
    means = [point.rating.mu for point in points]
    is_long = bool(times) and max(times) - min(times) >= SPAN
    return is_long or points[0].version != points[-1].version or max(means) - min(means) > 2 * points[-1].reach


def _columns(points: Sequence[Point]) -> tuple[Column, ...]:
    wide = -(-len(points) // COLUMNS)
    # Counted from the newest; what is left over makes the first column wider, none narrower.
    ends = sorted(len(points) - 1 - wide * back for back in range(len(points) // wide))
    sizes = [ends[0] + 1, *([wide] * (len(ends) - 1))]
    return tuple(Column(size, points[end]) for size, end in zip(sizes, ends, strict=True))


def _days(points: Sequence[Point], curve: Curve) -> tuple[Day, ...]:
    """Return the days of the first and the last point and of some between, each day once; of one day both ends."""
    known = [at for at, point in enumerate(points) if point.at is not None]
    most = min(DAYS, len(known))
    chosen = sorted({known[round(step * (len(known) - 1) / max(1, most - 1))] for step in range(most)})
    found: dict[object, Day] = {}
    for at in chosen:
        moment = points[at].at
        if moment is not None:
            found.setdefault(moment.date(), Day(curve.dots[at][0], moment))
    if len(found) > 1 or len(chosen) < 2:
        return tuple(found.values())
    ends = ((at, points[at].at) for at in (chosen[0], chosen[-1]))
    return tuple(Day(curve.dots[at][0], moment) for at, moment in ends if moment is not None)


def _marks(points: Sequence[Point]) -> tuple[Mark, ...]:
    """Return where each version begins, left of its first point."""
    found: list[Mark] = []
    named = -APART
    for at, point in enumerate(points):
        if at and point.version == points[at - 1].version:
            continue
        x = round(at * 100 / len(points), 2)
        is_named = x - named >= APART
        named = x if is_named else named
        found.append(Mark(x, point.version, is_named))
    return tuple(found)
