"""Pairing constraints: who is kept apart, how stages are seeded, whether results are rated."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from tournaments.api.acting import tried
from tournaments.api.loading import SLUG, event_organised, event_to_change, stage_numbered
from tournaments.api.progress.rounds import ORDER
from tournaments.models import RatingPool, Stage
from tournaments.pairing import constraints, constraints_actions
from tournaments.ratings import seeds
from web.api_pages import PAGED, in_pages, list_response, list_serializer
from web.bodies import read_body
from web.resource import Resource

WAYS = [(way, way) for way in (constraints.ENTERED, constraints.DRAW, constraints.HAND, constraints.RATING)]
ONE = OpenApiParameter("one", OpenApiTypes.UUID, OpenApiParameter.PATH, description="an entry")
OTHER = OpenApiParameter("other", OpenApiTypes.UUID, OpenApiParameter.PATH, description="another entry")
Payload = dict[str, Any]


class PairSerializer(serializers.Serializer[Any]):
    """Two entries who are no partners, and at no table together, as far as it goes."""

    one = serializers.UUIDField()
    other = serializers.UUIDField()


class NewPairSerializer(PairSerializer):
    """The same, asked for."""

    dry_run = serializers.BooleanField(required=False, default=False)


class Pairs(Resource):
    """Pairs that are kept apart."""

    @extend_schema(operation_id="pairs_list", parameters=[SLUG, *PAGED], responses=list_serializer(PairSerializer))
    def get(self, request: Request, slug: str) -> Response:
        """List pairs that are kept apart. For organisers; 404 for others."""
        event, _by = event_organised(slug, request)
        return in_pages(
            request, constraints.pairs_of(event), lambda rows: [{"one": one, "other": other} for one, other in rows]
        )

    @extend_schema(
        operation_id="pairs_create",
        parameters=[SLUG],
        request=NewPairSerializer,
        responses={200: PairSerializer, 201: PairSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Keep two entries apart from now on; twice changes nothing. Until it starts. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(NewPairSerializer, request)
        one, other = str(payload["one"]), str(payload["other"])
        tried(
            event,
            lambda: constraints_actions.separate_two(tournament=event, by=by, one=one, other=other),
            dry_run=payload["dry_run"],
        )
        return Response({"one": one, "other": other}, status=200 if payload["dry_run"] else 201)


class OnePair(Resource):
    """One pair."""

    @extend_schema(operation_id="pairs_delete", parameters=[SLUG, ONE, OTHER], responses={204: None})
    def delete(self, request: Request, slug: str, one: UUID, other: UUID) -> Response:
        """Keep them apart no longer; twice changes nothing. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        constraints_actions.separate_two(tournament=event, by=by, one=str(one), other=str(other), apart=False)
        return Response(status=204)


class SeedingSerializer(serializers.Serializer[Any]):
    """Seeding of a stage that is not drawn yet.

    by: "" as they come, draw by lots, hand by places, rating by numbers. numbers, by entry: the place (1 is first), or
    the rating. pool: take everybody's rating there instead (`by` rating); `seen` is what a dry run showed.
    """

    by = serializers.ChoiceField(choices=WAYS, required=False, allow_blank=True, default="")
    numbers = serializers.DictField(child=serializers.FloatField(min_value=-1e6, max_value=1e6), required=False)
    pool = serializers.IntegerField(min_value=1, max_value=2**63 - 1, required=False, allow_null=True, default=None)
    seen = serializers.CharField(max_length=64, required=False, allow_blank=True, default="")
    dry_run = serializers.BooleanField(required=False, default=False)


class SeededSerializer(serializers.Serializer[Any]):
    """Seeding of a stage. seen: to be sent with ratings that were looked at."""

    by = serializers.CharField(allow_blank=True)
    numbers = serializers.DictField(child=serializers.FloatField())
    seen = serializers.CharField(allow_blank=True)


class PoolSerializer(serializers.Serializer[Any]):
    """Ratings that may seed a stage. event: null for those of all public events together."""

    id = serializers.IntegerField(source="pk")
    preset = serializers.CharField()
    seats = serializers.IntegerField()
    sides = serializers.IntegerField()
    who = serializers.CharField()
    event = serializers.CharField(source="stage.tournament.slug", allow_null=True, default=None)


class StageSeeding(Resource):
    """Seeding of a stage."""

    @extend_schema(operation_id="seeding_retrieve", parameters=[SLUG, ORDER], responses=SeededSerializer)
    def get(self, request: Request, slug: str, order: int) -> Response:
        """Get how a stage is seeded. For organisers; 404 for others."""
        event, _by = event_organised(slug, request)
        return Response(_seeded(stage_numbered(event, order)))

    @extend_schema(
        operation_id="seeding_set", parameters=[SLUG, ORDER], request=SeedingSerializer, responses=SeededSerializer
    )
    def put(self, request: Request, slug: str, order: int) -> Response:
        """Set how a stage is seeded; it counts from its draw. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload, stage = read_body(SeedingSerializer, request), stage_numbered(event, order)
        if payload["pool"] is not None:
            return _rated(stage, by, payload)

        def act() -> Payload:
            numbers = {str(key): float(value) for key, value in payload.get("numbers", {}).items()}
            constraints_actions.seed_stage(stage=stage, by=by, seeding=payload["by"], numbers=numbers)
            return _seeded(_fresh(stage))

        return Response(tried(event, act, dry_run=payload["dry_run"]))


def _rated(stage: Stage, by: User, payload: Payload) -> Response:
    pool: RatingPool = seeds.pool_of(stage, str(payload["pool"]))
    found = seeds.preview_ratings(stage=stage, by=by, pool=pool)
    if payload["dry_run"]:
        numbers = {str(line.entry.uuid): line.value for line in found.lines if line.value is not None}
        return Response({"by": constraints.RATING, "numbers": numbers, "seen": found.hash})
    # Ratings change with every result: what is taken is what the dry run showed, or nothing.
    seeds.take_ratings(stage=stage, by=by, pool=pool, seen=payload["seen"])
    return Response(_seeded(_fresh(stage)))


def _fresh(stage: Stage) -> Stage:
    return Stage.objects.select_related("tournament", "ruleset").get(pk=stage.pk)


def _seeded(stage: Stage) -> Payload:
    rule = constraints.seeding_of(stage)
    places = {entry: float(place) for place, entry in enumerate(rule.hand, start=1)}
    return {"by": rule.by, "numbers": places or dict(rule.ratings), "seen": ""}


class StagePools(Resource):
    """Ratings that may seed a stage."""

    @extend_schema(operation_id="seeding_pools", parameters=[SLUG, ORDER], responses=list_serializer(PoolSerializer))
    def get(self, request: Request, slug: str, order: int) -> Response:
        """List the ratings that may seed a stage, the likeliest first. For organisers."""
        event, _by = event_organised(slug, request)
        return list_response(PoolSerializer(seeds.pools_for(stage_numbered(event, order)), many=True).data)
