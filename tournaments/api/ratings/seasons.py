"""Seasons of the official ladders, with their medals."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from engine.games import PRESETS
from tournaments.models import LadderMedal, LadderSeason
from tournaments.ratings.ladders.seasons import all_seasons
from web.api_pages import Pages
from web.resource import Resource

OUTCOMES: Final = [*LadderSeason.Outcome.values, None]
FILTERS: Final = [
    OpenApiParameter("preset", OpenApiTypes.STR, enum=sorted(PRESETS), description="of ladders by these rules"),
    OpenApiParameter("bot", OpenApiTypes.STR, description="the address of a bot: seasons in which it won a medal"),
]


class MedalSerializer(serializers.ModelSerializer[LadderMedal]):
    """A medal of a season."""

    place = serializers.IntegerField(help_text="1: gold, 2: silver, 3: bronze; tied bots have the same")
    bot = serializers.CharField(source="bot.slug", help_text="its address")
    owner = serializers.CharField(source="bot.owner.username")
    version = serializers.IntegerField(source="n", help_text="the version that was rated last")
    value = serializers.FloatField(help_text="what the table ranks by: the mean less three standard deviations")
    deal_sets = serializers.IntegerField(help_text="deal sets that were counted")

    class Meta:
        model = LadderMedal
        fields = ("place", "bot", "owner", "version", "value", "deal_sets")


class LadderSeasonSerializer(serializers.ModelSerializer[LadderSeason]):
    """A season of an official ladder."""

    tournament = serializers.CharField(source="stage.tournament.slug", help_text="the address of its event")
    preset = serializers.CharField()
    seats = serializers.IntegerField(help_text="seats at a table")
    ends_at = serializers.DateTimeField(source="stage.ends_at", allow_null=True, help_text="nothing is drawn after it")
    ended_at = serializers.DateTimeField(allow_null=True, help_text="since when its table is final; null before")
    outcome = serializers.SerializerMethodField(help_text="null before it has ended")
    contenders = serializers.IntegerField(help_text="bots that counted for medals, once it has ended")
    medals = MedalSerializer(many=True, help_text="of its first three, once it has ended")
    standings = serializers.SerializerMethodField(help_text="path of the API to its table")

    class Meta:
        model = LadderSeason
        fields = (
            "tournament",
            "preset",
            "seats",
            "ends_at",
            "ended_at",
            "outcome",
            "contenders",
            "medals",
            "standings",
        )

    @extend_schema_field({"type": "string", "nullable": True, "enum": OUTCOMES})
    def get_outcome(self, season: LadderSeason) -> str | None:
        """Return what came of it."""
        return season.outcome or None

    def get_standings(self, season: LadderSeason) -> str:
        """Return the path of its table."""
        return reverse("api-standings", args=[season.stage.tournament.slug])


class LadderSeasons(Resource, ListAPIView[LadderSeason]):
    """Seasons of the official ladders."""

    serializer_class = LadderSeasonSerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[LadderSeason]:
        query, rows = self.request.query_params, all_seasons().order_by("-id")
        if preset := query.get("preset"):
            rows = rows.filter(preset=preset)
        if bot := query.get("bot", "")[:60]:
            rows = rows.filter(medals__bot__slug=bot)
        return rows

    @extend_schema(operation_id="ladder_seasons_list", parameters=FILTERS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the months of the official ladders, the newest first, with their medals."""
        return super().get(request, *args, **kwargs)
