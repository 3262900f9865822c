"""Clubs of a season, by the points of their people."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from accounts.alphabet import name_key
from tournaments.clubs.queries import usual_spelling
from tournaments.models import Season, SeasonPerson
from tournaments.models.club import club_key


@dataclass(frozen=True, slots=True)
class SeasonClub:
    """A club in a season. total: of all its people, in hundredths of a point."""

    rank: int
    shared: bool
    key: str
    name: str
    people: int
    total: int


def clubs_in(season: Season) -> list[SeasonClub]:
    """Return the clubs of a season by the totals of their people, who count for their newest club. One query."""
    rows = SeasonPerson.objects.filter(season=season, row__gt=0, events_n__gt=0).exclude(club="")
    names: dict[str, Counter[str]] = {}
    totals: Counter[str] = Counter()
    for club, total in rows.values_list("club", "total"):
        key = club_key(club)
        if key:
            names.setdefault(key, Counter())[club] += 1
            totals[key] += total
    ordered = sorted(names, key=lambda key: (-totals[key], name_key(usual_spelling(names[key]))))
    amounts = Counter(totals.values())
    return [
        SeasonClub(
            1 + sum(n for amount, n in amounts.items() if amount > totals[key]),
            amounts[totals[key]] > 1,
            key,
            usual_spelling(names[key]),
            sum(names[key].values()),
            totals[key],
        )
        for key in ordered
    ]
