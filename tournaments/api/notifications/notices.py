"""Notices of a person, what of them they have read, and how they want to hear of each kind."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from tournaments.models import Notice
from tournaments.notifications import lines, plans_query
from tournaments.notifications.follow import mark_read
from tournaments.notifications.plans import choose_notices
from tournaments.notifications.seen import notices_of
from web.access import WRITES, require
from web.api_pages import Pages
from web.bodies import read_body
from web.resource import Resource, changed, require_current

UNREAD = OpenApiParameter("unread", OpenApiTypes.BOOL, description="1: what I have not read")
HOW = Notice.How.choices
# The largest id that a bigint column takes.
BIGGEST = 2**63 - 1


class NoticeSerializer(serializers.Serializer[Any]):
    """One notice of a person. kind: as in the plan."""

    id = serializers.IntegerField(source="pk")
    kind = serializers.CharField()
    text = serializers.CharField(help_text="in the reader's language")
    path = serializers.CharField(help_text="the page that it is about")
    at = serializers.DateTimeField()
    unread = serializers.BooleanField(source="is_unread")


class ReadSerializer(serializers.Serializer[Any]):
    """Notices that were read: everything up to one, or one alone."""

    upto = serializers.IntegerField(min_value=0, max_value=BIGGEST, required=False, help_text="the id of a notice")
    only = serializers.IntegerField(min_value=0, max_value=BIGGEST, required=False, help_text="the id of a notice")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require one of the two."""
        if len(attrs) != 1:
            raise serializers.ValidationError("Send upto or only: one of the two.", code="one_of")
        return attrs


class UnreadSerializer(serializers.Serializer[Any]):
    """Number of notices left to read."""

    unread = serializers.IntegerField()


class Notices(Resource, ListAPIView[Notice]):
    """My notices."""

    serializer_class = NoticeSerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[Notice]:
        if getattr(self, "swagger_fake_view", False):  # the schema is made without a reader
            return Notice.objects.none()
        user = require(self.request, "read")
        unread = self.request.query_params.get("unread") in ("1", "true")
        return lines.with_all(notices_of(user, unread=unread))

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        rows = args[0] if args else []
        return super().get_serializer(lines.lines_of(rows), *args[1:], **kwargs)

    @extend_schema(operation_id="notices_list", parameters=[UNREAD])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List what happened where you look, newest first. Scope: read."""
        return super().get(request, *args, **kwargs)


class NoticesRead(Resource):
    """Reading."""

    @extend_schema(operation_id="notices_read", request=ReadSerializer, responses=UnreadSerializer)
    def post(self, request: Request) -> Response:
        """Note what you have read; twice changes nothing. Scope: event:write or bot:write."""
        user = require(request, *WRITES)
        payload = read_body(ReadSerializer, request)
        # `upto`: what came since the client looked stays unread.
        mark_read(user=user, **payload)
        return Response({"unread": notices_of(user, unread=True).count()})


class NoticePlanSerializer(serializers.Serializer[Any]):
    """A person's choice for each kind of news: page (there alone), digest (a mail each morning) or instant (a mail at
    once).
    """

    table = serializers.ChoiceField(choices=HOW, required=False)
    result = serializers.ChoiceField(choices=HOW, required=False)
    round = serializers.ChoiceField(choices=HOW, required=False)
    event = serializers.ChoiceField(choices=HOW, required=False)
    said = serializers.ChoiceField(choices=HOW, required=False)
    version = serializers.ChoiceField(choices=HOW, required=False)
    fault = serializers.ChoiceField(choices=HOW, required=False)
    challenge = serializers.ChoiceField(choices=HOW, required=False)
    bot = serializers.ChoiceField(choices=HOW, required=False)
    held = serializers.ChoiceField(choices=HOW, required=False)
    invited = serializers.ChoiceField(choices=HOW, required=False)
    called = serializers.ChoiceField(choices=HOW, required=False)
    report = serializers.ChoiceField(choices=HOW, required=False)
    place = serializers.ChoiceField(choices=HOW, required=False)
    run = serializers.ChoiceField(choices=HOW, required=False)
    push = serializers.ListField(
        child=serializers.CharField(max_length=10),
        max_length=len(Notice.Kind.values),
        required=False,
        help_text="the kinds of which my browsers are notified; the others are not",
    )


class NoticePlan(Resource):
    """My choice of how to hear of each kind of news."""

    @extend_schema(operation_id="notice_plan_retrieve", responses=NoticePlanSerializer)
    def get(self, request: Request) -> Response:
        """Get how you hear of each kind of news. Scope: read."""
        return Response(_plan(require(request, "read")))

    @extend_schema(operation_id="notice_plan_update", request=NoticePlanSerializer, responses=NoticePlanSerializer)
    def patch(self, request: Request) -> Response:
        """Choose for some kinds; the others stay. With If-Match: 412. Scope: event:write or bot:write."""
        user = require(request, *WRITES)
        payload = read_body(NoticePlanSerializer, request)
        # If-Match is compared with what a GET would answer now.
        require_current(request, _plan(user))
        told = payload.pop("push", None)
        if told is not None and not set(told) <= set(Notice.Kind.values):
            raise serializers.ValidationError({"push": "Name kinds of notices."})
        push = {kind: kind in told for kind in Notice.Kind.values} if told is not None else None
        choose_notices(user=user, choices=payload, push=push)
        return changed(_plan(user))


def _plan(user: User) -> dict[str, Any]:
    plan = plans_query.plan_of(user)
    how = {kind: plans_query.how_of(plan.choices, kind) for kind in Notice.Kind.values}
    return {**how, "push": [kind for kind in Notice.Kind.values if plans_query.has_push(plan.push, kind)]}
