"""Input and output of a rehearsal. Plain values."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.formats.model import Seats
from core.formats.progression import Progression
from core.standings.model import Spec


@dataclass(frozen=True, slots=True)
class Part:
    """A stage. kind: of `FORMATS`; rounds, advance, third_place, consolation: as its planner takes them.

    groups: side by side.

    deals: of a match, where deals won rank (`Scoring.ROUND_VICTORY`); 0: a match counts as one deal. sides: of every
    seat, where people share one with changing partners. boards: of each team whose members sit apart, 0: nobody does.
    flows: of a bracket: its matches start one by one.
    """

    name: str
    kind: str
    seats: Seats
    rounds: int = 1
    advance: int = 1
    third_place: bool = False
    groups: int = 1
    spec: Spec = field(default_factory=Spec)
    deals: int = 0
    sides: tuple[int, ...] = ()
    boards: int = 0
    flows: bool = False
    consolation: bool = False


@dataclass(frozen=True, slots=True)
class Strengths:
    """Spread of entries. spread: standard deviation of skill; blur: the part of it by which seeds are off."""

    spread: float = 1.0
    blur: float = 0.5


@dataclass(frozen=True, slots=True)
class Scores:
    """Model of the points of a match: mean + skill * (strength) + chance, to a multiple of step.

    skill: points that one unit of strength is worth. noise: deviation of the chance part; past: if given, it is drawn
    from these instead (what past matches had above or below their mean).
    """

    mean: float = 120.0
    skill: float = 25.0
    noise: float = 70.0
    step: int = 5
    past: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Pace:
    """Durations in minutes. match, spread: mean and deviation of a match; change: between two sittings, and where
    matches start one by one between two matches at a table.

    tables: how many there are, None = as many as needed. tables_an_arbiter: how many one arbiter looks after.
    """

    match: float = 45.0
    spread: float = 8.0
    change: float = 10.0
    tables: int | None = None
    tables_an_arbiter: int = 8


@dataclass(frozen=True, slots=True)
class Course:
    """A whole event. One part has no way in: everybody starts there."""

    entries: int
    parts: tuple[Part, ...]
    ways: tuple[Progression, ...] = ()
    strengths: Strengths = field(default_factory=Strengths)
    scores: Scores = field(default_factory=Scores)
    pace: Pace = field(default_factory=Pace)


@dataclass(frozen=True, slots=True)
class Level:
    """Demands of a rank. value: mean of the first key there; shared: how often several have that rank."""

    rank: int
    value: float
    shared: float


@dataclass(frozen=True, slots=True)
class Sampled:
    """A row of the final table of the first run. seed: of its entry; value: of the first key, None where none
    counts.
    """

    group: int
    rank: int
    seed: int
    value: float | None


@dataclass(frozen=True, slots=True)
class RoundFigures:
    """A round, over the runs that got to it. tables, arbiters, minutes: means; share: of the runs that got to it."""

    round: int
    tables: float
    arbiters: float
    minutes: float
    share: float


@dataclass(frozen=True, slots=True)
class PartFigures:
    """Figures of a stage over all runs. rounds: fewest, mean, most. tables, arbiters: most at one time. repeats:
    C(meetings, 2), mean.

    partners: where they change, how many pairs are partners again, and the fewest that are possible. stand_in: a
    quicker planner drew the rounds in place of the event's own.
    """

    name: str
    entries: float
    rounds: tuple[int, float, int]
    matches: float
    tables: int
    arbiters: int
    hours: float
    repeats: float
    byes: float
    by_round: tuple[RoundFigures, ...]
    levels: tuple[Level, ...] = ()
    sample: tuple[Sampled, ...] = ()
    partners: tuple[int, int] | None = None
    stand_in: bool = False


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Forecast. hours: one, five, nine tenths of the runs took no longer. The last part listed decides the event.

    strongest_wins: share of runs, low and high of its 95 % interval. strongest_last: share of runs in which the
    strongest gets to the last part. top_wins: share of runs won by one of the three strongest.
    """

    runs: int
    parts: tuple[PartFigures, ...]
    hours: tuple[float, float, float]
    strongest_wins: tuple[float, float, float]
    strongest_last: float
    top_wins: float
