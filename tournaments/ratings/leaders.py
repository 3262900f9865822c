"""The leaders of running ladders: who is first, with which interval, and how much was played today."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from bots.models import Bot
from tournaments.models import Match, Rating, RatingPool, Standing, Tournament
from tournaments.ratings.queries import Strength


@dataclass(frozen=True, slots=True)
class LadderLine:
    """A ladder. leader: None before its first result; name: theirs; bot: the leader, if it is one.

    today: how many of its matches finished since the day began; own: the reader's best place, None without one.
    """

    event: Tournament
    leader: Strength | None = None
    name: str = ""
    bot: Bot | None = None
    today: int = 0
    own: int | None = None


def ladder_lines(events: Sequence[Tournament], since: datetime, reader: User | None = None) -> list[LadderLine]:
    """Return a line for each of these events, in their order. since: when today began. One query."""
    if not events:
        return []
    rows = _leaders(events, since)
    if reader is not None:
        rows = rows.annotate(own=Subquery(_places_of(reader)))
    found = {row.pool.stage.tournament_id: row for row in rows if row.pool.stage is not None}
    return [_line(event, found.get(event.pk)) for event in events]


def _places_of(reader: User) -> QuerySet[Any]:
    """Return, for a rating of a ladder, the best rank there of what is theirs."""
    theirs = Q(entry__player__bot__owner=reader) | Q(entry__player__user=reader)
    rows = Standing.objects.filter(theirs, stage=OuterRef("pool__stage"), after_round=0)
    return rows.order_by("rank").values("rank")[:1]


def _leaders(events: Sequence[Tournament], since: datetime) -> QuerySet[Rating]:
    first = Rating.objects.filter(pool=OuterRef("pk")).order_by("-value", "line", "-n").values("pk")[:1]
    pools = RatingPool.objects.filter(stage__tournament__in=events).values(first=Subquery(first))
    over = Match.objects.filter(stage=OuterRef("pool__stage"), state=Match.State.CONFIRMED, finished_at__gte=since)
    today = over.order_by().values("stage").annotate(n=Count("pk")).values("n")
    rows = Rating.objects.filter(pk__in=pools).annotate(today=Coalesce(Subquery(today), 0))
    return rows.select_related("pool__stage", "version__bot", "entry__player")


def _line(event: Tournament, row: Rating | None) -> LadderLine:
    if row is None:
        return LadderLine(event)
    today, own = int(vars(row)["today"]), vars(row).get("own")
    if row.version is not None:
        return LadderLine(event, Strength(row, None), row.version.bot.name, row.version.bot, today, own)
    return LadderLine(event, Strength(row, None), row.entry.player.name if row.entry else "", None, today, own)
