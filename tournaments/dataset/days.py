"""The days whose matches are published, and which matches those are."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django.db.models import Count, Max, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from engine.data_rows import FORMAT
from tournaments.lifecycle.visibility import named_to
from tournaments.matches.records import bulk
from tournaments.models import Match

_FIGURES: Final = {
    "matches": Count("pk"),
    "newest": Max("pk"),
    "keys": Sum("pk"),
    # A correction has a new report.
    "reports": Sum("reports__pk"),
}


def published_matches() -> QuerySet[Match]:
    """Return the matches that are published: of public events, with a record that counts, all legs of their deals over.

    The last is what reveals the seed: until then somebody may still sit down to the same cards.
    """
    rows = Match.objects.filter(named_to(None, "stage__tournament__"), deal_set__revealed_at__isnull=False)
    return bulk.recorded(rows)


def matches_of(day: date) -> QuerySet[Match]:
    """Return the published matches that were finished on a day (UTC), in the order they were drawn."""
    begin = _begin(day)
    rows = published_matches().filter(finished_at__gte=begin, finished_at__lt=begin + timedelta(days=1))
    return rows.order_by("pk")


def versions(first: date | None = None, last: date | None = None) -> dict[date, str]:
    """Return each day that is over and has published matches, with a text that changes whenever its file would.

    first, last: only the days from one to the other, both included. One query.
    """
    end = min(last + timedelta(days=1), today()) if last else today()
    rows = published_matches().filter(finished_at__lt=_begin(end)).order_by()
    if first:
        rows = rows.filter(finished_at__gte=_begin(first))
    counted = rows.annotate(day=TruncDate("finished_at", tzinfo=UTC)).values("day").annotate(**_FIGURES)
    return {day: _digest(figures) for day, *figures in counted.values_list("day", *_FIGURES)}


def today() -> date:
    """Return the day (UTC) that goes on: it has no file, whose hash would change under the reader."""
    return timezone.now().astimezone(UTC).date()


def _begin(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)


def _digest(figures: list[object]) -> str:
    # PostgreSQL sums big integers as decimals, SQLite as integers.
    return hashlib.sha256(" ".join([FORMAT, *map(str, figures)]).encode()).hexdigest()[:32]
