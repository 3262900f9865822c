"""Rounds sat out, substitutes of single people, and an event's rules on byes, late arrivals and no-shows."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.entries.entries import UUID_OF, document
from tournaments.api.loading import SLUG, entry_of, event_for, event_to_change
from tournaments.api.serializers import EntrySerializer
from tournaments.models import Entry, Tournament
from tournaments.models.presence import MAX_BYES, MAX_NO_SHOWS, MAX_ROUND
from tournaments.presence import settings, sitting_out
from tournaments.presence.queries import byes_of
from tournaments.presence.substitutes import replace_person
from web.api_pages import PAGED, in_pages, list_serializer
from web.bodies import read_body
from web.resource import Resource, changed, require_current

NUMBER = OpenApiParameter("number", OpenApiTypes.INT, OpenApiParameter.PATH, description="a round")


class ByeSerializer(serializers.Serializer[Any]):
    """A round that an entry sits out by arrangement."""

    round = serializers.IntegerField(help_text="its number")
    worth = serializers.CharField(help_text='"0": nothing, "1/2": as a tie, "1": as a win')
    is_drawn = serializers.BooleanField(help_text="whether the round is drawn: then it stays")


class NewByesSerializer(serializers.Serializer[Any]):
    """Rounds to be sat out, one or several that follow each other."""

    first = serializers.IntegerField(min_value=1, max_value=MAX_ROUND, help_text="the first round")
    last = serializers.IntegerField(min_value=1, max_value=MAX_ROUND, required=False, help_text="left out: only one")


class Byes(Resource):
    """The rounds of the present stage that an entry sits out."""

    @extend_schema(
        operation_id="byes_list", parameters=[SLUG, UUID_OF, *PAGED], responses=list_serializer(ByeSerializer)
    )
    def get(self, request: Request, slug: str, uuid: UUID) -> Response:
        """List the rounds that an entry sits out, or has sat out, by arrangement."""
        event, _person = event_for(slug, request)
        return _listed(request, event, entry_of(event, uuid))

    @extend_schema(
        operation_id="byes_create",
        parameters=[SLUG, UUID_OF, *PAGED],
        request=NewByesSerializer,
        responses=list_serializer(ByeSerializer),
    )
    def post(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Let an entry sit out rounds that are not drawn yet; twice changes nothing. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(NewByesSerializer, request)
        entry = entry_of(event, uuid)
        sitting_out.sit_out_rounds(entry=entry, by=by, first=payload["first"], last=payload.get("last"))
        return _listed(request, event, entry)


def _listed(request: Request, event: Tournament, entry: Entry) -> Response:
    rows = byes_of(entry, sitting_out.open_stage(event))
    return in_pages(request, rows, lambda found: ByeSerializer(found, many=True).data)


class OneBye(Resource):
    """One round that an entry sits out."""

    @extend_schema(operation_id="byes_delete", parameters=[SLUG, UUID_OF, NUMBER], responses={204: None})
    def delete(self, request: Request, slug: str, uuid: UUID, number: int) -> Response:
        """Let an entry play in this round after all; twice changes nothing. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        sitting_out.play_rounds(entry=entry_of(event, uuid), by=by, first=number)
        return Response(status=204)


class SubstituteOfSerializer(serializers.Serializer[Any]):
    """The one who plays on in place of a single person."""

    name = serializers.CharField(max_length=60)


class EntrySubstitute(Resource):
    """A substitute of a single person."""

    @extend_schema(
        operation_id="entries_substitute",
        parameters=[SLUG, UUID_OF],
        request=SubstituteOfSerializer,
        responses=EntrySerializer,
    )
    def post(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Let somebody play on in place of a single person; answers the entry that plays. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(SubstituteOfSerializer, request)
        found = replace_person(entry=entry_of(event, uuid), by=by, name=payload["name"])
        return Response(document(found))


class PresenceSerializer(serializers.Serializer[Any]):
    """An event's rules on rounds away from the tables."""

    bye_worth = serializers.ChoiceField(
        choices=settings.CHOICES["bye_worth"],
        required=False,
        help_text='of a requested bye: "0" nothing, "1/2" as a tie, "1" as a win',
    )
    bye_limit = serializers.IntegerField(
        min_value=0, max_value=MAX_BYES, required=False, help_text="how many requested byes of a person are worth that"
    )
    bye_until = serializers.IntegerField(
        min_value=0, max_value=MAX_ROUND, required=False, help_text="the last round in which one is; 0: in any"
    )
    byes_by_players = serializers.BooleanField(required=False, help_text="whether people may ask by their own link")
    late_worth = serializers.ChoiceField(
        choices=settings.CHOICES["late_worth"], required=False, help_text="of the rounds that a late arrival missed"
    )
    walkover = serializers.ChoiceField(
        choices=settings.CHOICES["walkover"],
        required=False,
        help_text="what the only side at a table gets, until the start",
    )
    walkover_share = serializers.IntegerField(
        min_value=0, max_value=100, required=False, help_text='of "share": in percent of a win'
    )
    no_show_limit = serializers.IntegerField(
        min_value=0,
        max_value=MAX_NO_SHOWS,
        required=False,
        help_text="after how many no-shows somebody is withdrawn; 0: never",
    )
    substitutes_keep_points = serializers.BooleanField(
        required=False, help_text="whether a substitute of a single person plays on with the points"
    )


class PresenceRules(Resource):
    """The rules on byes, late arrivals, no-shows and substitutes."""

    @extend_schema(operation_id="presence_retrieve", parameters=[SLUG], responses=PresenceSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Get the rules on byes, late arrivals, no-shows and substitutes."""
        event, _person = event_for(slug, request)
        return Response(dict(PresenceSerializer(event).data))

    @extend_schema(
        operation_id="presence_update", parameters=[SLUG], request=PresenceSerializer, responses=PresenceSerializer
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change some of them; points that were given stay. If-Match: 412. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        wanted = read_body(PresenceSerializer, request)
        require_current(request, dict(PresenceSerializer(event).data))
        found = settings.choose_presence(tournament=event, by=by, wanted=wanted)
        return changed(dict(PresenceSerializer(found).data))
