"""Seasons as an event's organisers have them, and roles in a season."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from tournaments.api.loading import SLUG as EVENT_SLUG
from tournaments.api.loading import event_to_change
from tournaments.api.seasons.seasons import SLUG, season_to_change
from tournaments.api.seasons.serializers import EVENT_STATES, SeasonRoleSerializer
from tournaments.lifecycle.transitions import ORGANISERS, roles_of
from tournaments.models import SeasonEvent, SeasonRole, Tournament
from tournaments.seasons.access import give_season_role, take_season_role
from tournaments.seasons.events import accept_event, remove_event
from tournaments.seasons.queries import waiting_at
from web.api_pages import list_response, list_serializer
from web.bodies import read_body
from web.resource import Resource

SEASON = OpenApiParameter("season", OpenApiTypes.STR, OpenApiParameter.PATH, description="the season's address")
USER = OpenApiParameter("user", OpenApiTypes.STR, OpenApiParameter.PATH, description="a user name")


class SeasonOfEventSerializer(serializers.Serializer[Any]):
    """A season that counts an event, or asks to."""

    season = serializers.CharField(source="season.slug", help_text="the season's address")
    name = serializers.CharField(source="season.name", help_text="the season's name")
    state = serializers.ChoiceField(choices=EVENT_STATES, help_text="asked: it waits for your answer")
    added_by = serializers.CharField(source="added_by.username", help_text="who added it or asks")


def _event(slug: str, request: Request) -> tuple[Tournament, User]:
    event, by = event_to_change(slug, request, "event:write")
    if not roles_of(event, by) & ORGANISERS:
        raise Http404(slug)
    return event, by


def _row(event: Tournament, season: str) -> SeasonEvent:
    rows = SeasonEvent.objects.select_related("season", "tournament", "added_by")
    found = rows.filter(tournament=event, season__slug=season).first()
    if found is None:
        raise Http404(season)
    return found


class EventSeasons(Resource):
    """The seasons of an event."""

    @extend_schema(
        operation_id="tournament_seasons_list",
        parameters=[EVENT_SLUG],
        responses=list_serializer(SeasonOfEventSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the seasons that count your event, or ask to. Scope: event:write."""
        event, _by = _event(slug, request)
        return list_response(SeasonOfEventSerializer(waiting_at(event), many=True).data)


class OneEventSeason(Resource):
    """One season of an event."""

    @extend_schema(
        operation_id="tournament_seasons_accept",
        parameters=[EVENT_SLUG, SEASON],
        request=None,
        responses=SeasonOfEventSerializer,
    )
    def put(self, request: Request, slug: str, season: str) -> Response:
        """Agree that a season counts your event; twice changes nothing. Scope: event:write."""
        event, by = _event(slug, request)
        row = accept_event(row=_row(event, season), by=by)
        return Response(SeasonOfEventSerializer(row).data)

    @extend_schema(operation_id="tournament_seasons_remove", parameters=[EVENT_SLUG, SEASON], responses={204: None})
    def delete(self, request: Request, slug: str, season: str) -> Response:
        """Take your event out of a season, or decline. Scope: event:write."""
        event, by = _event(slug, request)
        remove_event(row=_row(event, season), by=by)
        return Response(status=204)


class SeasonRoles(Resource):
    """Roles in a season."""

    @extend_schema(
        operation_id="seasons_roles_list", parameters=[SLUG], responses=list_serializer(SeasonRoleSerializer)
    )
    def get(self, request: Request, slug: str) -> Response:
        """List who runs the season; for those who do. Scope: event:write."""
        season, _by = season_to_change(slug, request)
        rows = SeasonRole.objects.filter(season=season).select_related("user").order_by("pk")
        return list_response([{"user": each.user.username, "role": each.role} for each in rows])

    @extend_schema(
        operation_id="seasons_roles_give",
        parameters=[SLUG],
        request=SeasonRoleSerializer,
        responses={201: SeasonRoleSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Give somebody a role in a season you own. Scope: event:write."""
        season, by = season_to_change(slug, request)
        payload = read_body(SeasonRoleSerializer, request)
        given = give_season_role(season=season, by=by, username=payload["user"], role=payload["role"])
        return Response({"user": given.user.username, "role": given.role}, status=201)


class OneSeasonRole(Resource):
    """One role in a season."""

    @extend_schema(operation_id="seasons_roles_take", parameters=[SLUG, USER], responses={204: None})
    def delete(self, request: Request, slug: str, user: str) -> Response:
        """Take a role away, or give up your own. Scope: event:write."""
        season, by = season_to_change(slug, request)
        take_season_role(season=season, by=by, username=user)
        return Response(status=204)
