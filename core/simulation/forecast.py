"""Time that an event takes, worked out at once: the tables of each round are counted, and nothing is drawn.

A rehearsal plays an event some hundred times and takes seconds; a form that compares several needs an answer while
somebody waits. Both use the same `Course`, and the tests compare their figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from math import sqrt
from statistics import NormalDist
from typing import Final

from core.formats import FORMATS
from core.formats.model import Shape
from core.formats.progression import Progression, check
from core.formats.stage_format import TeamSeating
from core.simulation.model import Course, Pace, Part

NORMAL: Final = NormalDist()
NINE_TENTHS: Final = NORMAL.inv_cdf(0.9)
ONE_DEVIATION: Final = (NORMAL.cdf(-1.0), NORMAL.cdf(1.0))


@dataclass(frozen=True, slots=True)
class StageTime:
    """Forecast of one stage. tables: the most that play at once if there are enough; turns: how often the tables that
    there are fill up for one round, at most. starts, hours: hours from the beginning, and how long it lasts.
    """

    name: str
    entries: int
    groups: int
    rounds: int
    matches: int
    tables: int
    turns: int
    starts: float
    hours: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """Forecast of a whole event. hours: half and nine tenths of such events take no longer. stages: in order of play.

    matches: that are sure for everybody, and the most that somebody can play.
    """

    stages: tuple[StageTime, ...]
    hours: tuple[float, float]
    matches: tuple[int, int]


def forecast(course: Course) -> Forecast:
    """Return how long the event takes. Stages that no stage leads to one another from are played side by side.

    Raises what `check` raises of ways that lead nowhere.
    """
    order = check([part.name for part in course.parts], course.ways)
    parts = {part.name: part for part in course.parts}
    sizes: dict[str, tuple[int, ...]] = {}
    for name in order:
        sizes[name] = _groups(_entries(course, sizes, name), parts[name].groups)
    rounds = {name: _tables(parts[name], sizes[name]) for name in order}
    stages: list[StageTime] = []
    mean = variance = 0.0
    for names in _levels(order, course.ways):
        together = [sum(found) for found in zip_longest(*(rounds[name] for name in names), fillvalue=0)]
        spent = [_sitting(tables, course.pace) for tables in together]
        for name in names:
            lasts = sum(minutes for minutes, _ in spent[: len(rounds[name])]) / 60
            stages.append(_stage(parts[name], sizes[name], rounds[name], course.pace, (mean / 60, lasts)))
        mean += sum(minutes for minutes, _ in spent)
        variance += sum(square for _, square in spent)
    hours = (mean / 60, (mean + NINE_TENTHS * sqrt(variance)) / 60)
    return Forecast(tuple(stages), hours, _played(course, order, sizes, rounds))


def _stage(part: Part, sizes: Sequence[int], rounds: Sequence[int], pace: Pace, time: tuple[float, float]) -> StageTime:
    tables = max(rounds, default=0)
    return StageTime(
        name=part.name,
        entries=sum(sizes),
        groups=len(sizes),
        rounds=len(rounds),
        matches=sum(rounds),
        tables=tables,
        turns=-(-tables // pace.tables) if pace.tables else 1,
        starts=time[0],
        hours=time[1],
    )


def _entries(course: Course, sizes: dict[str, tuple[int, ...]], name: str) -> int:
    """Return how many come to a stage."""
    rules = [rule for rule in course.ways if rule.target == name]
    if not rules:
        return course.entries
    return sum(_coming(rule, sizes[rule.source]) for rule in rules)


def _coming(rule: Progression, sizes: Sequence[int]) -> int:
    found = sum(max(0, min(rule.last, size) - rule.first + 1) for size in sizes)
    return min(found, rule.most) if rule.most else found


def _groups(entries: int, groups: int) -> tuple[int, ...]:
    """Return the sizes of groups, larger ones first."""
    size, larger = divmod(entries, groups)
    return tuple([size + 1] * larger + [size] * (groups - larger))


def _tables(part: Part, sizes: Sequence[int]) -> list[int]:
    """Return the tables of each round, all groups together."""
    found = FORMATS[part.kind]
    shape = Shape(part.seats, part.rounds, advance=part.advance, third_place=part.third_place, sides=part.sides)
    # Where teams meet, one pairing fills as many tables as there are boards; elsewhere each board sits alone.
    by_meeting = part.boards if part.boards and found.teams is TeamSeating.MEETINGS else 1
    by_entry = part.boards if part.boards and found.teams is TeamSeating.BOARDS else 1
    counted = {size: found.tables_by_round(size * by_entry, shape) for size in set(sizes)}
    by_group = [counted[size] for size in sizes]
    return [by_meeting * sum(turn) for turn in zip_longest(*by_group, fillvalue=0)]


def _levels(order: Sequence[str], ways: Sequence[Progression]) -> Iterator[list[str]]:
    """Yield the stages that can be played side by side, one lot after another."""
    level: dict[str, int] = {}
    for name in order:
        level[name] = 1 + max((level[rule.source] for rule in ways if rule.target == name), default=0)
    for number in range(1, max(level.values()) + 1):
        yield [name for name in order if level[name] == number]


def _sitting(tables: int, pace: Pace) -> tuple[float, float]:
    """Return (mean minutes, their variance) of a round: as many at once as there are tables, the slowest counts."""
    at_once = min(tables, pace.tables or tables)
    if not tables:
        return 0.0, 0.0
    turns, rest = divmod(tables, at_once)
    mean = variance = 0.0
    for number, times in ((at_once, turns), (rest, int(rest > 0))):
        above, deviation = _slowest(max(1, number))
        mean += times * (pace.match + above * pace.spread + pace.change)
        variance += times * (deviation * pace.spread) ** 2
    return mean, variance


@lru_cache(maxsize=512)
def _slowest(number: int) -> tuple[float, float]:
    """Return (mean, deviation) of the largest of that many standard normal figures, approximately.

    The mean is Blom's formula; the deviation is half the distance between the quantiles one deviation off the middle.
    """
    mean = NORMAL.inv_cdf((number - 0.375) / (number + 0.25))
    low, high = (NORMAL.inv_cdf(share ** (1 / number)) for share in ONE_DEVIATION)
    return mean, (high - low) / 2


def _played(
    course: Course, order: Sequence[str], sizes: dict[str, tuple[int, ...]], rounds: dict[str, list[int]]
) -> tuple[int, int]:
    """Return how many matches are sure for everybody, and the most that somebody can play."""
    parts = {part.name: part for part in course.parts}
    longest: dict[str, int] = {}
    for name in order:
        before = max((longest[rule.source] for rule in course.ways if rule.target == name), default=0)
        longest[name] = before + _matches(parts[name], max(sizes[name]), len(rounds[name]))
    first = parts[order[0]]
    sure = (
        1 if FORMATS[first.kind].ranks_by_bracket else _matches(first, min(sizes[first.name]), len(rounds[first.name]))
    )
    return sure, max(longest.values())


def _matches(part: Part, size: int, rounds: int) -> int:
    """Return how many matches an entry has at most in a group of that size."""
    # With an odd number everybody sits out once in each cycle.
    return part.rounds * (size - 1) if FORMATS[part.kind].meets_everybody and part.seats.max == 2 else rounds
