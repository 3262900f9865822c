"""The leaders of running ladders: who is first, with which interval, and how much was played today."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from bots.models import Bot
from tournaments.models import Match, Rating, RatingPool, Tournament
from tournaments.ratings.queries import Strength


@dataclass(frozen=True, slots=True)
class LadderLine:
    """A ladder. leader: None before its first result; name: theirs; bot: the leader, if it is one.

    today: how many of its matches finished since the day began.
    """

    event: Tournament
    leader: Strength | None = None
    name: str = ""
    bot: Bot | None = None
    today: int = 0


def ladder_lines(events: Sequence[Tournament], since: datetime) -> list[LadderLine]:
    """Return a line for each of these events, in their order. since: when today began. One query."""
    if not events:
        return []
    found = {row.pool.stage.tournament_id: row for row in _leaders(events, since) if row.pool.stage is not None}
    return [_line(event, found.get(event.pk)) for event in events]


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
    today = int(vars(row)["today"])
    if row.version is not None:
        return LadderLine(event, Strength(row, None), row.version.bot.name, row.version.bot, today)
    return LadderLine(event, Strength(row, None), row.entry.player.name if row.entry else "", None, today)
