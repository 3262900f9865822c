"""Seasons of the official ladders as pages show them: those of a preset, one, and medals of bots and people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import JSONObject

from accounts.models import User
from tournaments.models import LadderMedal, LadderSeason, Stage, Tournament

MEDALS_SHOWN = 30


@dataclass(frozen=True, slots=True)
class SeasonAround:
    """A season between its neighbours. earlier, later: addresses of their events, "" where there is none."""

    season: LadderSeason
    earlier: str
    later: str


def seasons_of(preset: str) -> QuerySet[LadderSeason]:
    """Return the seasons of a preset's ladders, the newest first, with stage, event and medals. Two queries."""
    return _with_medals(_public().filter(preset=preset)).order_by("-pk")


def all_seasons() -> QuerySet[LadderSeason]:
    """Return the seasons of all ladders in the same way."""
    return _with_medals(_public()).order_by("-pk")


def season_around(stage: Stage) -> SeasonAround | None:
    """Return the season that a stage is, with the one before and after; None if it is none. Two queries, else one."""
    others = _public().filter(preset=OuterRef("preset"), seats=OuterRef("seats"))
    slug = "stage__tournament__slug"
    before = Subquery(others.filter(pk__lt=OuterRef("pk")).order_by("-pk").values(slug)[:1])
    after = Subquery(others.filter(pk__gt=OuterRef("pk")).order_by("pk").values(slug)[:1])
    rows = _with_medals(LadderSeason.objects.filter(stage=stage))
    season = rows.annotate(before=before, after=after).first()
    if season is None:
        return None
    return SeasonAround(season, season.before or "", season.after or "")


def medals_of_bot(bot: int | OuterRef) -> QuerySet[LadderMedal, Any]:
    """Return the medals of a bot, the best first, each as one value `it`: place, and slug and name of the event."""
    rows = LadderMedal.objects.filter(bot=bot, season__stage__tournament__visibility=Tournament.Visibility.PUBLIC)
    event = {name: f"season__stage__tournament__{name}" for name in ("slug", "name")}
    return rows.order_by("place", "-season").values(it=JSONObject(place="place", **event))[:MEDALS_SHOWN]


def medals_of_person(person: User) -> Sequence[LadderMedal]:
    """Return the medals of somebody's bots, the best first, with bot and event. One query."""
    rows = LadderMedal.objects.filter(bot__owner=person)
    rows = rows.filter(season__stage__tournament__visibility=Tournament.Visibility.PUBLIC)
    return list(rows.select_related("bot", "season__stage__tournament").order_by("place", "-season")[:MEDALS_SHOWN])


def _public() -> QuerySet[LadderSeason]:
    return LadderSeason.objects.filter(stage__tournament__visibility=Tournament.Visibility.PUBLIC)


def _with_medals(rows: QuerySet[LadderSeason]) -> QuerySet[LadderSeason]:
    medals = LadderMedal.objects.select_related("bot__owner").order_by("place", "entry__seed")
    return rows.select_related("stage__tournament").prefetch_related(Prefetch("medals", medals))
