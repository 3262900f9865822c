"""Invitations of an event, for its organisers: links for everybody who has them, people by name or by mail."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from tournaments.api.loading import SLUG, event_to_change
from tournaments.invitations import links, people
from tournaments.invitations.queries import invitations_at, is_usable, links_at
from tournaments.lifecycle.transitions import ORGANISERS, roles_of
from tournaments.models import Invitation, InvitationLink, Tournament
from web.api_pages import PAGED, in_pages, list_response, list_serializer
from web.bodies import read_body
from web.resource import Resource

VERBS: Final = ("withdraw", "resend")
UUID_OF_LINK = OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH, description="of the invitation link")
UUID_OF_INVITATION = OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH, description="of the invitation")
VERB = OpenApiParameter("verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VERBS), description="what to do")


class InvitationLinkSerializer(serializers.Serializer[Any]):
    """A link that invites everybody who opens it. address: null in lists and once nobody can come by it."""

    uuid = serializers.UUIDField(read_only=True, help_text="of the invitation link")
    note = serializers.CharField(
        required=False, allow_blank=True, max_length=links.MAX_NOTE, help_text="what the link is for; for organisers"
    )
    max_uses = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=links.MAX_USES,
        help_text="how many accounts may come by it; null: any number",
    )
    expires_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text="when it stops working; null: never"
    )
    uses = serializers.IntegerField(read_only=True, help_text="how many accounts came by it")
    usable = serializers.SerializerMethodField(help_text="whether somebody could still come by it")
    address = serializers.SerializerMethodField(help_text="the whole link; null in lists and for one that has ended")

    def get_usable(self, link: InvitationLink) -> bool:
        """Return whether somebody could still come by it."""
        return is_usable(link)

    def get_address(self, link: InvitationLink) -> str | None:
        """Return the whole address where one link alone was asked for."""
        # A list has no addresses: one answer that leaks would let anybody in.
        shown = self.context.get("shown")
        token = links.invitation_token(link) if shown is not None and is_usable(link) else ""
        return str(shown.build_absolute_uri(reverse("invitation-link", args=[token]))) if shown and token else None


class InvitationSerializer(serializers.Serializer[Any]):
    """One person's invitation. user: null until an account accepts an invitation by mail; email: until then."""

    uuid = serializers.UUIDField(help_text="of the invitation")
    user = serializers.SerializerMethodField(help_text="a user name; null while it waits at an address")
    email = serializers.CharField(allow_blank=True, help_text="the address that it went to, until it is accepted")
    state = serializers.ChoiceField(choices=Invitation.State.choices, help_text="the answer")
    answered_at = serializers.DateTimeField(allow_null=True, help_text="when it was answered or withdrawn")

    def get_user(self, invitation: Invitation) -> str | None:
        """Return the user name of the account."""
        return invitation.user.username if invitation.user is not None else None


