"""Order before a round: the field by score, with each entry's opponents, first seats, byes and floats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise

from core.formats.model import Constraint, ConstraintKind, Entrant, Finished, Plan, Pod

Pair = tuple[int, int]
# Eight bits of the packed costs (`matching`): several wishes about one pair must not crowd out other columns.
HIGHEST_WEIGHT = 255


@dataclass(frozen=True, slots=True)
class Standing:
    """The entries to be drawn, best first; everything else is by their position from 0.

    level: 0 for the best score, 1 for the next one. start, size: of each position's level. lean: first seats minus
    second seats at tables of two. seats: those taken so far, in order. floated: at the last round's table, 1 if it
    had the better score, or a bye; -1 the worse. byes: had so far. together: pairs that must meet.
    """

    entries: tuple[str, ...]
    scores: tuple[Fraction, ...]
    level: tuple[int, ...]
    start: tuple[int, ...]
    size: tuple[int, ...]
    lean: tuple[int, ...]
    seats: tuple[tuple[int, ...], ...]
    floated: tuple[int, ...]
    byes: tuple[int, ...]
    met: Counter[Pair] = field(default_factory=Counter)
    forbidden: frozenset[Pair] = frozenset()
    weights: Counter[Pair] = field(default_factory=Counter)
    together: tuple[Pair, ...] = ()

    def with_constraints(self, constraints: Sequence[Constraint]) -> Standing:
        """The same with other wishes about who sits together."""
        at = {entry: position for position, entry in enumerate(self.entries)}
        forbidden, weights = _weights(at, constraints)
        return replace(self, forbidden=forbidden, weights=weights, together=_together(at, constraints))


def standing(
    order: Sequence[Entrant], history: Sequence[Plan], finished: Sequence[Finished], constraints: Sequence[Constraint]
) -> Standing:
    """Work out the standing of a field. order: the entries to be drawn, best first, equal scores side by side."""
    at = {item.entry: position for position, item in enumerate(order)}
    scores = [item.score for item in order]
    worth = sorted(set(scores), reverse=True)
    level_of = {score: level for level, score in enumerate(worth)}
    level = [level_of[score] for score in scores]
    sizes = Counter(level)
    # The field is in order of score, so the first of a level is where the level starts.
    starts = {place: level.index(place) for place in sizes}
    seats = _seats(at, history)
    had = Counter(entry for plan in history for entry in plan.byes)
    forbidden, weights = _weights(at, constraints)
    return Standing(
        entries=tuple(item.entry for item in order),
        scores=tuple(scores),
        level=tuple(level),
        start=tuple(starts[place] for place in level),
        size=tuple(sizes[place] for place in level),
        lean=tuple(sum(1 if seat == 0 else -1 for seat in row) for row in seats),
        seats=tuple(map(tuple, seats)),
        floated=tuple(_floated(order, history, finished)),
        byes=tuple(had[item.entry] for item in order),
        met=_met(at, history),
        forbidden=forbidden,
        weights=weights,
        together=_together(at, constraints),
    )


def by_score(entries: Iterable[Entrant]) -> list[Entrant]:
    """Order entries, best first; equal scores in starting order."""
    return sorted(entries, key=lambda item: (-item.score, item.seed, item.entry))


def _met(at: dict[str, int], history: Sequence[Plan]) -> Counter[Pair]:
    met: Counter[Pair] = Counter()
    for plan in history:
        for pod in plan.pods:
            # Sorted: a pair is known by its smaller position first.
            places = sorted(at[entry] for entry in pod.seats if entry in at)
            for index, one in enumerate(places):
                for other in places[index + 1 :]:
                    met[one, other] += 1
    return met


def _seats(at: dict[str, int], history: Sequence[Plan]) -> list[list[int]]:
    seats: list[list[int]] = [[] for _ in at]
    for plan in history:
        for pod in plan.pods:
            for seat, entry in enumerate(pod.seats):
                # Only at two seats is there a first and a second one to balance.
                if entry in at and len(pod.seats) == 2:
                    seats[at[entry]].append(seat)
    return seats


def _floated(order: Sequence[Entrant], history: Sequence[Plan], finished: Sequence[Finished]) -> list[int]:
    """Tell floats from the scores before the last round: those of now without what that round brought."""
    if not history:
        return [0] * len(order)
    last = history[-1]
    score = {item.entry: item.score for item in order}
    won = {item.table: item.scores for item in finished if item.round == last.round}
    floated = dict.fromkeys(last.byes, 1)
    for pod in last.pods:
        before = [score.get(e, Fraction(0)) - gain for e, gain in zip(pod.seats, won.get(pod.table, ()), strict=False)]
        # Not when one of them has left: the score before the round is no longer known.
        if len(before) == 2 and set(pod.seats) <= score.keys():
            step = (before[0] > before[1]) - (before[0] < before[1])
            floated[pod.seats[0]], floated[pod.seats[1]] = step, -step
    return [floated.get(item.entry, 0) for item in order]


def _weights(at: dict[str, int], constraints: Sequence[Constraint]) -> tuple[frozenset[Pair], Counter[Pair]]:
    """Return pairs that must not meet, and what a meeting of others costs."""
    forbidden: set[Pair] = set()
    weights: Counter[Pair] = Counter()
    for item in constraints:
        places = sorted(at[entry] for entry in set(item.entries) if entry in at)
        for index, one in enumerate(places):
            for other in places[index + 1 :]:
                if item.kind is ConstraintKind.TOGETHER:
                    continue
                if item.kind is ConstraintKind.FORBID:
                    forbidden.add((one, other))
                else:
                    weights[one, other] = min(HIGHEST_WEIGHT, weights[one, other] + item.weight)
    return frozenset(forbidden), weights


def _together(at: dict[str, int], constraints: Sequence[Constraint]) -> tuple[Pair, ...]:
    """Return pairs that must meet, once each, in the order of the field."""
    wanted = (item for item in constraints if item.kind is ConstraintKind.TOGETHER and set(item.entries) <= at.keys())
    groups = (sorted(at[entry] for entry in set(item.entries)) for item in wanted)
    return tuple(sorted({(one, other) for group in groups for one, other in pairwise(group)}))


def numbered(drawn: Sequence[Pod], locked: Sequence[Pod]) -> tuple[Pod, ...]:
    """Number all pods of a round: locked ones keep their number, drawn ones get those left, in their order."""
    taken = {pod.table for pod in locked}
    # Numbers set by hand are kept only if they are numbers of tables, each once.
    as_numbered = len(taken) == len(locked) and min(taken, default=1) >= 1
    fixed = list(locked) if as_numbered else [Pod(at, p.seats, p.why, True) for at, p in enumerate(locked, start=1)]
    taken = {pod.table for pod in fixed}
    free = (number for number in range(1, len(drawn) + len(fixed) + max(taken, default=0) + 1) if number not in taken)
    placed = [Pod(number, pod.seats, pod.why) for number, pod in zip(free, drawn, strict=False)]
    return tuple(sorted([*fixed, *placed], key=lambda pod: pod.table))
