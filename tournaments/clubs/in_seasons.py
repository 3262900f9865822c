"""Clubs of a season, by the points of their people."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, Sum

from accounts.alphabet import name_key
from core.seasons.table import ranks
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
    people = SeasonPerson.objects.filter(season=season, row__gt=0, events_n__gt=0).exclude(club="").order_by()
    spelled: dict[str, Counter[str]] = {}
    totals: Counter[str] = Counter()
    for club, n, total in people.values_list("club").annotate(n=Count("pk"), points=Sum("total")):
        if key := club_key(club):
            spelled.setdefault(key, Counter())[club] += n
            totals[key] += total
    names = {key: usual_spelling(counts) for key, counts in spelled.items()}
    placed = ranks({key: (totals[key], ()) for key in names})
    return [
        SeasonClub(placed[key].rank, placed[key].shared, key, names[key], sum(spelled[key].values()), totals[key])
        for key in sorted(names, key=lambda key: (-totals[key], name_key(names[key])))
    ]
