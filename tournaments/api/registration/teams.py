"""Teams by registration: the own team, the places that its captain offers, and the answer to such a place."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.loading import SLUG, about
from tournaments.api.registration.registrations import NOT_STORED, details_from, own_event, registered
from tournaments.api.registration.serializers import NewRegistrationSerializer
from tournaments.models import Registration, TeamPlace
from tournaments.registration.letters import path_of_place, read_place
from tournaments.registration.register import Sender
from tournaments.registration.teams import add_member, decline_place, join_team, name_team, remove_member, team_view
from web.access import require
from web.bodies import read_body
from web.resource import Resource
from web.throttles import where_from

VERBS: Final = ("look", "join", "decline")
VERB = OpenApiParameter("verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VERBS), description="the answer")
PLACE = OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH, description="of the place")


class TeamPlaceSerializer(serializers.Serializer[Any]):
    """A place in a team beside the captain's."""

    id = serializers.UUIDField(source="uuid", help_text="of the place")
    name = serializers.CharField(help_text="as the captain named them")
    state = serializers.ChoiceField(choices=TeamPlace.State.choices, help_text="the answer")
    is_held = serializers.BooleanField(help_text="whether a place of the event is held for them until entries close")
    link = serializers.SerializerMethodField(help_text="to pass on; null once it is answered")

    def get_link(self, place: TeamPlace) -> str | None:
        """Return the address that its captain passes on: never the one of the mail, which proves who they are."""
        if place.state != TeamPlace.State.INVITED:
            return None
        return str(self.context["request"].build_absolute_uri(path_of_place(place)))


class OwnTeamSerializer(serializers.Serializer[Any]):
    """The team in which one is registered."""

    name = serializers.CharField(allow_blank=True, help_text="empty: it is called by its members")
    captain = serializers.CharField(help_text="the name of the captain")
    is_captain = serializers.BooleanField(help_text="whether that is you")
    entry = serializers.UUIDField(allow_null=True, help_text="of the team; null until everybody has a place")
    size = serializers.IntegerField(help_text="people in a full team, with the captain")
    may_change = serializers.BooleanField(help_text="whether you may name, invite and take out people now")
    places = TeamPlaceSerializer(many=True, help_text="beside the captain's; for members those that are confirmed")


class TeamNameSerializer(serializers.Serializer[Any]):
    """The name of a team."""

    name = serializers.CharField(max_length=60, allow_blank=True, help_text="empty: it is called by its members")


class NewTeamPlaceSerializer(serializers.Serializer[Any]):
    """Somebody whom the captain asks."""

    name = serializers.CharField(max_length=60, help_text="who is asked; the same name twice is one place")
    email = serializers.EmailField(
        max_length=254, required=False, allow_blank=True, default="", help_text="empty: you pass the link on"
    )


class PlaceAnswerSerializer(NewRegistrationSerializer):
    """The answer to a place in a team; of look and decline the link alone."""

    link = serializers.CharField(max_length=120, help_text="what the address of the place carries")
    name = serializers.CharField(
        max_length=60, required=False, allow_blank=True, default="", help_text="of join: as everybody reads it"
    )


class OfferedPlaceSerializer(serializers.Serializer[Any]):
    """A place in a team, as the holder of its link sees it."""

    event = serializers.CharField(source="team.tournament.slug", help_text="the address of the event")
    event_name = serializers.CharField(source="team.tournament.name", help_text="the name of the event")
    team = serializers.CharField(source="team.name", allow_blank=True, help_text="empty: it has no name of its own")
    captain = serializers.CharField(source="team.captain.name", help_text="who asks")
    name = serializers.CharField(help_text="as the captain named you")
    state = serializers.ChoiceField(choices=TeamPlace.State.choices, help_text="the answer")


def _shown(own: Registration, request: Request) -> Response:
    """Return the team of a registration; 404 for somebody who has none and may not begin one."""
    view = team_view(own) if own.tournament.partners else None
    if view is None:
        raise Http404("team")
    team = view.team
    shown = {
        "name": team.name if team is not None else "",
        "captain": team.captain.name if team is not None else own.name,
        "is_captain": view.is_captain or team is None,  # who may begin one would be its captain
        "entry": team.entry.uuid if team is not None and team.entry is not None else None,
        "size": view.size,
        "may_change": view.may_change,
        "places": view.places,
    }
    return Response(OwnTeamSerializer(shown, context={"request": request}).data, headers=NOT_STORED)


class OwnTeam(Resource):
    """The team in which one is registered."""

    @extend_schema(operation_id="own_team", parameters=[SLUG], responses=OwnTeamSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Get your team; before you have one an empty one, if you may begin it, else 404. Scope: event:write."""
        return _shown(registered(*own_event(slug, request)), request)

    @extend_schema(
        operation_id="own_team_update", parameters=[SLUG], request=TeamNameSerializer, responses=OwnTeamSerializer
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Name your team as its captain; it is entered once more as soon as it is whole. Scope: event:write."""
        own = registered(*own_event(slug, request))
        name_team(registration=own, name=read_body(TeamNameSerializer, request)["name"])
        return _shown(own, request)


class OwnTeamPlaces(Resource):
    """The places of one's own team."""

    @extend_schema(
        operation_id="own_team_places_create",
        parameters=[SLUG],
        request=NewTeamPlaceSerializer,
        responses={200: TeamPlaceSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Ask somebody into your team, by mail or by a link that you pass on. They confirm. Scope: event:write."""
        own = registered(*own_event(slug, request))
        place = add_member(registration=own, **read_body(NewTeamPlaceSerializer, request))
        return Response(TeamPlaceSerializer(place, context={"request": request}).data, headers=NOT_STORED)


class OneOwnTeamPlace(Resource):
    """A place of one's own team."""

    @extend_schema(operation_id="own_team_places_delete", parameters=[SLUG, PLACE], responses={204: None})
    def delete(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Take somebody out of your team; a member who had confirmed stays registered alone. Scope: event:write."""
        own = registered(*own_event(slug, request))
        place = TeamPlace.objects.filter(team__captain=own, uuid=uuid).first()
        if place is None:
            raise Http404(str(uuid))
        remove_member(registration=own, place=place)
        return Response(status=204)


class TeamPlaceAct(Resource):
    """The answer to a place in a team."""

    @extend_schema(
        operation_id="team_places_act",
        parameters=[VERB],
        request=PlaceAnswerSerializer,
        responses={200: OfferedPlaceSerializer},
    )
    def post(self, request: Request, verb: str) -> Response:
        """Look at a place in a team, join (with an account: you are registered), or decline it; twice is once.

        Scope of join: event:write. Look and decline need the link alone.
        """
        if verb not in VERBS:
            raise Http404(verb)
        # In the body, not in the address: addresses stand in logs.
        payload = read_body(PlaceAnswerSerializer, request)
        place, is_mailed = read_place(payload["link"])
        if verb == "join":
            person = require(request, "event:write", of=about(place.team.tournament))
            details, sender = details_from(payload), Sender(where_from(request))
            join_team(place=place, person=person, details=details, sender=sender, is_mailed=is_mailed)
        elif verb == "decline":
            decline_place(place=place)
        place, _is_mailed = read_place(payload["link"])  # the act may have changed it
        return Response(OfferedPlaceSerializer(place).data, headers=NOT_STORED)
