"""Ratings of people as pages show them: as of today, because sigma grows with every day away."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from accounts.models import User
from core.ratings import model
from tournaments.models import Match, Rating, RatingPool
from tournaments.models.entrant import line_of_user
from tournaments.ratings.queries import SCALE, Span


@dataclass(frozen=True, slots=True)
class PersonRating:
    """The rating of a person in one pool. now: as of today. last: the beginning of the last event that counts."""

    row: Rating
    now: model.Rating
    last: datetime | None

    @property
    def value(self) -> float:
        """The number seeds go by: the mean less three standard deviations."""
        return self.now.shown

    @property
    def matches(self) -> int:
        """Matches counted in."""
        return self.row.events + self.row.pending

    @property
    def span(self) -> Span:
        """The 95 % interval, to be drawn."""
        low, high = self.now.interval
        low, mean, high = (min(1.0, max(0.0, each / SCALE)) for each in (low, self.now.mu, high))
        return Span(low, mean, high)

    @property
    def reach(self) -> float:
        """Half of the 95 % interval."""
        return self.high - self.now.mu

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.now.interval[0]

    @property
    def high(self) -> float:
        """Upper end of it."""
        return self.now.interval[1]


def ratings_of(person: User) -> list[PersonRating]:
    """Return all ratings of an account, the most played first. One query."""
    began = Match.objects.filter(pk=OuterRef("newest")).values("stage__tournament__started_at")
    rows = Rating.objects.filter(pool__who=RatingPool.Who.PEOPLE, line=line_of_user(person.pk)).select_related("pool")
    found = [_rated(row, row.began) for row in rows.annotate(began=Subquery(began))]
    return sorted(found, key=lambda each: (-each.matches, each.row.pool.preset, each.row.pool.seats))


def _rated(row: Rating, last: datetime | None) -> PersonRating:
    days = max(0, (timezone.now() - last).days) if last is not None else 0
    stands = model.Rating(row.mu, row.sigma)
    return PersonRating(row, model.aged(stands, days, a_day=model.PEOPLE.a_day, params=model.PEOPLE), last)
