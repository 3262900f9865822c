"""The search for rounds in which partners change: simulated annealing over who sits where, and who sits out when.

Cost: partners again, then opponents again, each C(times, 2) summed over pairs; wishes weigh more than either. Four
moves: two people of a round change places; two whole sides do (partners stay); one who plays and one who sits out; two
who sit out in different rounds. The last two keep byes fair: they only exchange turns of one level (everybody's first
bye, everybody's second, ..). Deterministic for a seed: steps are counted, not timed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp
from random import Random

from core.formats.rotation.designs import Round

PARTNER = 6
"""What a partner again costs while searching, in opponents again; results are compared partners first."""
HOT, COLD = 1.0, 0.16
Matrix = Sequence[Sequence[int]]
Key = tuple[int, int, int]
"""Wishes broken, partners again, opponents again."""


@dataclass(frozen=True, slots=True)
class Task:
    """Task of the search. People are numbered 0..people-1; members: of a side.

    partnered, opposed: times before these rounds, symmetric. separated: extra cost of being partners, symmetric;
    forbidden: the same of sharing a table at all. byes: had so far. aim: stop at this (partners, opponents).
    """

    people: int
    members: int
    partnered: Matrix
    opposed: Matrix
    separated: Matrix
    forbidden: Matrix
    byes: tuple[int, ...]
    aim: tuple[int, int]


@dataclass(slots=True)
class Course:
    """Rounds and who sits out in each."""

    rounds: list[Round]
    out: list[list[int]]

    def copy(self) -> Course:
        """Return a copy that may be changed."""
        return Course([[list(table) for table in turn] for turn in self.rounds], [list(out) for out in self.out])


class Search:
    """The rounds as they are, with their counts and cost; changed in place."""

    def __init__(self, task: Task, course: Course) -> None:
        self.task = task
        self.course = course.copy()
        self.partnered = [list(row) for row in task.partnered]
        self.opposed = [list(row) for row in task.opposed]
        self.wished = self.partners = self.opponents = 0
        for one, other in combinations(range(task.people), 2):
            times, against = task.partnered[one][other], task.opposed[one][other]
            self.partners += times * (times - 1) // 2
            self.opponents += against * (against - 1) // 2
        for turn in self.course.rounds:
            for table in turn:
                for at, person in enumerate(table):
                    self._sit(table, at, person, at)
        self.total = [had + sum(person in out for out in self.course.out) for person, had in enumerate(task.byes)]
        self.level = self._levels()

    @property
    def key(self) -> Key:
        """Return what is compared."""
        return (self.wished, self.partners, self.opponents)

    @property
    def cost(self) -> int:
        """Return what is searched by."""
        return self.wished + PARTNER * self.partners + self.opponents

    def _levels(self) -> list[list[int]]:
        """Return for every turn to sit out how many its owner had before."""
        had = list(self.task.byes)
        levels = []
        for out in self.course.out:
            levels.append([had[person] for person in out])
            for person in out:
                had[person] += 1
        return levels

    def _sit(self, table: Sequence[int], at: int, person: int, upto: int) -> None:
        """Count a person at a place of a table with those of the first `upto` places."""
        self._count(table, at, person, range(upto), 1)

    def _count(self, table: Sequence[int], at: int, person: int, others: Sequence[int], step: int) -> None:
        """Add (step 1) or take away (-1) a person at a place, with those at other places."""
        members, task = self.task.members, self.task
        partnered, opposed = self.partnered[person], self.opposed[person]
        side = at // members
        for place in others:
            mate = table[place]
            if place == at:
                continue
            self.wished += step * task.forbidden[person][mate]
            times, rows = (partnered, self.partnered) if place // members == side else (opposed, self.opposed)
            before = times[mate]
            # C(n + 1, 2) - C(n, 2) = n, and C(n - 1, 2) - C(n, 2) = 1 - n.
            change = before if step > 0 else 1 - before
            if times is partnered:
                self.partners += change
                self.wished += step * task.separated[person][mate]
            else:
                self.opponents += change
            times[mate] = rows[mate][person] = before + step

    def put(self, table: list[int], at: int, person: int) -> None:
        """Seat another person at a place; the one who sat there is gone from the table."""
        everybody = range(len(table))
        self._count(table, at, table[at], everybody, -1)
        self._count(table, at, person, everybody, 1)
        table[at] = person

    def swap(self, here: list[int], at: int, there: list[int], place: int) -> None:
        """Exchange two people, at one table or at two."""
        one, other = here[at], there[place]
        if here is not there:
            self.put(here, at, other)
            self.put(there, place, one)
            return
        # Without each other: two of one table are on the same or on different sides before and after alike.
        others = [each for each in range(len(here)) if each not in (at, place)]
        for step in (-1, 1):
            self._count(here, at, here[at], others, step)
            self._count(here, place, here[place], others, step)
            if step < 0:
                here[at], here[place] = other, one


def anneal(task: Task, course: Course, rng: Random, *, steps: int) -> tuple[Course, Key]:
    """Return (best rounds found, their figures), never worse than those passed in. steps: proposals."""
    search = Search(task, course)
    best, best_key = search.course.copy(), search.key
    # Geometric: from HOT to COLD in just this many steps.
    cooling = (COLD / HOT) ** (1 / max(1, steps))
    heat = HOT
    for _ in range(steps if task.people > task.members else 0):
        if best_key <= (0, *task.aim):
            break
        heat *= cooling
        before = search.cost
        back = propose(search, rng)
        if back is None:
            continue
        change = search.cost - before
        if change > 0 and rng.random() >= exp(-change / heat):
            # Every move undoes itself, and those of one proposal touch different places: their order does not matter.
            for undo in back:
                apply_move(search, undo)
        elif search.key < best_key:
            best, best_key = search.course.copy(), search.key
    return best, best_key


Move = tuple[str, int, int, int, int, int]
"""Its kind, the round, and two places of it: table and place each ("swap"); else see the proposals."""


def propose(search: Search, rng: Random) -> list[Move] | None:
    """Do a move. Returns what undoes it, or None if it was none."""
    turn = int(rng.random() * len(search.course.rounds))
    choice = rng.random()
    if search.course.out[turn] and choice < 0.2:
        return _bye_inside(search, turn, rng) if choice < 0.1 else _bye_across(search, turn, rng)
    if choice < 0.6:
        return _two_people(search, turn, rng)
    return _two_sides(search, turn, rng)


def _place(search: Search, turn: int, rng: Random) -> tuple[int, int]:
    """A table of a round and a place at it."""
    tables = search.course.rounds[turn]
    table = int(rng.random() * len(tables))
    return table, int(rng.random() * len(tables[table]))


def _two_people(search: Search, turn: int, rng: Random) -> list[Move] | None:
    (here, at), (there, place) = _place(search, turn, rng), _place(search, turn, rng)
    if here == there and at // search.task.members == place // search.task.members:
        return None
    move = ("swap", turn, here, at, there, place)
    apply_move(search, move)
    return [move]


def _two_sides(search: Search, turn: int, rng: Random) -> list[Move] | None:
    (here, at), (there, place) = _place(search, turn, rng), _place(search, turn, rng)
    if here == there:
        return None
    members = search.task.members
    first, second = at - at % members, place - place % members
    moves: list[Move] = [("swap", turn, here, first + step, there, second + step) for step in range(members)]
    for move in moves:
        apply_move(search, move)
    return moves


def _bye_inside(search: Search, turn: int, rng: Random) -> list[Move] | None:
    """Have somebody who plays sit out in place of another, whose last turn to sit out it was."""
    slot = int(rng.random() * len(search.course.out[turn]))
    table, at = _place(search, turn, rng)
    one, other = search.course.out[turn][slot], search.course.rounds[turn][table][at]
    level = search.level[turn][slot]
    if level != search.total[one] - 1 or level != search.total[other]:
        return None
    move = ("out", turn, slot, table, at, 0)
    apply_move(search, move)
    return [move]


def _bye_across(search: Search, turn: int, rng: Random) -> list[Move] | None:
    """Exchange the rounds in which two people sit out."""
    later = int(rng.random() * len(search.course.out))
    slot = int(rng.random() * len(search.course.out[turn]))
    if later == turn or not search.course.out[later]:
        return None
    other_slot = int(rng.random() * len(search.course.out[later]))
    one, other = search.course.out[turn][slot], search.course.out[later][other_slot]
    apart = one not in search.course.out[later] and other not in search.course.out[turn]
    if not apart or search.level[turn][slot] != search.level[later][other_slot]:
        return None
    here, there = _find(search.course.rounds[turn], other), _find(search.course.rounds[later], one)
    moves: list[Move] = [("out", turn, slot, *here, 1), ("out", later, other_slot, *there, 1)]
    for move in moves:
        apply_move(search, move)
    return moves


def _find(turn: Round, person: int) -> tuple[int, int]:
    """Return where somebody sits."""
    return next((at, table.index(person)) for at, table in enumerate(turn) if person in table)


def apply_move(search: Search, move: Move) -> None:
    """Do a move; every move undoes itself, so that this takes it back as well."""
    kind, turn, first, second, third, fourth = move
    tables = search.course.rounds[turn]
    if kind == "swap":
        search.swap(tables[first], second, tables[third], fourth)
        return
    out = search.course.out[turn]
    one, other = out[first], tables[second][third]
    search.put(tables[second], third, one)
    out[first] = other
    if not fourth:  # one of them sits out once less than before, the other once more
        search.total[one] -= 1
        search.total[other] += 1
