"""Result of one run of the event."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.formats.progression import Finisher
from core.simulation.playing import GroupPlayed
from core.standings.table import Table


@dataclass(frozen=True, slots=True)
class Place:
    """Place of an entry in a stage: the table of its group, and its name there."""

    table: Table | None
    name: str


@dataclass(slots=True)
class PartPlayed:
    """A stage of one run. pace: minutes of each round; rows: final order, by group; books: by entry."""

    entries: int
    groups: list[GroupPlayed]
    pace: list[float]
    rows: list[Finisher]
    books: dict[str, Place]

    @property
    def minutes(self) -> float:
        """Return the minutes of the whole stage."""
        return sum(self.pace)

    @property
    def tables(self) -> list[int]:
        """Return the tables in play at each round, all groups together."""
        rounds = max(len(group.tables) for group in self.groups)
        return [sum(group.tables[turn] for group in self.groups if turn < len(group.tables)) for turn in range(rounds)]


@dataclass(slots=True)
class Run:
    """One event. parts: in the course's order; winner and ranks of the last stage; strength by entry."""

    own: dict[str, float]
    parts: dict[str, PartPlayed] = field(default_factory=dict)
