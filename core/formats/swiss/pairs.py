"""Costs of the pairs of a two-seat Swiss round, and the best matching of them.

A pair's cost, compared left to right, summed over the round: forbidden, second meeting, too uneven first seats (two who
are both two ahead or both two behind do not meet, as in the FIDE systems, until the last round), byes had (of the bye),
level of the bye from below, distance (score levels apart, squared, and wishes, squared), a second float in the same
direction, how uneven first seats get, how far from "upper half meets lower half".

Where the organiser ordered priorities, the columns are: forbidden, the first priority, byes had, level of the bye, the
second and the third priority, too uneven first seats, and the rest as above.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.formats.model import Priority
from core.formats.swiss.matching import Cost, least
from core.formats.swiss.standing_order import Pair, Standing

NEIGHBOURS = 30
MAX_EXACT = 64  # fields up to this size are looked at whole at once
MAX_NEIGHBOURS = 960  # of large fields; a rematch is allowed before more is tried
MAX_LEVELS, MAX_FOLD, MAX_LEAN = 255, 4095, 63
MAX_UNEVEN = 2  # first seats minus second seats, either way
BROKEN, AGAIN, UNEVEN, BYES_HAD, BYE_LEVEL = range(5)


@dataclass(frozen=True, slots=True)
class Match:
    """A round by positions. bye: who sits out. relaxed: 0 = no rule, 1 = second meetings, 2 = forbidden pairs too."""

    pairs: tuple[Pair, ...]
    bye: int | None
    relaxed: int


@dataclass(frozen=True, slots=True)
class Rules:
    """What a round is drawn by. priorities: empty for the format's own. partner: position -> who it must meet.

    leaders: those of them who meet because they lead.
    """

    priorities: Sequence[Priority] = ()
    partner: Mapping[int, int] = field(default_factory=dict)
    is_last: bool = False
    leaders: Collection[int] = ()

    @property
    def repeats_are_dear(self) -> bool:
        """Return whether a second meeting is allowed only where no round is without one."""
        return not self.priorities or self.priorities[0] is Priority.REPEATS

    def may_meet(self, one: int, other: int) -> bool:
        """Return whether neither must meet somebody else."""
        return self.partner.get(one, other) == other and self.partner.get(other, one) == one


def match(field: Standing, rules: Rules) -> Match:
    """Find the best round. Rules are relaxed only when no round keeps them; small fields are searched whole."""
    players = len(field.entries)
    nodes = players + players % 2
    alone = (BYES_HAD - 1, BYE_LEVEL - 1) if rules.priorities else (BYES_HAD, BYE_LEVEL)
    for relaxed in range(0 if rules.repeats_are_dear else 1, 3):
        widest = min(2 * players, MAX_NEIGHBOURS)
        near = widest if players <= MAX_EXACT or (relaxed and rules.repeats_are_dear) or relaxed > 1 else NEIGHBOURS
        while True:
            found = least(nodes, _edges(field, near, relaxed, rules), alone)
            if len(found) * 2 == nodes:
                return _match(found, players, relaxed)
            if near >= widest:
                break
            # Twice as many neighbours at a time: the first tries are cheap, and few rounds need more of them.
            near = min(2 * near, widest)
    raise AssertionError("with all rules relaxed neighbours can always be paired")


def _match(found: list[Pair], players: int, relaxed: int) -> Match:
    bye = next((one for one, other in found if other == players), None)
    return Match(tuple(pair for pair in found if pair[1] < players), bye, relaxed)


def _edges(field: Standing, near: int, relaxed: int, rules: Rules) -> dict[Pair, Cost]:
    """Return the pairs to choose from; the bye is one more player, at the end."""
    players = len(field.entries)
    edges: dict[Pair, Cost] = {}
    for one in range(players):
        for other in _neighbours(field, one, near):
            pair = (one, other)
            broken, again = pair in field.forbidden, field.met[pair]
            # Two who must meet do so even if they have met before: who wished for it knew.
            free = (not again or relaxed) and (not broken or relaxed > 1)
            if pair not in edges and free and rules.may_meet(one, other):
                edges[pair] = _priced(field, one, other, rules)
    for one, other in rules.partner.items():
        if one < other:
            edges[one, other] = _priced(field, one, other, rules)
    if players % 2:
        deepest = field.level[-1]
        for one in set(range(players)) - rules.partner.keys():
            fold = min(MAX_FOLD, players - 1 - one)
            bye = (field.byes[one], deepest - field.level[one])
            before, after = ((0, 0), (0, 0, 0, 0, 0)) if rules.priorities else ((0, 0, 0), (0, 0, 0))
            edges[one, players] = (*before, *bye, *after, fold)
    return edges


def _priced(field: Standing, one: int, other: int, rules: Rules) -> Cost:
    """Return what the meeting of two costs, column by column. `one` stands before `other`."""
    pair = (one, other)
    broken, again = int(pair in field.forbidden), field.met[pair]
    uneven = int(not rules.is_last and gets_uneven(field, one, other))
    cost = _cost(field, one, other)
    if not rules.priorities:
        return (broken, again, uneven, 0, 0, *cost)
    wished = field.weights[pair] ** 2
    of = {Priority.REPEATS: again, Priority.CLUBS: wished, Priority.SCORES: cost[0] - wished}
    first, second, third = (of[each] for each in rules.priorities)
    return (broken, first, 0, 0, second, third, uneven, *cost[1:])


def gets_uneven(field: Standing, one: int, other: int) -> bool:
    """Return whether one of the two would have had one seat three times more than the other, regardless of who sits
    first.
    """
    low, high = sorted((field.lean[one], field.lean[other]))
    return low + 1 > MAX_UNEVEN or high - 1 < -MAX_UNEVEN


def _neighbours(field: Standing, one: int, near: int) -> Iterator[int]:
    """Yield later positions close in the order, and close to the one that `one` would meet if its level were folded."""
    players, half = len(field.entries), near // 2
    after = min(players, one + half + 1)
    yield from range(one + 1, after)
    start, size = field.start[one], field.size[one]
    folded = one + size // 2
    yield from range(max(after, folded - half), min(start + size, folded + half + 1))


def _cost(field: Standing, one: int, other: int) -> tuple[int, int, int, int]:
    """Return distance, repeated floats, seats, fold. `one` stands before `other`."""
    apart = min(MAX_LEVELS, field.level[other] - field.level[one])
    # Squared: two pairs one level apart are better than one pair two levels apart.
    distance = apart * apart + field.weights[one, other] ** 2
    if apart:
        floats = int(field.floated[one] > 0) + int(field.floated[other] < 0)
        fold = min(MAX_FOLD, other - one)
    else:
        floats = 0
        fold = min(MAX_FOLD, (other - one - field.size[one] // 2) ** 2)
    here, there = field.lean[one], field.lean[other]
    lean = min((here + 1) ** 2 + (there - 1) ** 2, (here - 1) ** 2 + (there + 1) ** 2)
    return distance, floats, min(MAX_LEAN, lean), fold
