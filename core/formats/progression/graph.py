"""Check of stages and the ways between them, before an event is announced."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from graphlib import CycleError, TopologicalSorter

from core.formats.errors import FormatError
from core.formats.progression.model import Progression


def check(stages: Collection[str], ways: Sequence[Progression]) -> tuple[str, ...]:
    """The stages in an order in which each comes after those that feed it; of equals by name.

    Raises FormatError "progression.stage" (a stage that does not exist), "progression.range" (a place range that is
    none), "progression.overlap" (a place of a source that leads to two stages), "progression.order" (two ways into a
    stage with the same order) or "progression.cycle".
    """
    names = frozenset(stages)
    for way in ways:
        if not {way.source, way.target} <= names:
            message = f"there is no stage for the way from {way.source!r} to {way.target!r}; add it or drop the way"
            raise FormatError(message, code="progression.stage")
        if not 1 <= way.first <= way.last or (way.most is not None and way.most < 1):
            message = f"places {way.first} to {way.last}, at most {way.most}: from 1 on, the first not after the last"
            raise FormatError(message, code="progression.range")
    _disjoint(ways)
    return _ordered(names, ways)


def _disjoint(ways: Sequence[Progression]) -> None:
    """Check that nobody leaves for two stages, and nobody comes in with two seeds."""
    leaving: dict[str, list[Progression]] = defaultdict(list)
    coming: dict[str, list[int]] = defaultdict(list)
    for way in ways:
        for other in leaving[way.source]:
            if way.first <= other.last and other.first <= way.last:
                message = f"places {max(way.first, other.first)} to {min(way.last, other.last)} lead to two stages"
                raise FormatError(f"{message}; make the ranges disjoint", code="progression.overlap")
        if way.order in coming[way.target]:
            message = f"two ways into {way.target!r} have order {way.order}; number them"
            raise FormatError(message, code="progression.order")
        leaving[way.source].append(way)
        coming[way.target].append(way.order)


def _ordered(names: frozenset[str], ways: Sequence[Progression]) -> tuple[str, ...]:
    sorter: TopologicalSorter[str] = TopologicalSorter({name: set() for name in sorted(names)})
    for way in ways:
        sorter.add(way.target, way.source)
    try:
        sorter.prepare()
    except CycleError as error:
        circle = " -> ".join(error.args[1])
        message = f"the stages lead back to themselves: {circle}; take one way out"
        raise FormatError(message, code="progression.cycle") from error
    out: list[str] = []
    while sorter.is_active():
        # Sorted: the library gives stages of one level in no promised order.
        ready = sorted(sorter.get_ready())
        out += ready
        sorter.done(*ready)
    return tuple(out)
