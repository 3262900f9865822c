"""What somebody who runs events has hosted, in a few figures: players, matches, the game they chose most, when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from tournaments.models import Entry, Tournament

WEEKS: Final = 12
LEVELS: Final = 3
"""Shades of a week: one event, two, more."""
MIN_REPEATS: Final = 2
"""Events of one game that make it a habit; weeks with an event that are worth a picture."""


@dataclass(frozen=True, slots=True)
class Hosted:
    """Figures of the events of one person. players: each once; game: a preset, "" if none was chosen twice.

    weeks: how much they ran in each of the last weeks, 0 to `LEVELS`, the oldest first; none if it was in one alone.
    """

    players: int
    matches: int
    game: str
    weeks: tuple[int, ...]

    @property
    def active(self) -> int:
        """Return in how many of the weeks they ran something."""
        return sum(level > 0 for level in self.weeks)


def hosted_in(events: Sequence[Tournament]) -> Hosted | None:
    """Return the figures of these events, which `with_figures` gave; None for no event. One query."""
    if not events:
        return None
    entries = Entry.objects.filter(tournament__in=[event.pk for event in events])
    players = entries.exclude(state=Entry.State.WITHDRAWN).values("player").distinct().count()
    matches = sum(vars(event)["done_n"] or 0 for event in events)
    games = Counter(preset for event in events if (preset := vars(event)["preset"]))
    game, most = games.most_common(1)[0] if games else ("", 0)
    weeks = weeks_of(events, timezone.now())
    return Hosted(players, matches, game if most >= MIN_REPEATS else "", weeks)


def weeks_of(events: Sequence[Tournament], now: datetime) -> tuple[int, ...]:
    """Return how much was run in each of the last weeks, the oldest first; nothing if it was in one of them alone."""
    begun = [event.started_at for event in events if event.started_at is not None and event.started_at <= now]
    ages = Counter((now - day) // timedelta(weeks=1) for day in begun)
    weeks = tuple(min(ages[age], LEVELS) for age in reversed(range(WEEKS)))
    return weeks if sum(level > 0 for level in weeks) >= MIN_REPEATS else ()
