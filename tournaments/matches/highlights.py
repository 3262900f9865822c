"""Records of single matches that pages show to everybody: the newest one, and the best of a day."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Max, QuerySet

from core.replay.document import Replay, read, told_apart
from tournaments.matches.queries import seat_name
from tournaments.matches.schedule import seats_named
from tournaments.models import Match, ResultReport, Tournament

KEPT: Final = "match-of-the-day"
KEPT_S: Final = 600
"""How long the best match is not looked for again: to find it, the database adds up every match of the day."""
MAX_READ: Final = 8
"""Replays that a process holds, a quarter of a megabyte each: to read one takes 5 ms, an eighth of the start page."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """A finished match of a public event with its replay. replay: with today's names."""

    match: Match
    replay: Replay


def newest_of(matches: Sequence[Match]) -> Highlight | None:
    """Return the match that ended last of these that have a record, as `highlights_of`. One query."""
    found = highlights_of(matches, limit=1)
    return found[0] if found else None


def highlights_of(matches: Sequence[Match], *, limit: int) -> list[Highlight]:
    """Return the matches with a record, those that ended last first; they were read with `seats_named`. One query."""
    by_key = {match.pk: match for match in matches}
    reports = _counted().filter(match__in=by_key).order_by("-match__finished_at", "-match_id")[:limit]
    found = [_shown(by_key[report.match_id], report) for report in reports]
    return [each for each in found if each is not None]


def best_since(since: datetime) -> Highlight | None:
    """Return the match in which a side made most points since then, as it was found in the last ten minutes.

    Two queries, three where the match that was found may no longer be shown.
    """
    rows = _counted().filter(
        match__finished_at__gte=since,
        match__state=Match.State.CONFIRMED,
        match__stage__tournament__visibility=Tournament.Visibility.PUBLIC,
        match__stage__tournament__is_challenge=False,
    )
    rows = rows.select_related("match__stage__tournament").prefetch_related(_seats())
    known = cache.get(KEPT)
    # Read by the same conditions: since it was found it may have become private, or its record been erased.
    report = rows.filter(pk=known).first() if known else None
    if report is None:
        report = rows.annotate(most=Max("match__seats__points")).order_by("-most", "-match_id").first()
        cache.set(KEPT, report.pk if report is not None else None, KEPT_S)
    return _shown(report.match, report) if report is not None else None


def _counted() -> QuerySet[ResultReport]:
    rows = ResultReport.objects.filter(state=ResultReport.State.CONFIRMED, record__isnull=False)
    rows = rows.exclude(record__packed=b"")  # those that were erased
    return rows.select_related("record")


def _seats() -> Any:
    seats = seats_named()
    seats.add_prefix("match")
    return seats


def _shown(match: Match, report: ResultReport) -> Highlight | None:
    if report.record is None:
        return None
    replay = _replay(report.record.data())
    names = told_apart([seat_name(seat) for seat in match.seats.all()], replay.sides)
    return Highlight(match, replace(replay, names=names))


@lru_cache(maxsize=MAX_READ)
def _replay(data: bytes) -> Replay:
    """Return the replay of a record; most visits of a page ask for the one that the visit before them asked for."""
    return read(json.loads(data))
