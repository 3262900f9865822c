"""Simulated events of formats that look at results: people join late, withdraw, sit out a round, do not turn up."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random

from core.formats.errors import FormatError
from core.formats.model import Constraint, Entrant, Finished, Plan, Pod, Seats
from tests.core.formats.next_plan import plan

HALF = Fraction(1, 2)
TWO = Seats(2, 2, 2)


@dataclass
class Troubles:
    """Chances a round: of withdrawing, of asking for a rest (half of these worth 1/2), of not turning up; late ones."""

    withdraw: float = 0.02
    rest: float = 0.04
    no_show: float = 0.02
    late: float = 0.1


CALM = Troubles(0, 0, 0, 0)


@dataclass
class Simulation:
    """One event; `play` plays it to its end or until it cannot be paired any more. Same seed, same event."""

    kind: str
    count: int
    rounds: int
    seed: int
    seats: Seats = TWO
    troubles: Troubles = field(default_factory=Troubles)
    constraints: tuple[Constraint, ...] = ()
    bye: Fraction = Fraction(1)
    entrants: list[Entrant] = field(default_factory=list)
    plans: list[Plan] = field(default_factory=list)
    finished: list[Finished] = field(default_factory=list)
    fields: list[list[Entrant]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)
        late = self.troubles.late
        self.entrants = [
            Entrant(f"e{at:04}", at, joined=self.rng.randint(2, 3) if self.rng.random() < late and at > 4 else 1)
            for at in range(1, self.count + 1)
        ]

    def play(self) -> Simulation:
        for turn in range(1, self.rounds + 1):
            self.entrants = [self.troubled(item, turn) for item in self.entrants]
            try:
                drawn = self.draw()
            except FormatError:
                if turn < 3:
                    raise
                return self  # small fields can run out of opponents, or of people
            self.fields.append(list(self.entrants))
            self.plans.append(drawn)
            self.finished += [self.result(turn, pod) for pod in drawn.pods]
            self.entrants = [self.scored(item) for item in self.entrants]
        return self

    def draw(self) -> Plan:
        """The next round."""
        return plan(
            self.kind,
            self.entrants,
            self.rounds,
            self.seats,
            f"draw {self.seed}",
            history=self.plans,
            finished=self.finished,
            constraints=self.constraints,
            bye=self.bye,
        )

    def troubled(self, item: Entrant, turn: int) -> Entrant:
        if item.entry in ("e0001", "e0002") or not item.plays(turn):
            return item
        chance = self.rng.random()
        if turn > 1 and chance < self.troubles.withdraw:
            return replace(item, is_active=False)
        if chance > 1 - self.troubles.rest:
            worth = HALF if self.rng.random() < 0.5 else Fraction(0)
            return replace(item, excused=(*item.excused, (turn, worth)))
        return item

    def result(self, turn: int, pod: Pod) -> Finished:
        absent = tuple(self.rng.random() < self.troubles.no_show for _ in pod.seats)
        strength = [self.rng.choice((0, 0, 1, 1, 2)) - 9 * away for away in absent]
        places = tuple(1 + sum(rival > own for rival in strength) for own in strength)
        others = len(pod.seats) - 1
        ties = [strength.count(own) - 1 for own in strength]
        shares = [Fraction(2 * (others - (place - 1) - tie) + tie, 2 * others) for place, tie in zip(places, ties)]
        shares = [Fraction(0) if away else share for share, away in zip(shares, absent)]
        return Finished(turn, pod.table, places, tuple(shares), absent)

    def scored(self, item: Entrant) -> Entrant:
        """With what it has won so far."""
        pods = {(drawn.round, pod.table): pod.seats for drawn in self.plans for pod in drawn.pods}
        won = sum(
            (
                score
                for end in self.finished
                for entry, score in zip(pods[end.round, end.table], end.scores)
                if entry == item.entry
            ),
            Fraction(0),
        )
        won += self.bye * sum(item.entry in drawn.byes for drawn in self.plans)
        won += sum((worth for turn, worth in item.excused if turn <= len(self.plans)), Fraction(0))
        return replace(item, score=won)
