"""The search keeps its own accounts right, and byes take earlier rounds into account."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats.model import Plan, Seats
from core.formats.schedules.annealing import Search, Task, anneal
from tests.core.formats.builders import entrants
from tests.core.formats.next_plan import plan


def symmetric(size: int, rng: Random, most: int) -> list[list[int]]:
    """Random whole numbers 0..most, the same both ways, nothing with oneself."""
    out = [[0] * size for _ in range(size)]
    for one in range(size):
        for other in range(one):
            out[one][other] = out[other][one] = rng.randint(0, most)
    return out


def a_task(rng: Random) -> tuple[Task, list[list[list[int]]]]:
    """Ten players at tables of four, three and three, with earlier meetings and wishes."""
    task = Task(10, symmetric(10, rng, 2), symmetric(10, rng, 5), bound=0)
    rounds = []
    for _ in range(3):
        order = rng.sample(range(10), 10)
        rounds.append([order[:4], order[4:7], order[7:]])
    return task, rounds


@settings(max_examples=50, deadline=None)
@given(st.integers())
def test_a_swap_changes_the_cost_by_what_was_announced(seed: int) -> None:
    rng = Random(seed)
    task, rounds = a_task(rng)
    search = Search(task, rounds)
    for _ in range(10):
        here, there = rng.sample(rng.choice(search.rounds), 2)
        seat, place = rng.randrange(len(here)), rng.randrange(len(there))
        search.swap(here, seat, there, place, search.change(here, seat, there, place))
        recounted = Search(task, search.rounds)
        assert (search.cost, search.met) == (recounted.cost, recounted.met)


@settings(max_examples=20, deadline=None)
@given(st.integers())
def test_a_search_never_ends_worse_than_it_began(seed: int) -> None:
    rng = Random(seed)
    task, rounds = a_task(rng)
    found, cost = anneal(task, rounds, rng, steps=500)
    assert cost == Search(task, found).cost <= Search(task, rounds).cost


@pytest.mark.slow
@settings(max_examples=2, deadline=None)
@given(st.integers())
def test_who_sat_out_before_sits_out_last(seed: int) -> None:
    """Ten at tables of four: two sit out, and nobody twice before everybody once, round after round."""
    drawn: list[Plan] = []
    for number in range(5):
        drawn.append(plan("tables", entrants(10), 5, Seats(4, 4, 4), seed + number, history=drawn))
    assert sorted(entry for p in drawn for entry in p.byes) == [entrant.entry for entrant in entrants(10)]
