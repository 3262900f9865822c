"""All rounds that are left where partners change, for people who are numbers: the same for the same question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from core.formats.rotation.designs import Round, sides_apart, whist
from core.formats.rotation.figures import bound_of_opponents, bound_of_partners
from core.formats.rotation.search import Course, Key, Search, Task, anneal

STEPS_A_SEAT, STEPS_LEAST, STEPS_MOST, STEPS_IN_ALL, ATTEMPTS = 500, 10_000, 100_000, 150_000, 4
SHUFFLES = 12
Rows = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Ahead:
    """The question of a plan. sides: at a table, of `members` each; byes: had so far; seed: of the search.

    partnered, opposed: so far; separated, forbidden: what being partners, or at one table, costs. Rows by person.
    """

    members: int
    sides: int
    rounds: int
    byes: tuple[int, ...]
    partnered: Rows
    opposed: Rows
    separated: Rows
    forbidden: Rows
    seed: str

    @property
    def people(self) -> int:
        """Return how many play."""
        return len(self.byes)

    @property
    def seats(self) -> int:
        """Return the seats of a table."""
        return self.members * self.sides

    @property
    def is_fresh(self) -> bool:
        """Return whether nobody has met anybody or sat out."""
        return not any(map(any, (self.byes, *self.partnered, *self.opposed)))

    @property
    def is_free(self) -> bool:
        """Return whether nothing is wished."""
        return not any(map(any, (*self.separated, *self.forbidden)))


@dataclass(frozen=True, slots=True)
class Planned:
    """The answer: rounds, each with who sits out. method: "design" or "search"."""

    rounds: tuple[tuple[tuple[int, ...], ...], ...]
    out: tuple[tuple[int, ...], ...]
    method: str


# The question is hashable and holds the seed: a page that shows the plan and the draw that follows it search once.
@lru_cache(maxsize=64)
def plan_ahead(asked: Ahead) -> Planned:
    """Return the best rounds found, partners first."""
    rng = Random(asked.seed)
    task = _task(asked)
    best, key, method = *_known(asked, task, rng), "design"
    if best is None or key > (0, *task.aim):
        for start, steps in _starts(asked, best, rng):
            course, found = anneal(task, start, rng, steps=steps)
            if best is None or found < key:
                best, key, method = course, found, "search"
            if key <= (0, *task.aim):
                break
    assert best is not None
    return Planned(tuple(tuple(map(tuple, turn)) for turn in best.rounds), tuple(map(tuple, best.out)), method)


def _task(asked: Ahead) -> Task:
    """Return the task of the search.

    Its aim is the bound if nothing was played yet, else 0: the bounds hold no more.
    """
    aim = (0, 0)
    if asked.is_fresh:
        shape = [(asked.members,) * asked.sides] * (asked.people // asked.seats)
        rounds = [shape] * asked.rounds
        aim = (max(bound_of_partners(asked.people, rounds)), bound_of_opponents(asked.people, rounds))
    return Task(
        asked.people, asked.members, asked.partnered, asked.opposed, asked.separated, asked.forbidden, asked.byes, aim
    )


def _known(asked: Ahead, task: Task, rng: Random) -> tuple[Course | None, Key]:
    """Find the best use of an exact design: its rounds, and the people of its numbers. None if there is no design."""
    rounds = whist(asked.people) if (asked.members, asked.sides) == (2, 2) and asked.is_fresh else []
    best: tuple[Course | None, Key] = (None, (0, 0, 0))
    for attempt in range(SHUFFLES if rounds else 0):
        order, people = list(range(len(rounds))), list(range(asked.people))
        if attempt:
            rng.shuffle(order)
            rng.shuffle(people)
        chosen = [rounds[order[turn % len(order)]] for turn in range(asked.rounds)]
        named = [[[people[each] for each in table] for table in turn] for turn in chosen]
        course = Course(named, [sorted(set(people) - {each for table in turn for each in table}) for turn in named])
        key = Search(task, course).key
        if best[0] is None or key < best[1]:
            best = course, key
        # A whole design is optimal in any order and naming: shuffles only matter for a part of it, or for wishes.
        if asked.is_free and (asked.rounds >= len(rounds) or key <= (0, *task.aim)):
            break
    return best


def _starts(asked: Ahead, known: Course | None, rng: Random) -> Iterator[tuple[Course, int]]:
    """Yield (rounds to start from, steps): the design, rounds of sides that are known, chance."""
    seats = asked.people * asked.rounds
    steps = min(STEPS_MOST, max(STEPS_LEAST, STEPS_A_SEAT * seats))
    if known is not None:
        yield known, steps
    if asked.people % asked.seats == 0 and (sides := sides_apart(asked.people, asked.members)):
        yield _grouped(asked, sides, rng), steps
    for _ in range(max(1, min(ATTEMPTS, STEPS_IN_ALL // steps))):
        yield _by_chance(asked, rng), steps


def _grouped(asked: Ahead, sides: Sequence[Sequence[Sequence[int]]], rng: Random) -> Course:
    """Repeat rounds of sides, put at tables by chance."""
    rounds: list[Round] = []
    for turn in range(asked.rounds):
        own = [list(side) for side in sides[turn % len(sides)]]
        rng.shuffle(own)
        at = range(0, len(own), asked.sides)
        rounds.append([[each for side in own[first : first + asked.sides] for each in side] for first in at])
    return Course(rounds, [[] for _ in rounds])


def _by_chance(asked: Ahead, rng: Random) -> Course:
    rounds: list[Round] = []
    out = turns_out(asked)
    for sitting in out:
        people = [person for person in range(asked.people) if person not in sitting]
        rng.shuffle(people)
        rounds.append([people[first : first + asked.seats] for first in range(0, len(people), asked.seats)])
    return Course(rounds, out)


def turns_out(asked: Ahead) -> list[list[int]]:
    """Return who sits out each round: those with the fewest byes, in order; nobody twice before everybody once."""
    count = asked.people % asked.seats
    queue = [(had, person, person) for person, had in enumerate(asked.byes)]
    out = []
    for _ in range(asked.rounds):
        queue.sort()
        out.append(sorted(person for _had, _place, person in queue[:count]))
        behind = [(had + 1, place + asked.people, person) for had, place, person in queue[:count]]
        queue = [*queue[count:], *behind]  # who sat out goes to the end, so that companions change
    return out
