"""How the rounds of a stage are drawn: settings, table sizes, rules about pairs, and rounds paired by hand."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from core.formats.model import Priority
from tournaments.api.acting import DoneSerializer, perform, tried
from tournaments.api.loading import SLUG, STAGE, event_organised, event_to_change, round_numbered, stage_numbered
from tournaments.api.progress.rounds import NUMBER, ORDER
from tournaments.models import PairRule, Stage, Tournament
from tournaments.models.draw_settings import MAX_ACCELERATED
from tournaments.models.settings import MAX_LEADER_ROUNDS
from tournaments.pairing import draw_settings, pair_rules, table_sizes
from tournaments.progress.by_hand import MAX_TABLE, HandDraw, preview_by_hand, publish_by_hand
from tournaments.progress.reseating import preview_reseating, publish_reseating
from web.api_pages import PAGED, in_pages, list_serializer
from web.bodies import read_body
from web.resource import Resource

RULE = OpenApiParameter("rule", OpenApiTypes.INT, OpenApiParameter.PATH, description="of a rule about two entries")
Payload = dict[str, Any]


class DrawSettingsSerializer(serializers.Serializer[Any]):
    """Settings of the draws of a stage, which count from its next draw."""

    priorities = serializers.ListField(
        child=serializers.ChoiceField(choices=[(each.value, each.value) for each in Priority]),
        required=False,
        help_text="what the draw keeps, the most important first: repeats, clubs, scores; empty: the format's own",
    )
    leader_rounds = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MAX_LEADER_ROUNDS,
        help_text="in how many of the last rounds the leaders meet; null: as the event has it",
    )
    leader_tables = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=draw_settings.MAX_TABLES,
        help_text="how many tables are filled by rank in those rounds; 0: all",
    )
    leader_first = serializers.BooleanField(
        required=False, help_text="table 1 is the table of the best-placed, and so on"
    )
    accelerated_rounds = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MAX_ACCELERATED,
        help_text="in how many of the first rounds the upper half of the seeds counts as having more",
    )
    smallest = serializers.IntegerField(
        required=False, min_value=2, max_value=7, help_text="seats of the smallest table"
    )
    largest = serializers.IntegerField(required=False, min_value=2, max_value=7, help_text="seats of the largest table")


class DrawSettingsChangesSerializer(DrawSettingsSerializer):
    """The settings to be changed; what is left out stays."""

    dry_run = serializers.BooleanField(required=False, default=False, help_text="do nothing, answer what would be")


class DrawSettings(Resource):
    """Settings of the draws of a stage."""

    @extend_schema(operation_id="draw_settings_retrieve", parameters=[SLUG, ORDER], responses=DrawSettingsSerializer)
    def get(self, request: Request, slug: str, order: int) -> Response:
        """Get how the rounds of a stage are drawn. For organisers; 404 for others."""
        event, _by = event_organised(slug, request)
        return Response(_settings(stage_numbered(event, order)))

    @extend_schema(
        operation_id="draw_settings_update",
        parameters=[SLUG, ORDER],
        request=DrawSettingsChangesSerializer,
        responses=DrawSettingsSerializer,
    )
    def patch(self, request: Request, slug: str, order: int) -> Response:
        """Change how the rounds of a stage are drawn, from the next draw on. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload, stage = read_body(DrawSettingsChangesSerializer, request), stage_numbered(event, order)

        def act() -> Payload:
            changes = {name: value for name, value in payload.items() if name in draw_settings.COLUMNS}
            if "priorities" in changes:
                changes["priorities"] = ",".join(changes["priorities"])
            if changes:
                draw_settings.choose_draw_settings(stage=stage, by=by, changes=changes)
            if {"smallest", "largest"} & payload.keys():
                sizes = {
                    "smallest": payload.get("smallest", stage.seats_min),
                    "largest": payload.get("largest", stage.seats_max),
                }
                table_sizes.choose_table_sizes(stage=stage, by=by, **sizes)
            return _settings(stage_numbered(event, order))

        return Response(tried(event, act, dry_run=payload["dry_run"]))


def _settings(stage: Stage) -> Payload:
    columns = {name: getattr(stage, name) for name in draw_settings.COLUMNS}
    columns["priorities"] = stage.priorities.split(",") if stage.priorities else []
    return {**columns, "smallest": stage.seats_min, "largest": stage.seats_max}


class PairRuleSerializer(serializers.Serializer[Any]):
    """A rule about two entries at the tables of a Swiss."""

    id = serializers.IntegerField(source="pk", read_only=True, help_text="of the rule")
    kind = serializers.ChoiceField(
        choices=PairRule.Kind.choices,
        help_text="never: they never meet; later: not in the first rounds; together: they sit together in one round",
    )
    one = serializers.UUIDField(source="one.uuid", help_text="an entry")
    other = serializers.UUIDField(source="other.uuid", help_text="another entry")
    round = serializers.IntegerField(
        source="round_number",
        required=False,
        default=0,
        min_value=0,
        max_value=pair_rules.MAX_ROUND,
        help_text="together: in which round; later: the last round in which they must not meet; never: 0",
    )
    stage = serializers.IntegerField(
        source="stage.order",
        required=False,
        allow_null=True,
        default=None,
        help_text="the number of the stage in which it holds; null: in every stage",
    )
    reason = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=pair_rules.MAX_REASON,
        help_text="the organisers' own words; nobody else sees them",
    )


