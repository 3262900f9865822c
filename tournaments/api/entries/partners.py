"""Draws of partners: the commitment of the next one, drawing, undoing; and substitutes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.acting import tried
from tournaments.api.entries.entries import UUID_OF
from tournaments.api.loading import SLUG, entry_of, event_for, event_to_change
from tournaments.api.serializers import TeamSerializer
from tournaments.entries.partners import draw_partners, undo_partner_draw
from tournaments.entries.substitutes import substitute
from tournaments.entries.teams_query import team_lines
from tournaments.models import PartnerDraw, Tournament
from web.api_pages import list_response, list_serializer
from web.bodies import read_body
from web.resource import Resource

N = OpenApiParameter("n", OpenApiTypes.INT, OpenApiParameter.PATH, description="the draw's number, from 1")


class PartnerDrawSerializer(serializers.ModelSerializer[PartnerDraw]):
    """A draw of partners. seed, teams, left: null before it is drawn; anybody can draw it again from them."""

    seed = serializers.SerializerMethodField()
    age_gap = serializers.IntegerField(help_text="years that partners were to be apart in age; 0: without that rule")
    too_close = serializers.IntegerField(help_text="pairs of partners who are nearer in age")
    listed = serializers.SerializerMethodField()
    teams = serializers.SerializerMethodField()
    left = serializers.SerializerMethodField()

    class Meta:
        model = PartnerDraw
        fields = (
            "number",
            "commitment",
            "rule",
            "size",
            "age_gap",
            "too_close",
            "seed",
            "listed",
            "teams",
            "left",
            "drawn_at",
            "undone_at",
            "reason",
        )
        read_only_fields = fields

    @extend_schema_field({"type": "string", "nullable": True, "description": "hex; its SHA-256 is the commitment"})
    def get_seed(self, draw: PartnerDraw) -> str | None:
        # The secret of a draw to come would let anybody choose when to draw.
        return bytes(draw.secret).hex() if draw.drawn_at is not None else None

    @extend_schema_field(
        {"type": "array", "items": {"type": "object", "additionalProperties": True}, "description": "who was drawn"}
    )
    def get_listed(self, draw: PartnerDraw) -> object:
        return draw.listed if draw.drawn_at is not None else []

    @extend_schema_field({"type": "array", "items": {"type": "array", "items": {"type": "string"}}})
    def get_teams(self, draw: PartnerDraw) -> object:
        """Return lists of entries."""
        return draw.teams if draw.drawn_at is not None else []

    @extend_schema_field({"type": "array", "items": {"type": "string"}})
    def get_left(self, draw: PartnerDraw) -> object:
        """Return entries without a partner."""
        return draw.left if draw.drawn_at is not None else []


class NewPartnerDrawSerializer(serializers.Serializer[Any]):
    """Draw partners. seen: the number of the draw whose commitment was shown to everybody."""

    seen = serializers.IntegerField(min_value=1, max_value=32767)
    rule = serializers.ChoiceField(choices=PartnerDraw.Rule.choices, required=False, default=PartnerDraw.Rule.LOTS)
    who = serializers.ChoiceField(
        choices=[("here", "here"), ("all", "all")], required=False, default="here", help_text="who has come, or all"
    )
    anew = serializers.BooleanField(
        source="redraw",
        required=False,
        default=False,
        help_text="the teams of the last draw are drawn again; needs a reason",
    )
    reason = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")
    dry_run = serializers.BooleanField(
        required=False, default=False, help_text="only say whether it could be drawn; it tells no lots"
    )


class UndoDrawSerializer(serializers.Serializer[Any]):
    """The reason for undoing a draw; everybody reads it."""

    reason = serializers.CharField(max_length=300)
    dry_run = serializers.BooleanField(required=False, default=False)


class PartnerDraws(Resource):
    """The draws of partners."""

    @extend_schema(
        operation_id="partner_draws_list", parameters=[SLUG], responses=list_serializer(PartnerDrawSerializer)
    )
    def get(self, request: Request, slug: str) -> Response:
        """List every draw, the next one (committed to, not drawn) last."""
        event, _person = event_for(slug, request)
        rows = event.partner_draws.order_by("number")
        return list_response(PartnerDrawSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="partner_draws_create",
        parameters=[SLUG],
        request=NewPartnerDrawSerializer,
        responses={201: PartnerDrawSerializer, 204: None},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Draw partners by the seed that was committed to; 204: a dry run, which tells no lots. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(NewPartnerDrawSerializer, request)
        dry_run = payload.pop("dry_run")
        made = tried(event, lambda: draw_partners(tournament=event, by=by, **payload), dry_run=dry_run)
        # No body: the answer of a dry run must not show the teams that the secret gives.
        return Response(status=204) if dry_run else Response(PartnerDrawSerializer(made).data, status=201)


class PartnerDrawUndo(Resource):
    """Undoing a draw."""

    @extend_schema(
        operation_id="partner_draws_undo",
        parameters=[SLUG, N],
        request=UndoDrawSerializer,
        responses=PartnerDrawSerializer,
    )
    def post(self, request: Request, slug: str, n: int) -> Response:
        """Undo the last draw: its teams are single people again. Twice changes nothing. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(UndoDrawSerializer, request)
        # The column is a smallint: a larger number would be an error of the database.
        if n >= 2**15:
            raise Http404(str(n))
        undone = tried(
            event,
            lambda: undo_partner_draw(tournament=event, by=by, number=n, reason=payload["reason"]),
            dry_run=payload["dry_run"],
        )
        return Response(PartnerDrawSerializer(undone).data)


class SubstituteSerializer(serializers.Serializer[Any]):
    """A substitute: `person` (an entry of the event) or somebody new, called `name`, plays instead of `member`."""

    member = serializers.UUIDField(help_text="who goes")
    person = serializers.UUIDField(required=False, allow_null=True, default=None)
    name = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    from_round = serializers.IntegerField(
        min_value=1, max_value=32767, required=False, allow_null=True, default=None, help_text="null: the next"
    )
    dry_run = serializers.BooleanField(required=False, default=False)


class TeamSubstitute(Resource):
    """A substitute."""

    @extend_schema(
        operation_id="teams_substitute",
        parameters=[SLUG, UUID_OF],
        request=SubstituteSerializer,
        responses=TeamSerializer,
    )
    def post(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Let somebody play for another in a team from a round on. The same twice changes nothing. Scope:
        event:write.
        """
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(SubstituteSerializer, request)
        team, member = entry_of(event, uuid), entry_of(event, payload["member"])
        person = entry_of(event, payload["person"]) if payload["person"] is not None else None

        def act() -> dict[str, Any]:
            substitute(
                team=team, by=by, member=member, person=person, name=payload["name"], from_round=payload["from_round"]
            )
            return _team(event, uuid)

        return Response(tried(event, act, dry_run=payload["dry_run"]))


def _team(event: Tournament, uuid: UUID) -> dict[str, Any]:
    found = next((line for line in team_lines(event) if line.entry.uuid == uuid), None)
    if found is None:
        raise Http404(str(uuid))
    return dict(TeamSerializer(found).data)
