"""Units given and taken by hand, always with a reason that everybody reads; and a stage that is called off."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from engine.errors import DomainError
from tournaments.api.acting import ActSerializer, ChangeSerializer, DoneSerializer, changes_json, perform
from tournaments.api.loading import SLUG, entry_of, event_for, event_to_change, stage_numbered
from tournaments.api.progress.rounds import ORDER
from tournaments.models import Adjustment, Stage
from tournaments.progress.corrections import adjustments
from tournaments.progress.corrections.cascade import CHOICES, KEEP
from tournaments.progress.corrections.voiding import preview_void, void_stage
from tournaments.standings.explanations import given_in
from web.api_pages import list_response, list_serializer
from web.bodies import read_body
from web.resource import Resource

ID = OpenApiParameter("id", OpenApiTypes.INT, OpenApiParameter.PATH, description="of the adjustment")
THEN = [(each, each) for each in CHOICES]
BIGGEST: Final = 2**63 - 1
Payload = dict[str, Any]


class AdjustmentSerializer(serializers.Serializer[Any]):
    """Units that were given (or taken, where negative). An adjustment is never changed: it is revoked."""

    id = serializers.IntegerField(source="pk")
    entry = serializers.UUIDField(source="stage_entry.entry.uuid")
    name = serializers.CharField(source="stage_entry.entry.player.name")
    units = serializers.CharField(help_text="exact, of what the stage ranks by: -50, 1/2")
    round = serializers.IntegerField(
        source="round_number", allow_null=True, help_text="it counts from; null: for the whole stage"
    )
    counts_in = serializers.CharField(help_text="decider: of an extra deal or match; empty: what the stage ranks by")
    reason = serializers.CharField()
    by = serializers.CharField(source="by.username", help_text="a user name")
    revoked_by = serializers.CharField(
        source="revoked_by.username", allow_null=True, default=None, help_text="a user name; null: it counts"
    )


class AdjustSerializer(serializers.Serializer[Any]):
    """Units to be given. then: what is done about tables that people have begun; seen: what a dry run showed."""

    entry = serializers.UUIDField()
    units = serializers.CharField(max_length=20, help_text="10, -50, 1/2")
    round = serializers.IntegerField(min_value=1, max_value=32767, required=False, allow_null=True, default=None)
    counts_in = serializers.ChoiceField(
        choices=[("", "the score"), ("decider", "the decider")], required=False, allow_blank=True, default=""
    )
    reason = serializers.CharField(max_length=300)
    then = serializers.ChoiceField(choices=THEN, required=False, default=KEEP)
    dry_run = serializers.BooleanField(required=False, default=False)
    seen = serializers.CharField(max_length=64, required=False, allow_blank=True, default="")


class RevokeSerializer(serializers.Serializer[Any]):
    """The reason why it is to count no more."""

    reason = serializers.CharField(max_length=300)
    then = serializers.ChoiceField(choices=THEN, required=False, default=KEEP)
    dry_run = serializers.BooleanField(required=False, default=False)
    seen = serializers.CharField(max_length=64, required=False, allow_blank=True, default="")


class AdjustedSerializer(serializers.Serializer[Any]):
    """Result of an adjustment, or of its dry run. id: of the adjustment, null in a dry run; seen: to be sent with the
    act.
    """

    dry_run = serializers.BooleanField()
    seen = serializers.CharField()
    id = serializers.IntegerField(allow_null=True)
    changes = ChangeSerializer(many=True)


class Adjustments(Resource):
    """Adjustments of a stage."""

    @extend_schema(
        operation_id="adjustments_list", parameters=[SLUG, ORDER], responses=list_serializer(AdjustmentSerializer)
    )
    def get(self, request: Request, slug: str, order: int) -> Response:
        """List everything that was given or taken in a stage, newest first, revoked or not."""
        event, _person = event_for(slug, request)
        return list_response(AdjustmentSerializer(given_in(stage_numbered(event, order)), many=True).data)

    @extend_schema(
        operation_id="adjustments_create",
        parameters=[SLUG, ORDER],
        request=AdjustSerializer,
        responses={200: AdjustedSerializer, 201: AdjustedSerializer},
    )
    def post(self, request: Request, slug: str, order: int) -> Response:
        """Give or take units. Look first with dry_run, then send `seen`; the same twice is one. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        stage = stage_numbered(event, order)
        payload = read_body(AdjustSerializer, request)
        about: Payload = {
            "stage": stage,
            "entry": entry_of(event, payload["entry"]),
            "by": by,
            "units": payload["units"],
            "reason": payload["reason"],
            "round_number": payload["round"],
            "then": payload["then"],
            "counts_in": payload["counts_in"],
        }
        if payload["dry_run"]:
            return _looked(adjustments.preview_adjustment(**about))
        return _done(adjustments.adjust(seen=payload["seen"], **about), payload["seen"], status=201)


