"""Check of stages and the ways between them, before an event is announced."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from graphlib import CycleError, TopologicalSorter

from core.formats.errors import FormatError
from core.formats.progression.model import Progression


def check(stages: Collection[str], rules: Sequence[Progression]) -> tuple[str, ...]:
    """The stages in an order in which each comes after those that feed it; of equals by name.

    Raises FormatError "progression.stage" (a stage that does not exist), "progression.range" (a place range that is
    none), "progression.overlap" (a place of a source that leads to two stages), "progression.order" (two ways into a
    stage with the same order) or "progression.cycle".
    """
    names = frozenset(stages)
    for rule in rules:
        if not {rule.source, rule.target} <= names:
            message = f"there is no stage for the way from {rule.source!r} to {rule.target!r}; add it or drop the way"
            raise FormatError(message, code="progression.stage")
        if not 1 <= rule.first <= rule.last or (rule.most is not None and rule.most < 1):
            message = (
                f"places {rule.first} to {rule.last}, at most {rule.most}: from 1 on, the first not after the last"
            )
            raise FormatError(message, code="progression.range")
    _disjoint(rules)
    return _ordered(names, rules)


def _disjoint(rules: Sequence[Progression]) -> None:
    """Check that nobody leaves for two stages, and nobody comes in with two seeds."""
    leaving: dict[str, list[Progression]] = defaultdict(list)
    coming: dict[str, list[int]] = defaultdict(list)
    for rule in rules:
        for other in leaving[rule.source]:
            if rule.first <= other.last and other.first <= rule.last:
                message = f"places {max(rule.first, other.first)} to {min(rule.last, other.last)} lead to two stages"
                raise FormatError(f"{message}; make the ranges disjoint", code="progression.overlap")
        if rule.order in coming[rule.target]:
            message = f"two ways into {rule.target!r} have order {rule.order}; number them"
            raise FormatError(message, code="progression.order")
        leaving[rule.source].append(rule)
        coming[rule.target].append(rule.order)


def _ordered(names: frozenset[str], rules: Sequence[Progression]) -> tuple[str, ...]:
    sorter: TopologicalSorter[str] = TopologicalSorter({name: set() for name in sorted(names)})
    for rule in rules:
        sorter.add(rule.target, rule.source)
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
