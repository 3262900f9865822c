"""What each priority of a draw costs: the round drawn again without it, and the two compared.

The alternatives are really drawn, by the same planner and the same lots, so the figures are those that an organiser
would get. They are information for one reader, so they end after some seconds, and large fields are not compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from time import monotonic
from typing import Final

from core.formats.errors import FormatError
from core.formats.model import Constraint, ConstraintKind, Plan, Priority, Shape
from core.formats.pools import Course
from core.formats.schedules.quality import met, pair
from tournaments.models import Stage
from tournaments.pairing import plans as planning
from tournaments.pairing.rotation import OF_AGES, close_partners
from tournaments.progress.draws.next_round import course_now

MAX_COMPARED: Final = 160
MAX_SECONDS: Final = 4.0
SOFT: Final = (ConstraintKind.AVOID, ConstraintKind.SEPARATE)


@dataclass(frozen=True, slots=True)
class Cost:
    """Figures of one round. again: pairs that have met before; apart: pairs that were to be kept apart and meet.

    spread: score levels between the best and the worst of each table, added up. broken: rules about pairs not kept.
    """

    again: int
    apart: int
    spread: int
    broken: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """A round and its alternatives. without: the priority that was given up -> figures; only those that differ.

    is_complete: all of them were drawn.
    """

    drawn: Cost
    without: tuple[tuple[Priority, Cost], ...]
    is_complete: bool


def compared(stage: Stage, plan: Plan) -> Comparison | None:
    """Return what the priorities of the next round cost, `plan` being the round; None where none can be ordered."""
    if not stage.format.takes_draw_rules:
        return None
    course, shape, began = course_now(stage), planning.shape_of(stage), monotonic()
    drawn = cost_of(plan, course)
    found: list[tuple[Priority, Cost]] = []
    wanted = [each for each in Priority if _matters(each, course)]
    if len(course.entrants) > MAX_COMPARED:
        return Comparison(drawn, (), is_complete=not wanted)
    for at, each in enumerate(wanted):
        if monotonic() - began > MAX_SECONDS:
            return Comparison(drawn, tuple(found), is_complete=at == len(wanted))
        other = _without(stage, course, shape, each)
        if other is not None and (cost := cost_of(other, course)) != drawn:
            found.append((each, cost))
    return Comparison(drawn, tuple(found), is_complete=True)


@dataclass(frozen=True, slots=True)
class AgeCost:
    """What the rule about ages comes to in a round where partners change. broken: partners who are nearer in age.

    repeats, repeats_without: repeated partnerships in all planned rounds, with the rule and without it.
    """

    broken: tuple[tuple[str, str], ...]
    repeats: int
    repeats_without: int


def ages_of(stage: Stage, plan: Plan) -> AgeCost | None:
    """Return what the rule about ages costs in the next round, which is `plan`; None where there is no such rule."""
    if not stage.tournament.age_gap or plan.rotation is None:
        return None
    course = course_now(stage)
    broken = tuple(close_partners(plan, course.constraints))
    free = replace(course, constraints=tuple(each for each in course.constraints if each.wish != OF_AGES))
    try:
        plans = planning.plans_of(stage, planning.shape_of(stage), free, planning.seed_of(stage))
    except FormatError:
        plans = ()
    repeats = plan.rotation.partners.repeats
    without = plans[0].rotation.partners.repeats if plans and plans[0].rotation is not None else repeats
    return AgeCost(broken, repeats, without)


def _matters(priority: Priority, course: Course) -> bool:
    """Return whether giving it up could change anything."""
    if priority is Priority.CLUBS:
        return any(item.kind in SOFT for item in course.constraints)
    if priority is Priority.REPEATS:
        return bool(course.history)
    return len({item.score for item in course.entrants}) > 1


def _without(stage: Stage, course: Course, shape: Shape, priority: Priority) -> Plan | None:
    """Draw the round with this priority behind all others, wishes about club mates left out altogether."""
    order = [each for each in shape.draw.priorities or Priority if each is not priority]
    if priority is Priority.CLUBS:
        course = replace(course, constraints=tuple(i for i in course.constraints if i.kind not in SOFT))
    else:
        shape = replace(shape, draw=replace(shape.draw, priorities=(*order, priority)))
    try:
        plans = planning.plans_of(stage, shape, course, planning.seed_of(stage))
    except FormatError:
        return None  # what cannot be drawn costs nothing that could be named
    return plans[0] if plans else None


def cost_of(plan: Plan, course: Course) -> Cost:
    """Return the figures of a round after the rounds of a course."""
    before = met(each.pods for each in course.history)
    pairs = [pair(*two) for pod in plan.pods for two in combinations(pod.seats, 2)]
    soft = _pairs_of([item for item in course.constraints if item.kind in SOFT])
    hard = [i for i in course.constraints if i.kind is ConstraintKind.FORBID and i.holds(plan.round)]
    levels = sorted({item.score for item in course.entrants}, reverse=True)
    level = {item.entry: levels.index(item.score) for item in course.entrants}
    tables = [[level[entry] for entry in pod.seats if entry in level] for pod in plan.pods]
    return Cost(
        again=sum(before[two] > 0 for two in pairs),
        apart=sum(two in soft for two in pairs),
        spread=sum(max(own) - min(own) for own in tables if own),
        broken=sum(two in _pairs_of(hard) for two in pairs),
    )


def _pairs_of(constraints: Sequence[Constraint]) -> Collection[tuple[str, str]]:
    return set(_each_pair(constraints))


def _each_pair(constraints: Sequence[Constraint]) -> Iterator[tuple[str, str]]:
    for item in constraints:
        yield from (pair(*two) for two in combinations(sorted(set(item.entries)), 2))