class AdjustmentRevoke(Resource):
    """Revoking."""

    @extend_schema(
        operation_id="adjustments_revoke",
        parameters=[SLUG, ORDER, ID],
        request=RevokeSerializer,
        responses=AdjustedSerializer,
    )
    def post(self, request: Request, slug: str, order: int, id: int) -> Response:  # noqa: A002  # the address's word
        """Let it count no more; both lines stay. Look first with dry_run, then send `seen`. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        row = _row(stage_numbered(event, order), id)
        payload = read_body(RevokeSerializer, request)
        about: Payload = {"adjustment": row, "by": by, "reason": payload["reason"], "then": payload["then"]}
        if payload["dry_run"]:
            return _looked(adjustments.preview_revocation(**about))
        return _done(adjustments.revoke(seen=payload["seen"], **about), payload["seen"])


def _row(stage: Stage, number: int) -> Adjustment:
    rows = Adjustment.objects.select_related("stage_entry__stage__tournament", "stage_entry__entry__player")
    # Of this stage only; a number beyond bigint would be an error of the database.
    found = rows.filter(pk=number, stage_entry__stage=stage).first() if number <= BIGGEST else None
    if found is None:
        raise Http404(str(number))
    return found


def _looked(found: adjustments.Adjusting) -> Response:
    return Response({"dry_run": True, "seen": found.hash, "id": None, "changes": changes_json(found.changes)})


def _done(row: Adjustment, seen: str, *, status: int = 200) -> Response:
    return Response({"dry_run": False, "seen": seen, "id": row.pk, "changes": []}, status=status)


class StageVoid(Resource):
    """Calling a stage off."""

    @extend_schema(
        operation_id="stages_void", parameters=[SLUG, ORDER], request=ActSerializer, responses=DoneSerializer
    )
    def post(self, request: Request, slug: str, order: int) -> Response:
        """Call a stage off that has begun (owners; `reason` is public). Look first with dry_run. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload, stage = read_body(ActSerializer, request), stage_numbered(event, order)
        return _looked_void(stage, by) if payload["dry_run"] else _voided(stage, by, payload)


def _looked_void(stage: Stage, by: User) -> Response:
    found, event = preview_void(stage=stage, by=by), stage.tournament
    # The rollback of the preview undid the rows; the object in memory may still have what came between.
    event.refresh_from_db()
    outcome = {"state": event.state, "row_version": event.row_version, "changes": changes_json(found.changes)}
    return Response({"dry_run": True, "seen": found.hash, "plan": None, **outcome})


def _voided(stage: Stage, by: User, payload: Payload) -> Response:
    def act() -> None:
        void_stage(stage=stage, by=by, reason=payload["reason"], seen=payload["seen"])

    try:
        return perform(stage.tournament, act, dry_run=False, seen=payload["seen"])
    except DomainError as error:
        if error.code == "stage.moved":
            error.extra.setdefault("pointer", "/seen")
        raise
