"""Ratings and the events that change them: plain values, no database, no clock.

An *event* is one match, or all legs of one deal set together. Its number is that of its creation: the fold follows
creation, not the order in which matches happen to end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from math import sqrt
from types import MappingProxyType
from typing import Any, NamedTuple

from core.ratings.errors import RatingError

SIGMAS_95 = 1.959963984540054


class Rating(NamedTuple):
    """Skill as a normal distribution. A tuple, because a fold makes millions of them."""

    mu: float
    sigma: float

    @property
    def shown(self) -> float:
        """The conservative value lists rank by: mu - 3 sigma, so that few matches do not make a leader."""
        return self.mu - 3 * self.sigma

    @property
    def interval(self) -> tuple[float, float]:
        """Return where the skill lies with 95 %."""
        return self.mu - SIGMAS_95 * self.sigma, self.mu + SIGMAS_95 * self.sigma


@dataclass(frozen=True, slots=True)
class Params:
    """A pool's constants (Weng and Lin 2011; the defaults of openskill). sigma may not exceed the one at the start.

    beta: spread of one match around skill. tau: added to sigma before each event, so that nobody is ever certain.
    kappa: keeps sigma above zero. a_day: added to sigma for every day without an event; 0 for bots, which never change.
    """

    mu: float = 25.0
    sigma: float = 25.0 / 3
    beta: float = 25.0 / 6
    tau: float = 25.0 / 300
    kappa: float = 0.0001
    a_day: float = 0.0

    @property
    def start(self) -> Rating:
        """Return the rating that everybody has before their first event."""
        return Rating(self.mu, self.sigma)


PEOPLE = Params(a_day=Params().tau)
"""Of people sigma grows with time: a day away makes a rating as much less sure as a match does before it is played."""


@dataclass(frozen=True, slots=True)
class Event:
    """A finished event. sides: entries of each side, in a fixed order. ranks: 1 = best, equal = tied.

    day: when it was, counted from any first day; it matters where sigma grows with time.
    """

    number: int
    sides: tuple[tuple[str, ...], ...]
    ranks: tuple[int, ...]
    day: int = 0

    def __post_init__(self) -> None:
        entries = [entry for side in self.sides for entry in side]
        if len(self.sides) != len(self.ranks) or len(self.sides) < 2 or len(set(entries)) != len(entries):
            message = f"event {self.number}: needs two sides or more, a rank for each, and nobody twice"
            raise RatingError(message, code="rating.event")


class Slot(Enum):
    """An event that has no result."""

    OPEN = "open"  # not finished: the fold waits for it
    SKIPPED = "skipped"  # void or held for review: counts as if it never was


Content = Event | Slot


class Change(NamedTuple):
    """Effect of one event on one entry. seq: of the events folded, from 1."""

    seq: int
    event: int
    entry: str
    before: Rating
    after: Rating


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A point where a fold may be taken up again. upto: number of the last event looked at; seq: events folded so far.

    days: of everybody's last event, where sigma grows with time.
    """

    upto: int
    seq: int
    ratings: Mapping[str, Rating]
    days: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """{"upto", "seq", "ratings": {entry: [mu, sigma]}} and, if any, "days"; floats keep all their digits."""
        rows = {entry: [rating.mu, rating.sigma] for entry, rating in sorted(self.ratings.items())}
        days = {"days": dict(sorted(self.days.items()))} if self.days else {}
        return {"upto": self.upto, "seq": self.seq, "ratings": rows, **days}

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> Checkpoint:
        """Read a checkpoint back."""
        rows = {str(entry): Rating(float(mu), float(sigma)) for entry, (mu, sigma) in document["ratings"].items()}
        days = {str(entry): int(day) for entry, day in document.get("days", {}).items()}
        return Checkpoint(int(document["upto"]), int(document["seq"]), MappingProxyType(rows), MappingProxyType(days))


NOTHING = Checkpoint(-1, 0, MappingProxyType({}))
"""Before the first event."""


def aged(rating: Rating, days: float, *, a_day: float, params: Params | None = None) -> Rating:
    """Age a person's rating by `days` without an event: variance grows by a_day^2 a day, up to the sigma at the start.

    Bots do not age: their versions never change.
    """
    limit = (params or Params()).sigma
    return Rating(rating.mu, max(rating.sigma, min(limit, sqrt(rating.sigma**2 + days * a_day**2))))


Amounts = tuple[Fraction, ...]
"""Amounts that a side won, compared left to right, more is better."""
