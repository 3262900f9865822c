"""Matches and their records; acts on one that is held."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.acting import ActSerializer, DoneSerializer, perform
from tournaments.api.loading import SLUG, STAGE, about, event_for, match_for, matches_for, stage_of
from tournaments.api.serializers import MatchSerializer
from tournaments.lifecycle.visibility import named_to
from tournaments.matches.queries import match_page, served_document
from tournaments.models import Match
from tournaments.operations.quarantine import retry_match, void_match
from tournaments.progress.stations import MAX_HALL_TABLES, call_match
from web.access import require, somebody
from web.api_pages import InOrder, Pages
from web.bodies import read_body
from web.resource import Resource

VERBS: Final = ("retry", "void", "call")
STATE = OpenApiParameter("state", OpenApiTypes.STR, enum=list(Match.State.values))
ROUND = OpenApiParameter("round", OpenApiTypes.INT, description="the number of a round")
BOT = OpenApiParameter("bot", OpenApiTypes.STR, description="the address of a bot that sits there")


def filtered(rows: QuerySet[Match], request: Request) -> QuerySet[Match]:
    """Return those of a state, a round, a bot."""
    query = request.query_params
    if query.get("state"):
        rows = rows.filter(state=query["state"])
    if query.get("round"):
        rows = rows.filter(round__number=int(query["round"]))
    if query.get("bot"):
        # distinct: a bot may sit at several seats of one match.
        rows = rows.filter(seats__bot_version__bot__slug=query["bot"][:60]).distinct()
    return rows


class Matches(Resource, ListAPIView[Match]):
    """The matches of an event."""

    serializer_class = MatchSerializer
    pagination_class = InOrder
    kwargs: dict[str, Any]

    def get_queryset(self) -> QuerySet[Match]:
        if "slug" not in self.kwargs:  # the schema is made without an address
            return Match.objects.none()
        event, person = event_for(str(self.kwargs["slug"]), self.request)
        rows = matches_for(person).filter(stage__tournament=event)
        wanted = self.request.query_params.get("stage", "")
        return filtered(rows.filter(stage=stage_of(event, wanted)) if wanted else rows, self.request)

    @extend_schema(operation_id="tournaments_matches_list", parameters=[SLUG, STAGE, ROUND, STATE, BOT])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the matches in the order they were drawn."""
        return super().get(request, *args, **kwargs)


class AllMatches(Resource, ListAPIView[Match]):
    """Matches of all public events."""

    serializer_class = MatchSerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[Match]:
        # As a stranger, for everybody: the list is the same for all readers.
        return filtered(matches_for(None).filter(named_to(None, "stage__tournament__")), self.request)

    @extend_schema(operation_id="matches_list", parameters=[STATE, BOT])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the matches of all public events, those drawn last first."""
        return super().get(request, *args, **kwargs)


class MatchDetail(Resource):
    """One match."""

    @extend_schema(operation_id="matches_retrieve", responses=MatchSerializer)
    def get(self, request: Request, uuid: UUID) -> Response:
        """Get one match."""
        _match, person = match_for(uuid, request)
        return Response(MatchSerializer(matches_for(person).get(uuid=uuid)).data)


class MatchActSerializer(ActSerializer):
    """Parameters of an act on a match."""

    station = serializers.IntegerField(
        min_value=1,
        max_value=MAX_HALL_TABLES,
        required=False,
        allow_null=True,
        default=None,
        help_text="of a call: the table of the hall; null: the first that is free",
    )


class MatchAct(Resource):
    """Acts on a match."""

    @extend_schema(
        operation_id="matches_act",
        parameters=[OpenApiParameter("verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VERBS))],
        request=MatchActSerializer,
        responses=DoneSerializer,
    )
    def post(self, request: Request, uuid: UUID, verb: str) -> Response:
        """Requeue a held match (retry; operators too: admin), cancel it for good with a reason (void), or call one.

        A call is of a bracket that flows, to a `station` of the hall. Scope: event:write.
        """
        if verb not in VERBS:
            raise Http404(verb)
        if somebody(request) is None:
            require(request)
        match, _person = match_for(uuid, request)
        event, payload = match.stage.tournament, read_body(MatchActSerializer, request)
        by = require(request, "event:write", *(["admin"] if verb == "retry" else []), of=about(event))
        if verb == "retry":
            return perform(event, lambda: retry_match(match=match, by=by), dry_run=payload["dry_run"])
        acts: dict[str, Callable[[], object]] = {
            "void": lambda: void_match(match=match, by=by, reason=payload["reason"]),
            "call": lambda: call_match(match=match, by=by, station=payload["station"]),
        }
        return perform(event, acts[verb], dry_run=payload["dry_run"])


class Record(Resource):
    """The record of a match."""

    @extend_schema(operation_id="records_retrieve", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, uuid: UUID) -> Response:
        """Get the verified record of a finished match: {"record", "hash", "view"}."""
        _match, person = match_for(uuid, request)
        document = served_document(match_page(uuid, person))
        if document is None:
            raise Http404(str(uuid))
        return Response(document)
