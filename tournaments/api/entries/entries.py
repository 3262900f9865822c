"""Entries and teams of an event."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from bots.models import Bot
from tournaments.api.loading import SLUG, about, entry_of, event_for, event_to_change
from tournaments.api.serializers import (
    EntryChangesSerializer,
    EntrySerializer,
    NewEntrySerializer,
    NewTeamSerializer,
    TeamChangesSerializer,
    TeamSerializer,
)
from tournaments.entries import corrections, people, teams
from tournaments.entries.bots import enter_bot, withdraw_entry
from tournaments.entries.teams_query import TeamLine, team_lines
from tournaments.lifecycle import visibility
from tournaments.models import Entry, Player, Tournament
from tournaments.pairing import constraints_actions
from tournaments.presence.returning import bring_back
from tournaments.presence.sitting_out import arrive_for
from web.access import require, somebody, token_of
from web.api_pages import PAGED, InOrder, in_pages, list_serializer
from web.bodies import read_body
from web.resource import Resource, changed, require_current

UUID_OF = OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH)


class Entries(Resource, ListAPIView[Entry]):
    """The entries of an event; a new one."""

    serializer_class = EntrySerializer
    pagination_class = InOrder
    kwargs: dict[str, Any]

    def get_queryset(self) -> QuerySet[Entry]:
        if "slug" not in self.kwargs:  # the schema is made without an address
            return Entry.objects.none()
        return visibility.entries_of(event_for(str(self.kwargs["slug"]), self.request)[0])

    @extend_schema(operation_id="entries_list", parameters=[SLUG])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the entries in the order they were made."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="entries_create", parameters=[SLUG], request=NewEntrySerializer, responses={201: EntrySerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter a bot of yours; or, as an organiser, invite a house bot or write a person down. Scope: event:write."""
        wanted = NewEntrySerializer(data=request.data)
        if "bot" in (request.data if isinstance(request.data, dict) else ()):
            event, by, bot = _bot_to_enter(slug, request)
            wanted.is_valid(raise_exception=True)
            entry = enter_bot(tournament=event, bot=bot, by=by, nonce=wanted.validated_data["nonce"])
        else:
            event, by = event_to_change(slug, request, "event:write")
            wanted.is_valid(raise_exception=True)
            payload = wanted.validated_data
            person = {name: payload[name] for name in ("name", "club", "born")}
            entry = people.add_person(tournament=event, by=by, **person)
        location = reverse("api-entry", args=[event.slug, entry.uuid])
        return Response(document(entry), status=201, headers={"Location": location})


def _bot_to_enter(slug: str, request: Request) -> tuple[Tournament, User, Bot]:
    """Return the event, the person who enters, and their bot. A token bound to the bot may enter it, as one bound to
    the event.
    """
    person = somebody(request)
    event = Tournament.objects.filter(visibility.visible_to(person), slug=slug).first()
    if event is None:
        raise Http404(slug)
    data: Any = request.data
    wanted = str(data.get("bot"))[:60]
    # isprintable: a zero byte would be an error of PostgreSQL.
    # Of any owner: bots are public, and the service says whose it has to be.
    bot = Bot.objects.filter(slug=wanted).first() if person and wanted.isprintable() else None
    token = token_of(request)
    is_own = bot is not None and person is not None and bot.owner_id == person.pk
    of_bot = is_own and token is not None and token.bound_kind == "bot"
    by = require(request, "event:write", of=("bot", bot.uuid) if bot is not None and of_bot else about(event))
    # After the check of the token: without the scope nobody learns which bots there are.
    if bot is None:
        raise Http404("bot")
    return event, by, bot


def document(entry: Entry) -> dict[str, Any]:
    """Return what a GET of the entry answers."""
    return dict(EntrySerializer(Entry.objects.select_related("player__bot", "bot_version").get(pk=entry.pk)).data)


class OneEntry(Resource):
    """One entry."""

    @extend_schema(operation_id="entries_retrieve", parameters=[SLUG, UUID_OF], responses=EntrySerializer)
    def get(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Get one entry."""
        event, _person = event_for(slug, request)
        return Response(document(entry_of(event, uuid)))

    @extend_schema(
        operation_id="entries_update",
        parameters=[SLUG, UUID_OF],
        request=EntryChangesSerializer,
        responses=EntrySerializer,
    )
    def patch(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Withdraw an entry, bring it back, note who comes, fix a table; or correct name, club, seed, rating.

        If-Match: 412. Scope: event:write.
        """
        event, by = event_to_change(slug, request, "event:write")
        entry = entry_of(event, uuid)
        payload = read_body(EntryChangesSerializer, request)
        # If-Match is compared with what a GET would answer now.
        require_current(request, document(entry))
        if "present" in payload:
            people.check_in(entry=entry, by=by, is_here=payload["present"])
        elif "table" in payload:
            constraints_actions.fix_table(entry=entry, by=by, table=payload["table"])
        elif "arrives" in payload:
            arrive_for(entry=entry, by=by, round_number=payload["arrives"])
        elif "state" not in payload:
            corrections.correct_entry(entry=entry, by=by, changes=payload)
        elif payload["state"] == Entry.State.ACTIVE:
            bring_back(entry=entry, by=by)
        # In a mixed field a bot leaves like a person, also while the event runs.
        elif entry.player.kind == Player.Kind.BOT and not event.is_mixed:
            withdraw_entry(entry=entry, by=by)
        else:
            people.withdraw_person(entry=entry, by=by)
        return changed(document(entry))


class Teams(Resource):
    """The teams of an event; a new one."""

    @extend_schema(operation_id="teams_list", parameters=[SLUG, *PAGED], responses=list_serializer(TeamSerializer))
    def get(self, request: Request, slug: str) -> Response:
        """List the teams with their people."""
        event, _person = event_for(slug, request)
        return in_pages(request, team_lines(event), lambda rows: TeamSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="teams_create", parameters=[SLUG], request=NewTeamSerializer, responses={201: TeamSerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Put single people together. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(NewTeamSerializer, request)
        chosen = [entry_of(event, uuid) for uuid in payload["people"]]
        team = teams.make_team(tournament=event, by=by, people=chosen, name=payload["name"])
        return Response(_team(event, team.uuid), status=201)


class OneTeam(Resource):
    """One team."""

    @extend_schema(operation_id="teams_retrieve", parameters=[SLUG, UUID_OF], responses=TeamSerializer)
    def get(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Get one team."""
        event, _person = event_for(slug, request)
        return Response(_team(event, uuid))

    @extend_schema(
        operation_id="teams_update",
        parameters=[SLUG, UUID_OF],
        request=TeamChangesSerializer,
        responses=TeamSerializer,
    )
    def patch(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Give a team another name. If-Match: 412. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(TeamChangesSerializer, request)
        require_current(request, _team(event, uuid))
        teams.rename_team(team=entry_of(event, uuid), by=by, name=payload["name"])
        return changed(_team(event, uuid))

    @extend_schema(operation_id="teams_delete", parameters=[SLUG, UUID_OF], responses={204: None})
    def delete(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Take a team apart that is not drawn yet. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        teams.break_team(team=entry_of(event, uuid), by=by)
        return Response(status=204)


def _team(event: Tournament, uuid: UUID) -> dict[str, Any]:
    found: list[TeamLine] = [line for line in team_lines(event) if line.entry.uuid == uuid]
    if not found:
        raise Http404(str(uuid))
    return dict(TeamSerializer(found[0]).data)
