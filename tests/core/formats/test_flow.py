"""Brackets whose matches are drawn one by one: in any order of results they are the bracket of whole rounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from core.formats import FORMATS
from core.formats.elimination.due import drawable
from core.formats.elimination.model import Bracket
from core.formats.model import Entrant, Finished, Plan, Pod, Seats, Shape, StageSoFar
from tests.core.formats.builders import entrants

# Kind, entries, shape: two seats with every number of byes, and a wide table.
CASES = (
    *(("double_elim", n, Shape(Seats(2, 2, 2), 1)) for n in (2, 3, 5, 6, 8, 11, 16)),
    *(("single_elim", n, Shape(Seats(2, 2, 2), 1, third_place=True)) for n in (4, 5, 7, 13)),
    ("single_elim", 11, Shape(Seats(3, 4, 5), 1, advance=2)),
    ("double_elim", 13, Shape(Seats(3, 4, 4), 1, advance=2)),
)


class Hall:
    """A stage that is played: matches end in any order, and what can be drawn is drawn at once, or round by round."""

    def __init__(self, kind: str, n: int, shape: Shape, wins: Callable[[str], int]) -> None:
        self.format, self.entrants, self.shape, self.wins = FORMATS[kind], list(entrants(n)), shape, wins
        self.history: list[Plan] = self.format.schedule(StageSoFar(self.entrants, shape), Random(1))
        self.finished: list[Finished] = []
        self.waiting = [(1, pod) for pod in self.history[0].pods]

    def so_far(self, open_tables: frozenset[tuple[int, int]] | None) -> StageSoFar:
        shape = replace(self.shape, flows=open_tables is not None)
        return StageSoFar(self.entrants, shape, self.history, self.finished, (), open_tables)

    @property
    def open(self) -> frozenset[tuple[int, int]]:
        return frozenset((number, pod.table) for number, pod in self.waiting)

    def now(self) -> Bracket:
        found: Bracket = self.format.bracket(self.so_far(self.open), Random(1))[0]  # type: ignore[attr-defined]
        return found

    def end(self, number: int, pod: Pod) -> None:
        """The stronger by `wins` is first; all of the draw follows from the entries' names."""
        order = sorted(pod.seats, key=self.wins)
        places = tuple(order.index(entry) + 1 for entry in pod.seats)
        away = (False,) * len(pod.seats)
        self.finished.append(Finished(number, pod.table, places, (Fraction(0),) * len(pod.seats), away))
        self.waiting.remove((number, pod))

    def complete(self) -> int:
        numbers = {number for number, _pod in self.waiting}
        return next((plan.round - 1 for plan in self.history if plan.round in numbers), len(self.history))

    def draw(self, complete: int) -> None:
        for number, match in drawable(self.now(), self.history, self.open, complete):
            if number > len(self.history):
                last = self.history[-1]
                self.history.append(replace(last, round=number, pods=(), byes=()))
            plan = self.history[number - 1]
            pod = Pod(len(plan.pods) + 1, match.entries, label=match.id)
            self.history[number - 1] = replace(plan, pods=(*plan.pods, pod))
            self.waiting.append((number, pod))


def whole_rounds(kind: str, n: int, shape: Shape, wins: Callable[[str], int]) -> Hall:
    hall = Hall(kind, n, shape, wins)
    while hall.waiting:
        for number, pod in list(hall.waiting):
            hall.end(number, pod)
        for plan in hall.format.schedule(hall.so_far(None), Random(1)):
            hall.history.append(plan)
            hall.waiting = [(plan.round, pod) for pod in plan.pods]
    return hall


def drawn(hall: Hall) -> list[set[tuple[str, tuple[str, ...]]]]:
    return [{(pod.label, pod.seats) for pod in plan.pods} for plan in hall.history]


def by_name(entry: str) -> int:
    """A strength that all runs share."""
    return sum(map(ord, entry))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("kind", "n", "shape"), CASES, ids=lambda value: str(value)[:14])
@pytest.mark.parametrize("seed", range(3))
def test_in_any_order_it_is_the_bracket_of_whole_rounds(kind: str, n: int, shape: Shape, seed: int) -> None:
    rng = Random(seed)
    strength = {item.entry: rng.random() for item in entrants(n)}

    def wins(entry: str) -> int:
        return int(strength[entry] * 1_000_000)

    expected = whole_rounds(kind, n, shape, wins)
    hall = Hall(kind, n, shape, wins)
    early = 0
    hall.draw(0)
    while hall.waiting:
        before = hall.complete()
        number, pod = rng.choice(hall.waiting)
        early += number > before + 1
        hall.end(number, pod)
        hall.draw(before)
    assert hall.now().is_over
    assert drawn(hall) == drawn(expected)
    places = hall.format.places(hall.so_far(frozenset()), Random(1))
    assert places == expected.format.places(expected.so_far(None), Random(1))
    assert early or (kind, shape.seats.max) != ("double_elim", 2) or n < 8  # what starts before a round is over


def test_who_leaves_in_the_middle_of_a_match_is_out_once_it_has_ended() -> None:
    hall = Hall("single_elim", 4, Shape(Seats(2, 2, 2), 1), by_name)
    number, pod = hall.waiting[0]
    hall.entrants = [replace(item, is_active=item.entry != pod.seats[0]) for item in hall.entrants]
    assert hall.now().match(pod.label).state == "ready"
    hall.end(number, pod)
    hall.draw(0)
    assert hall.now().match(pod.label).is_over


def test_a_cancelled_match_is_settled_while_others_are_played() -> None:
    hall = Hall("single_elim", 8, Shape(Seats(2, 2, 2), 1), by_name)
    (number, cancelled), *others = hall.waiting
    hall.waiting.remove((number, cancelled))
    assert hall.now().match(cancelled.label).is_over
    assert not hall.now().match(others[0][1].label).is_over


def test_a_late_entry_stays_where_it_was_drawn() -> None:
    hall = Hall("double_elim", 6, Shape(Seats(2, 2, 2), 1), by_name)
    hall.entrants.append(Entrant("late", 99, joined=2))
    hall.draw(0)
    at = next(pod.label for plan in hall.history for pod in plan.pods if "late" in pod.seats)
    assert at.startswith("W1:")
    for number, pod in list(hall.waiting):
        hall.end(number, pod)
        hall.draw(0)
        assert "late" in hall.now().match(at).entries
