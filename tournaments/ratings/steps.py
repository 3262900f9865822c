"""What a rating is made of: every deal set that was counted, in its order, and what it did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from core.ratings import model
from tournaments.matches.schedule import seats_named
from tournaments.models import Match, RatingEvent, RatingPool, Seat


@dataclass(frozen=True, slots=True)
class Step:
    """One deal set. match: its first leg. against: who else sat there, in the order of the seats."""

    event: RatingEvent
    match: Match | None
    against: tuple[Seat, ...]

    @property
    def before(self) -> float:
        """The value before it."""
        return model.Rating(self.event.mu_before, self.event.sigma_before).shown

    @property
    def after(self) -> float:
        """And after it."""
        return model.Rating(self.event.mu_after, self.event.sigma_after).shown

    @property
    def change(self) -> float:
        """What it did to the value."""
        return self.after - self.before


def events_of(pool: RatingPool, line: int, n: int | None = None) -> QuerySet[RatingEvent]:
    """What was counted of one version, or of all versions of its line (n None), the newest first."""
    rows = RatingEvent.objects.filter(pool=pool, line=line)
    return (rows if n is None else rows.filter(n=n)).order_by("-deal_set")


def steps(events: Sequence[RatingEvent], *, own: Sequence[int], by: str) -> list[Step]:
    """The same with matches and opponents. Two queries.

    own: whose rating it is; by: the column of a seat that says who.
    """
    rows = Match.objects.filter(deal_set__in=[event.deal_set for event in events], leg=1)
    matches = {match.deal_set_id: match for match in rows.prefetch_related(seats_named())}
    found = []
    for event in events:
        match = matches.get(event.deal_set)
        seats = list(match.seats.all()) if match is not None else []
        others = {seat.side: seat for seat in seats if getattr(seat, by) not in own}
        found.append(Step(event, match, tuple(others.values())))
    return found
