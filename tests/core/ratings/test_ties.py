"""Tie groups: pairs told apart by Holm's method, against its definition step by step."""

from __future__ import annotations

from itertools import combinations
from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from core.ratings import ties
from core.ratings.model import Rating
from core.ratings.ties import board_of

ratings = st.lists(st.tuples(st.floats(-50, 50), st.floats(0.3, 9)), min_size=1, max_size=14)


def apart(board: list[Rating], alpha: float = 0.05) -> set[tuple[int, int]]:
    """Pairs (worse, better) that Holm tells apart, as the textbook has it."""
    p = {}
    for one, other in combinations(range(len(board)), 2):
        gap = abs(board[one].mu - board[other].mu) / hypot(board[one].sigma, board[other].sigma)
        p[one, other] = 2 * norm.sf(gap)
    found = set()
    for done, pair in enumerate(sorted(p, key=lambda pair: p[pair])):
        if p[pair] >= alpha / (len(p) - done):
            break
        one, other = pair
        found.add(pair if board[one].mu < board[other].mu else (other, one))
    return found


@pytest.mark.thorough
@given(ratings)
def test_ranks_are_those_of_the_textbook(rows: list[tuple[float, float]]) -> None:
    board = [Rating(round(mu, 3), round(sigma, 3)) for mu, sigma in rows]
    told, known = apart(board), board_of(board)
    for at, rating in enumerate(board):
        better = sum(one == at for one, _other in told)
        worse = sum(other == at for _one, other in told)
        assert known.ranks_of(rating) == (better + 1, len(board) - worse)


def test_a_clear_board_has_single_ranks_and_an_unclear_one_a_group() -> None:
    clear = [Rating(30, 1), Rating(20, 1), Rating(10, 1)]
    assert [board_of(clear).ranks_of(each) for each in clear] == [(1, 1), (2, 2), (3, 3)]
    unclear = [Rating(26, 2), Rating(25, 2), Rating(24, 2), Rating(2, 1)]
    assert [board_of(unclear).ranks_of(each) for each in unclear] == [(1, 3), (1, 3), (1, 3), (4, 4)]


def test_more_comparisons_tell_fewer_apart() -> None:
    """A difference of 2.2 standard errors is enough for two, not for ten."""
    pair = [Rating(25, 1), Rating(25 - 2.2 * 2**0.5, 1)]
    assert board_of(pair).ranks_of(pair[0]) == (1, 1)
    ten = [*pair, *(Rating(25 - each / 10, 1) for each in range(8))]
    assert board_of(ten).ranks_of(pair[0]) == (1, 10)


def test_one_alone_and_equals() -> None:
    assert board_of([Rating(25, 8)]).ranks_of(Rating(25, 8)) == (1, 1)
    assert board_of([Rating(25, 8)] * 5).ranks_of(Rating(25, 8)) == (1, 5)


def test_a_long_board_is_never_bolder_than_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [Rating(25 + each, 1.5) for each in range(40)]
    exact = [board_of(rows).ranks_of(each) for each in rows]
    monkeypatch.setattr(ties, "MAX_HOLM", 10)
    wide = [board_of(rows).ranks_of(each) for each in rows]
    assert all(
        low <= own_low and own_high <= high for (low, high), (own_low, own_high) in zip(wide, exact, strict=True)
    )
