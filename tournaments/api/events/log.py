"""Log of an event: who did what; and of a round why everybody sits where they sit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from bots.models import AuditEvent
from tournaments.api.loading import SLUG, STAGE, event_for, stage_of
from tournaments.api.progress.rounds import NUMBER
from tournaments.api.serializers import RoundSerializer
from tournaments.events import log
from tournaments.matches import schedule
from tournaments.models import Match, Round
from web.api_pages import Pages
from web.resource import Resource


class ActLineSerializer(serializers.Serializer[Any]):
    """One act of the event's log, as its page tells it."""

    id = serializers.IntegerField(source="act.pk")
    at = serializers.DateTimeField(source="act.at")
    by = serializers.CharField(source="act.actor.shown_name", default=None, allow_null=True, help_text="null: Hanami")
    who = serializers.CharField(allow_blank=True, help_text="the same, or the side whose phone it was; empty: Hanami")
    verb = serializers.CharField(source="act.verb", help_text="a stable word for what was done")
    what = serializers.CharField(help_text="the same in words, in the reader's language")
    about = serializers.CharField(allow_blank=True, help_text="whom or what it is about")
    match = serializers.CharField(allow_blank=True, help_text="the uuid of the match it is about; empty: none")


class Feed(Resource, ListAPIView[AuditEvent]):
    """The log of an event."""

    serializer_class = ActLineSerializer
    pagination_class = Pages
    kwargs: dict[str, Any]

    def get_queryset(self) -> QuerySet[AuditEvent]:
        if "slug" not in self.kwargs:  # the schema is made without an address
            return AuditEvent.objects.none()
        return log.feed_of(event_for(str(self.kwargs["slug"]), self.request)[0])

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        rows: Sequence[AuditEvent] = args[0] if args else []
        # The page's rows together: names and words are looked up once for all of them.
        return super().get_serializer(log.feed_lines(rows), *args[1:], **kwargs)

    @extend_schema(operation_id="tournaments_feed", parameters=[SLUG])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List who did what, the newest first."""
        return super().get(request, *args, **kwargs)


class PairingSerializer(serializers.Serializer[Any]):
    """A table and the reasons why these entries sit at it."""

    table = serializers.IntegerField(source="table_no", allow_null=True)
    uuid = serializers.UUIDField()
    why = serializers.CharField(allow_blank=True, help_text="why these entries meet, as the planner says it")


class RoundDetailSerializer(RoundSerializer):
    """A round with how it was drawn."""

    drawn = serializers.JSONField(
        help_text="the planner's own account: tables, byes, reasons, figures; empty while the round is a draft"
    )
    pairings = PairingSerializer(many=True, help_text="its tables, in order; of duplicate legs the first")


class OneRound(Resource):
    """One round."""

    @extend_schema(
        operation_id="tournaments_rounds_retrieve", parameters=[SLUG, NUMBER, STAGE], responses=RoundDetailSerializer
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Get a round, and why everybody sits where they sit."""
        event, _person = event_for(slug, request)
        stage = stage_of(event, request.query_params.get("stage", ""))
        row = next((each for each in schedule.rounds_of(stage) if each.number == number), None) if stage else None
        if row is None:
            raise Http404(str(number))
        # A draft is for organisers alone until it is published: here it has a number and nothing else.
        is_draft = row.state == Round.State.DRAFT
        pairings = [] if is_draft else list(Match.objects.filter(round=row, leg=1).order_by("table_no", "pk"))
        plan = {"drawn": {} if is_draft else row.plan, "pairings": PairingSerializer(pairings, many=True).data}
        return Response({**RoundSerializer(row).data, **plan})
