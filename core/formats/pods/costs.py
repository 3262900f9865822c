"""What a meeting of two costs at a table of Swiss: by the format's own weights, or in the organiser's order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

from core.formats.model import Priority
from core.formats.pods.search import HARD, Grid
from core.formats.swiss.standing_order import Pair, Standing

Measure = tuple[int, ...]
"""Forbidden meetings, then what each priority comes to, the most important first."""
OWN: Final[tuple[Priority, ...]] = ()


def costs_of(field: Standing) -> list[dict[int, int]]:
    """Return what a meeting costs by the format's own weights: met before, wishes, far more if it is forbidden."""
    return _added(field, (field.met, field.weights, dict.fromkeys(field.forbidden, HARD)))


def grid_of(field: Standing, priorities: Sequence[Priority], sizes: Sequence[int]) -> Grid:
    """Return the grid to search in. priorities: all three, or none for the format's own."""
    if not priorities:
        return Grid(costs_of(field), field.level)
    place = {each: at for at, each in enumerate(priorities)}
    met, apart = dict(field.met), dict.fromkeys((two for two, paid in field.weights.items() if paid), 1)
    of: dict[Priority, Mapping[Pair, int]] = {Priority.REPEATS: met, Priority.CLUBS: apart}
    before = [of[each] for each in priorities[: place[Priority.SCORES]]]
    after = [of[each] for each in priorities[place[Priority.SCORES] + 1 :]]
    pairs = sum(size * (size - 1) // 2 for size in sizes)
    conflicts, minor = _ranked(before, pairs), _ranked(after, pairs)
    # Dearer than all other conflicts of a round together: a forbidden pair gives way last in every order.
    hard = max(HARD, pairs * max(conflicts.values(), default=0) + 1)
    cost = _added(field, (conflicts, dict.fromkeys(field.forbidden, hard)))
    step = pairs * max(minor.values(), default=0) + 1
    if not before:
        return Grid(cost, field.level, _added(field, (minor,)), scores_first=True)
    return Grid(cost, field.level, _added(field, (minor,)) if minor else (), step if minor else 1)


def measure(field: Standing, priorities: Sequence[Priority], tables: Iterable[Sequence[int]]) -> Measure:
    """Return what tables come to, to be compared in the organiser's order."""
    pairs = [two for table in tables for two in combinations(sorted(table), 2)]
    of = {
        Priority.REPEATS: sum(field.met[two] for two in pairs),
        Priority.CLUBS: sum(field.weights[two] > 0 for two in pairs),
        Priority.SCORES: sum((field.level[one] - field.level[other]) ** 2 for one, other in pairs),
    }
    return (sum(two in field.forbidden for two in pairs), *(of[each] for each in priorities))


def _ranked(costs: Sequence[Mapping[Pair, int]], pairs: int) -> dict[Pair, int]:
    """Put costs in an order, the most important first: one of the first is dearer than all of the second in a round."""
    found: dict[Pair, int] = {}
    for own in costs:
        width = pairs * max(own.values(), default=0) + 1
        found = {two: found.get(two, 0) * width + own.get(two, 0) for two in found.keys() | own.keys()}
    return found


def _added(field: Standing, sources: Iterable[Mapping[Pair, int]]) -> list[dict[int, int]]:
    costs: list[dict[int, int]] = [{} for _ in field.entries]
    for source in sources:
        for (one, other), amount in source.items():
            if amount:
                costs[one][other] = costs[other][one] = costs[one].get(other, 0) + amount
    return costs
