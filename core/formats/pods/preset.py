"""Tables of a round that are filled before the others are searched for: the leaders', and those of forced pairs.

In the last rounds the leaders sit together if the stage wants that, anyone who has met before; as many tables as the
organiser chose are filled by rank. Two who must sit together are given the company that is closest to them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from core.formats.model import Shape
from core.formats.pods.costs import costs_of
from core.formats.pods.search import HARD
from core.formats.swiss.standing_order import Standing


@dataclass(frozen=True, slots=True)
class Preset:
    """Tables by positions. leaders: by rank; together: with people who must sit together."""

    leaders: tuple[tuple[int, ...], ...] = ()
    together: tuple[tuple[int, ...], ...] = ()

    @property
    def tables(self) -> tuple[tuple[int, ...], ...]:
        """All of them."""
        return (*self.leaders, *self.together)


def preset_tables(field: Standing, sizes: Sequence[int], shape: Shape, turn: int) -> Preset:
    """Return the tables that are filled beforehand in this round."""
    groups = groups_of(field)
    left, costs = list(sizes), costs_of(field)
    taken: set[int] = set()
    leaders: list[tuple[int, ...]] = []
    wanted = (shape.draw.leader_tables or len(sizes)) if turn > shape.rounds - shape.leaders else 0
    for _each in range(min(wanted, len(sizes))):
        size = shape.seats.pref if shape.seats.pref in left else left[0]
        table = _filled((), size, field, costs, taken, groups)
        left.remove(size)
        taken |= set(table)
        leaders.append(table)
    together: list[tuple[int, ...]] = []
    for group in groups:
        # Those of whom a leader took a place are seated already; a group that no table holds is left to the search.
        if taken.isdisjoint(group) and (size := _size_for(group, left, shape)):
            table = _filled(group, size, field, costs, taken, groups)
            left.remove(size)
            taken |= set(table)
            together.append(table)
    return Preset(tuple(leaders), tuple(together))


def groups_of(field: Standing) -> list[tuple[int, ...]]:
    """Return who must sit together, in the order of the field: A with B and B with C are one group."""
    groups: list[set[int]] = []
    for two in field.together:
        near = [group for group in groups if not group.isdisjoint(two)]
        groups = [group for group in groups if group.isdisjoint(two)] + [set(two).union(*near)]
    return sorted(tuple(sorted(group)) for group in groups)


def _size_for(group: Collection[int], left: Sequence[int], shape: Shape) -> int:
    """Return the size of a table for a group: the usual one where it is left; 0 if none is large enough."""
    able = [size for size in left if size >= len(group)]
    return min(able, key=lambda size: (size != shape.seats.pref, size), default=0)


def _filled(
    start: Sequence[int],
    size: int,
    field: Standing,
    costs: Sequence[dict[int, int]],
    taken: Collection[int],
    groups: Iterable[Sequence[int]],
) -> tuple[int, ...]:
    """Fill a table with those who come next in rank after its `start`; for a group with those nearest to it.

    Who must not meet is not seated together even then; of equal scores those come in who have met the others least.
    Who must sit with others brings them along, or waits if there is no room.
    """
    mates = {at: group for group in groups for at in group}
    chosen = list(start)
    middle = sum(field.level[at] for at in start) / len(start) if start else 0
    while len(chosen) < size:
        room = size - len(chosen)
        left = [at for at in range(len(field.entries)) if at not in chosen and at not in taken]
        fits = [at for at in left if len(set(mates.get(at, (at,))) - set(chosen)) <= room] or left
        if start:
            fits = [at for at in fits if at not in mates] or fits
        paid = {at: sum(costs[at].get(mate, 0) for mate in chosen) for at in fits}
        best = min(fits, key=lambda at: (paid[at] >= HARD, abs(field.level[at] - middle), paid[at], at))
        company = [at for at in mates.get(best, (best,)) if at not in chosen and at not in taken]
        chosen += company if len(company) <= room else [best]
    return tuple(sorted(chosen))
