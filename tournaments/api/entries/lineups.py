"""Line-ups of teams whose members sit apart: reading them, setting one, leaving a team."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from tournaments.api.acting import ActSerializer, DoneSerializer, perform
from tournaments.api.entries.entries import UUID_OF
from tournaments.api.loading import SLUG, entry_of, event_for, event_organised, event_to_change
from tournaments.entries.captains import captains_of, read_captain, token_now
from tournaments.entries.lineups import Change, leave_team, preview_lineup, set_lineup
from tournaments.lifecycle.transitions import ORGANISERS, roles_of
from tournaments.models import Entry, Member, Tournament
from tournaments.scores.renewed_slips import renew_captain
from tournaments.standings.boards import LineupLine, lineup_page
from web.api_pages import PAGED, in_pages, list_serializer
from web.bodies import read_body
from web.resource import Resource

Payload = dict[str, Any]


class SittingSerializer(serializers.Serializer[Any]):
    """A board of a team. entry: null where nobody sits."""

    board = serializers.IntegerField(help_text="from 1")
    entry = serializers.UUIDField(allow_null=True)
    name = serializers.CharField(allow_blank=True)


class PersonSerializer(serializers.Serializer[Any]):
    """Somebody of a team who sits on no board."""

    entry = serializers.UUIDField()
    name = serializers.CharField()


class LineupSerializer(serializers.Serializer[Any]):
    """A team's line-up for the round that is open. stage, round: null where none is open any more."""

    team = serializers.UUIDField()
    name = serializers.CharField()
    stage = serializers.IntegerField(allow_null=True)
    round = serializers.IntegerField(allow_null=True, help_text="the first round that it can be set for")
    boards = SittingSerializer(many=True)
    reserves = PersonSerializer(many=True)


class NewLineupSerializer(serializers.Serializer[Any]):
    """The people on the boards from a round on. seen: what a dry run showed; the act needs it."""

    people = serializers.ListField(
        child=serializers.UUIDField(allow_null=True), max_length=16, help_text="by board; null: nobody sits there"
    )
    from_round = serializers.IntegerField(
        min_value=1, max_value=32767, required=False, allow_null=True, default=None, help_text="null: the open one"
    )
    captain = serializers.CharField(
        max_length=120, required=False, help_text="what a captain's address carries: act as they, without account"
    )
    dry_run = serializers.BooleanField(required=False, default=False)
    seen = serializers.CharField(max_length=64, required=False, allow_blank=True, default="")


class SeatChangeSerializer(serializers.Serializer[Any]):
    """A board that somebody else sits on. before, after: names, "" for nobody."""

    board = serializers.IntegerField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)


class DrawnSeatSerializer(serializers.Serializer[Any]):
    """A seat of a table that is drawn already and gets somebody else: its slip is dead."""

    round = serializers.IntegerField()
    table = serializers.IntegerField()
    board = serializers.IntegerField()


class LineupDoneSerializer(serializers.Serializer[Any]):
    """Changes that it made, or would make."""

    dry_run = serializers.BooleanField()
    seen = serializers.CharField(help_text="to be sent with the act")
    round = serializers.IntegerField(help_text="from this one on")
    boards = SeatChangeSerializer(many=True)
    tables = DrawnSeatSerializer(many=True)


def _name(person: Entry | None) -> str:
    return person.player.name if person is not None else ""


def _person(member: Member) -> Payload:
    return {"entry": member.person.uuid, "name": member.person.player.name}


def _line(line: LineupLine, stage: int | None, number: int | None) -> Payload:
    boards = [
        {"board": board, **(_person(member) if member is not None else {"entry": None, "name": ""})}
        for board, member in enumerate(line.boards, start=1)
    ]
    team = {"team": line.team.uuid, "name": line.team.player.name, "stage": stage, "round": number}
    return {**team, "boards": boards, "reserves": [_person(member) for member in line.reserves]}


class Lineups(Resource):
    """The line-ups of an event."""

    @extend_schema(operation_id="lineups_list", parameters=[SLUG, *PAGED], responses=list_serializer(LineupSerializer))
    def get(self, request: Request, slug: str) -> Response:
        """List every team's line-up for the open round. For organisers; 404 for others."""
        event, _by = event_organised(slug, request)
        found = lineup_page(event)
        open_for = (found.slot.stage.order, found.slot.number) if found.slot is not None else (None, None)
        items = [_line(line, *open_for) for line in found.lines]
        return in_pages(request, items, lambda rows: LineupSerializer(rows, many=True).data)


