"""Clubs: the list, one with its people and events, and one's own membership."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.clubs.membership import join_club, leave_club
from tournaments.clubs.queries import ClubPage, ClubPerson, club_keys, club_lines, club_page
from web.access import WRITES, reader, require
from web.api_pages import PAGED, in_pages, list_serializer
from web.resource import Resource

KEY = OpenApiParameter("key", OpenApiTypes.STR, OpenApiParameter.PATH, description="the club's address")
WORDS = OpenApiParameter("q", OpenApiTypes.STR, description="words in the name")


class ClubSerializer(serializers.Serializer[Any]):
    """A club of the list."""

    key = serializers.CharField(help_text="the club's address")
    name = serializers.CharField(help_text="its most usual spelling")
    entries = serializers.IntegerField(help_text="how often somebody was entered for it")


class ClubPersonSerializer(serializers.Serializer[Any]):
    """Somebody of a club."""

    name = serializers.CharField(help_text="as in the newest event")
    user = serializers.SerializerMethodField(help_text="the account's user name; null without one")
    events = serializers.IntegerField(source="events_n", help_text="entered in for this club")
    tables = serializers.IntegerField(help_text="tables played in these events")
    won = serializers.IntegerField(help_text="tables won")
    joined = serializers.BooleanField(source="has_joined", help_text="whether the account says so itself")

    def get_user(self, person: ClubPerson) -> str | None:
        """Return the user name."""
        return person.user.username if person.user is not None else None


class OneClubSerializer(serializers.Serializer[Any]):
    """A club with its people and events."""

    key = serializers.CharField(help_text="the club's address")
    name = serializers.CharField(help_text="its most usual spelling")
    spellings = serializers.ListField(child=serializers.CharField(), help_text="all spellings that were entered")
    people = ClubPersonSerializer(many=True, help_text="those who won most tables first")
    events = serializers.SerializerMethodField(help_text="addresses of its newest events")

    def get_events(self, club: ClubPage) -> list[str]:
        """Return the addresses."""
        return [event.slug for event in club.events]


class Clubs(Resource):
    """Clubs."""

    @extend_schema(operation_id="clubs_list", parameters=[WORDS, *PAGED], responses=list_serializer(ClubSerializer))
    def get(self, request: Request) -> Response:
        """List the clubs that people were entered for, by name."""
        person = reader(request)
        keys = club_keys(person, words=request.query_params.get("q", "").strip()[:60])
        return in_pages(request, keys, lambda some: ClubSerializer(club_lines(some, person), many=True).data)


class OneClub(Resource):
    """One club."""

    @extend_schema(operation_id="clubs_retrieve", parameters=[KEY], responses=OneClubSerializer)
    def get(self, request: Request, key: str) -> Response:
        """Get a club with its people and events."""
        found = club_page(key, reader(request))
        if found is None:
            raise Http404(key)
        return Response(OneClubSerializer(found).data)


class Membership(Resource):
    """One's own membership of a club."""

    @extend_schema(operation_id="clubs_join", parameters=[KEY], request=None, responses={204: None})
    def put(self, request: Request, key: str) -> Response:
        """Join a club; everybody can see it. Twice changes nothing. Scope: event:write or bot:write."""
        user = require(request, *WRITES)
        if club_page(key, user) is None:
            raise Http404(key)
        join_club(user=user, key=key)
        return Response(status=204)

    @extend_schema(operation_id="clubs_leave", parameters=[KEY], responses={204: None})
    def delete(self, request: Request, key: str) -> Response:
        """Leave a club. Twice changes nothing. Scope: event:write or bot:write."""
        leave_club(user=require(request, *WRITES), key=key)
        return Response(status=204)
