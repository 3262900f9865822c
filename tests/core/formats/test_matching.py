"""The matching of least cost, against every matching there is and against another library with costs of 120 bits."""

from __future__ import annotations

from itertools import combinations

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats.swiss.matching import Cost, least

Edges = dict[tuple[int, int], Cost]


@st.composite
def graphs(draw: st.DrawFn, highest: int) -> tuple[int, Edges]:
    nodes = draw(st.integers(2, 8))
    pairs = draw(st.sets(st.sampled_from(list(combinations(range(nodes), 2))), min_size=1))
    numbers = st.tuples(*[st.integers(0, highest)] * 3)
    return nodes, {pair: draw(numbers) for pair in sorted(pairs)}


def all_matchings(edges: Edges) -> list[list[tuple[int, int]]]:
    """Every set of pairs without a common node."""
    found: list[list[tuple[int, int]]] = [[]]
    for pair in edges:
        found += [[*known, pair] for known in found if not any(set(pair) & set(other) for other in known)]
    return found


def total(edges: Edges, pairs: list[tuple[int, int]]) -> list[int]:
    return [sum(edges[pair][column] for pair in pairs) for column in range(3)]


@pytest.mark.thorough
@settings(max_examples=150, deadline=None)
@given(graphs(9))
def test_as_many_as_can_be_and_the_least_column_by_column(graph: tuple[int, Edges]) -> None:
    nodes, edges = graph
    found = least(nodes, edges)
    assert set(found) <= edges.keys()
    assert len({node for pair in found for node in pair}) == 2 * len(found)
    matchings = all_matchings(edges)
    most = max(map(len, matchings))
    assert len(found) == most
    assert total(edges, found) == min(total(edges, pairs) for pairs in matchings if len(pairs) == most)


@settings(max_examples=60, deadline=None)
@given(graphs(2**37 - 1))
def test_wide_columns_do_not_overflow(graph: tuple[int, Edges]) -> None:
    """Three columns of 37 bits with room for the sum of four pairs: 117 bits."""
    nodes, edges = graph
    other = networkx.Graph()
    other.add_nodes_from(range(nodes))
    for (one, two), (high, middle, low) in edges.items():
        other.add_edge(one, two, weight=(high << 160) + (middle << 80) + low)
    expected = [tuple(sorted(pair)) for pair in networkx.min_weight_matching(other)]
    assert total(edges, least(nodes, edges)) == total(edges, sorted((one, two) for one, two in expected))


def test_too_wide_columns_are_cut_from_the_right() -> None:
    huge = 2**70
    edges = {(0, 1): (1, 0, 5), (0, 2): (0, huge, 5), (0, 3): (0, huge - 1, 9)}
    assert least(4, edges) == [(0, 3)]
    assert least(4, {}) == []
