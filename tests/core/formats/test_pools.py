"""Groups side by side, and the ranking of an event of several stages."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats import pools, schedule
from core.formats.model import Entrant, Finished, Plan, Seats
from core.formats.pools import snake
from core.formats.progression import best_places, event_ranking

QUICK = settings(max_examples=60, deadline=None)


@QUICK
@given(st.integers(4, 24), st.integers(1, 6), st.sampled_from(["round_robin", "tables", "swiss"]))
def test_a_round_of_all_groups_is_the_rounds_of_each(entries: int, groups: int, kind: str) -> None:
    groups = min(groups, entries // 2)
    everybody = [Entrant(f"e{number}", number) for number in range(1, entries + 1)]
    parts = [schedule(kind, members, 1, Seats(2, 2, 2), "seed") for members in snake(everybody, groups)]
    whole = pools.together(parts)
    for plan in whole:
        assert [pod.table for pod in plan.pods] == list(range(1, len(plan.pods) + 1))
        assert max(Counter(entry for pod in plan.pods for entry in pod.seats).values()) == 1
        assert Plan.from_json(plan.to_json()) == plan
    for part, members in zip(parts, snake(everybody, groups), strict=True):
        own = pools.own_history(whole, {item.entry for item in members})
        assert [[pod.seats for pod in plan.pods] for plan in own] == [[pod.seats for pod in plan.pods] for plan in part]
        assert [plan.byes for plan in own] == [plan.byes for plan in part]
        ends = [Finished(plan.round, pod.table, (1, 2), (), (False, False)) for plan in whole for pod in plan.pods]
        assert len(pools.own_finished(own, ends)) == sum(len(plan.pods) for plan in part)


Chain = tuple[int, list[tuple[int, int, int]], dict[int, dict[str, int]]]


@st.composite
def chains(draw: st.DrawFn) -> Chain:
    """Stages one after the other; in each the best go on to the next."""
    field = [f"e{number:02}" for number in range(draw(st.integers(2, 20)))]
    ranks: dict[int, dict[str, int]] = {}
    ways: list[tuple[int, int, int]] = []
    number = 0
    while field:
        number += 1
        ranks[number] = {entry: draw(st.integers(1, 9)) for entry in field}
        if number > 1:
            ways.append((number - 1, number, 1))
        keep = draw(st.integers(0, len(field) - 1))
        field = sorted(field, key=lambda entry: ranks[number][entry])[:keep]
    return number, ways, ranks


@QUICK
@given(chains())
def test_who_went_further_ranks_higher(
    chain: tuple[int, list[tuple[int, int, int]], dict[int, dict[str, int]]],
) -> None:
    stages, ways, ranks = chain
    table = event_ranking(ranks, ways, stages)
    assert sorted(item.entry for item in table) == sorted(ranks[1])
    assert [item.stage for item in table] == sorted((item.stage for item in table), reverse=True)
    for above, below in pairwise(table):
        assert above.rank <= below.rank
        assert (above.rank == below.rank) == ((above.stage, above.place) == (below.stage, below.place))
        assert above.stage > below.stage or above.place <= below.place
    for row, item in enumerate(table, start=1):
        assert item.rank <= row


def test_the_final_comes_before_the_consolation_whatever_their_order() -> None:
    ways = [(1, 2, 5), (1, 3, 1)]
    best = best_places(3, ways)
    assert sorted(best, key=best.__getitem__) == [3, 2, 1]
    ranks = {1: {"a": 1, "b": 2, "c": 3, "d": 4}, 2: {"c": 1}, 3: {"a": 2, "b": 1}}
    assert [(item.entry, item.rank, item.stage) for item in event_ranking(ranks, ways, 3)] == [
        ("b", 1, 3),
        ("a", 2, 3),
        ("c", 3, 2),
        ("d", 4, 1),
    ]
