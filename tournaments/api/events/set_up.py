"""The set-up of an event as a whole: read as a new event is asked for, and replaced."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.events.plans import NewEventSerializer, plan_from
from tournaments.api.loading import SLUG, event_for, event_to_change
from tournaments.events.plan_rows import plan_of
from tournaments.events.set_up import change_plan, preview_plan
from web.bodies import read_body
from web.resource import Resource


@extend_schema_serializer(component_name="SetUp")
class SetUpSerializer(NewEventSerializer):
    """The set-up that an event is to have. What is left out is as of a new event."""

    dry_run = serializers.BooleanField(required=False, default=False)
    row_version = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1)


class SetUpChangeSerializer(serializers.Serializer[Any]):
    """A field that changes, in words. stage: its number; 0: of the whole event."""

    field = serializers.CharField(help_text="the name of the field in the body")
    stage = serializers.IntegerField(help_text="the number of the stage; 0: of the whole event")
    before = serializers.CharField(help_text="what it is, in words")
    after = serializers.CharField(help_text="what it is then, in words")


class SetUpDoneSerializer(serializers.Serializer[Any]):
    """What was changed, or would be."""

    dry_run = serializers.BooleanField()
    moved_up = serializers.IntegerField(help_text="entries that leave the waiting list")
    changes = SetUpChangeSerializer(many=True, help_text="the fields that change")


class SetUp(Resource):
    """The set-up of an event."""

    @extend_schema(operation_id="tournaments_plan", parameters=[SLUG], responses=NewEventSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Get the set-up, in the words of a new event."""
        event, _person = event_for(slug, request)
        return Response(dict(NewEventSerializer(asdict(plan_of(event))).data))

    @extend_schema(
        operation_id="tournaments_plan_replace",
        parameters=[SLUG],
        request=SetUpSerializer,
        responses=SetUpDoneSerializer,
    )
    def put(self, request: Request, slug: str) -> Response:
        """Replace the set-up: all of it while nobody could enter, later what is not fixed. Scope: event:write.

        What is fixed by now is refused with "tournament.fixed_field". Look first with dry_run.
        """
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(SetUpSerializer, request)
        dry_run, version = payload.pop("dry_run"), payload.pop("row_version")
        act = preview_plan if dry_run else change_plan
        found = act(tournament=event, by=by, plan=plan_from(payload), expected_version=version)
        shown = {"dry_run": dry_run, "moved_up": found.moved_up, "changes": found.differences}
        return Response(dict(SetUpDoneSerializer(shown).data))
