"""The drawing of a rating: inside its frame, the band around the line, a column for each point, evenly thinned."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ratings.curve import EDGE, MAX_LINES, SIZE, curve_of, thinned
from core.ratings.model import Rating

rows = st.lists(st.tuples(st.floats(-20, 70), st.floats(0.1, 9)), min_size=2, max_size=40)


def points(text: str) -> list[tuple[float, float]]:
    """Return the points of a line in percent."""
    found = [tuple(float(number) * 100 / SIZE for number in each.split(",")) for each in text.split()]
    return [(x, y) for x, y in found]


@given(rows)
def test_everything_is_inside_and_the_line_is_in_its_band(figures: list[tuple[float, float]]) -> None:
    found = curve_of([Rating(mu, sigma) for mu, sigma in figures])
    assert found is not None
    band = points(found.band)
    upper, lower = band[: len(figures)], band[len(figures) :][::-1]
    for (x, y), top, bottom in zip(found.dots, upper, lower, strict=True):
        assert 0 < x < 100
        assert top[0] == bottom[0] == pytest.approx(x)
        assert EDGE - 0.1 <= top[1] <= y + 0.01
        assert y - 0.01 <= bottom[1] <= 100 - EDGE + 0.1
    assert points(found.line) == [pytest.approx(dot) for dot in found.dots]
    assert 2 <= len(found.ticks) <= MAX_LINES + 1
    values = [tick.value for tick in found.ticks]
    assert values == sorted(values)
    assert [tick.y for tick in found.ticks] == sorted((tick.y for tick in found.ticks), reverse=True)


def test_every_point_stands_in_the_middle_of_a_column_of_its_own() -> None:
    found = curve_of([Rating(20, 1)] * 4)
    assert found is not None
    assert [x for x, _y in found.dots] == [12.5, 37.5, 62.5, 87.5]


def test_higher_is_further_up() -> None:
    found = curve_of([Rating(20, 1), Rating(30, 1)])
    assert found is not None
    assert found.dots[1][1] < found.dots[0][1]


def test_one_rating_alone_is_a_dot_with_its_interval() -> None:
    found = curve_of([Rating(20, 1)])
    assert found is not None
    (left, top), (right, _top), (_right, bottom), _last = points(found.band)
    (x, y), *more = found.dots
    assert left < x < right
    assert top < y < bottom
    assert more == []
    assert curve_of([]) is None


@given(st.integers(1, 500), st.integers(2, 60))
def test_thinned_keeps_the_ends(count: int, most: int) -> None:
    kept = thinned(count, most)
    assert kept[0] == 0
    assert kept[-1] == count - 1
    assert len(kept) == min(count, most)