class TeamLineup(Resource):
    """The line-up of one team."""

    @extend_schema(
        operation_id="lineups_set",
        parameters=[SLUG, UUID_OF],
        request=NewLineupSerializer,
        responses=LineupDoneSerializer,
    )
    def put(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Set a team's line-up, as an organiser or with `captain` as its captain. Look first: dry_run. Scope:
        event:write.
        """
        wanted = NewLineupSerializer(data=request.data)
        event, team, by = _team(slug, uuid, request)
        wanted.is_valid(raise_exception=True)
        payload = wanted.validated_data
        people = [entry_of(event, each) if each is not None else None for each in payload["people"]]
        about: Payload = {"team": team, "by": by, "people": people, "from_round": payload["from_round"]}
        if payload["dry_run"]:
            return Response(_change(preview_lineup(**about), dry_run=True))
        return Response(_change(set_lineup(seen=payload["seen"], **about), dry_run=False))


def _team(slug: str, uuid: UUID, request: Request) -> tuple[Tournament, Entry, User | None]:
    """Return the event, the team and the person who acts; None: its captain."""
    data = request.data if isinstance(request.data, dict) else {}
    token = data.get("captain")
    if not isinstance(token, str):
        event, by = event_to_change(slug, request, "event:write")
        return event, entry_of(event, uuid), by
    event, _person = event_for(slug, request)
    team = read_captain(token, event)
    # UUID(0) is nobody's: a captain's token for another team is a 404, as for a team that does not exist.
    return event, entry_of(event, team.uuid if team.uuid == uuid else UUID(int=0)), None


def _change(change: Change, *, dry_run: bool) -> Payload:
    boards = [
        {"board": each.number, "before": _name(each.before), "after": _name(each.after)}
        for each in change.boards
        if each.changes
    ]
    tables = [{"round": number, "table": table, "board": board} for number, table, board in change.tables]
    answer = {"dry_run": dry_run, "seen": change.hash, "round": change.slot.number, "boards": boards, "tables": tables}
    return dict(LineupDoneSerializer(answer).data)


class CaptainSerializer(serializers.Serializer[Any]):
    """The address by which a captain gives the line-ups of their team."""

    address = serializers.CharField()


class CaptainAddress(Resource):
    """The address of the captain of a team."""

    @extend_schema(operation_id="captains_retrieve", parameters=[SLUG, UUID_OF], responses=CaptainSerializer)
    def get(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Get the captain's address, to give it to them. For organisers; 404 for others. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        if not event.boards or not roles_of(event, by) & ORGANISERS:
            raise Http404(slug)
        return _captain(request, event, entry_of(event, uuid))


class CaptainRenew(Resource):
    """Renewal of a captain's address that fell into the wrong hands."""

    @extend_schema(operation_id="captains_renew", parameters=[SLUG, UUID_OF], request=None, responses=CaptainSerializer)
    def post(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Make a new address for the captain of a team; the old one is dead. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        team = entry_of(event, uuid)
        renew_captain(team=team, by=by)
        return _captain(request, event, team)


def _captain(request: Request, event: Tournament, team: Entry) -> Response:
    """Return the address of a team's captain; 404 for an entry that is no team."""
    member = captains_of(event).get(team.pk)
    if member is None:
        raise Http404(str(team.uuid))
    token = token_now(member)
    address = request.build_absolute_uri(reverse("tournament-captain", args=[event.slug, token]))
    # no-store: the address acts without an account.
    return Response(CaptainSerializer({"address": address}).data, headers={"Cache-Control": "no-store"})


class TeamLeave(Resource):
    """A member leaves their team."""

    @extend_schema(
        operation_id="entries_part", parameters=[SLUG, UUID_OF], request=ActSerializer, responses=DoneSerializer
    )
    def post(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Let somebody leave their team; the board is empty from the open round on. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(ActSerializer, request)
        member = entry_of(event, uuid)
        return perform(event, lambda: leave_team(member=member, by=by), dry_run=payload["dry_run"])
