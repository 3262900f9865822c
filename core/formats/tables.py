"""A fixed schedule at tables of two to seven: as few repeated meetings as can be had, seats in rotation.

1 an exact design where there is one (`designs`); 2 otherwise a search (`annealing`), also from the design's rounds;
3 a certificate with the lower bound (`bounds`), so that the page can say how far from perfect a schedule may be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from core.formats.errors import FormatError
from core.formats.model import (
    Certificate,
    Constraint,
    ConstraintKind,
    Entrant,
    Plan,
    Pod,
    Reason,
    Shape,
    StageSoFar,
)
from core.formats.schedules import bounds, designs, seating
from core.formats.schedules.annealing import Round, Task, anneal
from core.formats.schedules.quality import Drawn, certify, counter_of, met, pair
from core.formats.sizes import split
from core.formats.stage_format import Format, TeamSeating
from engine.words import gettext_noop

# Far above the usual weight of a wish (4) and above the meetings of any pair.
FORBIDDEN = 1000
STEPS_A_SEAT, STEPS_LEAST, STEPS_MOST, ATTEMPTS = 1_200, 30_000, 1_000_000, 6
MAX_SEATS = 7

FRESH = gettext_noop("Drawn together because no two of these %(seats)d have met before.")
FRESH_PAIR = gettext_noop("Drawn together because these two have not met before.")
MIXED = gettext_noop(
    "Drawn together because %(fresh)d of their %(pairs)d pairs are new; no pair meets more than %(most)d times."
)
WORN = gettext_noop("Drawn together although each pair here has met before: no more even table was found.")
EXACT = gettext_noop("An exact design: nobody meets anybody twice in %(rounds)d rounds.")
PROVED = gettext_noop("%(repeats)d repeated meetings in %(rounds)d rounds: fewer are impossible.")
SEARCHED = gettext_noop("%(repeats)d repeated meetings in %(rounds)d rounds; fewer than %(bound)d are impossible.")
SITTING_OUT = gettext_noop(
    "Byes: %(byes)d, because %(entries)d entries do not fill tables of %(min)d to %(max)d; those with the"
    " fewest byes so far come first."
)


@dataclass(frozen=True, slots=True)
class Field:
    """The players of the rounds to be drawn. order: entries in a drawn order; sizes, sitting: per round."""

    order: tuple[str, ...]
    sizes: tuple[int, ...]
    sitting: tuple[frozenset[int], ...]

    @property
    def rounds(self) -> int:
        """Return how many rounds are to be drawn."""
        return len(self.sitting)


class Tables(Format):
    """See the module."""

    id = "tables"
    name = gettext_noop("Fixed tables")
    label = gettext_noop("tables")
    description = gettext_noop(
        "Tables of three to seven drawn for all rounds at once, so that people meet as evenly as possible."
    )
    usual_sides = range(3, 8)
    honours_clubs = True
    teams = TeamSeating.BOARDS

    def rounds(self, entries: int, shape: Shape) -> int:
        """Return as many as asked for."""
        return shape.rounds if entries >= shape.seats.min else 0

    def schedule(self, stage: StageSoFar, rng: Random) -> list[Plan]:
        """Draw all rounds after `history` at once.

        Raises FormatError "seats.range", or "entries.too_few" when no table can be filled.
        """
        shape, history = stage.shape, stage.history
        active = sorted((item for item in stage.entries if item.is_active), key=lambda item: (item.seed, item.entry))
        sizes, byes = split(len(active), shape.seats)
        if not sizes:
            message = f"{len(active)} entries do not fill a table of {shape.seats.min}; wait for more"
            raise FormatError(message, code="entries.too_few")
        names = [item.entry for item in active]
        # Which entry gets which number of a design is a lot: a design favours nobody, but a fixed order could be
        # foreseen.
        rng.shuffle(names)
        sitting = _sitting_out(names, byes, shape.rounds - len(history), history)
        field = Field(tuple(names), sizes, tuple(sitting))
        rounds, method = _tables(field, history, stage.constraints, rng)
        drawn = _drawn(field, seating.seat(rounds, len(names), _used(field, history)), active, history)
        return _plans(history, drawn, stage.constraints, method, shape)


def _sitting_out(names: Sequence[str], byes: int, rounds: int, history: Sequence[Plan]) -> list[frozenset[int]]:
    """Return who sits out each round: those with the fewest byes so far, in drawn order."""
    had = Counter(entry for plan in history for entry in plan.byes)
    waiting = [(had[entry], index) for index, entry in enumerate(names)]
    out = []
    for _ in range(rounds):
        chosen = sorted(waiting)[:byes]
        out.append(frozenset(index % len(names) for _, index in chosen))
        # who sat out goes to the end of the queue, so that companions change
        waiting = [
            (count + 1, index + len(names)) if (count, index) in chosen else (count, index) for count, index in waiting
        ]
    return out


def _tables(
    field: Field, history: Sequence[Plan], constraints: Sequence[Constraint], rng: Random
) -> tuple[list[Round], str]:
    """Return the best rounds found, and by which method ("design" or "search")."""
    exact = _design(field)
    if len(exact) >= field.rounds and not history and not constraints:
        return exact[: field.rounds], "design"
    task = _task(field, history, constraints)
    # Without a step: something to compare with, no matter what is tried afterwards.
    best, cost = anneal(task, _random_rounds(field, rng), rng, steps=0)
    for start, steps in _attempts(field, exact, task, rng):
        rounds, found = anneal(task, start, rng, steps=steps)
        if found < cost:
            best, cost = rounds, found
        if cost <= task.bound:
            break
    return best, "search"


def _attempts(field: Field, exact: Sequence[Round], task: Task, rng: Random) -> list[tuple[list[Round], int]]:
    """Return (rounds to start from, steps), cheapest first: the design repeated, the design and a search, searches."""
    if field.rounds < 2 and not any(map(any, task.met)) and not any(map(any, task.weights)):
        return []
    starts: list[tuple[list[Round], int]] = []
    steps = min(STEPS_MOST, max(STEPS_LEAST, STEPS_A_SEAT * len(field.order) * field.rounds))
    attempts = max(1, min(ATTEMPTS, STEPS_MOST // steps))
    if exact:
        tiled = [[list(table) for table in exact[turn % len(exact)]] for turn in range(field.rounds)]
        starts += [(tiled, 0), (_extended(field, exact, task, rng, steps), 0)]
    return [*starts, *((_random_rounds(field, rng), steps) for _ in range(attempts))]


def _extended(field: Field, exact: Sequence[Round], task: Task, rng: Random, steps: int) -> list[Round]:
    """Return the design, and a search for the rounds that it does not have."""
    drawn = list(exact[: field.rounds])
    counts = [list(row) for row in task.met]
    for turn in drawn:
        for table in turn:
            for one, other in combinations(table, 2):
                counts[one][other] += 1
                counts[other][one] += 1
    rest = Field(field.order, field.sizes, field.sitting[len(drawn) :])
    added, _ = anneal(Task(task.players, counts, task.weights, task.bound), _random_rounds(rest, rng), rng, steps=steps)
    return [*drawn, *added]


def _design(field: Field) -> list[Round]:
    """Return all rounds of an exact design for these tables, if there is one and nobody sits out."""
    tables, largest = len(field.sizes), max(field.sizes)
    missing = tables * largest - sum(field.sizes)
    if any(field.sitting) or missing > tables:
        return []
    return designs.design(tables, largest, missing=missing)


def _task(field: Field, history: Sequence[Plan], constraints: Sequence[Constraint]) -> Task:
    """Return the task of the search: meetings so far, wishes, and the bound for the whole stage."""
    at = {entry: index for index, entry in enumerate(field.order)}
    players = len(at)
    counts = [[0] * players for _ in range(players)]
    weights = [[0] * players for _ in range(players)]
    weighed = Counter(met(plan.pods for plan in history))
    for (one, other), count in weighed.items():
        if one in at and other in at:
            counts[at[one]][at[other]] = counts[at[other]][at[one]] = count
    for item in constraints:
        weight = FORBIDDEN if item.kind is ConstraintKind.FORBID else item.weight
        for here, there in combinations([at[entry] for entry in item.entries if entry in at], 2):
            weights[here][there] += weight
            weights[there][here] += weight
    everybody = at.keys() | {entry for plan in history for pod in plan.pods for entry in pod.seats}
    sizes = [tuple(sorted((len(pod.seats) for pod in plan.pods), reverse=True)) for plan in history]
    sizes += [field.sizes] * field.rounds
    bound = max(bounds.averaging(len(everybody), sizes), bounds.pigeonhole(len(everybody), sizes))
    return Task(players, counts, weights, bound)


def _random_rounds(field: Field, rng: Random) -> list[Round]:
    """Draw every round at random."""
    rounds = []
    for sitting in field.sitting:
        players = [player for player in range(len(field.order)) if player not in sitting]
        rng.shuffle(players)
        queue = iter(players)
        rounds.append([[next(queue) for _ in range(size)] for size in field.sizes])
    return rounds


def _used(field: Field, history: Sequence[Plan]) -> list[list[int]]:
    """Return how often each player has had each seat."""
    counts = Counter((entry, place) for plan in history for pod in plan.pods for place, entry in enumerate(pod.seats))
    return [[counts[entry, place] for place in range(MAX_SEATS)] for entry in field.order]


def _drawn(field: Field, rounds: Sequence[Round], active: Sequence[Entrant], history: Sequence[Plan]) -> list[Drawn]:
    """Make pods with their reasons; tables are numbered by their best seed."""
    strength = {item.entry: rank for rank, item in enumerate(active)}
    before = met(plan.pods for plan in history)
    drawn: list[Drawn] = []
    for turn, sitting in zip(rounds, field.sitting, strict=True):
        seated = [tuple(field.order[player] for player in table) for table in turn]
        seated.sort(key=lambda seats: min(strength[entry] for entry in seats))
        pods = tuple(Pod(number, seats, (_why(seats, before),)) for number, seats in enumerate(seated, start=1))
        byes = sorted((field.order[player] for player in sitting), key=lambda entry: strength[entry])
        before.update(met([pods]))
        drawn.append((pods, tuple(byes)))
    return drawn


def _why(seats: Sequence[str], before: Counter[tuple[str, str]]) -> Reason:
    """Return the reason for a pod: how often its pairs had met before this round."""
    counts = [before[pair(*two)] for two in combinations(seats, 2)]
    fresh = counts.count(0)
    if fresh == len(counts):
        return Reason("tables.fresh", FRESH if len(seats) > 2 else FRESH_PAIR, (("seats", len(seats)),))
    if not fresh:
        return Reason("tables.worn", WORN)
    return Reason("tables.mixed", MIXED, (("fresh", fresh), ("pairs", len(counts)), ("most", max(counts) + 1)))


def _plans(
    history: Sequence[Plan], drawn: Sequence[Drawn], constraints: Sequence[Constraint], method: str, shape: Shape
) -> list[Plan]:
    """Make plans with their figures, the certificate of the whole stage and the reasons."""
    certificate = certify([*((plan.pods, plan.byes) for plan in history), *drawn], method)
    tally = counter_of(history)
    plans = []
    for number, (pods, byes) in enumerate(drawn, start=len(history) + 1):
        tally.add(pods, byes)
        reasons = _reasons(certificate, len(history) + len(drawn), (pods, byes), shape)
        plans.append(Plan(number, pods, byes, tally.quality(constraints), certificate, reasons))
    return plans


def _reasons(certificate: Certificate, rounds: int, drawn: Drawn, shape: Shape) -> tuple[Reason, ...]:
    pods, byes = drawn
    figures = (("repeats", certificate.repeats), ("rounds", rounds))
    if certificate.method == "design":
        about = Reason("tables.exact", EXACT, (("rounds", rounds),))
    elif certificate.is_optimal:
        about = Reason("tables.proved", PROVED, figures)
    else:
        about = Reason("tables.searched", SEARCHED, (*figures, ("bound", certificate.bound)))
    if not byes:
        return (about,)
    entries = len(byes) + sum(len(pod.seats) for pod in pods)
    sizes = (("min", shape.seats.min), ("max", shape.seats.max))
    return (about, Reason("tables.byes", SITTING_OUT, (("byes", len(byes)), ("entries", entries), *sizes)))
