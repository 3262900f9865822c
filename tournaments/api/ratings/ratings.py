"""Strength of bots over time and against each other; people, and their ratings."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from bots.api.bots import SLUG, bot_named
from tournaments.models import RatingPool
from tournaments.people import queries as people
from tournaments.people.list import people_list
from tournaments.ratings import history as rating_history
from web.api_pages import Pages
from web.resource import Resource

POOL: Final = OpenApiParameter("pool", OpenApiTypes.INT, description="the id of a pool; without it the most played")
VS: Final = OpenApiParameter("vs", OpenApiTypes.STR, description="the address of another bot: how both did together")
NAME: Final = OpenApiParameter("name", OpenApiTypes.STR, OpenApiParameter.PATH, description="a user name")
WORDS: Final = OpenApiParameter("q", OpenApiTypes.STR, description="words in the name")


class RatedInSerializer(serializers.ModelSerializer[RatingPool]):
    """A pool of bots that are rated together: the same preset, seats and sides."""

    id = serializers.IntegerField(help_text="for ?pool=")

    class Meta:
        model = RatingPool
        fields = ("id", "preset", "seats", "sides")


class PointSerializer(serializers.Serializer[Any]):
    """Rating of a bot at the end of a round; in a ladder at the end of a day; with `by_result` after one result."""

    at = serializers.DateTimeField(allow_null=True)
    version = serializers.IntegerField()
    games = serializers.IntegerField()
    mean = serializers.FloatField(source="rating.mu", help_text="the estimate itself")
    low = serializers.SerializerMethodField()
    high = serializers.SerializerMethodField()
    tournament = serializers.CharField(source="slug", allow_blank=True, help_text="empty where it may not be named")
    round = serializers.IntegerField(allow_null=True)

    def get_low(self, point: rating_history.Point) -> float:
        return point.interval[0]

    def get_high(self, point: rating_history.Point) -> float:
        return point.interval[1]


class VersusSerializer(serializers.Serializer[Any]):
    """Two bots at the same tables, on different sides."""

    bot = serializers.CharField(source="other.slug", help_text="the address of the other bot")
    ahead = serializers.IntegerField(help_text="matches that the first finished before the other")
    level = serializers.IntegerField(help_text="matches that both finished level")
    behind = serializers.IntegerField(help_text="matches that the first finished after the other")
    deal_sets = serializers.IntegerField(help_text="the interval is clustered on them")
    share = serializers.FloatField(
        source="share.mean", allow_null=True, help_text="1 for ahead, 1/2 for level, the mean"
    )
    low = serializers.FloatField(source="share.low", allow_null=True)
    high = serializers.FloatField(source="share.high", allow_null=True)


class HistorySerializer(serializers.Serializer[Any]):
    """A bot over time in one pool, and against another bot if one was asked for."""

    pools = RatedInSerializer(many=True, help_text="where it is rated, the most played first")
    pool = RatedInSerializer(allow_null=True, help_text="where `points` are from; null: it is not rated yet")
    points = PointSerializer(many=True, help_text="in their order, at most sixty")
    by_result = serializers.BooleanField(
        help_text="whether each point is one result: so it is until three rounds, or days of a ladder, are over"
    )
    versus = VersusSerializer(allow_null=True, help_text="null: nobody was asked for")


class BotStrength(Resource):
    """A bot over time."""

    @extend_schema(operation_id="bots_strength", parameters=[SLUG, POOL, VS], responses=HistorySerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Get how strong a bot was at the ends of rounds, with intervals; and head to head."""
        # None: as a stranger sees it, for every reader alike.
        bot = bot_named(slug, None)
        rival = request.query_params.get("vs", "")[:80]
        if rival == slug:
            raise Http404(rival)
        pool = request.query_params.get("pool", "")
        found = rating_history.history_of(bot, pool)
        if pool and (found is None or str(found.pool.pk) != pool):
            raise Http404(pool)
        versus = rating_history.versus(bot, bot_named(rival, None)) if rival else None
        history = _shown(found) if found is not None else {}
        empty: dict[str, Any] = {"pools": (), "pool": None, "points": (), "by_result": False}
        return Response(HistorySerializer({**empty, **history, "versus": versus}).data)


def _shown(found: rating_history.History) -> dict[str, Any]:
    return {"pools": found.pools, "pool": found.pool, "points": found.points, "by_result": found.is_by_result}


class PersonLineSerializer(serializers.ModelSerializer[User]):
    """Somebody with a bot or a public event."""

    name = serializers.CharField(source="shown_name")
    bots = serializers.IntegerField(source="bots_n", help_text="how many bots they have")
    events = serializers.IntegerField(source="events_n", help_text="how many public events they run")

    class Meta:
        model = User
        fields = ("username", "name", "bots", "events")
        extra_kwargs = {"username": {"help_text": "as in /u/{name}/"}}


class People(Resource, ListAPIView[User]):
    """People with a bot or a public event."""

    serializer_class = PersonLineSerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[User]:
        # By id: a cursor needs an order that never changes.
        return people_list(self.request.query_params.get("q", "").strip()[:60]).order_by("-id")

    @extend_schema(operation_id="people_list", parameters=[WORDS])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List people with a bot or a public event, those who came last first."""
        return super().get(request, *args, **kwargs)


class PersonRatingSerializer(serializers.Serializer[Any]):
    """Rating of a person in one pool, as of today."""

    preset = serializers.CharField(source="row.pool.preset")
    seats = serializers.IntegerField(source="row.pool.seats")
    sides = serializers.IntegerField(source="row.pool.sides", help_text="how many sides a table has")
    value = serializers.FloatField(help_text="what seeds go by: the mean less three standard deviations")
    low = serializers.FloatField()
    high = serializers.FloatField()
    matches = serializers.IntegerField(help_text="matches that are counted in")
    last = serializers.DateTimeField(allow_null=True, help_text="when the last event that counts began")


class PersonDetailSerializer(serializers.Serializer[Any]):
    """A person's public page."""

    username = serializers.CharField(source="person.username", help_text="as in /u/{name}/")
    name = serializers.CharField(source="person.shown_name")
    bots = serializers.ListField(
        child=serializers.CharField(),
        help_text="addresses of their bots, the first hundred by name, the best rated first",
    )
    events = serializers.ListField(
        child=serializers.CharField(), help_text="addresses of public events they run, the newest thirty"
    )
    ratings = PersonRatingSerializer(many=True, help_text="of events that count for them, where they said so")


class OnePerson(Resource):
    """One person."""

    @extend_schema(operation_id="people_retrieve", parameters=[NAME], responses=PersonDetailSerializer)
    def get(self, request: Request, name: str) -> Response:
        """Get a person: their bots, the events they run, their ratings."""
        try:
            page = people.person_page(name)
        except User.DoesNotExist as missing:
            raise Http404(name) from missing
        person = {
            "person": page.person,
            "bots": [bot.slug for bot in page.bots],
            "events": [event.slug for event in page.organised],
            "ratings": page.ratings,
        }
        return Response(PersonDetailSerializer(person).data)
