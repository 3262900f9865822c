"""Follows and tokens of a person."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Token, User
from accounts.tokens import live, revoke_token
from tournaments.models import Follow
from tournaments.notifications import followed as following
from tournaments.notifications.follow import follow, unfollow
from web.access import WRITES, require, token_of
from web.api_pages import list_response, list_serializer
from web.bodies import read_body
from web.resource import Resource

MAXIMUM = 200
KINDS = [("event", "event"), ("bot", "bot"), ("person", "person"), ("player", "player"), ("match", "match")]
KIND = OpenApiParameter(
    "kind", OpenApiTypes.STR, OpenApiParameter.PATH, enum=[kind for kind, _label in KINDS], description="what it is"
)
SLUG = OpenApiParameter(
    "slug",
    OpenApiTypes.STR,
    OpenApiParameter.PATH,
    description="its address: of a person the user name, of a player of an event or a match the uuid",
)


class FollowSerializer(serializers.Serializer[Any]):
    """One thing that is followed."""

    kind = serializers.ChoiceField(choices=KINDS)
    slug = serializers.SlugField(max_length=60)


class FollowedSerializer(FollowSerializer):
    """The same with its name."""

    name = serializers.CharField()


def _kind(kind: str) -> str:
    """Return the kind as the pages name it."""
    return "tournament" if kind == "event" else kind


def followed(user: User) -> list[dict[str, str]]:
    """Return what a person follows and may still open, newest first. Four queries."""
    lines = following.lines_of(following.with_names(following.follows_of(user))[:MAXIMUM])
    kinds = {"tournament": "event"}
    return [{"kind": kinds.get(line.kind, line.kind), "slug": line.what, "name": line.name} for line in lines]


def _thing(user: User, kind: str, slug: str) -> dict[str, Any]:
    """Return what is to be followed, as the services take it; 404 for what they may not know of."""
    found = following.thing(user, _kind(kind), slug)
    if found is None:
        raise Http404(slug)
    return found


class Follows(Resource):
    """Things that I follow."""

    @extend_schema(operation_id="follows_list", responses=list_serializer(FollowedSerializer))
    def get(self, request: Request) -> Response:
        """List what you follow, newest first. Scope: read."""
        items = FollowedSerializer(followed(require(request, "read")), many=True).data
        return list_response(items)

    @extend_schema(operation_id="follows_create", request=FollowSerializer, responses={201: FollowedSerializer})
    def post(self, request: Request) -> Response:
        """Follow an event, bot, person, player or match; twice changes nothing. Scope: event:write or bot:write."""
        user = require(request, *WRITES)
        payload = read_body(FollowSerializer, request)
        thing = _thing(user, payload["kind"], payload["slug"])
        row = follow(user=user, **thing)
        (line,) = following.lines_of(following.with_names(Follow.objects.filter(pk=row.pk)))
        return Response({**payload, "name": line.name}, status=201)


class OneFollow(Resource):
    """One thing I follow."""

    @extend_schema(operation_id="follows_delete", parameters=[KIND, SLUG], responses={204: None})
    def delete(self, request: Request, kind: str, slug: str) -> Response:
        """Stop following; not following it changes nothing. Scope: event:write or bot:write."""
        user = require(request, *WRITES)
        unfollow(user=user, **_thing(user, kind, slug))
        return Response(status=204)


class TokenSerializer(serializers.ModelSerializer[Token]):
    """A token without its key, which nobody can read again. current: it is the one that asks."""

    scopes = serializers.ListField(child=serializers.CharField(), read_only=True)
    bound_to = serializers.CharField(source="bound_name", read_only=True)
    current = serializers.SerializerMethodField()

    class Meta:
        model = Token
        fields = (
            "uuid",
            "name",
            "start",
            "scopes",
            "bound_kind",
            "bound_to",
            "expires_at",
            "created_at",
            "used_at",
            "current",
        )
        read_only_fields = fields

    def get_current(self, token: Token) -> bool:
        return token.pk == self.context.get("current")


class Tokens(Resource):
    """My tokens."""

    @extend_schema(operation_id="tokens_list", responses=list_serializer(TokenSerializer))
    def get(self, request: Request) -> Response:
        """List your tokens that can still be used. New ones are made on the page "Tokens". Scope: read."""
        user, current = require(request, "read"), token_of(request)
        context = {"current": current.pk if current else None}
        items = TokenSerializer(live(user), many=True, context=context).data
        return list_response(items)


class OneToken(Resource):
    """One token of mine."""

    @extend_schema(operation_id="tokens_revoke", responses={204: None})
    def delete(self, request: Request, uuid: UUID) -> Response:
        """Revoke a token. A token may always end itself; others need one that is bound to nothing. Scope: read."""
        current = token_of(request)
        token = Token.objects.filter(uuid=uuid).select_related("user").first()
        # A token that leaked can always be ended with itself, no matter what else it may do.
        if current is None or token is None or token.pk != current.pk:
            user = require(request, "read")
            if token is None or token.user_id != user.pk:
                raise Http404(str(uuid))
        revoke_token(token=token)
        return Response(status=204)


class CurrentToken(Resource):
    """The token that asks."""

    @extend_schema(operation_id="me_token", responses=TokenSerializer)
    def get(self, request: Request) -> Response:
        """Get the token that asks: what it may do, until when. Any token may."""
        current = token_of(request)
        if current is None:
            require(request)
            raise Http404
        return Response(TokenSerializer(current, context={"current": current.pk}).data)
