"""Check-in on the dashboard: before round 1 a tile for everybody who is entered, and how many have come."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.alphabet import name_key
from tournaments.entries import people
from tournaments.entries.teams_query import present_of
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Entry
from tournaments.scores.tables import people_of

TILES = (Entry.State.ENTERED, Entry.State.ACTIVE)
"""Who is in a team has no tile: the team is checked in. Bots need none."""


@dataclass(frozen=True, slots=True)
class CheckIn:
    """Who can be checked in, by name. here, total: people, those in teams too."""

    entries: tuple[Entry, ...]
    here: int
    total: int

    @property
    def is_complete(self) -> bool:
        """Whether everybody who is entered has come."""
        return self.here == self.total


def check_in_of(page: EventPage) -> CheckIn | None:
    """Return who is checked in before round 1; None once the event runs. One query, two where people have partners."""
    if page.event.state not in people.BEFORE:
        return None
    rows = list(people_of(page.event))
    present = present_of(page.event, rows)
    tiles = [row for row in rows if row.state in TILES and not row.player.bot_id]
    return CheckIn(tuple(sorted(tiles, key=lambda row: name_key(row.player.name))), present.here, present.total)
