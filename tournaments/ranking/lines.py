"""The ranking of a whole event as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tournaments.models import Entry, Stage

PODIUM = 3
"""First places that an event which is over shows on its page."""


class Departure(StrEnum):
    """What kept an entry of the ranking from playing to the end. A disqualified one has no place."""

    NONE = ""
    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"


@dataclass(frozen=True, slots=True)
class RankLine:
    """A row of the ranking: the last stage that an entry reached, and its rank there.

    rank: in the whole event, from 1; None for an entry without a place. shared: whether another one has the same rank.
    place: its rank in the stage, in its group if there are several (group: the label, else ""); None while nothing of
    that stage has counted yet.
    """

    entry: Entry
    rank: int | None
    shared: bool
    stage: Stage
    place: int | None
    group: str
    departure: Departure = Departure.NONE


@dataclass(frozen=True, slots=True)
class EventRanking:
    """Everybody who played in an event, best first; those without a place at the end.

    is_final: whether the event is over, so that only a correction changes it.
    """

    lines: tuple[RankLine, ...]
    is_final: bool

    @property
    def placed(self) -> tuple[RankLine, ...]:
        """Those who have a place."""
        return tuple(line for line in self.lines if line.rank is not None)

    @property
    def podium(self) -> tuple[RankLine, ...]:
        """Those on the first three places; none of them where more than six share these."""
        found = tuple(line for line in self.placed if (line.rank or 0) <= PODIUM)
        return found if len(found) <= 2 * PODIUM else ()

    @property
    def first(self) -> tuple[RankLine, ...]:
        """Those on the first place: one, or several who share it."""
        return tuple(line for line in self.lines if line.rank == 1)
