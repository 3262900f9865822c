"""Ways from stage to stage."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from core.formats.model import Reason


class SeedBy(StrEnum):
    """Rule for the seeds of the target."""

    RANK = "rank"  # all winners first, then all seconds; among equals what they won, then lots
    RATING = "rating"
    DRAW = "draw"  # lots from the published seed
    HAND = "hand"


class Carry(StrEnum):
    """Share of the totals that goes along; the standings work the amounts out (`standings.carry`)."""

    NONE = "none"
    HALF = "half"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Progression:
    """Places `first` to `last` of the source (of each of its groups) get seeds of the target.

    order: of the progressions into one target: the seeds of a smaller order come first. most: how many go on at most,
    by place, then what they won: nine pools, places 1 to 2, most 16 are nine winners and the seven best seconds.
    """

    source: str
    target: str
    first: int
    last: int
    by: SeedBy = SeedBy.RANK
    carry: Carry = Carry.NONE
    order: int = 1
    most: int | None = None

    @property
    def size(self) -> int:
        """Return how many places of one group lead on."""
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class Finisher:
    """A row of the source's final standings. rank: in its group, shared ones equal. value: what ranks are read off.

    The values of different groups are compared as they are: use place shares or points above the mean if the groups
    differ in size.
    """

    entry: str
    rank: int
    group: str = ""
    value: tuple[Fraction, ...] = ()


@dataclass(frozen=True, slots=True)
class Seeded:
    """An entry of the target. place: in its group of the source, shared ranks told apart."""

    entry: str
    seed: int
    group: str
    place: int
    carry: Carry


@dataclass(frozen=True, slots=True)
class Selection:
    """Those who go on, best seed first. tied: entries whose going on or not was told apart by lots only."""

    seeded: tuple[Seeded, ...]
    tied: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
