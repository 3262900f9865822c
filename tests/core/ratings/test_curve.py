"""The drawing of a rating: inside its frame, the band around the line, evenly thinned."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.ratings.curve import EDGE, HEIGHT, LEFT, MAX_LINES, RIGHT, WIDTH, curve_of, thinned
from core.ratings.model import Rating

rows = st.lists(st.tuples(st.floats(-20, 70), st.floats(0.1, 9)), min_size=2, max_size=40)


@given(rows)
def test_everything_is_inside_and_the_line_is_in_its_band(figures: list[tuple[float, float]]) -> None:
    found = curve_of([Rating(mu, sigma) for mu, sigma in figures])
    assert found is not None
    band = [tuple(map(float, each.split(","))) for each in found.band.split()]
    upper, lower = band[: len(figures)], band[len(figures) :][::-1]
    for (x, y), top, bottom in zip(found.dots, upper, lower, strict=True):
        assert LEFT <= x <= WIDTH - RIGHT
        assert top[0] == bottom[0] == x
        assert EDGE - 0.1 <= top[1] <= y <= bottom[1] <= HEIGHT - EDGE + 0.1
    assert [x for x, _y in found.dots] == sorted(x for x, _y in found.dots)
    assert 2 <= len(found.ticks) <= MAX_LINES + 1
    values = [tick.value for tick in found.ticks]
    assert values == sorted(values)
    assert [tick.y for tick in found.ticks] == sorted((tick.y for tick in found.ticks), reverse=True)


def test_higher_is_further_up() -> None:
    found = curve_of([Rating(20, 1), Rating(30, 1)])
    assert found is not None
    assert found.dots[1][1] < found.dots[0][1]
    assert curve_of([Rating(20, 1)]) is None


@given(st.integers(1, 500), st.integers(2, 60))
def test_thinned_keeps_the_ends(count: int, most: int) -> None:
    kept = thinned(count, most)
    assert kept[0] == 0
    assert kept[-1] == count - 1
    assert len(kept) == min(count, most)
