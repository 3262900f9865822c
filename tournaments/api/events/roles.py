"""Roles of an event, given and taken by user name."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.acting import tried
from tournaments.api.loading import SLUG, event_for_organiser, event_to_change
from tournaments.events.roles import give_role, take_role
from tournaments.models import Role
from tournaments.scores.tables import roles_at
from web.api_pages import list_response, list_serializer
from web.bodies import read_body
from web.resource import Resource

KINDS = [(kind, kind) for kind in Role.Kind.values]
ROLE = OpenApiParameter("role", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(Role.Kind.values))
USER = OpenApiParameter("user", OpenApiTypes.STR, OpenApiParameter.PATH, description="a user name")


class RoleSerializer(serializers.Serializer[Any]):
    """Somebody's role. owner: everything; director: runs it; arbiter: rules; scorer: enters results."""

    user = serializers.CharField(source="user.username", help_text="a user name")
    name = serializers.CharField(source="user.shown_name", read_only=True, help_text="as others see it")
    role = serializers.ChoiceField(choices=KINDS)


class NewRoleSerializer(serializers.Serializer[Any]):
    """A role to be given to a person."""

    user = serializers.CharField(max_length=150, help_text="a user name")
    role = serializers.ChoiceField(choices=KINDS)
    dry_run = serializers.BooleanField(required=False, default=False, help_text="only say whether it could be done")


class Roles(Resource):
    """The roles of an event."""

    @extend_schema(operation_id="roles_list", parameters=[SLUG], responses=list_serializer(RoleSerializer))
    def get(self, request: Request, slug: str) -> Response:
        """List who runs the event. For anyone who has a role there; 404 for others."""
        event, _person = event_for_organiser(slug, request)
        return list_response(RoleSerializer(roles_at(event), many=True).data)

    @extend_schema(
        operation_id="roles_create",
        parameters=[SLUG],
        request=NewRoleSerializer,
        responses={200: RoleSerializer, 201: RoleSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Give somebody a role; directors give those of arbiters and scorers, owners all. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(NewRoleSerializer, request)
        given = tried(
            event,
            lambda: give_role(tournament=event, by=by, username=payload["user"], role=payload["role"]),
            dry_run=payload["dry_run"],
        )
        # 201 only where something was made.
        return Response(RoleSerializer(given).data, status=200 if payload["dry_run"] else 201)


class OneRole(Resource):
    """One role of one person."""

    @extend_schema(operation_id="roles_delete", parameters=[SLUG, ROLE, USER], responses={204: None})
    def delete(self, request: Request, slug: str, role: str, user: str) -> Response:
        """Take a role away; an event keeps an owner. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        take_role(tournament=event, by=by, username=user, role=role)
        return Response(status=204)
