"""A drawn bracket after a correction: whose match it is by the results as they are now, match by match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tournaments.formats import FORMATS
from tournaments.formats.elimination.advance import advance
from tournaments.formats.elimination.due import Due, due_in
from tournaments.formats.elimination.replayed import facts_of
from tournaments.formats.model import Plan, Pod
from tournaments.jobs import books, inputs, planning
from tournaments.models import Stage


@dataclass(frozen=True, slots=True)
class Place:
    """A match that was drawn: its round and pod, and who belongs in it now. advance: how many of it go on."""

    round: int
    pod: Pod
    due: Due
    advance: int

    @property
    def is_right(self) -> bool:
        """Whether those sit here who belong here."""
        return self.due.is_known and set(self.pod.seats) == set(self.due.entries)

    @property
    def is_playable(self) -> bool:
        """Whether it can be played by those who belong here."""
        return self.due.is_known and len(self.due.entries) > self.advance


def places_of(stage: Stage) -> list[Place]:
    """Every drawn match of a bracket stage, in the order of its rounds; none while the first one is on. Reads only."""
    course = planning.course_of(stage, {}, books.results_of(stage))
    complete = inputs.complete_rounds(stage)
    parts = [course.of_pool(number) for number in range(len(course.pools))] or [course]
    seeds = [planning.pool_seed(planning.seed_of(stage), number) for number in range(len(course.pools))]
    found = [
        place
        for part, seed in zip(parts, seeds or [planning.seed_of(stage)], strict=True)
        for place in _places(stage, part, complete, seed)
    ]
    return sorted(found, key=lambda place: (place.round, place.pod.table))


def _places(stage: Stage, course: planning.Course, complete: set[int], seed: str) -> Iterator[Place]:
    kind: Any = FORMATS[stage.kind]
    shape = planning.shape_of(stage)
    past = tuple(plan for plan in course.history if plan.round in complete)
    if not past:
        return
    settled = tuple(item for item in course.finished if item.round in complete)
    rng = Random(seed)
    drawn, _waiting = kind.bracket(course.entrants, shape, past, settled, course.constraints, rng)
    facts = {ended.match: ended for ended in drawn.finished}
    facts |= {ended.match: ended for ended in facts_of(course.history, course.finished)}
    now = advance(drawn, facts.values(), drawn.gone)
    for plan in course.history:
        for pod in plan.pods:
            match = now.match(pod.label)
            yield Place(plan.round, pod, due_in(now, pod.label), match.advance)


def without(plan: Plan, label: str) -> Plan:
    """The plan as if that match had not been drawn: it is drawn again once it can be."""
    return replace(plan, pods=tuple(pod for pod in plan.pods if pod.label != label))
