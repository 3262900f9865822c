"""People of a season: who is who, who changes divisions, their clubs."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.seasons.seasons import SLUG, season_shown, season_to_change
from tournaments.api.seasons.serializers import amount
from tournaments.clubs.in_seasons import SeasonClub, clubs_in
from tournaments.models import SeasonIdentity, SeasonPerson
from tournaments.seasons.closing import moves_of
from tournaments.seasons.people import alike, identities
from web.api_pages import PAGED, in_pages, list_response, list_serializer
from web.resource import Resource


class SeasonIdentitySerializer(serializers.Serializer[Any]):
    """What somebody said of who is who. What was taken back stays in the list."""

    identity = serializers.UUIDField(source="uuid", help_text="names it for undo")
    kind = serializers.ChoiceField(choices=SeasonIdentity.Kind.choices, help_text="same: merged; apart: told apart")
    one = serializers.CharField(source="source_name", help_text="the name of who was merged, or told apart")
    other = serializers.CharField(source="target_name", allow_blank=True, help_text="of whom they became part")
    made_by = serializers.CharField(source="made_by.username", help_text="who said so")
    made_at = serializers.DateTimeField(help_text="when")
    undone_at = serializers.DateTimeField(allow_null=True, help_text="when it was taken back; null while it holds")


class SomebodySerializer(serializers.Serializer[Any]):
    """A person of a season."""

    person = serializers.UUIDField(source="uuid", help_text="of the person in this season")
    name = serializers.CharField(help_text="as in the newest event")
    has_account = serializers.SerializerMethodField(help_text="whether an account says who it is")

    def get_has_account(self, person: SeasonPerson) -> bool:
        """Return whether there is an account."""
        return person.user_id is not None


class AlikeSerializer(serializers.Serializer[Any]):
    """Two people who may be one: merge them with the verb merge, if they are."""

    one = SomebodySerializer(source="other", help_text="who would become part of the other")
    other = SomebodySerializer(source="one", help_text="who would stay")


class MoveSerializer(serializers.Serializer[Any]):
    """A person who changes divisions when the season is closed."""

    person = serializers.UUIDField(source="person.uuid", help_text="of the person in this season")
    name = serializers.CharField(source="person.name", help_text="as in the newest event")
    division = serializers.IntegerField(source="source.position", help_text="the division now, from 1, the highest")
    next_division = serializers.IntegerField(source="target.position", help_text="the division in the next season")


class SeasonClubSerializer(serializers.Serializer[Any]):
    """A club in a season."""

    rank = serializers.IntegerField(help_text="by the total")
    shared = serializers.BooleanField(help_text="whether another club has the same rank")
    key = serializers.CharField(help_text="the club's address")
    name = serializers.CharField(help_text="its most usual spelling")
    people = serializers.IntegerField(help_text="how many of them are in the table")
    total = serializers.SerializerMethodField(help_text="of all of them, decimal text")

    def get_total(self, club: SeasonClub) -> str:
        """Return the total as text."""
        return amount(club.total)


class SeasonIdentities(Resource):
    """What was said of who is who."""

    @extend_schema(
        operation_id="seasons_identities", parameters=[SLUG], responses=list_serializer(SeasonIdentitySerializer)
    )
    def get(self, request: Request, slug: str) -> Response:
        """List what was said of who is who in a season you run, the newest first. Scope: event:write."""
        season, _by = season_to_change(slug, request)
        return list_response(SeasonIdentitySerializer(identities(season), many=True).data)


class SeasonAlike(Resource):
    """People who may be one."""

    @extend_schema(operation_id="seasons_alike", parameters=[SLUG], responses=list_serializer(AlikeSerializer))
    def get(self, request: Request, slug: str) -> Response:
        """List pairs of names that may be one person in a season you run. Scope: event:write."""
        season, _by = season_to_change(slug, request)
        return list_response(AlikeSerializer(alike(season), many=True).data)


class SeasonMoves(Resource):
    """Who changes divisions."""

    @extend_schema(operation_id="seasons_moves", parameters=[SLUG], responses=list_serializer(MoveSerializer))
    def get(self, request: Request, slug: str) -> Response:
        """List who goes up and down when a season you run is closed, by the table as it is now. Scope: event:write."""
        season, _by = season_to_change(slug, request)
        return list_response(MoveSerializer(moves_of(season), many=True).data)


class SeasonClubs(Resource):
    """The clubs of a season."""

    @extend_schema(
        operation_id="seasons_clubs", parameters=[SLUG, *PAGED], responses=list_serializer(SeasonClubSerializer)
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the clubs of a season by the totals of their people."""
        season, _person = season_shown(slug, request)
        return in_pages(request, clubs_in(season), lambda some: SeasonClubSerializer(some, many=True).data)
