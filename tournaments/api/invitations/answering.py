"""Invitations of the person who asks: listed, accepted, declined; accepted by the letters of a link."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.loading import about
from tournaments.invitations.answers import accept_invitation, accept_link, decline_invitation, read_invitation
from tournaments.invitations.queries import invitations_of
from tournaments.models import Invitation, InvitationLink
from web.access import WRITES, require
from web.api_pages import PAGED, in_pages, list_serializer
from web.bodies import read_body
from web.resource import Resource
from web.throttles import where_from

VERBS: Final = ("accept", "decline")
UUID_OF = OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH, description="of the invitation")
VERB = OpenApiParameter("verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VERBS), description="the answer")


class OwnInvitationSerializer(serializers.Serializer[Any]):
    """An invitation of the person who asks."""

    uuid = serializers.UUIDField(help_text="of the invitation")
    event = serializers.CharField(source="tournament.slug", help_text="the event's address")
    name = serializers.CharField(source="tournament.name", help_text="the event's name")
    invited_by = serializers.CharField(source="made_by.username", help_text="the user name of who invites")
    state = serializers.ChoiceField(choices=Invitation.State.choices, help_text="the answer")
    answered_at = serializers.DateTimeField(allow_null=True, help_text="when it was answered or withdrawn")


class InvitationTokenSerializer(serializers.Serializer[Any]):
    """The letters of an invitation."""

    link = serializers.CharField(max_length=60, help_text="what the address of the invitation carries")


class OwnInvitations(Resource):
    """My invitations."""

    @extend_schema(
        operation_id="own_invitations_list",
        parameters=[*PAGED],
        responses=list_serializer(OwnInvitationSerializer),
    )
    def get(self, request: Request) -> Response:
        """List your invitations, newest first. Scope: read."""
        rows = list(invitations_of(require(request, "read")))
        return in_pages(request, rows, lambda some: OwnInvitationSerializer(some, many=True).data)


class OwnInvitationAct(Resource):
    """Answers to my invitations."""

    @extend_schema(
        operation_id="own_invitations_act",
        parameters=[UUID_OF, VERB],
        request=None,
        responses=OwnInvitationSerializer,
    )
    def post(self, request: Request, uuid: UUID, verb: str) -> Response:
        """Accept or decline an invitation of yours; twice changes nothing. Scope: event:write or bot:write."""
        if verb not in VERBS:
            raise Http404(verb)
        found = Invitation.objects.select_related("tournament").filter(uuid=uuid).first()
        user = require(request, *WRITES, of=about(found.tournament) if found is not None else None)
        if found is None or not invitations_of(user).filter(pk=found.pk).exists():
            raise Http404(str(uuid))
        act = accept_invitation if verb == "accept" else decline_invitation
        return Response(OwnInvitationSerializer(act(invitation=found, user=user)).data)


class InvitationAccept(Resource):
    """Acceptance by the letters of a link."""

    @extend_schema(
        operation_id="invitations_accept", request=InvitationTokenSerializer, responses=OwnInvitationSerializer
    )
    def post(self, request: Request) -> Response:
        """Accept by a link or by the link of a mail; twice changes nothing. Scope: event:write or bot:write."""
        # In the body, not in the address: addresses stand in logs.
        payload = read_body(InvitationTokenSerializer, request)
        user = require(request, *WRITES)
        found = read_invitation(payload["link"], network=where_from(request))
        if isinstance(found, InvitationLink):
            accepted = accept_link(link=found, user=user)
        else:
            accepted = accept_invitation(invitation=found, user=user)
        return Response(OwnInvitationSerializer(accepted).data, headers={"Cache-Control": "no-store"})