class NewInvitationsSerializer(serializers.Serializer[Any]):
    """People to be invited: one account by its user name, or addresses that get a mail each."""

    user = serializers.CharField(required=False, max_length=150, help_text="a user name")
    emails = serializers.ListField(
        child=serializers.CharField(max_length=254),
        required=False,
        max_length=people.MAX_ADDRESSES,
        help_text="addresses that get a mail each",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require one of the two."""
        if len(attrs) != 1:
            raise serializers.ValidationError("Send user or emails: one of the two.", code="one_of")
        return attrs


def _event(slug: str, request: Request) -> tuple[Tournament, User]:
    """Return the event and its organiser; 404 for others, scorers too."""
    event, by = event_to_change(slug, request, "event:write")
    if event.is_challenge or not roles_of(event, by) & ORGANISERS:
        raise Http404(slug)
    return event, by


def _one_link(link: InvitationLink, request: Request, status: int = 200) -> Response:
    data = InvitationLinkSerializer(link, context={"shown": request}).data
    return Response(data, status=status, headers={"Cache-Control": "no-store"})


class InvitationLinks(Resource):
    """The invitation links of an event."""

    @extend_schema(
        operation_id="invitation_links_list", parameters=[SLUG], responses=list_serializer(InvitationLinkSerializer)
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the links, without their addresses. For organisers. Scope: event:write."""
        event, _by = _event(slug, request)
        return list_response(InvitationLinkSerializer(links_at(event), many=True).data)

    @extend_schema(
        operation_id="invitation_links_create",
        parameters=[SLUG],
        request=InvitationLinkSerializer,
        responses={201: InvitationLinkSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make a link that invites everybody who opens it; the answer has its address. Scope: event:write."""
        event, by = _event(slug, request)
        payload = read_body(InvitationLinkSerializer, request)
        return _one_link(links.make_invitation_link(tournament=event, by=by, **payload), request, status=201)


class OneInvitationLink(Resource):
    """One invitation link."""

    @extend_schema(
        operation_id="invitation_links_retrieve",
        parameters=[SLUG, UUID_OF_LINK],
        responses=InvitationLinkSerializer,
    )
    def get(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Get a link with its address, to send it. For organisers. Scope: event:write."""
        event, _by = _event(slug, request)
        return _one_link(_link(event, uuid), request)

    @extend_schema(operation_id="invitation_links_delete", parameters=[SLUG, UUID_OF_LINK], responses={204: None})
    def delete(self, request: Request, slug: str, uuid: UUID) -> Response:
        """End a link; people who came by it stay invited. Twice changes nothing. Scope: event:write."""
        event, by = _event(slug, request)
        links.end_invitation_link(link=_link(event, uuid), by=by)
        return Response(status=204)


def _link(event: Tournament, uuid: UUID) -> InvitationLink:
    found = InvitationLink.objects.select_related("tournament").filter(tournament=event, uuid=uuid).first()
    if found is None:
        raise Http404(str(uuid))
    return found


class Invitations(Resource):
    """People who are invited to an event."""

    @extend_schema(
        operation_id="invitations_list",
        parameters=[SLUG, *PAGED],
        responses=list_serializer(InvitationSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """List who is invited and what they answered, newest first. For organisers. Scope: event:write."""
        event, _by = _event(slug, request)
        rows = list(invitations_at(event))
        return in_pages(request, rows, lambda some: InvitationSerializer(some, many=True).data)

    @extend_schema(
        operation_id="invitations_create",
        parameters=[SLUG],
        request=NewInvitationsSerializer,
        responses={201: list_serializer(InvitationSerializer)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Invite an account, or people by mail; the answer has the new invitations. Scope: event:write."""
        event, by = _event(slug, request)
        payload = read_body(NewInvitationsSerializer, request)
        if "user" in payload:
            made = [people.invite_person(tournament=event, by=by, username=payload["user"])]
        else:
            made = people.invite_addresses(tournament=event, by=by, addresses=payload["emails"])
        answer = list_response(InvitationSerializer(made, many=True).data)
        answer.status_code = 201
        return answer


class InvitationAct(Resource):
    """Acts of organisers on an invitation."""

    @extend_schema(
        operation_id="invitations_act",
        parameters=[SLUG, UUID_OF_INVITATION, VERB],
        request=None,
        responses=InvitationSerializer,
    )
    def post(self, request: Request, slug: str, uuid: UUID, verb: str) -> Response:
        """Withdraw an invitation (its person no longer sees a private event), or send its mail again.

        Scope: event:write.
        """
        if verb not in VERBS:
            raise Http404(verb)
        event, by = _event(slug, request)
        found = invitations_at(event).filter(uuid=uuid).first()
        if found is None:
            raise Http404(str(uuid))
        if verb == "withdraw":
            found = people.withdraw_invitation(invitation=found, by=by)
        else:
            people.send_invitation_again(invitation=found, by=by)
        return Response(InvitationSerializer(found).data)
