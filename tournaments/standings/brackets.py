"""A drawn bracket after a correction: the entries that belong in each match by the results as they are now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, cast

from core.formats.elimination.advance import advance
from core.formats.elimination.due import Due, chains, due_in
from core.formats.elimination.model import Bracket
from core.formats.elimination.replayed import ended_matches
from core.formats.model import Entrant, Plan, Pod, StageSoFar
from core.formats.pools import Course
from tournaments.models import Stage
from tournaments.pairing import inputs, plans
from tournaments.standings import ledger_cache


@dataclass(frozen=True, slots=True)
class Place:
    """A match that was drawn: its round and pod, and the entries that belong in it now.

    advance: how many of it go on.
    """

    round: int
    pod: Pod
    due: Due
    advance: int

    @property
    def is_right(self) -> bool:
        """True if the entries sit here that belong here."""
        return self.due.is_known and set(self.pod.seats) == set(self.due.entries)

    @property
    def is_playable(self) -> bool:
        """True if the entries that belong here can play it."""
        return self.due.is_known and len(self.due.entries) > self.advance


def places_of(stage: Stage) -> list[Place]:
    """Return every drawn match of a bracket stage, in the order of its rounds; none while a whole first one is on.

    Reads only.
    """
    if not stage.flows and not inputs.complete_rounds(stage):
        return []
    found = [place for now, course in standing_of(stage) for place in _places(now, course)]
    return sorted(found, key=lambda place: (place.round, place.pod.table))


def standing_of(stage: Stage) -> list[tuple[Bracket, Course]]:
    """Return the brackets of a stage, one for each group, with all results that are in, and the course of each."""
    results, complete = ledger_cache.results_of(stage), inputs.complete_rounds(stage)
    course = plans.course_of(stage, {}, results)
    parts = [course.of_pool(number) for number in range(len(course.pools))] or [course]
    seeds = [plans.pool_seed(plans.seed_of(stage), number) for number in range(len(course.pools))]
    return [
        (as_it_stands(stage, part, complete, seed), part)
        for part, seed in zip(parts, seeds or [plans.seed_of(stage)], strict=True)
        if part.history
    ]


def chains_of(stage: Stage) -> dict[tuple[int, int], int]:
    """Return, by (round, table), how many matches follow one another from a drawn one to the end of its bracket."""
    return {
        (plan.round, pod.table): found[pod.label]
        for now, course in standing_of(stage)
        for found in (chains(now),)
        for plan in course.history
        for pod in plan.pods
    }


def as_it_stands(stage: Stage, course: Course, complete: set[int], seed: str) -> Bracket:
    """Build one bracket: complete rounds as they went, and the results of the round that is on."""
    kind: Any = stage.format
    if course.open is not None:
        so_far = StageSoFar(
            course.entrants, plans.shape_of(stage), course.history, course.finished, course.constraints, course.open
        )
        return cast(Bracket, kind.bracket(so_far, Random(seed))[0])
    past = tuple(plan for plan in course.history if plan.round in complete)
    settled = tuple(item for item in course.finished if item.round in complete)
    # Before the first round is complete the bracket is still the one that was drawn, with everybody who was there then.
    entrants = course.entrants if past else _as_drawn(course)
    shape = plans.shape_of(stage)
    drawn, _waiting = kind.bracket(StageSoFar(entrants, shape, past, settled, course.constraints), Random(seed))
    by_match = {ended.match: ended for ended in drawn.finished}
    # Later facts win: a result of the round that is on replaces what the drawn bracket knew of that match.
    by_match |= {ended.match: ended for ended in ended_matches(course.history, course.finished)}
    return advance(drawn, by_match.values(), drawn.gone)


def _as_drawn(course: Course) -> tuple[Entrant, ...]:
    """Return the entrants who were there when the first round was drawn, also those who have left since."""
    first = course.history[0]
    there = {*first.byes, *(entry for pod in first.pods for entry in pod.seats)}
    return tuple(replace(item, is_active=True, joined=1) for item in course.entrants if item.entry in there)


def _places(now: Bracket, course: Course) -> Iterator[Place]:
    for plan in course.history:
        for pod in plan.pods:
            yield Place(plan.round, pod, due_in(now, pod.label), now.match(pod.label).advance)


def without(plan: Plan, label: str) -> Plan:
    """Return the plan as if that match had not been drawn: it is drawn again once it can be."""
    return replace(plan, pods=tuple(pod for pod in plan.pods if pod.label != label))
