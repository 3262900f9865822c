"""Announcements and clocks of rounds for the tournament floor; and two people who change places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from tournaments.api.acting import ActSerializer, DoneSerializer, perform, tried
from tournaments.api.loading import SLUG, STAGE, event_for, event_to_change, round_numbered
from tournaments.api.progress.rounds import NUMBER
from tournaments.floor.announcements import announce, withdraw_announcement
from tournaments.lifecycle.floor_settings import announcements_of, clock_line
from tournaments.models import Round, Tournament
from tournaments.progress.draws.swaps import preview_swap, swap_places
from tournaments.progress.round_clock import add_minutes, call_time, go_on, stop_clock
from web.api_pages import list_response, list_serializer
from web.bodies import read_body
from web.resource import Resource

N = OpenApiParameter("n", OpenApiTypes.INT, OpenApiParameter.PATH, description="the announcement's number, from 1")
Payload = dict[str, Any]


class AnnouncementSerializer(serializers.Serializer[Any]):
    """An announcement that stands on the board."""

    n = serializers.IntegerField(source="number", help_text="counted from 1 in its event")
    text = serializers.CharField()
    at = serializers.DateTimeField(source="made_at", help_text="when it was said")


class NewAnnouncementSerializer(serializers.Serializer[Any]):
    """An announcement for everybody."""

    text = serializers.CharField(max_length=1000)
    dry_run = serializers.BooleanField(required=False, default=False, help_text="only say whether it could be said")


class Announcements(Resource):
    """The board of an event."""

    @extend_schema(
        operation_id="announcements_list", parameters=[SLUG], responses=list_serializer(AnnouncementSerializer)
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the announcements that stand, newest first."""
        event, _person = event_for(slug, request)
        return list_response(AnnouncementSerializer(announcements_of(event), many=True).data)

    @extend_schema(
        operation_id="announcements_create",
        parameters=[SLUG],
        request=NewAnnouncementSerializer,
        responses={200: AnnouncementSerializer, 201: AnnouncementSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Announce a text to everybody; the same words that stand already are refused: 409. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(NewAnnouncementSerializer, request)
        made = tried(event, lambda: announce(tournament=event, by=by, text=payload["text"]), dry_run=payload["dry_run"])
        return Response(AnnouncementSerializer(made).data, status=200 if payload["dry_run"] else 201)


class OneAnnouncement(Resource):
    """One announcement."""

    @extend_schema(operation_id="announcements_delete", parameters=[SLUG, N], responses={204: None})
    def delete(self, request: Request, slug: str, n: int) -> Response:
        """Withdraw it; the log keeps it. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        withdraw_announcement(tournament=event, by=by, number=n)
        return Response(status=204)


class ClockActSerializer(serializers.Serializer[Any]):
    """An act on a clock. add: `minutes` more, and `seen`, the length of the round as you read it."""

    minutes = serializers.IntegerField(min_value=1, max_value=600, required=False, default=0)
    seen = serializers.IntegerField(
        min_value=0, max_value=100_000, required=False, default=0, help_text="`minutes` of the clock as it was read"
    )
    dry_run = serializers.BooleanField(required=False, default=False)


class ClockSerializer(serializers.Serializer[Any]):
    """The clock of a round that is on; everything but `minutes` is null for one that has none."""

    minutes = serializers.IntegerField(help_text="how long the round is; 0: it has no clock")
    began_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True, help_text="if it goes on without a halt")
    left_s = serializers.IntegerField(allow_null=True, help_text="whole seconds left; 0: time was called")
    stopped = serializers.BooleanField(allow_null=True)


def _stop(row: Round, by: User, _payload: Payload) -> None:
    stop_clock(round_row=row, by=by)


def _go(row: Round, by: User, _payload: Payload) -> None:
    go_on(round_row=row, by=by)


def _add(row: Round, by: User, payload: Payload) -> None:
    add_minutes(round_row=row, by=by, minutes=payload["minutes"], seen=payload["seen"])


def _end(row: Round, by: User, _payload: Payload) -> None:
    call_time(round_row=row, by=by)


VERBS: Final[dict[str, Callable[[Round, User, Payload], None]]] = {"stop": _stop, "go": _go, "add": _add, "end": _end}


def clock_json(event: Tournament, row: Round) -> Payload:
    """Return the clock of a round as JSON."""
    # Read again: the act has just changed the clock.
    line = clock_line(Tournament.objects.get(pk=event.pk), row)
    if line is None:
        return dict(ClockSerializer({"minutes": 0, **dict.fromkeys(("began_at", "ends_at", "left_s", "stopped"))}).data)
    clock = line.clock
    fields = {"minutes": clock.minutes, "began_at": clock.began_at, "ends_at": clock.ends_at}
    return dict(ClockSerializer({**fields, "left_s": line.left_s, "stopped": clock.stopped_at is not None}).data)


class RoundClock(Resource):
    """The clock of a round."""

    @extend_schema(operation_id="clock_retrieve", parameters=[SLUG, NUMBER, STAGE], responses=ClockSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Get how much time the round has left."""
        event, _person = event_for(slug, request)
        return Response(clock_json(event, round_numbered(event, number, request.query_params.get("stage", ""))))


class RoundClockAct(Resource):
    """Acts of organisers and arbiters on a clock."""

    @extend_schema(
        operation_id="clock_act",
        parameters=[
            SLUG,
            NUMBER,
            STAGE,
            OpenApiParameter("verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VERBS)),
        ],
        request=ClockActSerializer,
        responses=ClockSerializer,
    )
    def post(self, request: Request, slug: str, number: int, verb: str) -> Response:
        """Stop it, let it go on, add minutes (with `seen`), end it: time is called. Scope: event:write."""
        if verb not in VERBS:
            raise Http404(verb)
        event, by = event_to_change(slug, request, "event:write")
        # A round of the event that the token may change: another's is a 404.
        row = round_numbered(event, number, request.query_params.get("stage", ""))
        payload = read_body(ClockActSerializer, request)

        def act() -> Payload:
            VERBS[verb](row, by, payload)
            return clock_json(event, row)

        return Response(tried(event, act, dry_run=payload["dry_run"]))


class SwapActSerializer(ActSerializer):
    """Two entries of a round whose tables are not called. seen: what a dry run showed; the act needs it."""

    one = serializers.UUIDField()
    other = serializers.UUIDField()


class SwapDoneSerializer(DoneSerializer):
    """Result of a swap, or of its dry run. breaks: in words, what is worse than a draw would have it."""

    breaks = serializers.ListField(child=serializers.CharField())


class RoundSwap(Resource):
    """Two people change places."""

    @extend_schema(
        operation_id="rounds_swap",
        parameters=[SLUG, NUMBER, STAGE],
        request=SwapActSerializer,
        responses=SwapDoneSerializer,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Swap two entries before their tables are called. Look first with dry_run. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        row = round_numbered(event, number, request.query_params.get("stage", ""))
        payload = read_body(SwapActSerializer, request)
        two = {"one": str(payload["one"]), "other": str(payload["other"])}
        found = preview_swap(round_row=row, by=by, **two)
        # Only a dry run may leave `seen` out: the act itself is refused without it.
        seen = payload["seen"] or (found.hash if payload["dry_run"] else "")
        answer = perform(
            event,
            lambda: swap_places(round_row=row, by=by, seen=seen, **two),
            dry_run=payload["dry_run"],
            seen=found.hash,
        )
        answer.data["breaks"] = [str(line) for line in found.breaks]
        return answer