class NewPairRuleSerializer(serializers.Serializer[Any]):
    """A rule about two entries, to be made."""

    kind = PairRuleSerializer().fields["kind"]
    one = serializers.UUIDField(help_text="an entry")
    other = serializers.UUIDField(help_text="another entry")
    round = serializers.IntegerField(
        required=False,
        default=0,
        min_value=0,
        max_value=pair_rules.MAX_ROUND,
        help_text="together: in which round; later: the last round in which they must not meet; never: 0",
    )
    stage = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        help_text="the number of the stage in which it holds; null: in every stage",
    )
    reason = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=pair_rules.MAX_REASON,
        help_text="the organisers' own words; nobody else sees them",
    )
    dry_run = serializers.BooleanField(required=False, default=False, help_text="do nothing, answer what would be")


class PairRules(Resource):
    """Rules about two entries."""

    @extend_schema(
        operation_id="pair_rules_list", parameters=[SLUG, *PAGED], responses=list_serializer(PairRuleSerializer)
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the rules about two entries. For organisers; 404 for others."""
        event, _by = event_organised(slug, request)
        return in_pages(
            request, list(pair_rules.rules_in(event)), lambda rows: PairRuleSerializer(rows, many=True).data
        )

    @extend_schema(
        operation_id="pair_rules_create",
        parameters=[SLUG],
        request=NewPairRuleSerializer,
        responses={200: PairRuleSerializer, 201: PairRuleSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make a rule about two entries, from the next draw on; twice it is one rule. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(NewPairRuleSerializer, request)
        stage = stage_numbered(event, payload["stage"]) if payload["stage"] is not None else None

        def act() -> Payload:
            rule = pair_rules.add_pair_rule(
                tournament=event,
                by=by,
                kind=payload["kind"],
                one=str(payload["one"]),
                other=str(payload["other"]),
                round_number=payload["round"],
                stage=stage,
                reason=payload["reason"],
            )
            return dict(PairRuleSerializer(rule).data)

        found = tried(event, act, dry_run=payload["dry_run"])
        return Response(found, status=200 if payload["dry_run"] else 201)


class OnePairRule(Resource):
    """One rule about two entries."""

    @extend_schema(operation_id="pair_rules_delete", parameters=[SLUG, RULE], responses={204: None})
    def delete(self, request: Request, slug: str, rule: int) -> Response:
        """Remove a rule; twice changes nothing. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        pair_rules.remove_pair_rule(tournament=event, by=by, rule=rule)
        return Response(status=204)


class ByHandSerializer(serializers.Serializer[Any]):
    """A round that is paired by hand."""

    tables = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=MAX_TABLE),
        help_text="entry to the number of their table, 0 for a bye; of a round to be published everybody who plays",
    )
    seen = serializers.CharField(
        required=False, allow_blank=True, max_length=64, default="", help_text="what a dry run answered"
    )
    dry_run = serializers.BooleanField(required=False, default=False, help_text="check the round and publish nothing")


class ByHand(Resource):
    """The next round of a stage, paired by hand."""

    @extend_schema(
        operation_id="rounds_by_hand", parameters=[SLUG, ORDER], request=ByHandSerializer, responses=DoneSerializer
    )
    def post(self, request: Request, slug: str, order: int) -> Response:
        """Publish the next round as it was paired by hand; a dry run answers `plan` with `warnings`, and `seen`.

        Scope: event:write. 422 `hand.not_possible` for a round that cannot be played.
        """
        event, by = event_to_change(slug, request, "event:write")
        payload, stage = read_body(ByHandSerializer, request), stage_numbered(event, order)
        return _by_hand(event, stage, by, payload)


class Reseat(Resource):
    """A published round whose people are moved by hand."""

    @extend_schema(
        operation_id="rounds_reseat",
        parameters=[SLUG, NUMBER, STAGE],
        request=ByHandSerializer,
        responses=DoneSerializer,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Move people of a published round to other tables before those are called; who is not named stays.

        Look first with dry_run: it answers `plan` with `warnings`, and `seen`, which the act needs. Scope: event:write.
        """
        event, by = event_to_change(slug, request, "event:write")
        row = round_numbered(event, number, request.query_params.get("stage", ""))
        payload = read_body(ByHandSerializer, request)
        found = preview_reseating(round_row=row, by=by, seating=payload["tables"])
        seen = payload["seen"] or (found.hash if payload["dry_run"] else "")
        return perform(
            event,
            lambda: publish_reseating(round_row=row, by=by, seating=payload["tables"], seen=seen),
            dry_run=payload["dry_run"],
            seen=found.hash,
            plan=_plan(found),
        )


def _plan(found: HandDraw) -> Payload | None:
    if found.plan is None:
        return None
    return {**found.plan.to_json(), "names": found.names, "warnings": list(found.warnings)}


def _by_hand(event: Tournament, stage: Stage, by: Any, payload: Payload) -> Response:
    found = preview_by_hand(stage=stage, by=by, seating=payload["tables"])
    # Without `seen` a program publishes what it sent; with it, only the round that it has looked at.
    seen = payload["seen"] or found.hash
    return perform(
        event,
        lambda: publish_by_hand(stage=stage, by=by, seating=payload["tables"], seen=seen),
        dry_run=payload["dry_run"],
        seen=found.hash,
        plan=_plan(found),
    )
