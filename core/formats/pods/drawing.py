"""The tables of a round of Swiss, around those that are filled beforehand, and what its second meetings are owed to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from random import Random
from typing import Final

from core.formats.model import Constraint, ConstraintKind, DrawRules, Priority
from core.formats.pods.costs import OWN, grid_of, measure
from core.formats.pods.preset import Preset, groups_of
from core.formats.pods.search import Cost, Found, Grid, in_order, search
from core.formats.pods.words import LEADERS, SCORES, Drawn
from core.formats.swiss.standing_order import Standing

MAX_COMPARED: Final = 160
"""In larger fields an organiser's order is searched for once: a second search would take half a second more."""
Tables = list[list[int]]


def draw_tables(
    field: Standing,
    sizes: Sequence[int],
    preset: Preset,
    constraints: Sequence[Constraint],
    rules: DrawRules,
    rng: Random,
) -> Drawn:
    """Draw the tables, and find what second meetings are owed to, where there are any."""
    state = rng.getstate()
    found = _best(field, sizes, preset, rules.priorities, rng)
    drawn = Drawn(field, found.tables, preset, rules.priorities, found.is_proved)
    if not drawn.again:
        return drawn
    free = {}

    def without(name: str, other: Standing, preset: Preset) -> None:
        # The same lots each time: what a wish costs must not be mixed with another draw of luck.
        rng.setstate(state)
        free[name] = replace(drawn, tables=_fewest(other, sizes, preset, rng)).again

    soft = [item for item in constraints if item.kind is not ConstraintKind.TOGETHER]
    for name in dict.fromkeys(item.wish or item.kind.value for item in soft):
        without(name, field.with_constraints([i for i in constraints if (i.wish or i.kind.value) != name]), preset)
    if preset.leaders:
        without(LEADERS, field, replace(preset, leaders=()))
    if preset.together:
        without(ConstraintKind.TOGETHER.value, field, replace(preset, together=()))
    if not drawn.repeats_before_scores:
        without(SCORES, field, preset)
    return replace(drawn, without=tuple((name, again) for name, again in free.items() if again < drawn.again))


def _best(field: Standing, sizes: Sequence[int], preset: Preset, priorities: Sequence[Priority], rng: Random) -> Found:
    """Return the best tables in the organiser's order."""
    found = _found(field, grid_of(field, priorities, sizes), sizes, preset, rng)
    if not priorities or len(field.entries) > MAX_COMPARED:
        return found
    # The format's own search walks other ways: where it came out better in the organiser's order it is taken.
    other = _found(field, grid_of(field, OWN, sizes), sizes, preset, rng)
    return min((found, other), key=lambda each: measure(field, priorities, each.tables))


def _found(field: Standing, grid: Grid, sizes: Sequence[int], preset: Preset, rng: Random) -> Found:
    """Return the best tables, those that are filled beforehand first."""
    if not preset.tables:
        return search(grid, sizes, rng)
    seated = {at for table in preset.tables for at in table}
    others = [at for at in range(len(field.entries)) if at not in seated]
    left = list(sizes)
    for table in preset.tables:
        left.remove(len(table))
    found = search(grid.part(others), left, rng) if left else Found([], is_proved=True)
    tables = [list(table) for table in preset.tables]
    tables += [[others[at] for at in table] for table in found.tables]
    if preset.together:
        leading = len(preset.leaders)
        _improve(tables, field, grid, range(leading, len(preset.tables)))
        tables = tables[:leading] + in_order(tables[leading:])
    return Found(tables, is_proved=not grid.of(tables)[0])


def _improve(tables: Tables, field: Standing, grid: Grid, forced: range) -> None:
    """Exchange the company of forced pairs for others while that helps: they were seated before the rest was known."""
    bound = {at for group in groups_of(field) for at in group}
    is_better = True
    while is_better:
        is_better = False
        for here, there in product(forced, range(forced.start, len(tables))):
            if here != there and (there >= forced.stop or here < there):
                is_better |= _exchange(tables[here], tables[there], bound, lambda *pods: grid.of(pods))


def _exchange(here: list[int], there: list[int], bound: set[int], cost: Callable[[list[int], list[int]], Cost]) -> bool:
    """Make the first exchange between two tables that makes them better. Returns whether there was one."""
    now = cost(here, there)
    for one, other in _free_pairs(here, there, bound):
        mine = [other if at == one else at for at in here]
        theirs = [one if at == other else at for at in there]
        if cost(mine, theirs) < now:
            here[:], there[:] = sorted(mine), sorted(theirs)
            return True
    return False


def _free_pairs(here: Sequence[int], there: Sequence[int], bound: set[int]) -> Iterator[tuple[int, int]]:
    return product([at for at in here if at not in bound], [at for at in there if at not in bound])


def _fewest(field: Standing, sizes: Sequence[int], preset: Preset, rng: Random) -> Tables:
    """Return tables with as few second meetings as a search finds, regardless of the scores."""
    flat = replace(field, level=(0,) * len(field.level))
    return _found(flat, grid_of(flat, OWN, sizes), sizes, preset, rng).tables
