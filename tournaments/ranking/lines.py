"""The ranking of a whole event as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tournaments.models import Entry, Stage

PODIUM = 3
"""First places that an event which is over shows on its page, and cards that stand there."""


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
        """Those on the first three places, three at most: who share a place stand there together or not at all."""
        first, after = self.placed[:PODIUM], self.placed[PODIUM : PODIUM + 1]
        return tuple(line for line in first if line.rank not in [each.rank for each in after])

    @property
    def beside(self) -> tuple[RankLine, ...]:
        """Those too many for the podium who share the next of its places; nobody if it made more than six of them."""
        podium = self.podium
        found = tuple(line for line in self.placed if podium and (line.rank or 0) <= PODIUM)
        return found[len(podium) :] if len(found) <= 2 * PODIUM else ()

    @property
    def first(self) -> tuple[RankLine, ...]:
        """Those on the first place: one, or several who share it."""
        return tuple(line for line in self.lines if line.rank == 1)
