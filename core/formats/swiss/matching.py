"""Perfect matchings of least cost, where costs are tuples compared left to right.

rustworkx matches by one integer a pair: the columns of a cost are packed into it, each as wide as its sum over a whole
matching can grow, so that adding never carries into the column before. Above 126 bits the library overflows; the
columns are cut from the right, which only makes the least important wishes coarser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import rustworkx

MAX_BITS = 120
Cost = tuple[int, ...]
Edges = Mapping[tuple[int, int], Cost]


def least(nodes: int, edges: Edges, alone: Sequence[int] = ()) -> list[tuple[int, int]]:
    """Match as many nodes as possible into pairs (smaller first, sorted), the sum of costs least column by column.

    edges: cost of each pair that may be; all of one length, no number negative. alone: columns that one pair of a
    matching has at most, so that they need no room for sums. The same edges give the same pairs.
    """
    if not edges:
        return []
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(nodes))
    # The library's result depends on the order of the edges: sorted, equal inputs give equal pairs.
    order = sorted(edges)
    packed = _packed([edges[pair] for pair in order], nodes // 2, alone)
    # The library finds the greatest weight: costs are turned round, and every pair is worth more than none.
    top = max(packed) + 1
    graph.add_edges_from([(one, other, top - cost) for (one, other), cost in zip(order, packed, strict=True)])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in found)


def _packed(costs: Sequence[Cost], pairs: int, alone: Sequence[int]) -> list[int]:
    """Pack each cost into one integer; smaller is better."""
    highest = [max(column) for column in zip(*costs, strict=True)]
    # Wide enough for the sum over a whole matching, so that no column carries into the one before it.
    widths = [(most * (1 if at in alone else max(1, pairs))).bit_length() for at, most in enumerate(highest)]
    cuts = _cuts(widths)
    packed = []
    for cost in costs:
        value = 0
        for number, width, cut in zip(cost, widths, cuts, strict=True):
            value = (value << (width - cut)) | (number >> cut)
        packed.append(value)
    return packed


def _cuts(widths: Sequence[int]) -> list[int]:
    """Return how many bits each column loses: as few as it takes, from the right."""
    over = max(0, sum(widths) - MAX_BITS)
    cuts = [0] * len(widths)
    for at in range(len(widths) - 1, -1, -1):
        cuts[at] = min(over, widths[at])
        over -= cuts[at]
    return cuts
