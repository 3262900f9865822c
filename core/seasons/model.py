"""Values of a season's table: its rules, events and results that go in; lines and totals that come out.

Everything is whole numbers of the smallest unit that pages show (hundredths of a point, hundredths of a weight,
ten-thousandths of a decay), rounded half away from zero, so that anybody can check a total from the page alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

POINT: Final = 100
"""Points are counted in hundredths."""
FULL_WEIGHT: Final = 100
FULL_DECAY: Final = 10_000


class Measure(StrEnum):
    """What an event gives points for."""

    PLACES = "places"
    FIELD = "field"
    POINTS = "points"
    VICTORIES = "victories"


class Decay(StrEnum):
    """When a result loses a part of its worth: never, with each later event, with each month."""

    NONE = ""
    EVENT = "event"
    MONTH = "month"


class Status(StrEnum):
    """Whether a result counts, and why not."""

    COUNTED = "counted"
    DROPPED = "dropped"
    TWICE = "twice"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a season.

    places: hundredths of a point for place 1, 2, ..; others: for every place after those. best: how many results of a
    person count; 0: all. loss: how much of its worth a result loses with each step of the decay, in percent.
    """

    measure: Measure
    places: tuple[int, ...] = ()
    others: int = 0
    best: int = 0
    decay: Decay = Decay.NONE
    loss: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """An event that is over. weight: in percent; day: when it ended; number: its order among events of one day."""

    key: int
    weight: int
    day: date
    number: int


@dataclass(frozen=True, slots=True)
class Result:
    """A person's result in an event. shared: how many have this place; field: how many were ranked.

    points: hundredths; share: of the victories, in ten-thousandths.
    """

    event: int
    place: int
    shared: int
    field: int
    points: int = 0
    share: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """What a result brings: given x weight x decay = amount. All as in `Rules`."""

    result: Result
    given: int
    weight: int
    decay: int
    amount: int
    status: Status


@dataclass(frozen=True, slots=True)
class Total:
    """A person's total. lines: the newest event first; counted: the amounts that count, the largest first."""

    amount: int
    lines: tuple[Line, ...]
    counted: tuple[int, ...]

    @property
    def events(self) -> int:
        """In how many events the person took part."""
        return sum(line.status is not Status.TWICE for line in self.lines)

    @property
    def wins(self) -> int:
        """How many of them they won."""
        return sum(line.result.place == 1 and line.status is not Status.TWICE for line in self.lines)

    @property
    def best_place(self) -> int:
        """Their best place; 0 without a result."""
        return min((line.result.place for line in self.lines), default=0)

    @property
    def order(self) -> tuple[int, tuple[int, ...]]:
        """What tables compare: the total, then the best single results one after the other. Larger is better."""
        return self.amount, self.counted
