"""Deal sets of a comparison: every one that was judged, so that the test can be done again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.comparisons.comparisons import named
from tournaments.models import ChallengeSet, Match
from web.api_pages import Pages
from web.resource import Resource

UUID_OF = OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH, description="of the comparison")


class ByNumber(Pages):
    """A list in the order in which deal sets count."""

    ordering = "number"


@extend_schema_serializer(component_name="JudgedSet")  # its name in version 1
class EvaluatedSetSerializer(serializers.ModelSerializer[ChallengeSet]):
    """A deal set that was judged, in the order in which they count."""

    number = serializers.IntegerField(help_text="from 1")
    deal_set = serializers.UUIDField(source="deal_set.uuid", help_text="matches with it have the same cards")
    score = serializers.CharField(
        allow_blank=True, help_text="of the candidate, exact, 1 is all; empty: it was skipped"
    )
    llr = serializers.FloatField(help_text="the log likelihood ratio after it")
    matches = serializers.ListField(source="played", child=serializers.UUIDField(), help_text="its matches, leg by leg")

    class Meta:
        model = ChallengeSet
        fields = ("number", "deal_set", "score", "llr", "candidate_forfeits", "reference_forfeits", "matches")


class DealSets(Resource, ListAPIView[ChallengeSet]):
    """Deal sets of a comparison."""

    serializer_class = EvaluatedSetSerializer
    pagination_class = ByNumber
    kwargs: dict[str, Any]

    def get_queryset(self) -> QuerySet[ChallengeSet]:
        if "uuid" not in self.kwargs:  # the schema is made without an address
            return ChallengeSet.objects.none()
        return named(self.kwargs["uuid"]).sets.select_related("deal_set").order_by("number")

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        rows: Sequence[Any] = args[0] if args else []
        # For the whole page in one query.
        legs = Match.objects.filter(deal_set__in=[row.deal_set_id for row in rows]).order_by("leg")
        found: dict[int | None, list[Any]] = {}
        for deal_set, uuid in legs.values_list("deal_set", "uuid"):
            found.setdefault(deal_set, []).append(uuid)
        for row in rows:
            row.played = found.get(row.deal_set_id, [])
        return super().get_serializer(*args, **kwargs)

    @extend_schema(operation_id="challenges_deal_sets", parameters=[UUID_OF])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List every deal set that was judged, in the order in which they count."""
        return super().get(request, *args, **kwargs)
