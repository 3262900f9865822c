"""An event that is a ladder: its table with ratings, and its matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Q, QuerySet

from accounts.models import User
from tournaments.lifecycle.display_names import bots_named
from tournaments.matches.schedule import seats_named
from tournaments.models import Entry, Match, Rating, RatingEvent, RatingPool, Stage, Standing
from tournaments.ratings.history import events_of as events_of_line
from tournaments.ratings.queries import Strength, strength_of, with_trend


@dataclass(frozen=True, slots=True)
class Line:
    """One row. strength: None before the first result."""

    standing: Standing
    strength: Strength | None

    @property
    def value(self) -> Decimal:
        """The number the table ranks by: the rating and what was given and taken."""
        return Decimal(self.standing.key[0]) if self.standing.key else Decimal(0)

    @property
    def gifts(self) -> list[tuple[Decimal, str]]:
        """Units that organisers gave and took, each with its reason."""
        terms = self.standing.explanation[0]["terms"] if self.standing.explanation else []
        return [(Decimal(term["amount"]), str(term.get("note", ""))) for term in terms]

    @property
    def given(self) -> Decimal:
        """The sum of them."""
        return sum((units for units, _reason in self.gifts), Decimal(0))


def rows_of(stage: Stage, *, words: str = "", owner: User | None = None) -> QuerySet[Standing]:
    """Return the rows of a ladder's table in its order.

    words: in the name of the bot or its owner; owner: theirs alone.
    """
    rows = Standing.objects.filter(stage=stage, after_round=0)
    if words:
        named = bots_named(words)
        by_name = Q(entry__player__name__holds=words) | Q(entry__player__bot__owner__username__holds=words)
        rows = rows.filter(by_name if named is None else Q(entry__player__bot__in=named))
    if owner is not None:
        rows = rows.filter(entry__player__bot__owner=owner)
    return rows.select_related("entry__player__bot__owner", "entry__player__bot__active_version").order_by("row")


def lines(stage: Stage, rows: Sequence[Standing]) -> list[Line]:
    """Return the same with what each row is ranked by: the rating of the version that was counted last. One query."""
    rated = Rating.objects.filter(pool__stage=stage, entry__in=[row.entry_id for row in rows])
    # In the order in which they were counted: of several versions of an entry the newest is put in last and stays.
    newest = {rating.entry_id: rating for rating in with_trend(rated).order_by("newest", "n")}
    return [Line(row, strength_of(newest[row.entry_id]) if row.entry_id in newest else None) for row in rows]


def events_of(stage: Stage, entry: Entry) -> QuerySet[RatingEvent]:
    """Return what was counted of an entry, with any version, the newest first."""
    pool = RatingPool.objects.filter(stage=stage).first()
    if pool is None or entry.seed is None:
        return RatingEvent.objects.none()
    return events_of_line(pool, entry.seed)


def finished(stage: Stage) -> QuerySet[Match]:
    """Return the matches that are over, the newest first."""
    rows = Match.objects.filter(stage=stage, state=Match.State.CONFIRMED).select_related("stage")
    return rows.order_by("-finished_at", "-id").prefetch_related(seats_named())


def playing(stage: Stage) -> list[Match]:
    """Return the matches that are played now. Two queries."""
    rows = Match.objects.filter(state=Match.State.CLAIMED, stage=stage).select_related("stage").order_by("priority")
    return list(rows.prefetch_related(seats_named())[:20])
